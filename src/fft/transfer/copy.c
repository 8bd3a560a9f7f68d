// SPDX-License-Identifier: Apache-2.0
#include "fft/transfer/copy.h"

#include "base/check.h"
#include "base/mem.h"
#include "fft/layout/box.h"
#include "fft/layout/layout.h"
#include "fft/transfer/transfer.h"

static const pv_block_order natural = {{0, 1, 2}, -1, 1};

static int is_slab_along(const pv_layout *layout, int axis)
{
    for (int d = 0; d < 3; d++)
        if (d != axis && !pv_layout_is_complete(layout, d)) return 0;
    for (int r = 0; r < layout->ranks; r++)
        if (pv_box_is_empty(&layout->boxes[r])) return 0;
    return 1;
}

int pv_copy_applies(const pv_layout *from, const pv_layout *to, const int *node, int chunk_axis, int group_axis)
{
    if (from->ranks < 2 || chunk_axis == group_axis || chunk_axis == 2 || group_axis == 2) return 0;
    for (int r = 1; r < from->ranks; r++)
        if (node[r] != node[0]) return 0;
    return is_slab_along(from, chunk_axis) && is_slab_along(to, group_axis);
}

// ---- Views ----------------------------------------------------------------------------------------------------------

// `part` of a whole box in natural order.
static void add_part(pv_view *view, const pv_box *whole, const pv_box *part, pv_slot slot, int rank)
{
    if (pv_box_is_empty(part)) return;
    pv_piece *piece = pv_view_add(view, part, slot, rank);
    piece->batch_stride = pv_piece_dense(whole, &natural, piece);
}

// The box `whole` with what is kept in one place and the rest in another.
static void add_split(pv_view *view, const pv_box *whole, const pv_box *kept, int axis, const pv_box *kept_whole,
                      pv_slot kept_slot, pv_slot slot, int rank)
{
    pv_box below = *whole, above = *whole;
    below.upper[axis] = kept->lower[axis];
    above.lower[axis] = kept->upper[axis];
    add_part(view, whole, &below, slot, rank);
    add_part(view, kept_whole, kept, kept_slot, rank);
    add_part(view, whole, &above, slot, rank);
}

static void add_views(const pv_transfer_desc *desc, pv_transfer *transfer)
{
    const int rank = desc->rank;
    const pv_box *mine = &desc->from->boxes[rank], *next = &desc->to->boxes[rank];
    const pv_box kept = pv_box_intersect(mine, next);
    const pv_copy_keep keep = desc->copies.keep;
    if (keep == PV_KEEP_IN_WINDOW)
        add_split(&transfer->store, mine, &kept, desc->copies.group_axis, next, PV_SLOT_WINDOW, PV_SLOT_SEND, rank);
    else
        add_part(&transfer->store, mine, mine, PV_SLOT_SEND, rank);
    if (keep == PV_KEEP_IN_SEND)
        add_split(&transfer->load, next, &kept, desc->chunk_axis, mine, PV_SLOT_SEND, PV_SLOT_WINDOW, rank);
    else
        add_part(&transfer->load, next, next, PV_SLOT_WINDOW, rank);
    const size_t bytes = (size_t)desc->batch * desc->element_bytes;
    transfer->send_bytes = (size_t)pv_box_count(mine) * bytes;
    transfer->region_bytes = (size_t)pv_box_count(next) * bytes;
    transfer->sent_bytes = (size_t)(pv_box_count(mine) - pv_box_count(&kept)) * bytes;
}

// ---- Copies ---------------------------------------------------------------------------------------------------------

static void cut_group(const pv_copy_choice *choice, const pv_box *box, int group, int64_t *lower, int64_t *upper)
{
    const int64_t begin = box->lower[choice->group_axis], extent = pv_box_extent(box, choice->group_axis);
    const int64_t early = choice->groups > 1 ? extent * choice->early_percent / 100 : extent;
    *lower = 0;
    *upper = early;
    if (group > 0) {
        pv_split(extent - early, choice->groups - 1, group - 1, lower, upper);
        *lower += early;
        *upper += early;
    }
    *lower += begin;
    *upper += begin;
}

