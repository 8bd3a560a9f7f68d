// SPDX-License-Identifier: Apache-2.0
// Roots of unity in extended precision, and the tables that the passes of the line transform read.
#ifndef PV_FFT_LINES_ROOTS_H
#define PV_FFT_LINES_ROOTS_H

#include <parseval/fft.h>

#include "fft/lines/kernels.h"

typedef struct pv_lines_number {
    long double re, im;
} pv_lines_number;

// exp(-2 pi i k / n), 0 <= k < n
pv_lines_number pv_lines_root(int64_t k, int64_t n);
// Stores value i of an array of complex numbers in the precision of the kernels.
void pv_lines_number_store(const pv_lines_kernels *kernels, void *table, int64_t i, pv_lines_number value);

// Factors that the routine of `radix` asks for, for each butterfly.
int pv_lines_factor_count(int radix);
// For butterflies 1 .. count - 1 of a combining pass: [count - 1][pv_lines_factor_count(radix)] complex numbers.
void pv_lines_factors_fill(const pv_lines_kernels *kernels, int radix, int64_t count, void *table);
// Roots of the direct routine: half * half * 2 reals, half = (prime - 1) / 2.
void pv_lines_roots_fill(const pv_lines_kernels *kernels, int prime, void *table);

// values[k] <- scale * sum over j of values[j] exp(-2 pi i j k / n), in extended precision; slow when n has large prime
// factors.
pv_status pv_lines_numbers_transform(int64_t n, long double scale, pv_lines_number *values);

#endif
