// SPDX-License-Identifier: Apache-2.0
// Kernels that convolve boxes in clusters, as C sees them. Shared by C and CUDA sources, so it includes nothing of
// Parseval's but numbers.
#ifndef PV_FFT_CUDA_CUBES_DEVICE_H
#define PV_FFT_CUDA_CUBES_DEVICE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { PV_CUBES_PLAIN, PV_CUBES_COMPLEX_PAIRS, PV_CUBES_REAL_PAIRS };

// What boxes are made of, and what becomes of their convolutions.
typedef struct pv_cubes_ends {
    int kind;
    int64_t items;
    const void *in; // boxes,
    void *out;
    const void *list;     // or pairs (fft/pair.h)
    const void *phase[3]; // of real pairs; NULL: none
    const float *factor;
    int64_t stagger; // cycles between the begin of one cluster and the next
} pv_cubes_ends;

// `kernel` is a __global__ function of one pv_cubes_ends, for a cluster of `blocks` blocks, `resident` of which
// fit a multiprocessor.
typedef struct pv_cubes_kernel {
    int64_t shape[3];
    int blocks, resident, threads, bytes;
    const void *kernel;
} pv_cubes_kernel;

// A table ends with blocks = 0. In three files, since each kernel takes a while to compile.
extern const pv_cubes_kernel pv_cubes_kernels_small[], pv_cubes_kernels_middle[], pv_cubes_kernels_large[];

#ifdef __cplusplus
}
#endif
#endif
