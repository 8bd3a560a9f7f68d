// SPDX-License-Identifier: Apache-2.0
// Real-to-complex lines and back, on top of complex ones.
#ifndef PV_FFT_LINES_REAL_H
#define PV_FFT_LINES_REAL_H

#include <parseval/status.h>

#include "fft/lines/transform.h"

typedef struct pv_lines_real {
    int64_t n;
    const pv_lines_kernels *kernels;
    int to_real;
    void *factors;                  // of the pass that sorts out; even n only
    pv_lines_transform *transform;
    size_t scratch_bytes;
} pv_lines_real;

// The complex transform that carries a real line of n points: of n / 2 points for even n, else of n.
int64_t pv_lines_real_length(int64_t n);
pv_lines_ends pv_lines_real_ends(int to_real);
// Takes `transform`, of that length and with those ends, also when it fails.
pv_status pv_lines_real_create(const pv_lines_kernels *kernels, int64_t n, int to_real, pv_lines_transform *transform,
                               pv_lines_real **real_p);
void pv_lines_real_destroy(pv_lines_real *real);
// May destroy `in`.
void pv_lines_real_run(const pv_lines_real *real, void *in, void *out, void *scratch);

#endif
