// SPDX-License-Identifier: Apache-2.0
// The only list of engines, in order of preference.
#include "fft/engine.h"

#include <stdio.h>
#include <string.h>

#include "base/check.h"

static const pv_engine_ops *const engines[] = {
    &pv_engine_lines, &pv_engine_fftw, &pv_engine_ref,
#if PV_HAVE_CUDA
    &pv_engine_cuda, &pv_engine_cufft,
#endif
};

enum { ENGINE_COUNT = sizeof engines / sizeof engines[0] };

int pv_engine_is_name(const char *name)
{
    static const char *const names[] = {"lines", "fftw", "ref", "cuda", "cufft"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0) return 1;
    return 0;
}

const pv_engine_ops *pv_engine_at(int index)
{
    return index >= 0 && index < ENGINE_COUNT ? engines[index] : NULL;
}

pv_status pv_engine_find(const char *name, const pv_engine_ops **engine_p)
{
    char known[128] = "auto";
    size_t used = strlen(known);
    for (int i = 0; i < ENGINE_COUNT; i++) {
        if (name && strcmp(name, engines[i]->name) == 0) {
            *engine_p = engines[i];
            return PV_OK;
        }
        used += (size_t)snprintf(known + used, sizeof known - used, ", %s", engines[i]->name);
    }
    PV_FAIL(PV_ERR_ARGUMENT, "engine '%s' is unknown; known are %s", name ? name : "(null)", known);
}
