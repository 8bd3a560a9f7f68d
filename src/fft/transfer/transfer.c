// SPDX-License-Identifier: Apache-2.0
#include "fft/transfer/transfer.h"

#include "base/check.h"
#include "base/mem.h"
#include "fft/layout/box.h"

// Blocks start at multiples of so many elements, which keeps whole tiles on cache lines.
#define PV_BLOCK_ALIGN 16

// Two ways to lay out what arrives. On one node every rank stores straight into the receiver's whole box, wherever
// the next pass wants the points. Across nodes each block must be dense to be a message: blocks follow one another,
// ordered by chunk, then by source.
static pv_box chunk_box(const pv_transfer_desc *desc, int source, int chunk)
{
    pv_box box = desc->from->boxes[source];
    int axis = desc->chunk_axis;
    int64_t lower, upper;
    pv_split(pv_box_extent(&box, axis), desc->chunks, chunk, &lower, &upper);
    box.upper[axis] = box.lower[axis] + upper;
    box.lower[axis] += lower;
    return box;
}

static int64_t block_elements(const pv_transfer_desc *desc, const pv_box *box, pv_piece *piece)
{
    int64_t elements = pv_piece_dense(box, &desc->order, piece);
    return (elements + PV_BLOCK_ALIGN - 1) / PV_BLOCK_ALIGN * PV_BLOCK_ALIGN;
}

static int is_reachable(const pv_transfer_desc *desc, int a, int b) { return desc->node[a] == desc->node[b]; }

// The piece of `receiver`'s whole box that `part` fills.
static void add_whole(const pv_transfer_desc *desc, pv_view *view, const pv_box *part, int receiver)
{
    pv_piece *piece = pv_view_add(view, part, PV_SLOT_WINDOW, receiver);
    piece->batch_stride = block_elements(desc, &desc->to->boxes[receiver], piece);
}

static void describe_whole(const pv_transfer_desc *desc, pv_transfer *transfer)
{
    const pv_box *mine = &desc->from->boxes[desc->rank];
    for (int p = 0; p < desc->to->ranks; p++) {
        pv_box part = pv_box_intersect(mine, &desc->to->boxes[p]);
        int64_t count = pv_box_count(&part);
        if (count == 0) continue;
        add_whole(desc, &transfer->store, &part, p);
        if (p != desc->rank) transfer->sent_bytes += (size_t)(count * desc->batch) * desc->element_bytes;
    }
    const pv_box *box = &desc->to->boxes[desc->rank];
    if (pv_box_count(box) == 0) return;
    add_whole(desc, &transfer->load, box, desc->rank);
    transfer->region_bytes = (size_t)(transfer->load.pieces[0].batch_stride * desc->batch) * desc->element_bytes;
}

// Blocks from every source to `receiver`, in the order in which they lie in its region. `visit` sees each block.
typedef void (*pv_block_visit)(void *context, int chunk, int source, const pv_piece *block, int64_t elements);

static int64_t each_block(const pv_transfer_desc *desc, int receiver, pv_block_visit visit, void *context)
{
    int64_t offset = 0;
    for (int c = 0; c < desc->chunks; c++)
        for (int q = 0; q < desc->from->ranks; q++) {
            pv_box box = chunk_box(desc, q, c);
            pv_piece block = {.box = pv_box_intersect(&box, &desc->to->boxes[receiver])};
            if (pv_box_count(&block.box) == 0) continue;
            int64_t elements = block_elements(desc, &block.box, &block);
            block.offset = offset * desc->batch;
            block.batch_stride = elements;
            if (visit) visit(context, c, q, &block, elements);
            offset += elements;
        }
    return offset;
}

typedef struct pv_block_context {
    const pv_transfer_desc *desc;
    pv_transfer *transfer;
    int receiver;
} pv_block_context;

static void add_block(pv_view *view, const pv_piece *block, pv_slot slot, int rank)
{
    pv_piece *piece = pv_view_add(view, &block->box, slot, rank);
    *piece = *block;
    piece->slot = slot;
    piece->rank = rank;
}

static pv_message message_of(const pv_transfer_desc *desc, int rank, const pv_piece *block, int64_t elements)
{
    return (pv_message){rank, (size_t)block->offset * desc->element_bytes,
                        (size_t)(elements * desc->batch) * desc->element_bytes};
}

static void visit_load(void *context, int chunk, int source, const pv_piece *block, int64_t elements)
{
    pv_block_context *c = context;
    add_block(&c->transfer->load, block, PV_SLOT_WINDOW, c->desc->rank);
    if (is_reachable(c->desc, source, c->desc->rank)) return;
    pv_transfer_chunk *into = &c->transfer->chunk[chunk];
    into->receive[into->receive_count++] = message_of(c->desc, source, block, elements);
}

