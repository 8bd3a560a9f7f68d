// SPDX-License-Identifier: Apache-2.0
// The step of exact exchange: the product of two fields on the grid is taken to the plane waves of a sphere, multiplied
// by a kernel, taken back, and the potential that results acts on both fields, all while a slice of the grid is in
// cache. Fields and sums are in the sphere's sliced order (pv_sphere_reals_count() points); the sphere is a whole one.
#ifndef PV_FFT_SPHERE_PAIR_H
#define PV_FFT_SPHERE_PAIR_H

#include "fft/sphere.h"

// Values at the points of the list, times `scale`, in the order of the sphere's spectrum: pv_sphere_count() of them.
// Local.
void pv_sphere_order(const pv_sphere *sphere, double scale, const double *values, double *ordered);

// Real fields: two products of `source` go through one complex transform as real and imaginary part,
//   V_t = inverse(kernel * transform(source * target[t])),
//   target_sum[t] += target_weight[t] * source * V_t,   source_sum += source_weight[t] * target[t] * V_t.
// target[1] and any sum may be NULL. The products may change sign from one cell to the next: phase[d][n_d] are then the
// factors exp(-i kappa_d r_d) along each axis that make them periodic, and the sphere's points g stand for kappa + g;
// phase = NULL: they are periodic.
typedef struct pv_pair_real {
    const double *source, *target[2];
    double *source_sum, *target_sum[2];
    double source_weight[2], target_weight[2];
} pv_pair_real;

// kernel: from pv_sphere_order(), with 1 / (number of grid points) in its scale. thread: whose workspace, below the
// threads of the device. Local.
void pv_sphere_pair_real(const pv_sphere *sphere, int thread, const double *kernel,
                         const double _Complex *const phase[3], const pv_pair_real *pair);

// Complex fields:
//   V = inverse(kernel * transform(conj(source) * target)),
//   target_sum += target_weight * source * V,   source_sum += source_weight * target * conj(V).
// phase, as above: factors that the product is multiplied with (and V with their conjugates) so that its waves are
// those of the sphere.
typedef struct pv_pair_complex {
    const double _Complex *source, *target;
    double _Complex *source_sum, *target_sum;
    double source_weight, target_weight;
} pv_pair_complex;

void pv_sphere_pair_complex(const pv_sphere *sphere, int thread, const double *kernel,
                            const double _Complex *const phase[3], const pv_pair_complex *pair);

// Complex fields in sliced order, pv_sphere_reals_count() points each, from coefficients, and back. Local.
void pv_sphere_to_slices(const pv_sphere *sphere, int thread, const double _Complex *coefficients,
                         double _Complex *sliced);
void pv_sphere_from_slices(const pv_sphere *sphere, int thread, const double _Complex *sliced,
                           double _Complex *coefficients);

#endif
