// SPDX-License-Identifier: Apache-2.0
#include "dft/model/band_split.h"

#include "base/check.h"
#include "base/mem.h"
#include "device/array.h"
#include "fft/layout/box.h"
#include "fft/plan/reshape.h"

// Blocks of any size occur; reshapes exist for multiples of so many bands, and are made when first needed: a pair for
// each of few teams, so that these have equally many.
static int64_t step_of(int teams) { return teams < 4 ? 2 * teams : 8; }

struct pv_band_room {
    pv_device *device;
    double _Complex *padded;           // [bands_most rounded up][local]
    double _Complex *whole;
    int64_t padded_count, whole_count;
    pv_workspace *workspace;
};

struct pv_band_split {
    const pv_basis *basis;
    const pv_sphere *sphere;           // whose ranks are a team; NULL: every rank is one
    int teams;
    pv_band_room *room, *own;          // own: NULL when the room is that of others too
    int sizes;
    pv_reshape **gather, **scatter;    // [sizes], for (size + 1) steps of bands
};

static int64_t round_up(int64_t bands, int teams)
{
    const int64_t step = step_of(teams);
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

static int team_size(const pv_band_split *split) { return split->sphere ? pv_sphere_ranks(split->sphere) : 1; }

void pv_band_split_range(const pv_band_split *split, int64_t bands, int64_t *lower_p, int64_t *upper_p)
{
    pv_band_split_range_of(split->teams, pv_comm_rank(split->basis->comm) / team_size(split), bands, lower_p, upper_p);
}

int64_t pv_band_split_count(const pv_band_split *split)
{
    return split->sphere ? pv_sphere_count(split->sphere) : split->basis->count;
}

// ---- Making ------------------------------------------------------------------------------------------------------

pv_status pv_band_room_create(pv_comm *comm, pv_band_room **room_p)
{
    pv_band_room *room = NULL;
    PV_TRY(pv_comm_agree(comm, PV_ALLOC(1, &room)));
    room->device = pv_comm_device(comm);
    *room_p = room;
    return PV_OK;
}

static pv_status grow(pv_device *device, int64_t count, int64_t *held, double _Complex **array)
{
    if (count <= *held) return PV_OK;
    pv_array_destroy(device, *array);
    *array = NULL;
    *held = 0;
    PV_TRY(PV_ARRAY(device, "bands on their way", count, array));
    *held = count;
    return PV_OK;
}

static pv_status make_room(const pv_band_split *split, int64_t bands_most)
{
    pv_band_room *room = split->room;
    int64_t lower, upper;
    const int64_t padded = round_up(bands_most, split->teams);
    range_of(padded, split->teams, 0, &lower, &upper);
    PV_TRY(grow(room->device, padded * split->basis->local, &room->padded_count, &room->padded));
    return grow(room->device, (upper - lower) * pv_band_split_count(split), &room->whole_count, &room->whole);
}

void pv_band_room_destroy(pv_band_room *room)
{
    if (!room) return;
    pv_workspace_destroy(room->workspace);
    pv_array_destroy(room->device, room->padded);
    pv_array_destroy(room->device, room->whole);
    pv_mem_free(room);
}

pv_status pv_band_split_create_in(pv_band_room *room, const pv_basis *basis, const pv_sphere *sphere,
                                  int64_t bands_most, pv_band_split **split_p)
{
    const int ranks = pv_comm_size(basis->comm);
    pv_band_split *split = NULL;
    pv_status status = PV_ALLOC(1, &split);
    if (status == PV_OK) {
        split->basis = basis;
        split->room = room;
        split->sphere = sphere;
        split->teams = ranks / team_size(split);
    }
    if (status == PV_OK && ranks > 1) {
        split->sizes = (int)(round_up(bands_most, split->teams) / step_of(split->teams));
        status = PV_ALLOC(split->sizes, &split->gather);
        if (status == PV_OK) status = PV_ALLOC(split->sizes, &split->scatter);
        if (status == PV_OK) status = make_room(split, bands_most);
    }
    status = pv_comm_agree(basis->comm, status);
    if (status != PV_OK) {
        pv_band_split_destroy(split);
        return status;
    }
    *split_p = split;
    return PV_OK;
}

pv_status pv_band_split_create(const pv_basis *basis, int64_t bands_most, pv_band_split **split_p)
{
    pv_band_room *room = NULL;
    pv_band_split *split = NULL;
    PV_TRY(pv_band_room_create(basis->comm, &room));
    const pv_status status = pv_band_split_create_in(room, basis, basis->sphere, bands_most, &split);
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

// The layouts of {1, bands, count}: `sliced` along the plane waves, `banded` along the bands, and in a team along the
// plane waves as its sphere wants them.
static pv_status make_layouts(const pv_band_split *split, int64_t bands, pv_layout **sliced_p, pv_layout **banded_p)
{
    const int size = pv_comm_size(split->basis->comm), each = team_size(split);
    const int64_t shape[3] = {1, bands, split->basis->count};
    pv_box *boxes;
    PV_TRY(PV_ALLOC(size, &boxes));
    for (int r = 0; r < size; r++) {
        boxes[r] = (pv_box){{0, 0, 0}, {1, 0, split->basis->count}};
        range_of(bands, split->teams, r / each, &boxes[r].lower[1], &boxes[r].upper[1]);
        if (split->sphere) pv_sphere_share(split->sphere, r % each, &boxes[r].lower[2], &boxes[r].upper[2]);
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
    return padded / step_of(split->teams) - 1;
}

static pv_status make_reshapes(pv_band_split *split, int64_t bands)
{
    const int64_t i = index_of(split, bands);
    if (split->gather[i]) return PV_OK;
    pv_comm *comm = split->basis->comm;
    pv_layout *sliced = NULL, *banded = NULL;
    pv_status status = pv_comm_agree(comm, make_layouts(split, bands, &sliced, &banded));
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
    const int64_t padded = round_up(bands, split->teams), local = split->basis->local;
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
    const int64_t padded = round_up(bands, split->teams), local = split->basis->local;
    PV_TRY(make_reshapes(split, padded));
    double _Complex *to = padded == bands ? sliced : split->room->padded;
    PV_TRY(pv_reshape_execute(split->scatter[index_of(split, padded)], split->room->whole, to));
    return to == sliced ? PV_OK : copy(split->room, sliced, to, bands * local);
}