static void visit_store(void *context, int chunk, int source, const pv_piece *block, int64_t elements)
{
    (void)chunk;
    (void)elements;
    pv_block_context *c = context;
    if (source == c->desc->rank) add_block(&c->transfer->store, block, PV_SLOT_WINDOW, c->receiver);
}

static void describe_send(const pv_transfer_desc *desc, pv_transfer *transfer)
{
    int64_t offset = 0;
    for (int c = 0; c < desc->chunks; c++) {
        pv_box mine = chunk_box(desc, desc->rank, c);
        for (int p = 0; p < desc->to->ranks; p++) {
            pv_piece block = {.box = pv_box_intersect(&mine, &desc->to->boxes[p])};
            int64_t count = pv_box_count(&block.box);
            if (count == 0) continue;
            if (p != desc->rank) transfer->sent_bytes += (size_t)(count * desc->batch) * desc->element_bytes;
            if (is_reachable(desc, p, desc->rank)) continue;
            int64_t elements = block_elements(desc, &block.box, &block);
            block.offset = offset * desc->batch;
            block.batch_stride = elements;
            add_block(&transfer->store, &block, PV_SLOT_SEND, p);
            pv_transfer_chunk *from = &transfer->chunk[c];
            from->send_item_bytes[from->send_count] = (size_t)count * desc->element_bytes;
            from->send[from->send_count++] = message_of(desc, p, &block, elements);
            offset += elements;
        }
    }
    transfer->send_bytes = (size_t)(offset * desc->batch) * desc->element_bytes;
}

static void describe_blocks(const pv_transfer_desc *desc, pv_transfer *transfer)
{
    pv_block_context context = {desc, transfer, desc->rank};
    int64_t elements = each_block(desc, desc->rank, visit_load, &context);
    transfer->region_bytes = (size_t)(elements * desc->batch) * desc->element_bytes;
    describe_send(desc, transfer);
    for (int p = 0; p < desc->to->ranks; p++) {
        if (!is_reachable(desc, p, desc->rank)) continue;
        context.receiver = p;
        each_block(desc, p, visit_store, &context);
    }
}

static pv_status allocate(const pv_transfer_desc *desc, pv_transfer *transfer)
{
    int ranks = desc->to->ranks;
    int pieces = ranks * desc->chunks + PV_COPY_PIECES;
    PV_TRY(pv_view_create(desc->element_bytes, pieces, &transfer->store));
    PV_TRY(pv_view_create(desc->element_bytes, pieces, &transfer->load));
    PV_TRY(PV_ALLOC(desc->chunks, &transfer->chunk));
    transfer->batch = desc->batch;
    transfer->chunks = desc->chunks;
    for (int c = 0; c < desc->chunks; c++) {
        pv_box box = chunk_box(desc, desc->rank, c);
        transfer->chunk[c].lower = box.lower[desc->chunk_axis];
        transfer->chunk[c].upper = box.upper[desc->chunk_axis];
        PV_TRY(PV_ALLOC(ranks, &transfer->chunk[c].send));
        PV_TRY(PV_ALLOC(ranks, &transfer->chunk[c].send_item_bytes));
        PV_TRY(PV_ALLOC(ranks, &transfer->chunk[c].receive));
    }
    return PV_OK;
}

pv_status pv_transfer_describe(const pv_transfer_desc *desc, pv_transfer *transfer_p)
{
    pv_transfer transfer = {0};
    pv_status status = allocate(desc, &transfer);
    if (status != PV_OK) {
        pv_transfer_destroy(&transfer);
        return status;
    }
    int whole = 1;
    for (int r = 0; r < desc->from->ranks; r++) whole &= desc->node[r] == desc->node[0];
    if (desc->copies.groups > 0)
        status = pv_copy_describe(desc, &transfer);
    else if (whole)
        describe_whole(desc, &transfer);
    else
        describe_blocks(desc, &transfer);
    if (status != PV_OK) {
        pv_transfer_destroy(&transfer);
        return status;
    }
    transfer.messages = !whole;
    *transfer_p = transfer;
    return PV_OK;
}

void pv_transfer_destroy(pv_transfer *transfer)
{
    pv_view_destroy(&transfer->store);
    pv_view_destroy(&transfer->load);
    for (int c = 0; transfer->chunk && c < transfer->chunks; c++) {
        pv_mem_free(transfer->chunk[c].send);
        pv_mem_free(transfer->chunk[c].send_item_bytes);
        pv_mem_free(transfer->chunk[c].receive);
    }
    pv_mem_free(transfer->chunk);
    pv_copy_destroy(&transfer->copies);
    *transfer = (pv_transfer){0};
}
