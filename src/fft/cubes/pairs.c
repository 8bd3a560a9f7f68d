// SPDX-License-Identifier: Apache-2.0
// Pairs through memory, as many at a time as it holds: products, their convolutions, sums.
#include "fft/cubes/kernels.h"
#include "fft/cubes/ops.h"

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
    PV_TRY(pv_kernel_launch(stream, products[cubes->precision][is_real], a->count * a->points, a));
    PV_TRY(cubes->ops->convolve(cubes, stream, factor, a->count, a->boxes, a->boxes));
    return pv_kernel_launch(stream, sums[cubes->precision][is_real], a->points, a);
}

pv_status pv_cubes_pairs_in_memory(pv_cubes *cubes, pv_stream *stream, const void *factor, const pv_cubes_pairs *pairs)
{
    const int is_real = pairs->is_real != 0;
    const size_t pair_bytes = is_real ? sizeof(pv_real_pair) : sizeof(pv_complex_pair);
    for (int64_t first = 0; first < pairs->count; first += cubes->batch) {
        const int64_t left = pairs->count - first;
        const cubes_arguments a = {.points = cubes->points,
                                   .n1 = cubes->shape[1],
                                   .n2 = cubes->shape[2],
                                   .count = left < cubes->batch ? left : cubes->batch,
                                   .list = (const char *)pairs->list + (size_t)first * pair_bytes,
                                   .phase = {pairs->phase[0], pairs->phase[1], pairs->phase[2]},
                                   .boxes = cubes->boxes};
        PV_TRY(run_some(cubes, stream, factor, is_real, &a));
    }
    return PV_OK;
}
