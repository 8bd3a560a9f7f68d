// SPDX-License-Identifier: Apache-2.0
// Twiddle factors of a long line that is transformed as n1 x n2 points (Bailey, "FFTs in external or hierarchical
// memory", 1990): between the transforms along the two axes, point (k1, j2) is multiplied by exp(-2 pi i k1 j2 / n).
#ifndef PV_FFT_PROGRAM_TWIDDLE_H
#define PV_FFT_PROGRAM_TWIDDLE_H

#include "fft/engine/engine.h"

typedef struct pv_twiddle pv_twiddle;

pv_status pv_twiddle_create(int64_t n, pv_twiddle **twiddle_p);
void pv_twiddle_destroy(pv_twiddle *twiddle);

// The factors' tables: exp(-2 pi i m / n) is coarse[m >> shift] * fine[m & ((1 << shift) - 1)], as pairs of doubles.
typedef struct pv_twiddle_tables {
    int shift;
    int64_t coarse_count, fine_count;
    const double *coarse, *fine;
} pv_twiddle_tables;
pv_twiddle_tables pv_twiddle_tables_of(const pv_twiddle *twiddle);

// Multiplies the result tile of `plan`: element k of lane w by exp(sign 2 pi i (first + k) (lane + w) / n).
void pv_twiddle_apply(const pv_twiddle *twiddle, int sign, const pv_line_plan *plan, int64_t first, int64_t lane,
                      int64_t lanes, void *values);

#endif
