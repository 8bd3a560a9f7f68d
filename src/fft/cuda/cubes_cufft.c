// SPDX-License-Identifier: Apache-2.0
// Boxes in batches through cuFFT: forward, the product with the factor, inverse. Any shape, both precisions.
#include <parseval/device_cuda.h>

#include "base/check.h"
#include "base/mem.h"
#include "fft/cubes_ops.h"
#include "fft/cuda/fft_check.h"

// Plans of batch, batch / 4, ... 1 boxes.
enum { MOST_PLANS = 17 };

typedef struct cufft_state {
    cufftHandle handles[MOST_PLANS];
    int64_t sizes[MOST_PLANS];
    int count;
} cufft_state;

static void supports(const pv_device *device, const int64_t shape[3], pv_precision precision, const char **why_p)
{
    (void)device, (void)shape, (void)precision;
    *why_p = NULL;
}

static void destroy(pv_cubes *cubes)
{
    cufft_state *state = cubes->state;
    if (!state) return;
    for (int i = 0; i < state->count; i++) cufftDestroy(state->handles[i]);
    pv_mem_free(state);
}

static pv_status create(pv_cubes *cubes)
{
    cufft_state *state;
    int n[3] = {(int)cubes->shape[0], (int)cubes->shape[1], (int)cubes->shape[2]};
    const cufftType type = cubes->precision == PV_FP32 ? CUFFT_C2C : CUFFT_Z2Z;
    PV_TRY(PV_ALLOC(1, &state));
    cubes->state = state;
    PV_FFT_CUDA(cudaSetDevice(pv_device_cuda_gpu(cubes->device)), "choosing the GPU of a convolution");
    for (int64_t size = cubes->batch; size > 0; size = size > 1 && size < 4 ? 1 : size / 4) {
        PV_FFT_CUFFT(cufftPlanMany(&state->handles[state->count], 3, n, NULL, 1, 0, NULL, 1, 0, type, (int)size),
                     "planning convolutions of boxes");
        state->sizes[state->count++] = size;
    }
    return PV_OK;
}

static pv_status transform(cufftHandle handle, cudaStream_t stream, pv_precision precision, int direction,
                           const void *in, void *out)
{
    PV_FFT_CUFFT(cufftSetStream(handle, stream), "giving cuFFT a stream");
    if (precision == PV_FP32)
        PV_FFT_CUFFT(cufftExecC2C(handle, (cufftComplex *)in, out, direction), "transforming boxes");
    else
        PV_FFT_CUFFT(cufftExecZ2Z(handle, (cufftDoubleComplex *)in, out, direction), "transforming boxes");
    return PV_OK;
}

static pv_status convolve(pv_cubes *cubes, pv_stream *stream, const void *factor, int64_t count, const void *in,
                          void *out)
{
    const cufft_state *state = cubes->state;
    const int64_t box_bytes = cubes->points * (cubes->precision == PV_FP32 ? 8 : 16);
    cudaStream_t cuda_stream = pv_stream_cuda(stream);
    PV_FFT_CUDA(cudaSetDevice(pv_device_cuda_gpu(cubes->device)), "choosing the GPU of a convolution");
    for (int64_t b = 0, plan = 0; b < count;) {
        if (state->sizes[plan] > count - b) {
            plan++;
            continue;
        }
        const int64_t size = state->sizes[plan];
        const cufftHandle handle = state->handles[plan];
        char *to = (char *)out + b * box_bytes;
        PV_TRY(transform(handle, cuda_stream, cubes->precision, CUFFT_FORWARD, (const char *)in + b * box_bytes, to));
        PV_TRY(pv_cubes_multiply(cubes, stream, factor, size, to));
        PV_TRY(transform(handle, cuda_stream, cubes->precision, CUFFT_INVERSE, to, to));
        b += size;
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
