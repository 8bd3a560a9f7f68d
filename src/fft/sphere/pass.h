// SPDX-License-Identifier: Apache-2.0
// The passes of a sphere transform, on slots (slots.h) of one precision. Columns are transformed along z into memory,
// where a slot holds some elements of one column; then, for one slice of `lanes` planes of constant z at a time, along
// y and x and back, so that a slice stays in cache from its first line to its last. Lines of a slice lie side by side
// as lanes of slots, ready for the next pass; of columns, as many as there are lanes are turned into lanes on their
// way.
#ifndef PV_FFT_SPHERE_PASS_H
#define PV_FFT_SPHERE_PASS_H

#include "fft/sphere/shape.h"

// One thread's memory. Everything but `spectrum` is the passes' own.
typedef struct pv_sphere_work {
    pv_c64 *spectrum; // [full_count], in column order
    void *columns;    // slots [groups * lanes][slices]
    void *planes;     // slots [plane_count][n1], of one slice
    void *tile_a, *tile_b, *scratch;
} pv_sphere_work;

// Real values on the grid as slices want them: [slices][n1][n0][lanes], zero beyond n2. In double precision.
int64_t pv_sphere_sliced_count(const pv_sphere_shape *shape);
void pv_sphere_slice_reals(const pv_sphere_shape *shape, const double *grid, double *sliced);
void pv_sphere_unslice_reals(const pv_sphere_shape *shape, const double *sliced, double *grid);

// spectrum -> columns, and back.
void pv_sphere_spectrum_to_columns(const pv_sphere_shape *shape, const pv_sphere_work *work);
void pv_sphere_columns_to_spectrum(const pv_sphere_shape *shape, const pv_sphere_work *work);
// One slice: columns -> grid,
void pv_sphere_slice_to_grid(const pv_sphere_shape *shape, const pv_sphere_work *work, int64_t slice, pv_c64 *grid);
// grid -> columns,
void pv_sphere_slice_from_grid(const pv_sphere_shape *shape, const pv_sphere_work *work, int64_t slice,
                               const pv_c64 *grid);
// columns -> times real values, sliced -> columns,
void pv_sphere_slice_multiply(const pv_sphere_shape *shape, const pv_sphere_work *work, int64_t slice,
                              const double *sliced);
// sums (sliced) += weight[0] Re^2 + weight[1] Im^2 of what `columns`, perhaps another work's, hold, times the phase.
void pv_sphere_slice_add_squares(const pv_sphere_shape *shape, const pv_sphere_work *work, const void *columns,
                                 int64_t slice, const double weight[2], double *sums);
// columns -> times the phase -> real part a and, unless NULL, imaginary part b, sliced,
void pv_sphere_slice_to_reals(const pv_sphere_shape *shape, const pv_sphere_work *work, int64_t slice, double *a,
                              double *b);
// a + i b over the phase -> columns.
void pv_sphere_slice_from_reals(const pv_sphere_shape *shape, const pv_sphere_work *work, int64_t slice,
                                const double *a, const double *b);

// The steps of a slice. Point g of the sphere may stand for g + shift: 0 <= shift < n.
// columns (perhaps another work's) -> planes, and back.
void pv_sphere_columns_to_planes(const pv_sphere_shape *shape, const pv_sphere_work *work, const void *columns,
                                 int64_t slice, int64_t shift);
void pv_sphere_planes_to_columns(const pv_sphere_shape *shape, const pv_sphere_work *work, int64_t slice,
                                 int64_t shift);
// Line y of all planes -> tile_b along x, and tile_a -> line y.
void pv_sphere_inverse_x(const pv_sphere_shape *shape, const pv_sphere_work *work, int64_t y, int64_t shift);
void pv_sphere_forward_x(const pv_sphere_shape *shape, const pv_sphere_work *work, int64_t y, int64_t shift);

// Of a sphere: its shape, a thread's memory, and where each point of its list is in the spectrum.
struct pv_sphere;
const pv_sphere_shape *pv_sphere_shape_of(const struct pv_sphere *sphere);
const pv_sphere_work *pv_sphere_work_of(const struct pv_sphere *sphere, int thread);
const int64_t *pv_sphere_places(const struct pv_sphere *sphere);

#endif
