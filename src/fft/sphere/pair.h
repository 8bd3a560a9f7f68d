// SPDX-License-Identifier: Apache-2.0
// The step of exact exchange: the product of two fields on the grid is taken to the plane waves of a sphere, multiplied
// by a kernel, taken back, and the potential that results acts on both fields, all while a slice of the grid is in
// cache. Fields and sums are in the sliced order of spheres (pv_sphere_reals_count() points) and of their precision.
#ifndef PV_FFT_SPHERE_PAIR_H
#define PV_FFT_SPHERE_PAIR_H

#include "fft/pair.h"
#include "fft/sphere/sphere.h"

// A sphere of its own and the kernel on it.
typedef struct pv_pair_kernel pv_pair_kernel;

// scale times values[count], at points[count], in the order of pv_sphere_create(); scale holds 1 / (number of grid
// points). host: a whole sphere on the same grid, of no fewer columns and planes, whose lines, workspace and precision
// the kernel uses; kept. twice_kappa[3]: products of real fields change sign from cell to cell like exp(i kappa r),
// points g stand for kappa + g, and the list has -g - 2 kappa with every g; NULL: they are periodic.
pv_status pv_pair_kernel_create(const pv_sphere *host, int64_t count, const int32_t (*points)[3],
                                const int *twice_kappa, double scale, const double *values, pv_pair_kernel **kernel_p);
void pv_pair_kernel_destroy(pv_pair_kernel *kernel);

// Pairs of real fields (pair.h). They are worked on one after another, the way forth of each together with the
// way back of the one before, so that a field or sum of both is read once. thread: whose workspace of the host, below
// the threads of the device. Local.
void pv_sphere_pair_real(const pv_pair_kernel *kernel, int thread, int64_t count, const pv_real_pair *pairs);

// Pairs of complex fields. Points g of the sphere stand for g + shift. Local.
void pv_sphere_pair_complex(const pv_pair_kernel *kernel, int thread, const int shift[3], int64_t count,
                            const pv_complex_pair *pairs);

// Complex fields in sliced order: [slices][n1][n0] slots (slots.h), 2 pv_sphere_reals_count() reals each, from
// coefficients, and back. Local.
void pv_sphere_to_slices(const pv_sphere *sphere, int thread, const double _Complex *coefficients, void *sliced);
void pv_sphere_from_slices(const pv_sphere *sphere, int thread, const void *sliced, double _Complex *coefficients);

#endif
