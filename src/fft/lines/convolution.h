// SPDX-License-Identifier: Apache-2.0
// Leaves that turn a transform into a cyclic convolution, hence into two transforms of a kinder length.
#ifndef PV_FFT_LINES_CONVOLUTION_H
#define PV_FFT_LINES_CONVOLUTION_H

#include "fft/lines/roots.h"
#include "fft/lines/transform.h"

// Both take `inner`, also when they fail: a transform of `inner_n` points between split tiles.
// Rader: an odd prime n, inner_n = n - 1.
pv_status pv_lines_rader_create(const pv_lines_kernels *kernels, int64_t n, pv_lines_transform *inner,
                                pv_lines_leaf **leaf_p);
// Bluestein: any n, inner_n >= 2 n - 1.
pv_status pv_lines_bluestein_create(const pv_lines_kernels *kernels, int64_t n, int64_t inner_n,
                                    pv_lines_transform *inner, pv_lines_leaf **leaf_p);

// What both convolve with. Rader: order[r] = g^r for a generator g, r < prime - 1, and the spectrum of
// exp(-2 pi i g^-r / prime). Bluestein: the chirp exp(-pi i j^2 / n), j < n, and the spectrum of its conjugate in a
// cycle of `points`. Spectra are divided by their length.
pv_status pv_lines_rader_tables(int64_t prime, int64_t *order, pv_lines_number *spectrum);
pv_status pv_lines_bluestein_tables(int64_t n, int64_t points, pv_lines_number *chirp, pv_lines_number *spectrum);

#endif
