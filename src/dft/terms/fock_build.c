// SPDX-License-Identifier: Apache-2.0
// One build of exact exchange. Every rank has all plane waves of some bands of each state, as fields: its targets. The
// bands of the other ranks come by in turn, the next while one is worked on; where both bands of a pair are in the run,
// the pair is worked on by one of their two ranks, and what it did for the other's band travels back. So half of the
// ranks come by; or all, where symmetry adds points of the q mesh, which have no targets of their own, or where there
// are points with targets alone (of weight zero).
#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/mem.h"
#include "device/vector.h"
#include "dft/terms/fock_deal.h"
#include "dft/terms/fock_energy.h"
#include "dft/terms/fock_task.h"

// ---- Orbitals in, results out ------------------------------------------------------------------------------------

static pv_status carry_or_copy(const pv_fock_task *b, const pv_carry *carry, int64_t vectors, int64_t count,
                               const double _Complex *from, double _Complex *to)
{
    if (carry) return pv_carry_apply(carry, vectors, from, to);
    return pv_stream_copy(b->work, to, from, (size_t)(vectors * count) * sizeof *to);
}

static pv_status take_orbitals(pv_fock_task *b, double _Complex *const *orbitals, double _Complex *const *out)
{
    for (int s = 0; s < b->states; s++) {
        if (!pv_fock_is_mine(b, s)) continue;
        const pv_fock_point *home = &b->fock->home[s % b->kpoints];
        const double _Complex *whole;
        const int64_t local = b->fock->system->basis[s % b->kpoints]->local;
        PV_TRY(pv_fock_deal_bands(b->work, b->bands, b->order, local, orbitals[s], out[s]));
        PV_TRY(pv_band_split_gather(b->split[s % b->kpoints], b->bands, out[s], &whole));
        PV_TRY(carry_or_copy(b, home->carry, b->room.own.count[s], home->basis->count, whole,
                             pv_fock_bundle_at(b->fock, &b->room.own, s, 0)));
    }
    return PV_OK;
}

// Where all is known, in place of the orbitals' coefficients on their way.
static pv_status give_results(pv_fock_task *b, double _Complex *const *out)
{
    for (int s = 0; s < b->states; s++) {
        if (!pv_fock_is_mine(b, s) || b->rests[s % b->kpoints]) continue;
        const pv_fock_point *home = &b->fock->home[s % b->kpoints];
        const int64_t local = b->fock->system->basis[s % b->kpoints]->local;
        PV_TRY(carry_or_copy(b, home->back, b->room.own.count[s], home->basis->count, pv_fock_result_at(b, s, 0),
                             pv_band_split_room(b->split[s % b->kpoints], out[s])));
        PV_TRY(pv_band_split_scatter(b->split[s % b->kpoints], b->bands, out[s]));
        PV_TRY(pv_fock_collect_bands(b->work, b->bands, b->order, b->order + b->bands, local,
                                     pv_buffer_data(b->room.scratch), out[s]));
    }
    return PV_OK;
}

// ---- Around the ranks --------------------------------------------------------------------------------------------

// Step s: this rank's bundle goes to rank - s, that of rank + s comes; or, going back, the other way.
static pv_status open_trip(pv_fock_task *b, int step, int back, pv_fock_bundle *theirs, pv_fock_trip *trip)
{
    const int size = pv_comm_size(b->comm), rank = pv_comm_rank(b->comm);
    const int ahead = (rank + step) % size, behind = (rank + size - step) % size;
    pv_fock_bundle_measure(b->fock, ahead, theirs);
    const size_t own = (size_t)b->room.own.total * sizeof(double _Complex),
                 other = (size_t)theirs->total * sizeof(double _Complex);
    const pv_message send = {back ? ahead : behind, 0, back ? other : own};
    const pv_message receive = {back ? behind : ahead, 0, back ? own : other};
    return pv_fock_trip_open(b->fock->system->all_orbital_comm, send, receive, trip);
}

