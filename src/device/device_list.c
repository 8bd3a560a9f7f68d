// SPDX-License-Identifier: Apache-2.0
// The only list of devices.
#include "device/device_ops.h"

#include <string.h>

#include "base/check.h"
#include "base/choices.h"

static const struct {
    const char *name, *form;
    const pv_device_ops *ops;    // NULL: known, not built in
} known[] = {
    {"cpu", "cpu or cpu:THREADS", &pv_device_cpu},
#if PV_HAVE_CUDA
    {"cuda", "cuda or cuda:GPU", &pv_device_cuda},
#else
    {"cuda", "cuda or cuda:GPU", NULL},
#endif
};

enum { KNOWN = sizeof known / sizeof known[0] };

const char *pv_device_known(int index, int *is_built_p)
{
    if (index < 0 || index >= KNOWN) return NULL;
    *is_built_p = known[index].ops != NULL;
    return known[index].name;
}

static const char *form_at(int index, int *is_built_p)
{
    return pv_device_known(index, is_built_p) ? known[index].form : NULL;
}

pv_status pv_device_find(const char *name, size_t length, const pv_device_ops **ops_p)
{
    char list[256];
    pv_choices_write(form_at, list, sizeof list);
    for (int i = 0; i < KNOWN; i++) {
        if (strlen(known[i].name) != length || strncmp(known[i].name, name, length) != 0) continue;
        PV_REQUIRE(known[i].ops, PV_ERR_NOT_BUILT, "device \"%s\" is not built in; known: %s", name, list);
        *ops_p = known[i].ops;
        return PV_OK;
    }
    PV_FAIL(PV_ERR_ARGUMENT, "unknown device \"%s\"; known: %s", name, list);
}
