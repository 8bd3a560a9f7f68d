// SPDX-License-Identifier: Apache-2.0
#include "fft/cuda/pass_cuda.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "fft/cuda/fft_check.h"

static int is_fp64(const pv_pass *pass) { return pass->lines->precision == PV_FP64; }

static int has_own_kernel(const pv_pass *pass)
{
    return pass->lines && pass->lines->ops == &pv_engine_cuda &&
           (pass->lines->kind == PV_LINE_FORWARD || pass->lines->kind == PV_LINE_INVERSE) &&
           pv_cuda_lines_lanes(pass->lines->n, is_fp64(pass)) > 0;
}

// ---- Description ---------------------------------------------------------------------------------------------------

static void describe_pieces(const pv_view *view, pv_device_piece *pieces)
{
    for (int i = 0; i < view->count; i++) {
        const pv_piece *p = &view->pieces[i];
        pieces[i] = (pv_device_piece){.offset = p->offset, .batch_stride = p->batch_stride, .tile = p->tile,
                                      .tile_stride = p->tile_stride, .tiled_axis = p->tiled_axis,
                                      .slot = p->slot == PV_SLOT_WINDOW ? -1 : (int)p->slot};
        for (int d = 0; d < 3; d++) {
            pieces[i].origin[d] = p->origin[d];
            pieces[i].stride[d] = p->stride[d];
        }
    }
}

typedef struct pv_description {
    size_t cells, loads, stores, pieces, end;   // offsets
} pv_description;

static size_t after(size_t offset, size_t count, size_t size) { return (offset + count * size + 255) / 256 * 256; }

static pv_description lay_out(const pv_pass *pass, int loads, int stores)
{
    pv_description d = {0};
    d.loads = after(d.cells, (size_t)pass->cell_count, sizeof(pv_device_cell));
    d.stores = after(d.loads, (size_t)loads, sizeof(pv_device_segment));
    d.pieces = after(d.stores, (size_t)stores, sizeof(pv_device_segment));
    d.end = after(d.pieces, (size_t)(pass->load.count + pass->store.count), sizeof(pv_device_piece));
    return d;
}

static void copy_segments(const pv_segment *from, int count, pv_device_segment *to)
{
    for (int i = 0; i < count; i++) to[i] = (pv_device_segment){from[i].piece, from[i].lower, from[i].upper};
}

static pv_status upload(pv_device *device, pv_cuda_pass *made)
{
    const pv_pass *pass = made->pass;
    const pv_cell *last = pass->cell_count > 0 ? &pass->cells[pass->cell_count - 1] : NULL;
    int loads = last ? last->load_first + last->load_count : 0, stores = last ? last->store_first + last->store_count : 0;
    pv_description at = lay_out(pass, loads, stores);
    char *host = NULL;
    PV_TRY(pv_mem_alloc(1, at.end, (void **)&host));
    for (int c = 0; c < pass->cell_count; c++) {
        const pv_cell *cell = &pass->cells[c];
        ((pv_device_cell *)(host + at.cells))[c] =
            (pv_device_cell){cell->outer_lower, cell->outer_upper, cell->lane_lower, cell->lane_upper,
                             cell->load_first, cell->load_count, cell->store_first, cell->store_count};
    }
    copy_segments(pass->load_segments, loads, (pv_device_segment *)(host + at.loads));
    copy_segments(pass->store_segments, stores, (pv_device_segment *)(host + at.stores));
    pv_status status = at.end > 0 ? pv_buffer_create(device, at.end, &made->description) : PV_OK;
    if (status == PV_OK && at.end > 0) status = pv_buffer_write(made->description, 0, host, at.end);
    pv_mem_free(host);
    PV_TRY(status);
    char *base = made->description ? pv_buffer_data(made->description) : NULL;
    made->pieces_offset = at.pieces;
    made->device.cells = (const pv_device_cell *)(base + at.cells);
    made->device.load_segments = (const pv_device_segment *)(base + at.loads);
    made->device.store_segments = (const pv_device_segment *)(base + at.stores);
    made->device.load_pieces = (const pv_device_piece *)(base + at.pieces);
    made->device.store_pieces = made->device.load_pieces + pass->load.count;
    return PV_OK;
}

// ---- Transforms -----------------------------------------------------------------------------------------------------

