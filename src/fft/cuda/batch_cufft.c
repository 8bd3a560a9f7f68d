// SPDX-License-Identifier: Apache-2.0
// Batches through cuFFT, with plans of all, a quarter, ... and one of the grids that the memory holds.
#include <parseval/device_cuda.h>

#include "base/check.h"
#include "base/mem.h"
#include "fft/batch/ops.h"
#include "fft/cuda/fft_check.h"

enum { MOST_PLANS = 8 };

typedef struct cufft_state {
    cufftHandle handles[MOST_PLANS];
    int64_t sizes[MOST_PLANS];
    int count;
} cufft_state;

static void destroy(pv_batch *batch)
{
    cufft_state *state = batch->state;
    if (!state) return;
    for (int i = 0; i < state->count; i++) cufftDestroy(state->handles[i]);
    pv_mem_free(state);
}

static pv_status use(const pv_batch *batch)
{
    PV_FFT_CUDA(cudaSetDevice(pv_device_cuda_gpu(batch->device)), "choosing the GPU of a transform");
    return PV_OK;
}

static pv_status create(pv_batch *batch)
{
    cufft_state *state;
    int n[3] = {(int)batch->shape[0], (int)batch->shape[1], (int)batch->shape[2]};
    const cufftType type = batch->precision == PV_FP32 ? CUFFT_C2C : CUFFT_Z2Z;
    PV_TRY(PV_ALLOC(1, &state));
    batch->state = state;
    PV_TRY(use(batch));
    for (int64_t size = batch->most; size > 0; size = size > 1 && size < 4 ? 1 : size / 4) {
        cufftHandle *handle = &state->handles[state->count];
        PV_FFT_CUFFT(cufftPlanMany(handle, 3, n, NULL, 1, 0, NULL, 1, 0, type, (int)size), "planning transforms");
        state->sizes[state->count++] = size;
    }
    return PV_OK;
}

static pv_status run(const pv_batch *batch, pv_stream *stream, pv_direction direction, int64_t count, const void *in,
                     void *out)
{
    const cufft_state *state = batch->state;
    const int sign = direction == PV_FORWARD ? CUFFT_FORWARD : CUFFT_INVERSE;
    PV_TRY(use(batch));
    for (int64_t b = 0, plan = 0; b < count;) {
        if (state->sizes[plan] > count - b) {
            plan++;
            continue;
        }
        void *from = (char *)in + b * batch->grid_bytes, *to = (char *)out + b * batch->grid_bytes;
        const cufftHandle handle = state->handles[plan];
        PV_FFT_CUFFT(cufftSetStream(handle, pv_stream_cuda(stream)), "giving cuFFT a stream");
        if (batch->precision == PV_FP32)
            PV_FFT_CUFFT(cufftExecC2C(handle, from, to, sign), "transforming grids");
        else
            PV_FFT_CUFFT(cufftExecZ2Z(handle, from, to, sign), "transforming grids");
        b += state->sizes[plan];
    }
    return PV_OK;
}

const pv_batch_ops pv_batch_cufft = {.create = create, .destroy = destroy, .run = run};
