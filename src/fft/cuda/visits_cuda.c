// SPDX-License-Identifier: Apache-2.0
#include "fft/cuda/visits_cuda.h"

#include <math.h>

#include "base/mem.h"
#include "fft/cuda/fft_check.h"

enum { RADIX = 32 };

static size_t point_bytes(const pv_cuda_visits *visits)
{
    return visits->is_fp64 ? 16 : 8;
}

pv_status pv_cuda_visits_create(pv_device *device, pv_cuda_visits *visits)
{
    const size_t n = (size_t)visits->n, others = n / RADIX, bytes = n * point_bytes(visits);
    double *values;
    PV_TRY(PV_ALLOC(3 * n, &values)); // the last third: all in FP32
    for (size_t i = 0; i < n; i++) {
        const double angle = -6.283185307179586476925286766559 * (double)(i / others * (i % others)) / (double)n;
        values[2 * i] = cos(angle);
        values[2 * i + 1] = sin(angle);
    }
    float *narrow = (float *)(values + 2 * n);
    for (size_t i = 0; i < 2 * n; i++) narrow[i] = (float)values[i];
    pv_status status = pv_buffer_create(device, bytes, &visits->twist);
    if (status == PV_OK) status = pv_buffer_write(visits->twist, 0, visits->is_fp64 ? (void *)values : narrow, bytes);
    pv_mem_free(values);
    return status;
}

size_t pv_cuda_visits_work_bytes(const pv_cuda_visits *visits)
{
    return (size_t)(visits->n * visits->n * visits->n) * point_bytes(visits);
}

pv_status pv_cuda_visits_run(const pv_cuda_visits *visits, const char *from, char *to, void *work, int64_t cubes,
                             void *cuda_stream)
{
    for (int64_t i = 0; i < cubes; i++) {
        const pv_device_visits job = {.from = from + (size_t)(i * visits->from_cube) * point_bytes(visits),
                                      .to = to + (size_t)(i * visits->to_cube) * point_bytes(visits),
                                      .work = work,
                                      .twist = pv_buffer_data(visits->twist)};
        PV_FFT_CUDA(pv_cuda_visits_launch(&job, visits->n, visits->is_fp64, visits->is_inverse, cuda_stream),
                    "transforming a cube");
    }
    return PV_OK;
}

void pv_cuda_visits_destroy(pv_cuda_visits *visits)
{
    pv_buffer_destroy(visits->twist);
    *visits = (pv_cuda_visits){0};
}
