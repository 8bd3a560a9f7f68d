// SPDX-License-Identifier: Apache-2.0
// Three axes of an array in two visits to memory, as C sees it. Shared by C and CUDA sources.
#ifndef PV_FFT_CUDA_VISITS_DEVICE_H
#define PV_FFT_CUDA_VISITS_DEVICE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// n^3 complex points in natural order. What lies at `to` may be what lies at `from`; between the visits the points are
// in `work`.
typedef struct pv_device_visits {
    const void *from;
    void *to, *work;
    const void *twist; // exp(-2 pi i j k / n) at n / 32 j + k; j < 32, k < n / 32
} pv_device_visits;

// 0: no such kernels.
int pv_cuda_visits_has(int64_t n, int fp64);
// cudaError_t of the launches; the stream is a cudaStream_t.
int pv_cuda_visits_launch(const pv_device_visits *job, int64_t n, int fp64, int inverse, void *stream);

#ifdef __cplusplus
}
#endif
#endif