// Boxes are complete along axis 2; where the part spans a plane of both sides, planes follow one another.
static pv_copy copy_of(const pv_transfer_desc *desc, int to_rank, const pv_box *part, int64_t item)
{
    const pv_box *mine = &desc->from->boxes[desc->rank], *theirs = &desc->to->boxes[to_rank];
    pv_piece from = {.tiled_axis = -1}, to = {.tiled_axis = -1};
    const int64_t from_count = pv_piece_dense(mine, &natural, &from), to_count = pv_piece_dense(theirs, &natural, &to);
    const size_t size = desc->element_bytes;
    const int64_t rows = pv_box_extent(part, 1) * pv_box_extent(part, 2);
    pv_copy copy = {.rank = to_rank,
                    .from_bytes = (size_t)(item * from_count + pv_piece_offset(&from, part->lower)) * size,
                    .to_bytes = (size_t)(item * to_count + pv_piece_offset(&to, part->lower)) * size,
                    .width = (size_t)rows * size,
                    .height = (size_t)pv_box_extent(part, 0),
                    .from_pitch = (size_t)from.stride[0] * size,
                    .to_pitch = (size_t)to.stride[0] * size};
    if (copy.width == copy.from_pitch && copy.width == copy.to_pitch) {
        copy.width *= copy.height;
        copy.from_pitch = copy.to_pitch = copy.width;
        copy.height = 1;
    }
    return copy;
}

// Of one chunk (all of them: chunk < 0) for one group (all: group < 0) of a rank.
static void add_copies(const pv_transfer_desc *desc, int chunk, int group, int to_rank, pv_copy_list *list)
{
    const int chunk_axis = desc->chunk_axis, group_axis = desc->copies.group_axis;
    pv_box part = pv_box_intersect(&desc->from->boxes[desc->rank], &desc->to->boxes[to_rank]);
    if (group >= 0)
        cut_group(&desc->copies, &desc->to->boxes[to_rank], group, &part.lower[group_axis], &part.upper[group_axis]);
    if (chunk >= 0) {
        int64_t lower, upper, begin = part.lower[chunk_axis];
        pv_split(pv_box_extent(&part, chunk_axis), desc->chunks, chunk, &lower, &upper);
        part.lower[chunk_axis] = begin + lower;
        part.upper[chunk_axis] = begin + upper;
    }
    for (int64_t item = 0; item < desc->batch && !pv_box_is_empty(&part); item++)
        list->copies[list->count++] = copy_of(desc, to_rank, &part, item);
}

// To every other rank, the next rank first.
static pv_status list_copies(const pv_transfer_desc *desc, int chunk, int group, pv_copy_list *list)
{
    const int ranks = desc->to->ranks;
    PV_TRY(PV_ALLOC((ranks - 1) * desc->batch, &list->copies));
    for (int turn = 1; turn < ranks; turn++) add_copies(desc, chunk, group, (desc->rank + turn) % ranks, list);
    return PV_OK;
}

static pv_status list_own(const pv_transfer_desc *desc, pv_copy_plan *plan)
{
    PV_TRY(PV_ALLOC(desc->chunks, &plan->own));
    for (int c = 0; c < desc->chunks; c++) {
        PV_TRY(PV_ALLOC(desc->batch, &plan->own[c].copies));
        add_copies(desc, c, -1, desc->rank, &plan->own[c]);
    }
    return PV_OK;
}

pv_status pv_copy_describe(const pv_transfer_desc *desc, pv_transfer *transfer)
{
    pv_copy_plan *plan = &transfer->copies;
    add_views(desc, transfer);
    plan->groups = desc->copies.groups;
    PV_TRY(PV_ALLOC(plan->groups + 1, &plan->ends));
    for (int g = 0; g < plan->groups; g++)
        cut_group(&desc->copies, &desc->to->boxes[desc->rank], g, &plan->ends[g], &plan->ends[g + 1]);
    PV_TRY(PV_ALLOC(desc->chunks + plan->groups - 1, &plan->lists));
    plan->list_count = desc->chunks + plan->groups - 1;
    for (int i = 0; i < plan->list_count; i++) {
        const int is_early = i < desc->chunks;
        PV_TRY(list_copies(desc, is_early ? i : -1, is_early ? 0 : i - desc->chunks + 1, &plan->lists[i]));
    }
    return desc->copies.keep == PV_KEEP_BY_COPY ? list_own(desc, plan) : PV_OK;
}

void pv_copy_destroy(pv_copy_plan *plan)
{
    for (int i = 0; plan->lists && i < plan->list_count; i++) pv_mem_free(plan->lists[i].copies);
    for (int c = 0; plan->own && c <= plan->list_count - plan->groups; c++) pv_mem_free(plan->own[c].copies);
    pv_mem_free(plan->own);
    pv_mem_free(plan->lists);
    pv_mem_free(plan->ends);
    *plan = (pv_copy_plan){0};
}
