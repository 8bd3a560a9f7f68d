// SPDX-License-Identifier: Apache-2.0
// Rows on a GPU: products that come with a kernel of their own use it; all else goes through cuFFT, in place.
#include <math.h>

#include <cufftXt.h>

#include <parseval/device_cuda.h>

#include "base/check.h"
#include "base/mem.h"
#include "fft/cuda/fft_check.h"
#include "fft/cuda/rows_lengths.h"
#include "fft/rows/rows.h"

// cuFFT's work area grows with what it transforms at once.
enum { MOST_BYTES = 256 << 20 };

typedef struct cufft_state {
    int64_t sizes[2]; // rows at once, and those of the last time
    cufftHandle plans[2][2];
    int has[2][2];
    pv_buffer *work, *roots;
} cufft_state;

static size_t row_bytes(const pv_rows *rows)
{
    return (size_t)rows->desc.pitch * pv_real_bytes(rows->desc.precision);
}

static pv_status make_plan(const pv_rows *rows, int size, int is_inverse, size_t *most_p)
{
    cufft_state *state = rows->state;
    const pv_rows_desc *d = &rows->desc;
    const int fp64 = d->precision == PV_FP64;
    const cufftType type = is_inverse ? (fp64 ? CUFFT_Z2D : CUFFT_C2R) : (fp64 ? CUFFT_D2Z : CUFFT_R2C);
    long long n = d->n, complex_pitch = d->pitch / 2, real_pitch = d->pitch;
    long long *in = is_inverse ? &complex_pitch : &real_pitch, *out = is_inverse ? &real_pitch : &complex_pitch;
    size_t bytes = 0;
    cufftHandle *plan = &state->plans[size][is_inverse];
    PV_FFT_CUFFT(cufftCreate(plan), "making a cuFFT plan");
    state->has[size][is_inverse] = 1;
    PV_FFT_CUFFT(cufftSetAutoAllocation(*plan, 0), "making a cuFFT plan");
    PV_FFT_CUFFT(cufftMakePlanMany64(*plan, 1, &n, in, 1, *in, out, 1, *out, type, state->sizes[size], &bytes),
                 "making a cuFFT plan");
    if (bytes > *most_p) *most_p = bytes;
    return PV_OK;
}

// Radices of a kernel's stages, ended by 0; NULL: there is no kernel.
static const int *radices_of(const pv_rows_desc *desc)
{
#define RADICES(fp64, length, points, rows, blocks, group, ...)                                                        \
    if ((desc->precision == PV_FP64) == fp64 && desc->n == length) {                                                   \
        static const int radices[] = {__VA_ARGS__, 0};                                                                 \
        return radices;                                                                                                \
    }
#define RADICES_FP64(...) RADICES(1, __VA_ARGS__)
#define RADICES_FP32(...) RADICES(0, __VA_ARGS__)
    PV_ROWS_LENGTHS_FP64(RADICES_FP64)
    PV_ROWS_LENGTHS_FP32(RADICES_FP32)
#undef RADICES
#undef RADICES_FP64
#undef RADICES_FP32
    return NULL;
}

// exp(-2 pi i k m / (p radix)), k < p, m = 1 ... radix - 1, of every stage but the first: p is the product of the radices
// before.
static void fill_roots(const int *radices, pv_precision precision, void *roots)
{
    int64_t at = 0;
    for (int64_t p = *radices++; *radices; p *= *radices++)
        for (int64_t m = 1; m < *radices; m++)
            for (int64_t k = 0; k < p; k++, at += 2) {
                const double angle = -2.0 * M_PI * (double)(k * m) / (double)(p * *radices);
                for (int part = 0; part < 2; part++) {
                    const double value = part ? sin(angle) : cos(angle);
                    if (precision == PV_FP64)
                        ((double *)roots)[at + part] = value;
                    else
                        ((float *)roots)[at + part] = (float)value;
                }
            }
}

