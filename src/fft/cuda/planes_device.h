// SPDX-License-Identifier: Apache-2.0
// Kernels that convolve boxes plane by plane, as C sees them. Shared by C and CUDA sources.
#ifndef PV_FFT_CUDA_PLANES_DEVICE_H
#define PV_FFT_CUDA_PLANES_DEVICE_H

#include "fft/cuda/cubes_device.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { PV_PLANES_STEPS = 4, PV_PLANES_LANES = 32 };

// Lines of n points in some steps.
typedef struct pv_planes_axis {
    int n, steps, radix[PV_PLANES_STEPS];
    const void *roots; // [n] complex, exp(-2 pi i k / n)
} pv_planes_axis;

typedef struct pv_cubes_planes {
    pv_cubes_ends ends; // of this call: items from the first box on; factor is not used
    int is_double;
    pv_planes_axis axis[3];
    const void *factor; // in the order of the boxes while they are spectra
    void *boxes;        // [items]
} pv_cubes_planes;

// cudaError_t of the launches; the stream is a cudaStream_t.
int pv_cubes_planes_prepare(int is_double);
int pv_cubes_planes_order(void *stream, const pv_cubes_planes *planes, const void *natural, void *ordered);
int pv_cubes_planes_run(void *stream, const pv_cubes_planes *planes);
// Shared memory of a block.
int pv_cubes_planes_bytes(int n1, int n2, int is_double);

#ifdef __cplusplus
}
#endif
#endif
