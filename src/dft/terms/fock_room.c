// SPDX-License-Identifier: Apache-2.0
#include "dft/terms/fock_room.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/check.h"
#include "base/log.h"
#include "base/mem.h"

// Of the memory that is free; the rest is for what others ask for meanwhile.
static const double take = 0.9;

typedef struct sizes {
    int ranks;
    int64_t bundle, waves; // coefficients of the largest bundle and basis
    int64_t most;          // bands of a rank, of any state
} sizes;

static sizes measure(const pv_fock *fock, int ranks, int rank, pv_fock_room *room)
{
    sizes s = {.ranks = ranks};
    for (int p = 0; p < fock->kpoints + fock->images; p++) {
        const int64_t count = pv_fock_point_at(fock, p)->basis->count;
        if (count > s.waves) s.waves = count;
    }
    for (int r = 0; r < ranks; r++) {
        pv_fock_bundle_measure(fock, r, &room->own);
        if (room->own.total > s.bundle) s.bundle = room->own.total;
        for (int state = 0; state < room->states; state++)
            if (room->own.count[state] > s.most) s.most = room->own.count[state];
    }
    pv_fock_bundle_measure(fock, rank, &room->own);
    return s;
}

// Bands of the largest tile.
static int64_t tile_bands(const pv_fock_room *room)
{
    int64_t most = 0;
    for (int first = 0; first < room->states; first += room->tile) {
        int64_t bands = 0;
        for (int s = first; s < room->states && s < first + room->tile; s++) bands += room->own.count[s];
        if (bands > most) most = bands;
    }
    return most;
}

static int has_foreign(const pv_fock_room *room, const sizes *s)
{
    return s->ranks > 1 || room->tile < room->states;
}

static double bytes_of(const pv_fock *fock, const pv_fock_room *room, const sizes *s)
{
    const int64_t fields =
        2 * tile_bands(room) + (has_foreign(room, s) ? 2 * room->portion : 0) + (fock->images > 0 ? room->together : 0);
    const int64_t waves = room->portion * s->waves + (fock->images > 0 ? room->together * s->waves : 0);
    return (double)fields * (double)fock->field_bytes[fock->precision] + (double)waves * sizeof(double _Complex);
}

// The largest tiles and portions that take no more than `bytes`, or the least there are.
static void choose(const pv_fock *fock, const sizes *s, double bytes, pv_fock_room *room)
{
    for (int tiles = 1;; tiles++) {
        room->tile = (room->states + tiles - 1) / tiles;
        room->portion = s->most > 2 ? s->most : 2;
        for (;;) {
            room->together = room->portion < fock->ops->together ? room->portion : fock->ops->together;
            if (bytes_of(fock, room, s) <= bytes || (room->tile == 1 && room->portion == 2)) return;
            if (room->portion == 2 || room->portion * 8 < s->most) break;
            room->portion = room->portion / 4 * 2 > 2 ? room->portion / 4 * 2 : 2;
        }
        if (room->tile == 1) {
            room->portion = room->together = 2;
            return;
        }
    }
}

static pv_status make(pv_fock *fock, size_t count, size_t size, pv_buffer **buffer_p)
{
    return pv_buffer_create(fock->device, count * size, buffer_p);
}

static pv_status make_fields(pv_fock *fock, const sizes *s, pv_fock_room *room)
{
    const size_t field_bytes = (size_t)fock->field_bytes[fock->precision], wave_bytes = sizeof(double _Complex);
    const size_t foreign = has_foreign(room, s) ? (size_t)room->portion : 0;
    const size_t together = fock->images > 0 ? (size_t)room->together : 0;
    PV_TRY(make(fock, (size_t)tile_bands(room), field_bytes, &room->field));
    PV_TRY(make(fock, (size_t)tile_bands(room), field_bytes, &room->sum));
    PV_TRY(make(fock, foreign, field_bytes, &room->foreign_field));
    PV_TRY(make(fock, foreign, field_bytes, &room->foreign_sum));
    PV_TRY(make(fock, together * (size_t)s->waves, wave_bytes, &room->carried));
    PV_TRY(make(fock, together, field_bytes, &room->image_field));
    return make(fock, (size_t)(room->portion * s->waves), wave_bytes, &room->scratch);
}

