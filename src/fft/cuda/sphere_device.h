// SPDX-License-Identifier: Apache-2.0
// Kernels of spheres whose planes are transformed in shared memory, as C sees them. Shared by C and CUDA sources.
#ifndef PV_FFT_CUDA_SPHERE_DEVICE_H
#define PV_FFT_CUDA_SPHERE_DEVICE_H

#include "fft/cuda/planes_device.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { PV_SPHERE_MOST_TOGETHER = 64 };

// All arrays are memory of the device; complex numbers are two doubles.
typedef struct pv_sphere_device {
    pv_planes_axis axis[3];
    int planes;                       // of x that hold points
    const int *plane_of;              // [n0]: which plane an x is; -1: none
    const int *first_point;           // [planes + 1]: into places and codes
    const int *place;                 // [points of the whole sphere]: in shared memory
    const int *code;                  // [points of the whole sphere]: 2 p, or 2 p + 1 for the partner, of coefficient p
    const int *first_column, *column; // [planes + 1], and y of the columns of each plane
    int64_t full_count, single;
    int is_half;
    // Of a call: some fields.
    int64_t fields, transforms, stride;
    const double *in;    // coefficients
    double *boxes;       // [transforms][planes][n1][n2]
    double *spectra;     // [transforms][full_count]
    const double *reals; // in the order of the steps
    double *sums;        // the same
    const double *phase[3];
    double weight[2 * PV_SPHERE_MOST_TOGETHER];
} pv_sphere_device;

// cudaError_t of the launches; the stream is a cudaStream_t.
int pv_sphere_planes_prepare(void);
// Real values on the grid into the order of the steps; and added to those on the grid.
int pv_sphere_planes_order(void *stream, const pv_sphere_device *sphere, const double *natural, double *ordered);
int pv_sphere_planes_add(void *stream, const pv_sphere_device *sphere, const double *ordered, double *natural);
// Coefficients -> boxes; boxes -> times reals -> boxes; boxes -> spectra.
int pv_sphere_planes_spread(void *stream, const pv_sphere_device *sphere);
int pv_sphere_planes_times(void *stream, const pv_sphere_device *sphere);
int pv_sphere_planes_collect(void *stream, const pv_sphere_device *sphere);
// Boxes -> sums += weights times the squares of real and imaginary part.
int pv_sphere_planes_squares(void *stream, const pv_sphere_device *sphere);

#ifdef __cplusplus
}
#endif
#endif
