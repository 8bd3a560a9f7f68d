// SPDX-License-Identifier: Apache-2.0
#include "fft/cuda/pass_rows.h"

#include <cufftXt.h>

#include "base/check.h"
#include "fft/cuda/fft_check.h"
#include "fft/program/pass_step.h"
#include "fft/program/twiddle.h"

// ---- Plans ----------------------------------------------------------------------------------------------------------

static cufftType type_of(const pv_line_plan *lines)
{
    int fp64 = lines->precision == PV_FP64;
    if (lines->kind == PV_LINE_R2C) return fp64 ? CUFFT_D2Z : CUFFT_R2C;
    if (lines->kind == PV_LINE_C2R) return fp64 ? CUFFT_Z2D : CUFFT_C2R;
    return fp64 ? CUFFT_Z2Z : CUFFT_C2C;
}

// Rows in place: of n complex points, or of n reals with room for n / 2 + 1 complex ones.
static pv_status plan_rows(const pv_line_plan *lines, int64_t batch, cufftHandle *plan_p, int *has_p)
{
    int real = lines->kind == PV_LINE_R2C || lines->kind == PV_LINE_C2R;
    long long n = lines->n, half = n / 2 + 1, pitch = real ? half : n, real_pitch = real ? 2 * half : n;
    long long in_pitch = lines->kind == PV_LINE_R2C ? real_pitch : pitch;
    long long out_pitch = lines->kind == PV_LINE_C2R ? real_pitch : pitch;
    size_t work;
    PV_FFT_CUFFT(cufftCreate(plan_p), "making a cuFFT plan");
    *has_p = 1;
    PV_FFT_CUFFT(cufftMakePlanMany64(*plan_p, 1, &n, &in_pitch, 1, in_pitch, &out_pitch, 1, out_pitch, type_of(lines),
                                     batch, &work),
                 "making a cuFFT plan");
    return PV_OK;
}

static pv_status make_twiddle(pv_device *device, pv_cuda_pass *made)
{
    const pv_twiddle_tables tables = pv_twiddle_tables_of(made->pass->twiddle);
    const size_t coarse = (size_t)tables.coarse_count * 2 * sizeof(double);
    const size_t fine = (size_t)tables.fine_count * 2 * sizeof(double);
    PV_TRY(pv_buffer_create(device, coarse + fine, &made->twiddle));
    PV_TRY(pv_buffer_write(made->twiddle, 0, tables.coarse, coarse));
    return pv_buffer_write(made->twiddle, coarse, tables.fine, fine);
}

pv_status pv_cuda_pass_make_rows(pv_device *device, pv_cuda_pass *made)
{
    const pv_pass *pass = made->pass;
    const pv_line_plan *lines = pass->lines;
    int real = lines->kind == PV_LINE_R2C || lines->kind == PV_LINE_C2R;
    const pv_box *box = &pass->load_box;
    if (pass->twiddle) PV_TRY(make_twiddle(device, made));
    made->rows.lane_origin = box->lower[pass->lane_axis];
    made->rows.lane_extent = box->upper[pass->lane_axis] - box->lower[pass->lane_axis];
    const int64_t batch = made->rows.lane_extent * made->slices, pitch = real ? lines->n / 2 + 1 : lines->n;
    made->rows_bytes = (size_t)(batch * pitch) * 2 * pv_real_bytes(lines->precision);
    if (batch == 0) return PV_OK;
    PV_TRY(plan_rows(lines, batch, &made->cufft, &made->has_cufft));
    return pass->back ? plan_rows(pass->back, batch, &made->cufft_back, &made->has_back) : PV_OK;
}

void pv_cuda_pass_destroy_rows(pv_cuda_pass *made)
{
    if (made->has_cufft) cufftDestroy(made->cufft);
    if (made->has_back) cufftDestroy(made->cufft_back);
    pv_buffer_destroy(made->twiddle);
}

// ---- Running --------------------------------------------------------------------------------------------------------

static pv_status transform_rows(const pv_line_plan *lines, cufftHandle plan, char *memory, void *cuda_stream)
{
    const int is_forward = lines->kind == PV_LINE_FORWARD || lines->kind == PV_LINE_R2C;
    PV_FFT_CUFFT(cufftSetStream(plan, cuda_stream), "giving cuFFT a stream");
    PV_FFT_CUFFT(cufftXtExec(plan, memory, memory, is_forward ? CUFFT_FORWARD : CUFFT_INVERSE), "running cuFFT");
    return PV_OK;
}