static void free_fields(pv_fock_room *room)
{
    pv_buffer **const buffers[] = {&room->field,   &room->sum,         &room->foreign_field, &room->foreign_sum,
                                   &room->carried, &room->image_field, &room->scratch};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        pv_buffer_destroy(*buffers[i]);
        *buffers[i] = NULL;
    }
}

static pv_status make_bundles(pv_fock *fock, const sizes *s, pv_fock_room *room)
{
    const int64_t other = s->ranks > 1 ? s->bundle : 0;
    PV_TRY(make(fock, (size_t)room->own.total, sizeof(double _Complex), &room->own.coefficients));
    for (int i = 0; i < 2; i++) PV_TRY(pv_fock_bundle_make(fock, other, &room->other[i]));
    for (int i = 0; i < 2; i++) PV_TRY(pv_fock_bundle_make(fock, other, &room->returned[i]));
    PV_TRY(make(fock, s->ranks > 1 ? (size_t)room->own.total : 0, sizeof(double _Complex), &room->received));
    return make(fock, (size_t)room->own.total, sizeof(double _Complex), &room->result);
}

// ---- Before work ---------------------------------------------------------------------------------------------------

static double bundle_bytes(const pv_fock_room *room, const sizes *s)
{
    const double own = (double)room->own.total, others = s->ranks > 1 ? own + 4.0 * (double)s->bundle : 0.0;
    return sizeof(double _Complex) * (2.0 * own + others);
}

// What a build of so many bands in a precision would choose with the memory that is free now.
static pv_status look_ahead(pv_fock *fock, pv_precision precision, int64_t bands, pv_fock_room *room, double *bytes_p)
{
    const pv_precision before = fock->precision;
    const int64_t all = fock->bands;
    size_t free_bytes = 0;
    if (!pv_device_is_host(fock->device)) PV_TRY(pv_device_free_bytes(fock->device, &free_bytes));
    fock->precision = precision;
    fock->bands = bands;
    const sizes s = measure(fock, pv_comm_size(fock->system->comm), pv_comm_rank(fock->system->comm), room);
    double bytes = free_bytes > 0 ? take * ((double)free_bytes - bundle_bytes(room, &s)) : INFINITY;
    if (fock->room_bytes > 0) bytes = (double)fock->room_bytes;
    choose(fock, &s, bytes, room);
    *bytes_p = bytes_of(fock, room, &s) + bundle_bytes(room, &s);
    fock->precision = before;
    fock->bands = all;
    return PV_OK;
}

typedef struct layout {
    double own, at_once; // bands of a rank, and those with fields
    double bytes;
} layout;

// Builds of a run are in double precision of filled bands, and in single of all, where it has both: what takes the
// most.
static pv_status find_layout(pv_fock *fock, layout *most)
{
    const pv_dft_params *params = &fock->system->params;
    const int64_t filled = (int64_t)fmin(ceil(0.5 * params->electrons), params->bands);
    pv_fock_room room = {.states = params->spins * fock->kpoints};
    pv_status status = pv_fock_bundle_make(fock, 0, &room.own);
    for (int single = 0; single <= params->fock.single && status == PV_OK; single++) {
        layout now = {.bytes = 0.0};
        status = look_ahead(fock, single ? PV_FP32 : PV_FP64, params->fock.single && !single ? filled : params->bands,
                            &room, &now.bytes);
        for (int s = 0; s < room.states; s++) now.own += (double)room.own.count[s];
        now.at_once = (double)tile_bands(&room);
        if (now.bytes > most->bytes) *most = now;
    }
    pv_fock_bundle_free(&room.own);
    return status;
}

