// SPDX-License-Identifier: Apache-2.0
#include "dft/model/band_split.h"

#include "base/check.h"
#include "base/mem.h"
#include "device/array.h"
#include "fft/box.h"
#include "fft/reshape.h"

// Blocks of any size occur; reshapes exist for multiples of so many bands, and are made when first needed: a pair for
// each of few ranks, so that these have equally many.
static int64_t step_of(int ranks) { return ranks < 4 ? 2 * ranks : 8; }

struct pv_band_room {
    pv_device *device;
    double _Complex *padded;           // [bands_most rounded up][local]
    double _Complex *whole;
    pv_workspace *workspace;
};

struct pv_band_split {
    const pv_basis *basis;
    pv_band_room *room, *own;          // own: NULL when the room is that of others too
    int sizes;
    pv_reshape **gather, **scatter;    // [sizes], for (size + 1) steps of bands
};

static int64_t round_up(int64_t bands, int ranks)
{
    const int64_t step = step_of(ranks);
    return (bands + step - 1) / step * step;
}

static void range_of(int64_t bands, int size, int rank, int64_t *lower_p, int64_t *upper_p)
{
    pv_split((bands + 1) / 2, size, rank, lower_p, upper_p);
    *lower_p = 2 * *lower_p < bands ? 2 * *lower_p : bands;
    *upper_p = 2 * *upper_p < bands ? 2 * *upper_p : bands;
}

void pv_band_split_range_of(int ranks, int rank, int64_t bands, int64_t *lower_p, int64_t *upper_p)
{
    range_of(ranks > 1 ? round_up(bands, ranks) : bands, ranks, rank, lower_p, upper_p);
    if (*lower_p > bands) *lower_p = bands;
    if (*upper_p > bands) *upper_p = bands;
}

void pv_band_split_range(const pv_band_split *split, int64_t bands, int64_t *lower_p, int64_t *upper_p)
{
    const pv_comm *comm = split->basis->comm;
    pv_band_split_range_of(pv_comm_size(comm), pv_comm_rank(comm), bands, lower_p, upper_p);
}

// ---- Making ------------------------------------------------------------------------------------------------------

static pv_status allocate_room(pv_comm *comm, int64_t local_most, int64_t count_most, int64_t bands_most,
                               pv_band_room *room)
{
    int64_t lower, upper;
    const int ranks = pv_comm_size(comm);
    range_of(round_up(bands_most, ranks), ranks, 0, &lower, &upper);
    PV_TRY(PV_ARRAY(room->device, "bands on their way", round_up(bands_most, ranks) * local_most, &room->padded));
    return PV_ARRAY(room->device, "bands on their way", (upper - lower) * count_most, &room->whole);
}

pv_status pv_band_room_create(pv_comm *comm, int64_t local_most, int64_t count_most, int64_t bands_most,
                              pv_band_room **room_p)
{
    pv_band_room *room = NULL;
    pv_status status = PV_ALLOC(1, &room);
    if (status == PV_OK) room->device = pv_comm_device(comm);
    if (status == PV_OK && pv_comm_size(comm) > 1)
        status = allocate_room(comm, local_most, count_most, bands_most, room);
    status = pv_comm_agree(comm, status);
    if (status == PV_OK) *room_p = room;
    else pv_band_room_destroy(room);
    return status;
}

void pv_band_room_destroy(pv_band_room *room)
{
    if (!room) return;
    pv_workspace_destroy(room->workspace);
    pv_array_destroy(room->device, room->padded);
    pv_array_destroy(room->device, room->whole);
    pv_mem_free(room);
}

pv_status pv_band_split_create_in(pv_band_room *room, const pv_basis *basis, int64_t bands_most,
                                  pv_band_split **split_p)
{
    const int ranks = pv_comm_size(basis->comm);
    pv_band_split *split = NULL;
    pv_status status = PV_ALLOC(1, &split);
    if (status == PV_OK && ranks > 1) {
        split->sizes = (int)(round_up(bands_most, ranks) / step_of(ranks));
        status = PV_ALLOC(split->sizes, &split->gather);
        if (status == PV_OK) status = PV_ALLOC(split->sizes, &split->scatter);
    }
    status = pv_comm_agree(basis->comm, status);
    if (status != PV_OK) {
        pv_band_split_destroy(split);
        return status;
    }
    split->basis = basis;
    split->room = room;
    *split_p = split;
    return PV_OK;
}

