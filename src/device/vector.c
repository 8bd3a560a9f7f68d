// SPDX-License-Identifier: Apache-2.0
#include "device/vector.h"

#include "device/vector_kernels.h"

pv_status pv_vector_scale(pv_stream *stream, int64_t count, double factor, double *x)
{
    return pv_kernel_launch(stream, &scale, count, &(scale_arguments){.factor = factor, .x = x});
}

pv_status pv_vector_scale_fp32(pv_stream *stream, int64_t count, double factor, float *x)
{
    return pv_kernel_launch(stream, &scale_fp32, count, &(scale_fp32_arguments){.factor = (float)factor, .x = x});
}

pv_status pv_vector_axpy(pv_stream *stream, int64_t count, double factor, const double *x, double *y)
{
    return pv_kernel_launch(stream, &axpy, count, &(axpy_arguments){.factor = factor, .x = x, .y = y});
}