pv_status pv_fock_room_describe(pv_fock *fock, char *text, size_t size)
{
    pv_comm *comm = fock->system->comm;
    const int others = pv_comm_size(comm) - 1;
    layout most = {.bytes = 0.0};
    PV_TRY(pv_comm_agree(comm, find_layout(fock, &most)));
    // Of the rank that has the most, and the smallest share at once of any.
    double numbers[3] = {most.own, most.own > 0.0 ? 1.0 - most.at_once / most.own : 0.0, most.bytes};
    PV_TRY(pv_comm_reduce_f64(comm, PV_MAX, 3, numbers));
    char at_once[32] = "all of them", ring[64] = "";
    if (numbers[1] > 0.0) snprintf(at_once, sizeof at_once, "%.0f of them", floor(numbers[0] * (1.0 - numbers[1])));
    if (others > 0) snprintf(ring, sizeof ring, "; those of %d other%s come by", others, others > 1 ? "s" : "");
    const int is_large = numbers[2] >= 1e9;
    snprintf(text, size, "                %.0f bands a rank, %s on the grid at once (%.3g %s)%s\n", numbers[0], at_once,
             numbers[2] * (is_large ? 1e-9 : 1e-6), is_large ? "GB" : "MB", ring);
    return PV_OK;
}

// ---- At work -------------------------------------------------------------------------------------------------------

static void say_tiles(pv_fock *fock, const pv_fock_room *room, const sizes *s, double wanted, double bytes)
{
    if ((room->tile == room->states && room->portion >= s->most) || fock->said_tile == room->tile) return;
    fock->said_tile = room->tile;
    pv_log(
        PV_LOG_WARN,
        "exact exchange: fields of all bands want %.3g GB of device %s, %.3g GB are free: targets of %d of %d states "
        "and %" PRId64 " bands of others at a time",
        1e-9 * wanted, pv_device_name(fock->device), 1e-9 * bytes, room->tile, room->states, room->portion);
}

pv_status pv_fock_room_make(pv_fock *fock, int ranks, int rank, pv_fock_room *room)
{
    room->states = fock->system->params.spins * fock->kpoints;
    PV_TRY(pv_fock_bundle_make(fock, 0, &room->own));
    pv_buffer_destroy(room->own.coefficients);
    room->own.coefficients = NULL;
    const sizes s = measure(fock, ranks, rank, room);
    PV_TRY(make_bundles(fock, &s, room));
    size_t free_bytes = 0; // the host's memory has been planned for
    if (!pv_device_is_host(fock->device)) PV_TRY(pv_device_free_bytes(fock->device, &free_bytes));
    choose(fock, &s, INFINITY, room);
    const double wanted = bytes_of(fock, room, &s);
    double bytes = free_bytes > 0 ? take * (double)free_bytes : wanted;
    if (fock->room_bytes > 0) bytes = (double)fock->room_bytes;
    pv_status status;
    for (;; bytes *= 0.5) {
        choose(fock, &s, bytes, room);
        status = make_fields(fock, &s, room);
        if (status != PV_ERR_MEMORY || (room->tile == 1 && room->portion == 2)) break;
        free_fields(room);
    }
    PV_TRY(status);
    say_tiles(fock, room, &s, wanted, bytes);
    fock->most = room->portion > s.most ? room->portion : s.most;
    PV_TRY(pv_mem_alloc((size_t)fock->most, (size_t)pv_fock_group(fock), (void **)&room->wanted));
    return fock->ops->begin(fock);
}

void pv_fock_room_free(pv_fock_room *room)
{
    free_fields(room);
    pv_fock_bundle_free(&room->own);
    for (int i = 0; i < 2; i++) {
        pv_fock_bundle_free(&room->other[i]);
        pv_fock_bundle_free(&room->returned[i]);
    }
    pv_buffer_destroy(room->result);
    pv_buffer_destroy(room->received);
    pv_mem_free(room->wanted);
}
