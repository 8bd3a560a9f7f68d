// SPDX-License-Identifier: Apache-2.0
// Views: where the points of a box lie in memory. A view is a list of pieces, each a box with strides in some
// buffer; a local array is a view of one piece, what arrives from or goes to other ranks a view of many. Plain data.
#ifndef PV_FFT_TRANSFER_VIEW_H
#define PV_FFT_TRANSFER_VIEW_H

#include <parseval/fft.h>

typedef enum pv_slot { PV_SLOT_IN, PV_SLOT_OUT, PV_SLOT_WINDOW, PV_SLOT_SEND, PV_SLOT_SCRATCH, PV_SLOT_COUNT } pv_slot;

// The point i lies at element offset + sum over axes d of part(i[d] - origin[d]), where part(x) is x * stride[d],
// or, along the tiled axis, (x / tile) * tile_stride + (x % tile) * stride[d]. Tiling keeps the lines that one tile
// of a pass takes side by side, so that the next pass reads whole cache lines in order.
typedef struct pv_piece {
    pv_box box;               // the points it covers
    int64_t origin[3];        // the point at `offset`; outside the box when the piece is a part of a larger block
    pv_slot slot;
    int rank;                 // whose window, with PV_SLOT_WINDOW
    int64_t offset;           // elements
    int64_t batch_stride;     // elements from one transform of a batch to the next
    int64_t stride[3];
    int tiled_axis;           // -1: none
    int64_t tile, tile_stride;
} pv_piece;

typedef struct pv_view {
    size_t element_bytes;
    int count;
    pv_piece *pieces;
    char **bases;             // [count], set by pv_view_bind
} pv_view;

// Order in memory of a block: axes from slowest to fastest, and lanes of a tile (1: no tiling).
typedef struct pv_block_order {
    int order[3];
    int tiled_axis;           // -1, or the axis whose points are grouped by `tile`, each group being the fastest
    int64_t tile;
} pv_block_order;

pv_status pv_view_create(size_t element_bytes, int capacity, pv_view *view_p);
void pv_view_destroy(pv_view *view);
pv_piece *pv_view_add(pv_view *view, const pv_box *box, pv_slot slot, int rank);

// A dense block of `box`: sets origin and strides, and returns the elements it takes (padded to whole tiles).
int64_t pv_piece_dense(const pv_box *box, const pv_block_order *order, pv_piece *piece);
// Element offset of a point inside the piece's box, without batch.
int64_t pv_piece_offset(const pv_piece *piece, const int64_t point[3]);

// Sets the base pointer of every piece: slot_base[slot] for local slots, window_base[rank] + window_offset for
// windows. Scratch stays NULL: each thread has its own.
void pv_view_bind(pv_view *view, void *const slot_base[PV_SLOT_COUNT], void *const *window_base, size_t window_offset);

#endif
