// SPDX-License-Identifier: Apache-2.0
#include "linalg/openblas_core.h"

#include <stddef.h>
#include <strings.h>

// OpenBLAS's own call; its header is not the one of every cblas.
char *openblas_get_corename(void);

const char *pv_openblas_core(void) { return openblas_get_corename(); }

#if defined(__x86_64__) && defined(__GNUC__)
static int has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq")
           && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd");
}

const char *pv_openblas_better_core(void)
{
    static const char *const without_avx[] = {"Prescott", "Core2", "Generic"};
    int falls_short = 0;
    for (size_t i = 0; i < sizeof without_avx / sizeof *without_avx; i++)
        falls_short |= strcasecmp(pv_openblas_core(), without_avx[i]) == 0;
    if (!falls_short) return NULL;
    if (has_avx512()) return "SkylakeX";
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? "Haswell" : NULL;
}
#else
const char *pv_openblas_better_core(void) { return NULL; }
#endif