// Gives the step the rows, a slice at a time; its work goes to the device's stream, as ours does.
static void step_rows(const pv_cuda_pass *made, const pv_device_call *call, char *memory, pv_fft_pointwise step,
                      void *context)
{
    const pv_pass *pass = made->pass;
    const pv_line_plan *lines = pass->lines;
    const int64_t pitch = lines->kind == PV_LINE_R2C ? lines->n / 2 + 1 : lines->n;
    const size_t row_bytes = (size_t)pitch * 2 * pv_real_bytes(lines->precision);
    const pv_box *box = &pass->load_box;
    pv_step_lines some = {.batch = call->batch,
                          .lane_lower = made->rows.lane_origin,
                          .lanes = made->rows.lane_extent,
                          .lane_axis = pass->lane_axis,
                          .outer_axis = pass->outer_axis,
                          .line_stride = pitch,
                          .stride = 1};
    for (int64_t outer = call->outer_lower; outer < call->outer_upper; outer++) {
        if (outer < box->lower[pass->outer_axis] || outer >= box->upper[pass->outer_axis]) continue;
        some.outer = outer;
        some.values = memory + (size_t)((outer - call->outer_lower) * made->rows.lane_extent) * row_bytes;
        pv_pass_step(pass, &some, step, context);
    }
}

static pv_status twiddle_rows(const pv_cuda_pass *made, const pv_device_call *call, const pv_device_rows *rows,
                              void *cuda_stream)
{
    const pv_twiddle_tables tables = pv_twiddle_tables_of(made->pass->twiddle);
    const double *base = pv_buffer_data(made->twiddle);
    const pv_device_twiddle twiddle = {base, base + 2 * tables.coarse_count, tables.shift,
                                       made->pass->twiddle_sign > 0};
    const int64_t row_count = (call->outer_upper - call->outer_lower) * rows->lane_extent;
    PV_FFT_CUDA(pv_cuda_rows_twiddle(rows, row_count, &twiddle, made->pass->lines->precision == PV_FP64, cuda_stream), "turning phases");
    return PV_OK;
}

// Elements of a row as they are gathered and as they are scattered.
static void shape_rows(const pv_line_plan *first, const pv_line_plan *last, pv_device_rows *in, pv_device_rows *out)
{
    const int64_t n = first->n, half = n / 2 + 1;
    const int real_in = first->kind == PV_LINE_R2C, real_out = last->kind == PV_LINE_C2R;
    const int is_half_in = first->kind == PV_LINE_C2R, is_half_out = last->kind == PV_LINE_R2C;
    in->count = is_half_in ? half : n;
    in->pitch = real_in ? 2 * half : in->count;
    out->count = is_half_out ? half : n;
    out->pitch = real_out ? 2 * half : out->count;
}

pv_status pv_cuda_pass_run_rows(const pv_cuda_pass *made, pv_device_call *call, char *memory, pv_fft_pointwise step,
                                void *context, void *cuda_stream)
{
    const pv_pass *pass = made->pass;
    const pv_line_plan *last = pass->back ? pass->back : pass->lines;
    pv_device_rows in = made->rows, out = made->rows;
    in.memory = out.memory = memory;
    shape_rows(pass->lines, last, &in, &out);
    in.low = made->device.load_low;
    in.gap = made->device.load_gap;
    out.low = made->device.store_low;
    out.gap = made->device.store_gap;
    PV_FFT_CUDA(pv_cuda_rows_gather(&made->device, call, &in, cuda_stream), "gathering lines");
    PV_TRY(transform_rows(pass->lines, made->cufft, memory, cuda_stream));
    if (pass->back) {
        step_rows(made, call, memory, step, context);
        PV_TRY(transform_rows(pass->back, made->cufft_back, memory, cuda_stream));
    }
    if (pass->twiddle) PV_TRY(twiddle_rows(made, call, &out, cuda_stream));
    PV_FFT_CUDA(pv_cuda_rows_scatter(&made->device, call, &out, (int)pv_real_bytes(last->precision), cuda_stream),
                "scattering lines");
    return PV_OK;
}
