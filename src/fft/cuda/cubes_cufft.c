// SPDX-License-Identifier: Apache-2.0
// Boxes in batches through cuFFT: forward, the product with the factor, inverse. Any shape, both precisions.
#include "base/check.h"
#include "fft/batch/batch.h"
#include "fft/cubes/ops.h"

static void supports(const pv_device *device, const int64_t shape[3], pv_precision precision, const char **why_p)
{
    (void)device, (void)shape, (void)precision;
    *why_p = NULL;
}

static void destroy(pv_cubes *cubes)
{
    pv_batch_close(cubes->state);
}

static pv_status create(pv_cubes *cubes)
{
    const size_t box_bytes = (size_t)cubes->points * (cubes->precision == PV_FP32 ? 8 : 16);
    pv_batch *batch;
    PV_TRY(pv_batch_open(cubes->device, cubes->shape, cubes->precision, (size_t)cubes->batch * box_bytes, &batch));
    cubes->state = batch;
    cubes->batch = pv_batch_most(batch);
    cubes->boxes = pv_batch_memory(batch);
    return PV_OK;
}

static pv_status convolve(pv_cubes *cubes, pv_stream *stream, const void *factor, int64_t count, const void *in,
                          void *out)
{
    const int64_t box_bytes = cubes->points * (cubes->precision == PV_FP32 ? 8 : 16);
    for (int64_t first = 0; first < count; first += cubes->batch) {
        const int64_t some = count - first < cubes->batch ? count - first : cubes->batch;
        char *to = (char *)out + first * box_bytes;
        PV_TRY(pv_batch_run(cubes->state, stream, PV_FORWARD, some, (const char *)in + first * box_bytes, to));
        PV_TRY(pv_cubes_multiply(cubes, stream, factor, some, to));
        PV_TRY(pv_batch_run(cubes->state, stream, PV_INVERSE, some, to, to));
    }
    return PV_OK;
}

const pv_cubes_ops pv_cubes_cufft = {
    .name = "cufft",
    .on_gpu = 1,
    .supports = supports,
    .create = create,
    .destroy = destroy,
    .convolve = convolve,
};