static int is_two_way(const pv_fock_task *b, int step)
{
    return step > 0 && 2 * step <= pv_comm_size(b->comm);
}

static pv_status open_trips(pv_fock_task *b)
{
    for (int step = 1; step <= b->steps; step++) {
        PV_TRY(open_trip(b, step, 0, &b->room.other[step % 2], &b->ahead[step]));
        if (is_two_way(b, step)) PV_TRY(open_trip(b, step, 1, &b->room.other[step % 2], &b->back[step]));
    }
    return PV_OK;
}

static pv_status start_ahead(pv_fock_task *b, int step)
{
    pv_fock_bundle *next = &b->room.other[step % 2];
    pv_fock_bundle_measure(b->fock, (pv_comm_rank(b->comm) + step) % pv_comm_size(b->comm), next);
    PV_TRY(pv_fock_trip_start(&b->ahead[step], b->wire, b->work, pv_buffer_data(b->room.own.coefficients),
                              pv_buffer_data(next->coefficients)));
    b->fock->coming = b->ahead[step].exchange;
    return PV_OK;
}

// What others did for this rank's bands is added up.
static pv_status finish_back(pv_fock_task *b, int step)
{
    if (!is_two_way(b, step)) return PV_OK;
    PV_TRY(pv_fock_trip_finish(&b->back[step], b->wire, b->work));
    return pv_vector_axpy(b->work, 2 * b->room.own.total, 1.0, pv_buffer_data(b->room.received),
                          pv_buffer_data(b->room.result));
}

static pv_status go_round(pv_fock_task *b)
{
    for (int step = 0; step <= b->steps; step++) {
        const pv_fock_bundle *here = step == 0 ? &b->room.own : &b->room.other[step % 2];
        if (step > 0) PV_TRY(pv_fock_trip_finish(&b->ahead[step], b->wire, b->work));
        b->fock->coming = NULL;
        if (step < b->steps) PV_TRY(start_ahead(b, step + 1));
        PV_TRY(pv_fock_pair_bundle(b, here, step));
        PV_TRY(finish_back(b, step - 1));
        if (is_two_way(b, step))
            PV_TRY(pv_fock_trip_start(&b->back[step], b->wire, b->work,
                                      pv_buffer_data(b->room.returned[step % 2].coefficients),
                                      pv_buffer_data(b->room.received)));
    }
    b->fock->coming = NULL;
    return finish_back(b, b->steps);
}

// One rank that gives up is enough.
static pv_status agree_on_end(pv_fock_task *b)
{
    int64_t given_up = b->given_up;
    PV_TRY(pv_comm_reduce_i64(b->comm, PV_MAX, 1, &given_up));
    return given_up ? PV_ERR_STOPPED : PV_OK;
}

// ---- The build ---------------------------------------------------------------------------------------------------

static pv_status energy_of(const pv_fock_task *b, const double *filling, double _Complex *const *orbitals,
                           double _Complex *const *out, double *energy_ha_p)
{
    const pv_system *system = b->fock->system;
    double energy = 0.0;
    for (int s = 0; s < b->states; s++) {
        if (!pv_fock_is_mine(b, s) || b->rests[s % b->kpoints]) continue;
        double sum;
        PV_TRY(pv_fock_energy(b->work, b->fock->device, b->bands, system->basis[s % b->kpoints]->local,
                              filling + (int64_t)s * system->params.bands, orbitals[s], out[s], &sum));
        energy += 0.5 * system->kpoints->weight[s % b->kpoints] * sum;
    }
    *energy_ha_p = energy;
    return PV_OK;
}

