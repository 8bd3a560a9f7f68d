// SPDX-License-Identifier: Apache-2.0
// Kernels that convolve boxes plane by plane, as C sees them. Shared by C and CUDA sources.
#ifndef PV_FFT_CUDA_PLANES_DEVICE_H
#define PV_FFT_CUDA_PLANES_DEVICE_H

#include "fft/cuda/cubes_device.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { PV_PLANES_STEPS = 4, PV_PLANES_LANES = 32, PV_PLANES_NO_COLUMN = 0xffff };

// Lines of n points in some steps.
typedef struct pv_planes_axis {
    int n, steps, radix[PV_PLANES_STEPS];
    const void *roots; // [n] complex, exp(-2 pi i k / n)
} pv_planes_axis;

typedef struct pv_cubes_planes {
    pv_cubes_ends ends; // of this call: items from the first box on; factor is not used
    int is_double;
    pv_planes_axis axis[3];
    // Columns of x, where the factor is not zero everywhere: numbered by their places in a plane, n2 fastest. Spectra
    // have no others: the first so many elements of a plane.
    uint16_t *column; // [n1][n2]: a number or PV_PLANES_NO_COLUMN
    int *columns;     // how many there are
    void *factor;     // [n0][n1 n2 at most columns]
    void *boxes;      // [items]
} pv_cubes_planes;

// cudaError_t of the launches; the stream is a cudaStream_t.
int pv_cubes_planes_prepare(int is_double);
int pv_cubes_planes_run(void *stream, const pv_cubes_planes *planes);
// Shared memory of a block.
int pv_cubes_planes_bytes(int n1, int n2, int is_double);

// Fills in column, columns and factor, of a factor in the natural order.
int pv_planes_take_factor(void *stream, const pv_cubes_planes *planes, const void *natural);

// Kernels of one shape.
typedef struct pv_planes_fixed {
    int64_t shape[3]; // a table ends with zeros
    int is_double;
    int (*prepare)(void);
    int (*run)(void *stream, const pv_cubes_planes *planes);
} pv_planes_fixed;
extern const pv_planes_fixed pv_planes_fixed_table[];

#ifdef __cplusplus
}
#endif
#endif
