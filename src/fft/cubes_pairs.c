// SPDX-License-Identifier: Apache-2.0
// Pairs through memory: products of as many sources as the batch holds with a target, their convolutions, sums.
#include "fft/cubes_kernels.h"
#include "fft/cubes_ops.h"

#include "base/check.h"

static const pv_kernel *const multiplies[] = {[PV_FP32] = &cubes_multiply_fp32, [PV_FP64] = &cubes_multiply_fp64};
static const pv_kernel *const products[][2] = {[PV_FP32] = {&cubes_product_fp32, &cubes_real_product_fp32},
                                               [PV_FP64] = {&cubes_product_fp64, &cubes_real_product_fp64}};
static const pv_kernel *const sums[][2] = {
    [PV_FP32] = {&cubes_sum_fp32, &cubes_real_sum_fp32}, [PV_FP64] = {&cubes_sum_fp64, &cubes_real_sum_fp64}};

pv_status pv_cubes_multiply(const pv_cubes *cubes, pv_stream *stream, const void *factor, int64_t count, void *x)
{
    const cubes_arguments a = {.points = cubes->points, .factor = factor, .boxes = x};
    return pv_kernel_launch(stream, multiplies[cubes->precision], count * cubes->points, &a);
}

static pv_status run_some(pv_cubes *cubes, pv_stream *stream, const void *factor, int is_real, const cubes_arguments *a)
{
    PV_TRY(pv_kernel_launch(stream, products[cubes->precision][is_real], a->sources * a->points, a));
    PV_TRY(cubes->ops->convolve(cubes, stream, factor, a->sources, a->boxes, a->boxes));
    return pv_kernel_launch(stream, sums[cubes->precision][is_real], a->points, a);
}

pv_status pv_cubes_pairs_in_memory(pv_cubes *cubes, pv_stream *stream, const void *factor, const pv_cubes_pairs *pairs)
{
    const int is_real = pairs->is_real != 0;
    const int64_t real_bytes = cubes->precision == PV_FP32 ? 4 : 8,
                  box_bytes = cubes->points * real_bytes * (2 - is_real);
    for (int64_t t = 0; t < pairs->targets; t += 1 + is_real) {
        const int two = is_real && t + 1 < pairs->targets;
        const char *target = (const char *)pairs->target + t * box_bytes;
        char *sum = (char *)pairs->sum + t * box_bytes;
        for (int64_t s = 0; s < pairs->sources; s += cubes->batch) {
            const int64_t left = pairs->sources - s;
            const cubes_arguments a = {.points = cubes->points,
                                       .sources = left < cubes->batch ? left : cubes->batch,
                                       .source = (const char *)pairs->source + s * box_bytes,
                                       .weight = (const char *)pairs->weight + s * real_bytes,
                                       .target = {target, two ? target + box_bytes : NULL},
                                       .boxes = pv_buffer_data(cubes->work),
                                       .sum = {sum, two ? sum + box_bytes : NULL}};
            PV_TRY(run_some(cubes, stream, factor, is_real, &a));
        }
    }
    return PV_OK;
}
