// SPDX-License-Identifier: Apache-2.0
// The passes of a sphere transform over one transform's data: columns along z, then planes along y, then lines along x.
#ifndef PV_FFT_SPHERE_PASS_H
#define PV_FFT_SPHERE_PASS_H

#include <complex.h>

#include "fft/engine.h"

typedef double _Complex pv_c64;

// Column: the points of one (x, y), wrapped into the grid. Columns are sorted by x, then y.
typedef struct pv_sphere_column {
    int32_t x, y;
    int64_t first, last;               // into z and the full spectrum
} pv_sphere_column;

// An x for which there are columns.
typedef struct pv_sphere_plane {
    int32_t x;
    int64_t first_column, last_column;
} pv_sphere_plane;

typedef struct pv_sphere_shape {
    int64_t n[3];
    int64_t full_count;                // points of the whole sphere
    int32_t *z;                        // [full_count], wrapped
    int64_t column_count;
    pv_sphere_column *columns;
    int64_t plane_count;
    pv_sphere_plane *planes;
    const pv_line_plan *inverse[3], *forward[3]; // by axis, borrowed
} pv_sphere_shape;

// One thread's memory. Everything but `spectrum` is the passes' own.
typedef struct pv_sphere_work {
    pv_c64 *spectrum;                  // [full_count], in column order
    pv_c64 *columns;                   // [column_count][n2]
    pv_c64 *planes;                    // [plane_count][n1][n2]
    void *tile_a, *tile_b, *scratch;
} pv_sphere_work;

// spectrum -> planes, and back.
void pv_sphere_spectrum_to_planes(const pv_sphere_shape *shape, const pv_sphere_work *work);
void pv_sphere_planes_to_spectrum(const pv_sphere_shape *shape, const pv_sphere_work *work);
// Lines along x are counted by y * n2 + z; for lower <= line < upper:
// planes -> grid,
void pv_sphere_planes_to_grid(const pv_sphere_shape *shape, const pv_sphere_work *work, int64_t lower, int64_t upper,
                              pv_c64 *grid);
// grid -> planes,
void pv_sphere_grid_to_planes(const pv_sphere_shape *shape, const pv_sphere_work *work, int64_t lower, int64_t upper,
                              const pv_c64 *grid);
// planes -> times a real factor -> planes,
void pv_sphere_planes_multiply(const pv_sphere_shape *shape, const pv_sphere_work *work, int64_t lower, int64_t upper,
                               const double *factor);
// sums += weight[0] Re^2 + weight[1] Im^2; `planes` of another work may be given.
void pv_sphere_planes_add_squares(const pv_sphere_shape *shape, const pv_sphere_work *work, const pv_c64 *planes,
                                  int64_t lower, int64_t upper, const double weight[2], double *sums);

#endif