static pv_status prepare(pv_fock_task *b, const double *filling)
{
    const int64_t count = (int64_t)b->states * b->bands;
    const double full = pv_dft_params_full(&b->fock->system->params);
    const int size = pv_comm_size(b->comm), all = b->fock->images > 0 || b->fock->one_way;
    b->steps = all ? size - 1 : size / 2;
    PV_TRY(PV_ALLOC(count, &b->share));
    PV_TRY(PV_ALLOC(2 * (int64_t)b->bands, &b->order));
    PV_TRY(PV_ALLOC(b->states, &b->mine));
    PV_TRY(PV_ALLOC(b->steps + 1, &b->ahead));
    PV_TRY(PV_ALLOC(b->steps + 1, &b->back));
    PV_TRY(pv_fock_deal(b->fock->system->groups.size, b->bands, b->order));
    for (int64_t i = 0; i < count; i++)
        b->share[i] = filling[i / b->bands * b->fock->system->params.bands + b->order[i % b->bands]] / full;
    PV_TRY(pv_stream_create_urgent(b->fock->device, &b->wire));
    PV_TRY(pv_fock_room_make(b->fock, size, pv_comm_rank(b->comm), &b->room));
    for (int s = 0; s < b->states; s++)
        b->mine[s] = (pv_fock_block){.kpoint = s % b->kpoints,
                                     .count = b->room.own.count[s],
                                     .share = b->share + (int64_t)s * b->bands + b->room.own.lower[s]};
    return pv_stream_zero(b->work, pv_buffer_data(b->room.result), pv_buffer_bytes(b->room.result));
}

// Collective.
static void release(pv_fock_task *b)
{
    for (int step = 1; b->ahead && b->back && step <= b->steps; step++) {
        pv_fock_trip_close(&b->ahead[step]);
        pv_fock_trip_close(&b->back[step]);
    }
    b->fock->coming = NULL;
    b->fock->ops->end(b->fock);
    pv_fock_room_free(&b->room);
    pv_stream_destroy(b->wire);
    void *parts[] = {b->mine, b->share, b->order, b->ahead, b->back};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) pv_mem_free(parts[i]);
}

static pv_status run(pv_fock_task *b, double _Complex *const *orbitals, const double *filling,
                     double _Complex *const *out, double *energy_ha_p)
{
    pv_fock_effort *effort = &b->fock->effort;
    PV_TRY(take_orbitals(b, orbitals, out));
    PV_TRY(go_round(b));
    PV_TRY(pv_stream_wait(b->work));
    PV_TRY(agree_on_end(b));
    PV_TRY(give_results(b, out));
    PV_TRY(pv_comm_agree(b->comm, energy_of(b, filling, orbitals, out, energy_ha_p)));
    PV_TRY(pv_comm_reduce_f64(b->comm, PV_SUM, 1, energy_ha_p));
    for (int step = 1; step <= b->steps; step++) {
        PV_TRY(pv_fock_trip_add_seconds(&b->ahead[step], &effort->way_s, &effort->waited_s));
        PV_TRY(pv_fock_trip_add_seconds(&b->back[step], &effort->way_s, &effort->waited_s));
    }
    return PV_OK;
}

pv_status pv_fock_build(pv_fock *fock, pv_band_split *const *split, double _Complex *const *orbitals,
                        const double *filling, const unsigned char *rests, pv_fock_progress progress, void *context,
                        double _Complex *const *out, double *energy_ha_p)
{
    const pv_system *system = fock->system;
    const double begin_s = pv_clock_s();
    pv_fock_task b = {.fock = fock,
                      .comm = system->comm,
                      .work = fock->stream,
                      .split = split,
                      .rests = rests,
                      .kpoints = fock->kpoints,
                      .states = system->params.spins * fock->kpoints,
                      .bands = (int)fock->bands,
                      .progress = progress,
                      .context = context};
    fock->effort = (pv_fock_effort){0};
    pv_status status = pv_comm_agree(b.comm, prepare(&b, filling));
    if (status == PV_OK) status = open_trips(&b);
    if (status == PV_OK) {
        b.whole = fmax(pv_fock_pairs_of_run(&b) / pv_comm_size(b.comm), 1.0);
        status = run(&b, orbitals, filling, out, energy_ha_p);
    }
    release(&b);
    fock->effort.build_s = pv_clock_s() - begin_s;
    return status;
}
