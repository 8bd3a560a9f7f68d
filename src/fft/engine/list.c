// SPDX-License-Identifier: Apache-2.0
// The only list of engines, in order of preference.
#include "fft/engine/engine.h"

#include <string.h>

#include "base/check.h"
#include "base/choices.h"

typedef struct known_engine {
    const char *name;
    const pv_engine_ops *ops;   // NULL: not built in
} known_engine;

// Those of other builds are last.
static const known_engine known[] = {
    {"lines", &pv_engine_lines},
    {"fftw", &pv_engine_fftw},
    {"ref", &pv_engine_ref},
#if PV_HAVE_CUDA
    {"cuda", &pv_engine_cuda},
    {"cufft", &pv_engine_cufft},
#else
    {"cuda", NULL},
    {"cufft", NULL},
#endif
};

enum { KNOWN = sizeof known / sizeof known[0] };

static const known_engine *find(const char *name)
{
    for (int i = 0; name && i < KNOWN; i++)
        if (strcmp(name, known[i].name) == 0) return &known[i];
    return NULL;
}

int pv_engine_is_name(const char *name)
{
    return find(name) != NULL;
}

const pv_engine_ops *pv_engine_at(int index)
{
    return index >= 0 && index < KNOWN ? known[index].ops : NULL;
}

static const char *choice(int index, int *is_built_p)
{
    if (index >= KNOWN) return NULL;
    *is_built_p = known[index].ops != NULL;
    return known[index].name;
}

pv_status pv_engine_find(const char *name, const pv_engine_ops **engine_p)
{
    const known_engine *found = find(name);
    char list[256];
    pv_choices_write(choice, list, sizeof list);
    PV_REQUIRE(found, PV_ERR_ARGUMENT, "engine '%s' is unknown; known are auto, %s", name ? name : "(null)", list);
    PV_REQUIRE(found->ops, PV_ERR_NOT_BUILT, "engine '%s' is not built in; known are auto, %s", name, list);
    *engine_p = found->ops;
    return PV_OK;
}