#define PV_ROOTS_BODY(name, real)                                                        \
    static void name(int64_t n, void *memory)                                            \
    {                                                                                    \
        real *roots = memory;                                                            \
        for (int64_t k = 0; k < n; k++) {                                                \
            double angle = -6.283185307179586476925286766559 * (double)k / (double)n;    \
            roots[2 * k] = (real)cos(angle);                                             \
            roots[2 * k + 1] = (real)sin(angle);                                         \
        }                                                                                \
    }
PV_ROOTS_BODY(roots_fp64, double)
PV_ROOTS_BODY(roots_fp32, float)

static pv_status make_roots(pv_device *device, pv_cuda_pass *made)
{
    int64_t n = made->pass->lines->n;
    size_t bytes = (size_t)n * 2 * pv_real_bytes(made->pass->lines->precision);
    void *host = NULL;
    PV_TRY(pv_mem_alloc(1, bytes, &host));
    if (is_fp64(made->pass)) roots_fp64(n, host);
    else roots_fp32(n, host);
    pv_status status = pv_buffer_create(device, bytes, &made->roots);
    if (status == PV_OK) status = pv_buffer_write(made->roots, 0, host, bytes);
    pv_mem_free(host);
    return status;
}

static cufftType type_of(const pv_line_plan *lines)
{
    int fp64 = lines->precision == PV_FP64;
    if (lines->kind == PV_LINE_R2C) return fp64 ? CUFFT_D2Z : CUFFT_R2C;
    if (lines->kind == PV_LINE_C2R) return fp64 ? CUFFT_Z2D : CUFFT_C2R;
    return fp64 ? CUFFT_Z2Z : CUFFT_C2C;
}

// Rows in place: of n complex points, or of n reals with room for n / 2 + 1 complex ones.
static pv_status make_cufft(pv_cuda_pass *made)
{
    const pv_line_plan *lines = made->pass->lines;
    int real = lines->kind == PV_LINE_R2C || lines->kind == PV_LINE_C2R;
    long long n = lines->n, half = n / 2 + 1, pitch = real ? half : n, real_pitch = real ? 2 * half : n;
    long long in_pitch = lines->kind == PV_LINE_R2C ? real_pitch : pitch, out_pitch = lines->kind == PV_LINE_C2R ? real_pitch : pitch;
    const pv_box *box = &made->pass->load_box;
    made->rows.lane_origin = box->lower[made->pass->lane_axis];
    made->rows.lane_extent = box->upper[made->pass->lane_axis] - box->lower[made->pass->lane_axis];
    long long batch = made->rows.lane_extent * made->slices;
    made->rows_bytes = (size_t)(batch * pitch) * 2 * pv_real_bytes(lines->precision);
    if (batch == 0) return PV_OK;
    size_t work;
    PV_FFT_CUFFT(cufftCreate(&made->cufft), "making a cuFFT plan");
    made->has_cufft = 1;
    PV_FFT_CUFFT(cufftMakePlanMany64(made->cufft, 1, &n, &in_pitch, 1, in_pitch, &out_pitch, 1, out_pitch, type_of(lines), batch, &work),
                 "making a cuFFT plan");
    return PV_OK;
}

pv_status pv_cuda_pass_create(pv_device *device, const pv_pass *pass, int64_t slices, pv_cuda_pass *made)
{
    *made = (pv_cuda_pass){.pass = pass, .slices = slices};
    made->device = (pv_device_pass){.axis = pass->axis, .lane_axis = pass->lane_axis, .outer_axis = pass->outer_axis,
                                    .cell_count = pass->cell_count, .load_origin = pass->load_box.lower[pass->axis],
                                    .store_origin = pass->store_box.lower[pass->axis],
                                    .load_bytes = (int)pass->load.element_bytes, .store_bytes = (int)pass->store.element_bytes};
    PV_TRY(PV_ALLOC(pass->load.count + pass->store.count, &made->pieces));
    describe_pieces(&pass->load, made->pieces);
    describe_pieces(&pass->store, made->pieces + pass->load.count);
    PV_TRY(upload(device, made));
    if (!pass->lines) return PV_OK;
    return has_own_kernel(pass) ? make_roots(device, made) : make_cufft(made);
}

