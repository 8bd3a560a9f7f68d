// SPDX-License-Identifier: Apache-2.0
// What passes do with tiles besides transforming them, in one precision. A slot is an element of `lanes` lines: a
// vector of real parts, then one of imaginary parts. A row is a vector of reals, one a lane. Tiles and what holds slots
// are aligned to slots; rows of reals need no alignment.
#ifndef PV_FFT_LINES_SLOTS_H
#define PV_FFT_LINES_SLOTS_H

#include <stddef.h>
#include <stdint.h>

#include "fft/pair.h"

typedef struct pv_slot_ops {
    // tile[i] = places[from[i]], zero where from[i] < 0; and places[from[i]] = tile[i] where it is not. Places lie
    // `stride` bytes apart.
    void (*gather)(int64_t n, const int32_t *from, const void *places, ptrdiff_t stride, void *tile);
    void (*scatter)(int64_t n, const int32_t *from, const void *tile, void *places, ptrdiff_t stride);
    // As many columns as there are lanes, `stride` bytes apart, each of `slices` slots whose lanes are the elements one
    // after another: to a tile of slices * lanes slots whose lanes are the columns; and back, where elements from n on
    // become zero.
    void (*columns_load)(int64_t slices, const void *columns, ptrdiff_t stride, void *tile);
    void (*columns_store)(int64_t slices, int64_t n, const void *tile, void *columns, ptrdiff_t stride);
    // Lane w of a tile: slots z[p] = spectrum[p], first <= p < last; and back.
    void (*spectrum_load)(int64_t first, int64_t last, const int32_t *z, const double _Complex *spectrum, int64_t w,
                          void *tile);
    void (*spectrum_store)(int64_t first, int64_t last, const int32_t *z, const void *tile, int64_t w,
                           double _Complex *spectrum);
    // The first `depth` lanes of slot i: grid[i * stride], one after another.
    void (*grid_load)(int64_t n, int64_t depth, const double _Complex *grid, int64_t stride, void *tile);
    void (*grid_store)(int64_t n, int64_t depth, const void *tile, double _Complex *grid, int64_t stride);
    void (*multiply)(int64_t n, const void *rows, void *tile);
    // Times rows[from[i]], zero where from[i] < 0.
    void (*multiply_some)(int64_t n, const int32_t *from, const void *rows, void *tile);
    // Slot i times along[i] across[lane], or the conjugate of that.
    void (*turn)(int64_t n, int conjugate, const double _Complex *along, const double _Complex *across, void *tile);
    // Real and imaginary parts; b = NULL: they are zero, or dropped.
    void (*reals_load)(int64_t n, const void *a, const void *b, void *tile);
    void (*reals_store)(int64_t n, const void *tile, void *a, void *b);
    // sums += weight[0] Re^2 + weight[1] Im^2
    void (*add_squares)(int64_t n, const double weight[2], const void *tile, void *sums);
    // Line `at` (in rows or slots) of a pair: its product, and the sums of what has come of it.
    void (*real_product)(int64_t n, int64_t at, const pv_real_pair *pair, void *tile);
    void (*real_sums)(int64_t n, int64_t at, const pv_real_pair *pair, const void *tile);
    void (*complex_product)(int64_t n, int64_t at, const pv_complex_pair *pair, void *tile);
    void (*complex_sums)(int64_t n, int64_t at, const pv_complex_pair *pair, const void *tile);
} pv_slot_ops;

#endif