pv_status pv_band_split_create(const pv_basis *basis, int64_t bands_most, pv_band_split **split_p)
{
    pv_band_room *room = NULL;
    pv_band_split *split = NULL;
    PV_TRY(pv_band_room_create(basis->comm, basis->local, basis->count, bands_most, &room));
    const pv_status status = pv_band_split_create_in(room, basis, bands_most, &split);
    if (status != PV_OK) {
        pv_band_room_destroy(room);
        return status;
    }
    split->own = room;
    *split_p = split;
    return PV_OK;
}

void pv_band_split_destroy(pv_band_split *split)
{
    if (!split) return;
    for (int i = 0; i < split->sizes; i++) {
        if (split->gather) pv_reshape_destroy(split->gather[i]);
        if (split->scatter) pv_reshape_destroy(split->scatter[i]);
    }
    pv_mem_free(split->gather);
    pv_mem_free(split->scatter);
    pv_band_room_destroy(split->own);
    pv_mem_free(split);
}

// ---- Moving ------------------------------------------------------------------------------------------------------

// The layouts of {1, bands, count}: `sliced` along the plane waves, `banded` along the bands.
static pv_status make_layouts(const pv_basis *basis, int64_t bands, pv_layout **sliced_p, pv_layout **banded_p)
{
    const int size = pv_comm_size(basis->comm);
    const int64_t shape[3] = {1, bands, basis->count};
    pv_box *boxes;
    PV_TRY(PV_ALLOC(size, &boxes));
    for (int r = 0; r < size; r++) {
        boxes[r] = (pv_box){{0, 0, 0}, {1, 0, basis->count}};
        range_of(bands, size, r, &boxes[r].lower[1], &boxes[r].upper[1]);
    }
    pv_layout *banded = NULL;
    pv_status status = pv_layout_boxes(shape, size, boxes, &banded);
    if (status == PV_OK) {
        status = pv_layout_slab(shape, size, 2, sliced_p);
        if (status == PV_OK)
            *banded_p = banded;
        else
            pv_layout_destroy(banded);
    }
    pv_mem_free(boxes);
    return status;
}

static int64_t index_of(const pv_band_split *split, int64_t padded)
{
    return padded / step_of(pv_comm_size(split->basis->comm)) - 1;
}

static pv_status make_reshapes(pv_band_split *split, int64_t bands)
{
    const int64_t i = index_of(split, bands);
    if (split->gather[i]) return PV_OK;
    pv_comm *comm = split->basis->comm;
    pv_layout *sliced = NULL, *banded = NULL;
    pv_status status = pv_comm_agree(comm, make_layouts(split->basis, bands, &sliced, &banded));
    if (status == PV_OK)
        status = pv_reshape_create_sharing(comm, sliced, banded, sizeof(double _Complex), 1, &split->room->workspace,
                                           &split->gather[i]);
    if (status == PV_OK)
        status = pv_reshape_create_sharing(comm, banded, sliced, sizeof(double _Complex), 1, &split->room->workspace,
                                           &split->scatter[i]);
    pv_layout_destroy(sliced);
    pv_layout_destroy(banded);
    return status;
}

static pv_status copy(const pv_band_room *room, double _Complex *to, const double _Complex *from, int64_t count)
{
    return pv_stream_copy(pv_device_stream(room->device), to, from, (size_t)count * sizeof *to);
}

pv_status pv_band_split_gather(pv_band_split *split, int64_t bands, const double _Complex *sliced,
                               const double _Complex **whole_p)
{
    if (pv_comm_size(split->basis->comm) == 1) {
        *whole_p = sliced;
        return PV_OK;
    }
    const int64_t padded = round_up(bands, pv_comm_size(split->basis->comm)), local = split->basis->local;
    PV_TRY(make_reshapes(split, padded));
    const double _Complex *from = sliced;
    if (padded != bands) {
        PV_TRY(copy(split->room, split->room->padded, sliced, bands * local));
        from = split->room->padded;
    }
    PV_TRY(pv_reshape_execute(split->gather[index_of(split, padded)], from, split->room->whole));
    *whole_p = split->room->whole;
    return PV_OK;
}

double _Complex *pv_band_split_room(pv_band_split *split, double _Complex *sliced)
{
    return pv_comm_size(split->basis->comm) == 1 ? sliced : split->room->whole;
}

pv_status pv_band_split_scatter(pv_band_split *split, int64_t bands, double _Complex *sliced)
{
    if (pv_comm_size(split->basis->comm) == 1) return PV_OK;
    const int64_t padded = round_up(bands, pv_comm_size(split->basis->comm)), local = split->basis->local;
    PV_TRY(make_reshapes(split, padded));
    double _Complex *to = padded == bands ? sliced : split->room->padded;
    PV_TRY(pv_reshape_execute(split->scatter[index_of(split, padded)], split->room->whole, to));
    return to == sliced ? PV_OK : copy(split->room, sliced, to, bands * local);
}