void pv_cuda_pass_destroy(pv_cuda_pass *made)
{
    if (made->has_cufft) cufftDestroy(made->cufft);
    pv_buffer_destroy(made->description);
    pv_buffer_destroy(made->roots);
    pv_mem_free(made->pieces);
    *made = (pv_cuda_pass){0};
}

pv_status pv_cuda_pass_bind(pv_cuda_pass *made, void *const *windows, size_t load_offset, size_t store_offset)
{
    const pv_view *views[2] = {&made->pass->load, &made->pass->store};
    pv_device_piece *piece = made->pieces;
    for (int v = 0; v < 2; v++)
        for (int i = 0; i < views[v]->count; i++, piece++)
            if (piece->slot < 0) piece->base = (char *)windows[views[v]->pieces[i].rank] + (v == 0 ? load_offset : store_offset);
    size_t bytes = (size_t)(piece - made->pieces) * sizeof *piece;
    return bytes > 0 ? pv_buffer_write(made->description, made->pieces_offset, made->pieces, bytes) : PV_OK;
}

static cufftResult execute(cufftHandle plan, const pv_line_plan *lines, void *memory)
{
    int direction = lines->kind == PV_LINE_FORWARD ? CUFFT_FORWARD : CUFFT_INVERSE;
    if (lines->precision == PV_FP64) {
        if (lines->kind == PV_LINE_R2C) return cufftExecD2Z(plan, memory, memory);
        if (lines->kind == PV_LINE_C2R) return cufftExecZ2D(plan, memory, memory);
        return cufftExecZ2Z(plan, memory, memory, direction);
    }
    if (lines->kind == PV_LINE_R2C) return cufftExecR2C(plan, memory, memory);
    if (lines->kind == PV_LINE_C2R) return cufftExecC2R(plan, memory, memory);
    return cufftExecC2C(plan, memory, memory, direction);
}

static pv_status run_cufft(const pv_cuda_pass *made, pv_device_call *call, char *memory, void *cuda_stream)
{
    const pv_line_plan *lines = made->pass->lines;
    int real_in = lines->kind == PV_LINE_R2C, real_out = lines->kind == PV_LINE_C2R;
    int64_t half = lines->n / 2 + 1, real = real_in || real_out;
    pv_device_rows in = made->rows, out = made->rows;
    in.memory = out.memory = memory;
    in.count = real_in ? lines->n : real_out ? half : lines->n;
    in.pitch = real_in ? 2 * half : real ? half : lines->n;
    out.count = real_out ? lines->n : real_in ? half : lines->n;
    out.pitch = real_out ? 2 * half : real ? half : lines->n;
    PV_FFT_CUDA(pv_cuda_rows_gather(&made->device, call, &in, cuda_stream), "gathering lines");
    PV_FFT_CUFFT(cufftSetStream(made->cufft, cuda_stream), "giving cuFFT a stream");
    PV_FFT_CUFFT(execute(made->cufft, lines, memory), "running cuFFT");
    PV_FFT_CUDA(pv_cuda_rows_scatter(&made->device, call, &out, (int)pv_real_bytes(lines->precision), cuda_stream), "scattering lines");
    return PV_OK;
}

pv_status pv_cuda_pass_run(const pv_cuda_pass *made, pv_device_call *call, char *rows_memory, void *cuda_stream)
{
    const pv_pass *pass = made->pass;
    call->tiles = pv_pass_tiles(pass, call->outer_lower, call->outer_upper);
    call->scale = pass->scale;
    PV_REQUIRE(call->tiles <= INT32_MAX, PV_ERR_UNSUPPORTED, "%lld tiles in one pass, at most 2^31 - 1", (long long)call->tiles);
    if (call->tiles == 0) return PV_OK;
    if (!pass->lines) {
        PV_FFT_CUDA(pv_cuda_copy_run(&made->device, call, cuda_stream), "copying lines");
    } else if (made->has_cufft) {
        return run_cufft(made, call, rows_memory, cuda_stream);
    } else {
        PV_FFT_CUDA(pv_cuda_lines_run(&made->device, call, pass->lines->n, is_fp64(pass), pass->lines->kind == PV_LINE_INVERSE,
                                      pv_buffer_data(made->roots), cuda_stream), "transforming lines");
    }
    return PV_OK;
}
