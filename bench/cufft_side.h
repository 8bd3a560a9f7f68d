// SPDX-License-Identifier: Apache-2.0
// The opponent on one GPU: cuFFT, called as its own users do, in place in the layouts of pv_fft_options.padded.
#ifndef PV_BENCH_CUFFT_SIDE_H
#define PV_BENCH_CUFFT_SIDE_H

#include <parseval/comm.h>
#include <parseval/fft.h>

#include "base/check.h"

#if PV_HAVE_CUDA

#include <cufftXt.h>
#include <parseval/device_cuda.h>

typedef struct cufft_side {
    int has_plan[2];
    cufftHandle plans[2]; // forward, inverse
} cufft_side;

static inline cufftType cufft_side_type(pv_fft_type type, pv_precision precision, int direction)
{
    if (type == PV_C2C) return precision == PV_FP64 ? CUFFT_Z2Z : CUFFT_C2C;
    if (precision == PV_FP64) return direction ? CUFFT_Z2D : CUFFT_D2Z;
    return direction ? CUFFT_C2R : CUFFT_R2C;
}

static inline pv_status cufft_side_make(pv_device *device, const int64_t shape[3], pv_fft_type type,
                                        pv_precision precision, int64_t batch, cufft_side *side)
{
    const int half = (int)shape[2] / 2 + 1, last = type == PV_R2C ? half : (int)shape[2];
    int n[3] = {(int)shape[0], (int)shape[1], (int)shape[2]};
    int space[3] = {n[0], n[1], type == PV_R2C ? 2 * half : n[2]}, spectrum[3] = {n[0], n[1], last};
    for (int direction = 0; direction < 2; direction++) {
        int *from = direction ? spectrum : space, *to = direction ? space : spectrum;
        cufftResult result =
            cufftPlanMany(&side->plans[direction], 3, n, from, 1, from[0] * from[1] * from[2], to, 1,
                          to[0] * to[1] * to[2], cufft_side_type(type, precision, direction), (int)batch);
        side->has_plan[direction] = result == CUFFT_SUCCESS;
        if (result == CUFFT_SUCCESS)
            result = cufftSetStream(side->plans[direction], pv_stream_cuda(pv_device_stream(device)));
        PV_REQUIRE(result == CUFFT_SUCCESS, PV_ERR_DEVICE, "cuFFT made no plan: result %d", (int)result);
    }
    return PV_OK;
}

static inline pv_status cufft_side_run(const cufft_side *side, int direction, void *data)
{
    const cufftResult result =
        cufftXtExec(side->plans[direction], data, data, direction ? CUFFT_INVERSE : CUFFT_FORWARD);
    PV_REQUIRE(result == CUFFT_SUCCESS, PV_ERR_DEVICE, "cuFFT did not run: result %d", (int)result);
    return PV_OK;
}

static inline void cufft_side_destroy(cufft_side *side)
{
    for (int direction = 0; direction < 2; direction++)
        if (side->has_plan[direction]) (void)cufftDestroy(side->plans[direction]);
    *side = (cufft_side){0};
}

#else

typedef struct cufft_side {
    int unused;
} cufft_side;

static inline pv_status cufft_side_make(pv_device *device, const int64_t shape[3], pv_fft_type type,
                                        pv_precision precision, int64_t batch, cufft_side *side)
{
    (void)device, (void)shape, (void)type, (void)precision, (void)batch, (void)side;
    PV_FAIL(PV_ERR_NOT_BUILT, "cuFFT is not built in");
}

static inline pv_status cufft_side_run(const cufft_side *side, int direction, void *data)
{
    (void)side, (void)direction, (void)data;
    return PV_ERR_NOT_BUILT;
}

static inline void cufft_side_destroy(cufft_side *side)
{
    (void)side;
}

#endif

#endif