static pv_status make_roots(pv_rows *rows)
{
    cufft_state *state = rows->state;
    const int *radices = radices_of(&rows->desc);
    const size_t bytes = (size_t)rows->desc.n * 2 * pv_real_bytes(rows->desc.precision);
    void *roots = NULL;
    if (!radices) return PV_OK;
    PV_TRY(pv_mem_alloc(1, bytes, &roots));
    fill_roots(radices, rows->desc.precision, roots);
    pv_status status = pv_buffer_create(pv_comm_device(rows->desc.comm), bytes, &state->roots);
    if (status == PV_OK) status = pv_buffer_write(state->roots, 0, roots, bytes);
    pv_mem_free(roots);
    if (status == PV_OK) rows->roots = pv_buffer_data(state->roots);
    return status;
}

static pv_status create(pv_rows *rows)
{
    cufft_state *state = NULL;
    PV_TRY(PV_ALLOC(1, &state));
    rows->state = state;
    if (rows->desc.count == 0) return PV_OK;
    PV_TRY(make_roots(rows));
    const int64_t most = (int64_t)(MOST_BYTES / row_bytes(rows)) + 1;
    size_t work = 0;
    state->sizes[0] = rows->desc.count < most ? rows->desc.count : most;
    state->sizes[1] = rows->desc.count % state->sizes[0];
    for (int size = 0; size < 2; size++)
        for (int inverse = 0; inverse < 2 && state->sizes[size] > 0; inverse++)
            PV_TRY(make_plan(rows, size, inverse, &work));
    return work > 0 ? pv_buffer_create(pv_comm_device(rows->desc.comm), work, &state->work) : PV_OK;
}

static void destroy(pv_rows *rows)
{
    cufft_state *state = rows->state;
    if (!state) return;
    for (int size = 0; size < 2; size++)
        for (int inverse = 0; inverse < 2; inverse++)
            if (state->has[size][inverse]) cufftDestroy(state->plans[size][inverse]);
    pv_buffer_destroy(state->work);
    pv_buffer_destroy(state->roots);
    pv_mem_free(state);
}

static cudaStream_t stream_of(const pv_rows *rows)
{
    return pv_stream_cuda(pv_device_stream(pv_comm_device(rows->desc.comm)));
}

static pv_status transform(const pv_rows *rows, void *field, int is_inverse)
{
    const cufft_state *state = rows->state;
    for (int64_t first = 0; first < rows->desc.count; first += state->sizes[0]) {
        const int size = rows->desc.count - first < state->sizes[0];
        const cufftHandle plan = state->plans[size][is_inverse];
        char *at = (char *)field + (size_t)first * row_bytes(rows);
        PV_FFT_CUFFT(cufftSetStream(plan, stream_of(rows)), "giving cuFFT a stream");
        if (state->work)
            PV_FFT_CUFFT(cufftSetWorkArea(plan, pv_buffer_data(state->work)), "giving cuFFT its work area");
        PV_FFT_CUFFT(cufftXtExec(plan, at, at, is_inverse ? CUFFT_INVERSE : CUFFT_FORWARD), "transforming rows");
    }
    return PV_OK;
}

static pv_status to_points(const pv_rows *rows, void *field)
{
    const pv_rows_desc *d = &rows->desc;
    const size_t element = 2 * pv_real_bytes(d->precision);
    PV_FFT_CUDA(cudaMemset2DAsync((char *)field + (size_t)d->kept * element, row_bytes(rows), 0,
                                  (size_t)(d->n / 2 + 1 - d->kept) * element, (size_t)d->count, stream_of(rows)),
                "clearing rows");
    return transform(rows, field, 1);
}

static pv_status to_modes(const pv_rows *rows, void *field)
{
    return transform(rows, field, 0);
}

static pv_status multiply(const pv_rows *rows, const pv_rows_product *product, void *const *fields)
{
    int done = 0;
    PV_TRY(product->fused(product->context, rows, fields, &done));
    if (done) return PV_OK;
    for (int f = 0; f < product->inputs; f++) PV_TRY(to_points(rows, fields[f]));
    PV_TRY(product->at_points(product->context, fields));
    for (int f = product->first_output; f < product->first_output + product->outputs; f++)
        PV_TRY(to_modes(rows, fields[f]));
    return PV_OK;
}

const pv_rows_ops pv_rows_cufft = {
    .create = create, .destroy = destroy, .to_points = to_points, .to_modes = to_modes, .multiply = multiply};
