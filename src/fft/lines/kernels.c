// SPDX-License-Identifier: Apache-2.0
#include "fft/lines/kernels.h"

typedef struct choice {
    const pv_lines_kernels *tables[2];      // by precision
    int usable;
} choice;

const pv_lines_kernels *pv_lines_kernels_at(pv_precision precision, int index)
{
#if PV_LINES_HAS_AVX512 || PV_LINES_HAS_AVX2
    __builtin_cpu_init();
#endif
    const choice choices[] = {
#if PV_LINES_HAS_AVX512
        {{&pv_lines_avx512_fp64, &pv_lines_avx512_fp32},
         __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")},
#endif
#if PV_LINES_HAS_AVX2
        {{&pv_lines_avx2_fp64, &pv_lines_avx2_fp32}, __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")},
#endif
#if PV_LINES_HAS_BASE
        {{&pv_lines_base_fp64, &pv_lines_base_fp32}, 1},
#endif
    };
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++)
        if (choices[i].usable && index-- == 0) return choices[i].tables[precision];
    return NULL;
}
