// SPDX-License-Identifier: Apache-2.0
// The calls of a sphere on a GPU that never need fields on the whole grid in memory: planes of x that hold no plane
// waves are left out, and what happens at the grid points happens in shared memory.
#ifndef PV_FFT_SPHERE_PLANES_H
#define PV_FFT_SPHERE_PLANES_H

#include "fft/sphere/arguments.h"
#include "fft/sphere/ops.h"

typedef struct pv_sphere_planes pv_sphere_planes;

// memory: of the device, for fields on their way. common: phase and scale of the sphere. *planes_p stays NULL where
// lengths or sizes of planes do not suit. Local.
pv_status pv_sphere_planes_create(const pv_sphere *sphere, const sphere_arguments *common, void *memory, size_t bytes,
                                  pv_sphere_planes **planes_p);
void pv_sphere_planes_destroy(pv_sphere_planes *planes);

// As the calls of sphere.h. Local.
pv_status pv_sphere_planes_multiply(pv_sphere_planes *planes, int64_t fields, const double *packed, const pv_c64 *in,
                                    int64_t in_stride, pv_c64 *out, int64_t out_stride);
pv_status pv_sphere_planes_add_squares(pv_sphere_planes *planes, int64_t fields, const double *weights,
                                       const pv_c64 *coefficients, int64_t stride, double *packed);

// Of grids.c, for spectra in any memory: coefficients of some transforms, as its arguments say.
pv_status pv_sphere_gather(const pv_sphere *sphere, int64_t transforms, const sphere_arguments *a);
// Weights of real and imaginary part of transform t of fields that go `each` to a transform. Pure.
void pv_sphere_weigh(int64_t each, int64_t fields, int64_t t, const double *weights, double of_parts[2]);

#endif
