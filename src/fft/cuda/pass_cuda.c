// SPDX-License-Identifier: Apache-2.0
#include "fft/cuda/pass_cuda.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "fft/cuda/fft_check.h"
#include "fft/cuda/pass_rows.h"

static int is_fp64(const pv_pass *pass) { return pass->lines->precision == PV_FP64; }

int pv_cuda_pass_has_kernel(const pv_pass *pass)
{
    return pass->lines && pass->lines->ops == &pv_engine_cuda && !pass->back && !pass->twiddle &&
           (pass->lines->kind == PV_LINE_FORWARD || pass->lines->kind == PV_LINE_INVERSE) &&
           pv_cuda_own_lanes(pass->lines->n, is_fp64(pass)) > 0;
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
    int loads = last ? last->load_first + last->load_count : 0,
        stores = last ? last->store_first + last->store_count : 0;
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

pv_status pv_cuda_roots_create(pv_device *device, int64_t n, pv_precision precision, pv_buffer **roots_p)
{
    size_t bytes = (size_t)n * 2 * pv_real_bytes(precision);
    void *host = NULL;
    PV_TRY(pv_mem_alloc(1, bytes, &host));
    if (precision == PV_FP64)
        roots_fp64(n, host);
    else roots_fp32(n, host);
    pv_status status = pv_buffer_create(device, bytes, roots_p);
    if (status == PV_OK) status = pv_buffer_write(*roots_p, 0, host, bytes);
    pv_mem_free(host);
    return status;
}

pv_status pv_cuda_pass_create(pv_device *device, const pv_pass *pass, int64_t slices, pv_cuda_pass *made)
{
    *made = (pv_cuda_pass){.pass = pass, .slices = slices};
    made->device = (pv_device_pass){.axis = pass->axis,
                                    .lane_axis = pass->lane_axis,
                                    .outer_axis = pass->outer_axis,
                                    .cell_count = pass->cell_count,
                                    .load_origin = pass->load_box.lower[pass->axis],
                                    .store_origin = pass->store_box.lower[pass->axis],
                                    .load_bytes = (int)pass->load.element_bytes,
                                    .store_bytes = (int)pass->store.element_bytes};
    const pv_line_gap load = pv_pass_gap(pass, &pass->load_box), store = pv_pass_gap(pass, &pass->store_box);
    made->device.load_low = load.low;
    made->device.load_gap = load.gap;
    made->device.store_low = store.low;
    made->device.store_gap = store.gap;
    PV_TRY(PV_ALLOC(pass->load.count + pass->store.count, &made->pieces));
    describe_pieces(&pass->load, made->pieces);
    describe_pieces(&pass->store, made->pieces + pass->load.count);
    PV_TRY(upload(device, made));
    if (!pass->lines) return PV_OK;
    if (!pv_cuda_pass_has_kernel(pass)) return pv_cuda_pass_make_rows(device, made);
    return (pv_cuda_convolved_points(pass->lines->n) > 0 ? pv_cuda_convolved_create : pv_cuda_roots_create)(
        device, pass->lines->n, pass->lines->precision, &made->roots);
}

void pv_cuda_pass_destroy(pv_cuda_pass *made)
{
    pv_cuda_pass_destroy_rows(made);
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
            if (piece->slot < 0)
                piece->base = (char *)windows[views[v]->pieces[i].rank] + (v == 0 ? load_offset : store_offset);
    size_t bytes = (size_t)(piece - made->pieces) * sizeof *piece;
    return bytes > 0 ? pv_buffer_write(made->description, made->pieces_offset, made->pieces, bytes) : PV_OK;
}

// ---- Columns --------------------------------------------------------------------------------------------------------

// One end of the pass, of all its lines, from slice `outer` on: 0 when it is not of the simple form.
static int columns_end(const pv_pass *pass, const pv_device_piece *pieces, const pv_segment *segments, int count,
                       const pv_device_call *call, int64_t origin, size_t size, pv_device_columns_end *end)
{
    const int axis = pass->axis, lane_axis = pass->lane_axis, outer_axis = pass->outer_axis;
    char *starts[3];
    if (count < 1 || count > 3) return 0;
    for (int i = 0; i < count; i++) {
        const pv_device_piece *p = &pieces[segments[i].piece];
        if (p->tiled_axis >= 0 || p->stride[lane_axis] != 1 || p->stride[axis] > UINT32_MAX) return 0;
        const int64_t offset = p->offset + call->batch * p->batch_stride +
                               (call->outer_lower - p->origin[outer_axis]) * p->stride[outer_axis] +
                               (pass->cells[0].lane_lower - p->origin[lane_axis]) +
                               (origin - p->origin[axis]) * p->stride[axis];
        starts[i] = (p->slot < 0 ? p->base : call->slots[p->slot]) + offset * (int64_t)size;
    }
    const pv_device_piece *first = &pieces[segments[0].piece], *inner = &pieces[segments[count > 1].piece];
    const pv_device_piece *last = &pieces[segments[count - 1].piece];
    *end = (pv_device_columns_end){.start = starts[0], .inner = starts[count > 1], .stride = first->stride[axis],
                                   .inner_stride = inner->stride[axis], .outer_stride = first->stride[outer_axis],
                                   .inner_outer_stride = inner->stride[outer_axis]};
    if (count > 1) {
        end->lower = segments[1].lower - origin;
        end->length = segments[1].upper - segments[1].lower;
    }
    return count < 3 || (starts[2] == starts[0] && last->stride[axis] == end->stride &&
                         last->stride[outer_axis] == end->outer_stride);
}

// Whether the lanes that share 16 bytes are the same in every row of both ends.
static int are_aligned(const pv_device_columns *c, size_t size)
{
    if (size == 16) return 1;
    const uintptr_t to = (uintptr_t)c->to.start;
    const uintptr_t apart =
        ((uintptr_t)c->to.inner - to) | ((uintptr_t)c->from.start - to) | ((uintptr_t)c->from.inner - to);
    const int64_t odd = c->from.stride | c->from.inner_stride | c->to.stride | c->to.inner_stride;
    const int64_t odd_outer =
        c->from.outer_stride | c->from.inner_outer_stride | c->to.outer_stride | c->to.inner_outer_stride;
    return apart % 16 == 0 && odd % 2 == 0 && (c->outers == 1 || odd_outer % 2 == 0);
}

static int describe_columns(const pv_cuda_pass *made, const pv_device_call *call, pv_device_columns *columns)
{
    const pv_pass *pass = made->pass;
    const pv_cell *cell = &pass->cells[0];
    if (pass->cell_count != 1 || !pv_cuda_columns_has(pass->lines->n)) return 0;
    const int64_t lower = call->outer_lower > cell->outer_lower ? call->outer_lower : cell->outer_lower;
    const int64_t upper = call->outer_upper < cell->outer_upper ? call->outer_upper : cell->outer_upper;
    *columns = (pv_device_columns){
        .lanes = cell->lane_upper - cell->lane_lower, .outers = upper - lower, .scale = pass->scale};
    pv_device_call from_lower = *call;
    from_lower.outer_lower = lower;
    if (!columns_end(pass, made->pieces, pass->load_segments + cell->load_first, cell->load_count, &from_lower,
                     pass->load_box.lower[pass->axis], pass->load.element_bytes, &columns->from) ||
        !columns_end(pass, made->pieces + pass->load.count, pass->store_segments + cell->store_first, cell->store_count,
                     &from_lower, pass->store_box.lower[pass->axis], pass->store.element_bytes, &columns->to))
        return 0;
    columns->from.low = made->device.load_low;
    columns->from.gap = made->device.load_gap;
    columns->to.low = made->device.store_low;
    columns->to.gap = made->device.store_gap;
    // Slices that follow one another in memory are more lanes.
    const int64_t lanes = columns->lanes;
    if (columns->from.outer_stride == lanes && columns->from.inner_outer_stride == lanes &&
        columns->to.outer_stride == lanes && columns->to.inner_outer_stride == lanes) {
        columns->lanes *= columns->outers;
        columns->outers = 1;
    }
    return are_aligned(columns, pass->load.element_bytes);
}

static pv_status run_lines(const pv_cuda_pass *made, const pv_device_call *call, void *cuda_stream)
{
    const pv_line_plan *lines = made->pass->lines;
    const int inverse = lines->kind == PV_LINE_INVERSE, fp64 = is_fp64(made->pass);
    const void *roots = pv_buffer_data(made->roots);
    pv_device_columns columns;
    if (describe_columns(made, call, &columns))
        PV_FFT_CUDA(pv_cuda_columns_run(&columns, lines->n, fp64, inverse, roots, cuda_stream),
                    "transforming columns");
    else if (pv_cuda_convolved_points(lines->n) > 0)
        PV_FFT_CUDA(pv_cuda_convolved_run(&made->device, call, lines->n, fp64, inverse, roots, cuda_stream),
                    "convolving lines");
    else
        PV_FFT_CUDA(pv_cuda_lines_run(&made->device, call, lines->n, fp64, inverse, roots, cuda_stream),
                    "transforming lines");
    return PV_OK;
}

pv_status pv_cuda_pass_run(const pv_cuda_pass *made, pv_device_call *call, char *rows_memory, pv_fft_pointwise step,
                           void *context, void *cuda_stream)
{
    const pv_pass *pass = made->pass;
    call->tiles = pv_pass_tiles(pass, call->outer_lower, call->outer_upper);
    call->scale = pass->scale;
    PV_REQUIRE(call->tiles <= INT32_MAX, PV_ERR_UNSUPPORTED, "%lld tiles in one pass, at most 2^31 - 1",
               (long long)call->tiles);
    if (call->tiles == 0) return PV_OK;
    if (made->has_cufft) return pv_cuda_pass_run_rows(made, call, rows_memory, step, context, cuda_stream);
    if (pass->lines) return run_lines(made, call, cuda_stream);
    PV_FFT_CUDA(pv_cuda_copy_run(&made->device, call, cuda_stream), "copying lines");
    return PV_OK;
}
