// SPDX-License-Identifier: Apache-2.0
#include "fft/transfer/view.h"

#include "base/check.h"
#include "base/mem.h"

pv_status pv_view_create(size_t element_bytes, int capacity, pv_view *view_p)
{
    pv_view view = {.element_bytes = element_bytes};
    PV_TRY(PV_ALLOC(capacity, &view.pieces));
    pv_status status = PV_ALLOC(capacity, &view.bases);
    if (status != PV_OK) {
        pv_mem_free(view.pieces);
        return status;
    }
    *view_p = view;
    return PV_OK;
}

void pv_view_destroy(pv_view *view)
{
    pv_mem_free(view->pieces);
    pv_mem_free(view->bases);
    *view = (pv_view){0};
}

pv_piece *pv_view_add(pv_view *view, const pv_box *box, pv_slot slot, int rank)
{
    pv_piece *piece = &view->pieces[view->count++];
    *piece = (pv_piece){.box = *box, .slot = slot, .rank = rank, .tiled_axis = -1};
    return piece;
}

int64_t pv_piece_dense(const pv_box *box, const pv_block_order *order, pv_piece *piece)
{
    int64_t stride = 1;
    for (int d = 0; d < 3; d++) piece->origin[d] = box->lower[d];
    piece->tiled_axis = order->tile > 1 ? order->tiled_axis : -1;
    piece->tile = order->tile;
    if (piece->tiled_axis >= 0) {
        piece->stride[order->tiled_axis] = 1;
        stride = order->tile;
    }
    for (int i = 2; i >= 0; i--) {
        int axis = order->order[i];
        int64_t extent = box->upper[axis] - box->lower[axis];
        if (extent < 0) extent = 0;
        if (axis == piece->tiled_axis) {
            piece->tile_stride = stride;
            extent = (extent + order->tile - 1) / order->tile;
        } else {
            piece->stride[axis] = stride;
        }
        stride *= extent;
    }
    return stride;
}

int64_t pv_piece_offset(const pv_piece *piece, const int64_t point[3])
{
    int64_t offset = piece->offset;
    for (int d = 0; d < 3; d++) {
        int64_t x = point[d] - piece->origin[d];
        if (d == piece->tiled_axis)
            offset += x / piece->tile * piece->tile_stride + x % piece->tile * piece->stride[d];
        else
            offset += x * piece->stride[d];
    }
    return offset;
}

void pv_view_bind(pv_view *view, void *const slot_base[PV_SLOT_COUNT], void *const *window_base, size_t window_offset)
{
    for (int i = 0; i < view->count; i++) {
        const pv_piece *piece = &view->pieces[i];
        view->bases[i] = piece->slot == PV_SLOT_WINDOW ? (char *)window_base[piece->rank] + window_offset
                                                       : slot_base[piece->slot];
    }
}
