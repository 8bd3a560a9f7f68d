// SPDX-License-Identifier: Apache-2.0
#include "fft/lines/kernels.h"

#if PV_LINES_HAS_AVX2
#define PV_LINES_REAL float
#define PV_LINES_IS_FP64 0
#define PV_LINES_VECTOR_BYTES 32
#define PV_LINES_TABLE pv_lines_avx2_fp32
#include "fft/lines/body.h"
#endif
