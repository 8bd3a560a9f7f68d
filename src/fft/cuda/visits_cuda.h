// SPDX-License-Identifier: Apache-2.0
// Cubes whose three axes our own kernels transform in two visits to memory, made ready for a GPU.
#ifndef PV_FFT_CUDA_VISITS_CUDA_H
#define PV_FFT_CUDA_VISITS_CUDA_H

#include <parseval/fft.h>

#include "fft/cuda/visits_device.h"

typedef struct pv_cuda_visits {
    int64_t n; // points a side; 0: not used
    int is_fp64, is_inverse;
    int64_t from_cube, to_cube; // points from cube to cube
    pv_buffer *twist;
} pv_cuda_visits;

pv_status pv_cuda_visits_create(pv_device *device, pv_cuda_visits *visits);
size_t pv_cuda_visits_work_bytes(const pv_cuda_visits *visits);
pv_status pv_cuda_visits_run(const pv_cuda_visits *visits, const char *from, char *to, void *work, int64_t cubes,
                             void *cuda_stream);
void pv_cuda_visits_destroy(pv_cuda_visits *visits);

#endif
