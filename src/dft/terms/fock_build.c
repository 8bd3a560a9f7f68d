// SPDX-License-Identifier: Apache-2.0
// One build of exact exchange. Every rank has all plane waves of some bands of each state, as fields: its targets. The
// bands of the other ranks come by in turn, the next while one is worked on; where both bands of a pair are in the run,
// the pair is worked on by one of their two ranks, and what it did for the other's band travels back. So half of the
// ranks come by; or all, where symmetry adds points of the q mesh, which have no targets of their own, or where there
// are points with targets alone (of weight zero).
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "dft/terms/fock_bundle.h"
#include "dft/terms/fock_deal.h"

// Bands at a point of symmetry whose fields are made together and act one after another on each target.
#define TOGETHER 8

typedef struct build {
    pv_fock *fock;
    pv_comm *comm;
    pv_band_split *const *split;
    const unsigned char *rests; // [kpoints]
    int states, kpoints, bands;
    int64_t most;        // bands of a rank, of any state
    int64_t *order;      // [2][bands]: the band at each place (fock_deal.h), and scratch
    double *share;       // [states][bands], by place
    pv_fock_block *mine; // [states]
    pv_fock_bundle own, other[2];
    pv_fock_bundle returned;           // what was done for another rank's bands
    double _Complex *gathered;         // [2][own.total]: what others did for this rank's, and the last that came
    void *foreign_field, *foreign_sum; // [most] fields
    double _Complex *carried;          // [TOGETHER][largest basis]: bands at another point
    void *image_field;                 // [TOGETHER] fields: the same
    unsigned char (*wanted)[2];        // [most]
    pv_fock_room room;
    pv_fock_progress progress;
    void *context;
    double done, whole; // sources so far and in all
    int given_up;       // this rank only passes on what is not its own from now on
} build;

// ---- Memory ------------------------------------------------------------------------------------------------------

static const pv_basis *basis_of(const build *b, int state)
{
    return b->fock->home[state % b->kpoints].basis;
}

static int is_mine(const build *b, int state)
{
    return pv_fock_bundle_has(b->fock, b->own.rank, state);
}

static size_t field_bytes(const build *b)
{
    return (size_t)b->fock->field_bytes[b->fock->precision];
}

static pv_status make_blocks(build *b)
{
    PV_TRY(PV_ALLOC(b->states, &b->mine));
    for (int s = 0; s < b->states; s++) {
        pv_fock_block *block = &b->mine[s];
        block->kpoint = s % b->kpoints;
        block->count = b->own.count[s];
        block->share = b->share + (int64_t)s * b->bands + b->own.lower[s];
        PV_TRY(pv_mem_alloc_raw((size_t)block->count, field_bytes(b), &block->field));
        PV_TRY(pv_mem_alloc((size_t)block->count, field_bytes(b), &block->sum));
    }
    return PV_OK;
}

static pv_status allocate(build *b)
{
    const int size = pv_comm_size(b->comm);
    int64_t waves_most = 0, room = 0;
    for (int p = 0; p < b->kpoints + b->fock->images; p++) {
        const int64_t count = pv_fock_point_at(b->fock, p)->basis->count;
        if (count > waves_most) waves_most = count;
    }
    PV_TRY(pv_fock_bundle_make(b->fock, 0, &b->own));
    for (int r = 0; r < size; r++) {
        pv_fock_bundle_measure(b->fock, r, &b->own);
        if (b->own.total > room) room = b->own.total;
        for (int s = 0; s < b->states; s++)
            if (b->own.count[s] > b->most) b->most = b->own.count[s];
    }
    pv_fock_bundle_measure(b->fock, pv_comm_rank(b->comm), &b->own);
    PV_TRY(PV_ALLOC(b->own.total, &b->own.coefficients));
    for (int i = 0; i < 2; i++) PV_TRY(pv_fock_bundle_make(b->fock, size > 1 ? room : 0, &b->other[i]));
    PV_TRY(pv_fock_bundle_make(b->fock, size > 1 ? room : 0, &b->returned));
    PV_TRY(PV_ALLOC(size > 1 ? 2 * b->own.total : 0, &b->gathered));
    PV_TRY(make_blocks(b));
    PV_TRY(pv_mem_alloc_raw(size > 1 ? (size_t)b->most : 0, field_bytes(b), &b->foreign_field));
    PV_TRY(pv_mem_alloc_raw(size > 1 ? (size_t)b->most : 0, field_bytes(b), &b->foreign_sum));
    const int together = b->fock->images > 0 ? TOGETHER : 0;
    PV_TRY(PV_ALLOC(together * waves_most, &b->carried));
    PV_TRY(pv_mem_alloc_raw((size_t)together, field_bytes(b), &b->image_field));
    PV_TRY(PV_ALLOC(b->most, &b->wanted));
    const size_t threads = (size_t)b->fock->threads, pair = sizeof(pv_real_pair) + sizeof(pv_complex_pair);
    b->room.most = b->most > TOGETHER ? b->most : TOGETHER;
    PV_TRY(pv_mem_alloc(threads * (size_t)b->room.most, pair, &b->room.pairs));
    return pv_mem_alloc_raw(threads > 1 ? 2 * threads : 0, field_bytes(b), &b->room.sums);
}

static void release(build *b)
{
    for (int s = 0; b->mine && s < b->states; s++) {
        pv_mem_free(b->mine[s].field);
        pv_mem_free(b->mine[s].sum);
    }
    pv_fock_bundle_free(&b->own);
    pv_fock_bundle_free(&b->other[0]);
    pv_fock_bundle_free(&b->other[1]);
    pv_fock_bundle_free(&b->returned);
    void *parts[] = {b->gathered, b->mine,        b->share,  b->order,      b->foreign_field, b->foreign_sum,
                     b->carried,  b->image_field, b->wanted, b->room.pairs, b->room.sums};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) pv_mem_free(parts[i]);
}

// ---- Orbitals in, results out ------------------------------------------------------------------------------------

static pv_status take_orbitals(build *b, double _Complex *const *orbitals, double _Complex *const *out)
{
    for (int s = 0; s < b->states; s++) {
        if (!is_mine(b, s)) continue;
        const pv_fock_point *home = &b->fock->home[s % b->kpoints];
        const int64_t run_count = b->fock->system->basis[s % b->kpoints]->count, count = home->basis->count;
        const double _Complex *whole;
        double _Complex *to = b->own.coefficients + b->own.offset[s];
        const int64_t local = b->fock->system->basis[s % b->kpoints]->local;
        pv_fock_deal_bands(b->bands, b->order, local, orbitals[s], out[s]);
        PV_TRY(pv_band_split_gather(b->split[s % b->kpoints], b->bands, out[s], &whole));
        for (int64_t i = 0; i < b->own.count[s]; i++)
            if (home->carry)
                pv_carry_apply(home->carry, whole + i * run_count, to + i * count);
            else
                memcpy(to + i * count, whole + i * run_count, (size_t)count * sizeof *to);
        pv_fock_to_fields(b->fock, home->basis, b->own.count[s], to, b->mine[s].field);
    }
    return PV_OK;
}

// Sums of the fields and what came back from others, in place of the orbitals' coefficients.
static pv_status give_results(build *b, double _Complex *const *out)
{
    const double _Complex *returned = pv_comm_size(b->comm) > 1 ? b->gathered : NULL;
    for (int s = 0; s < b->states; s++) {
        if (!is_mine(b, s) || b->rests[s % b->kpoints]) continue;
        const pv_fock_point *home = &b->fock->home[s % b->kpoints];
        const int64_t run_count = b->fock->system->basis[s % b->kpoints]->count, count = home->basis->count;
        double _Complex *from = b->own.coefficients + b->own.offset[s];
        double _Complex *room = pv_band_split_room(b->split[s % b->kpoints], out[s]);
        pv_fock_from_fields(b->fock, home->basis, b->own.count[s], b->mine[s].sum, from);
        for (int64_t i = 0; returned && i < b->own.count[s] * count; i++) from[i] += returned[b->own.offset[s] + i];
        for (int64_t i = 0; i < b->own.count[s]; i++)
            if (home->back)
                pv_carry_apply(home->back, from + i * count, room + i * run_count);
            else
                memcpy(room + i * run_count, from + i * count, (size_t)count * sizeof *room);
        PV_TRY(pv_band_split_scatter(b->split[s % b->kpoints], b->bands, out[s]));
        memcpy(b->order + b->bands, b->order, (size_t)b->bands * sizeof *b->order);
        pv_fock_collect_bands(b->bands, b->order + b->bands, b->fock->system->basis[s % b->kpoints]->local, out[s]);
    }
    return PV_OK;
}

// ---- Pairs of bands of the run -----------------------------------------------------------------------------------

// How band `band` of state s meets target `target` of state t: each pair of the run once over all ranks and steps.
static unsigned char wanted_of(const build *b, const pv_fock_bundle *other, int step, int s, int64_t band, int t,
                               int64_t target)
{
    const double *share = b->share;
    const int halved = 2 * step == pv_comm_size(b->comm) && step > 0, first = b->own.rank < other->rank;
    if (!pv_fock_is_felt(share[(int64_t)s * b->bands + band]) && !pv_fock_is_felt(share[(int64_t)t * b->bands + target]))
        return PV_FOCK_OUT;
    if (step == 0 && (s > t || (s == t && band > target))) return PV_FOCK_OUT;
    // Neighbours, which share a transform, stay together.
    if (halved && (int)((band / 2 + target / 2) & 1) != first) return PV_FOCK_OUT;
    return step == 0 && s == t && band == target ? PV_FOCK_SELF : PV_FOCK_PAIR;
}

static void report(build *b, double done)
{
    b->done += done;
    if (b->progress && !b->given_up) b->given_up = b->progress(b->context, b->done / b->whole);
}

// Bands of state s, here from a bundle, with this rank's of state t, and back.
static void meet_state(build *b, const pv_fock_bundle *other, int step, int s, int t, const pv_fock_sources *sources,
                       void *sum)
{
    const pv_fock_block *block = &b->mine[t];
    const int64_t each = pv_fock_group(b->fock);
    for (int64_t first = 0; first < block->count && !b->given_up; first += each) {
        for (int64_t i = 0; i < sources->count; i++)
            for (int64_t k = 0; k < 2; k++)
                b->wanted[i][k] =
                    k < each && first + k < block->count
                        ? wanted_of(b, other, step, s, other->lower[s] + i, t, b->own.lower[t] + first + k)
                        : PV_FOCK_OUT;
        pv_fock_pair_group(b->fock, sources, sum, block, first, (const unsigned char(*)[2])b->wanted, &b->room);
        report(b, (double)sources->count * (double)each / (double)(b->kpoints * (block->count + 1)));
    }
}

// Pairs of k-points that both have weight are a task of half of the ranks; others have targets alone.
static void meet_targets(build *b, const pv_fock_bundle *other, int step, int s, const pv_fock_sources *sources,
                         void *sum)
{
    for (int t = 0; t < b->states && !b->given_up; t++) {
        if (b->rests[t % b->kpoints] || t / b->kpoints != s / b->kpoints) continue;
        if (b->fock->home[t % b->kpoints].weight == 0.0)
            pv_fock_act_on_block(b->fock, sources, &b->mine[t], &b->room);
        else if (2 * step <= pv_comm_size(b->comm))
            meet_state(b, other, step, s, t, sources, sum);
    }
}

static void pair_bundle(build *b, const pv_fock_bundle *other, int step)
{
    const int foreign = step > 0, two_way = 2 * step <= pv_comm_size(b->comm);
    for (int s = 0; s < b->states && !b->given_up; s++) {
        const int k = s % b->kpoints;
        const pv_basis *basis = basis_of(b, s);
        const double before = b->done;
        void *field = b->mine[s].field, *sum = b->mine[s].sum;
        if (foreign) {
            field = b->foreign_field, sum = b->foreign_sum;
            memset(sum, 0, (size_t)other->count[s] * field_bytes(b));
            pv_fock_to_fields(b->fock, basis, other->count[s], other->coefficients + other->offset[s], field);
        }
        const pv_fock_sources sources = {k, other->count[s], &b->share[(int64_t)s * b->bands + other->lower[s]], field};
        if (b->fock->home[k].weight > 0.0) meet_targets(b, other, step, s, &sources, sum);
        report(b, before + (double)other->count[s] - b->done);
        if (foreign && two_way)
            pv_fock_from_fields(b->fock, basis, other->count[s], sum, b->returned.coefficients + other->offset[s]);
    }
}

// ---- Points that symmetry adds -----------------------------------------------------------------------------------

static int has_filled(const double *share, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (pv_fock_is_felt(share[i])) return 1;
    return 0;
}

// Some bands of a state at a point.
static void pair_image(build *b, int p, int s, int64_t count, const double *share, const double _Complex *coefficients)
{
    const pv_fock_point *point = &b->fock->image[p];
    for (int64_t i = 0; i < count; i++)
        pv_carry_apply(point->carry, coefficients + i * basis_of(b, s)->count, b->carried + i * point->basis->count);
    pv_fock_to_fields(b->fock, point->basis, count, b->carried, b->image_field);
    const pv_fock_sources sources = {b->kpoints + p, count, share, b->image_field};
    for (int t = 0; t < b->states && !b->given_up; t++)
        if (!b->rests[t % b->kpoints] && t / b->kpoints == s / b->kpoints) {
            pv_fock_act_on_block(b->fock, &sources, &b->mine[t], &b->room);
            report(b, 0.0);
        }
}

static void pair_images(build *b, const pv_fock_bundle *other)
{
    for (int p = 0; p < b->fock->images; p++)
        for (int spin = 0; spin < b->states / b->kpoints; spin++) {
            const int s = spin * b->kpoints + b->fock->image[p].from;
            const double *share = b->share + (int64_t)s * b->bands + other->lower[s];
            for (int64_t i = 0; i < other->count[s] && !b->given_up; i += TOGETHER) {
                const int64_t rest = other->count[s] - i, count = rest < TOGETHER ? rest : TOGETHER;
                if (has_filled(share + i, count))
                    pair_image(b, p, s, count, share + i,
                               other->coefficients + other->offset[s] + i * basis_of(b, s)->count);
            }
        }
}

// ---- Around the ranks --------------------------------------------------------------------------------------------

// Step s: this rank's bundle goes to rank - s, that of rank + s comes; or, going back, the other way.
static pv_status make_exchange(build *b, int step, int back, pv_fock_bundle *theirs, pv_exchange **exchange_p)
{
    const int size = pv_comm_size(b->comm), rank = pv_comm_rank(b->comm);
    const int ahead = (rank + step) % size, behind = (rank + size - step) % size;
    pv_fock_bundle_measure(b->fock, ahead, theirs);
    const size_t own = (size_t)b->own.total * sizeof(double _Complex),
                 other = (size_t)theirs->total * sizeof(double _Complex);
    const pv_message send = {back ? ahead : behind, 0, back ? other : own};
    const pv_message receive = {back ? behind : ahead, 0, back ? own : other};
    return pv_exchange_create(b->comm, 1, &send, 1, &receive, exchange_p);
}

// What was done for the bands of rank + step goes there; what rank - step did for this rank's is added up.
static pv_status send_back(build *b, int step)
{
    pv_exchange *exchange;
    double _Complex *sum = b->gathered, *received = sum + b->own.total;
    PV_TRY(make_exchange(b, step, 1, &b->returned, &exchange));
    pv_status status = pv_exchange_start(exchange, b->returned.coefficients, received);
    if (status == PV_OK) status = pv_exchange_wait(exchange);
    pv_exchange_destroy(exchange);
    for (int64_t i = 0; status == PV_OK && i < b->own.total; i++) sum[i] += received[i];
    return status;
}

static pv_status go_round(build *b)
{
    const int size = pv_comm_size(b->comm), half = size / 2;
    const int all = b->fock->images > 0 || b->fock->one_way, last = all ? size - 1 : half;
    pv_exchange *coming = NULL;
    pv_status status = PV_OK;
    for (int step = 0; step <= last && status == PV_OK; step++) {
        const pv_fock_bundle *here = step == 0 ? &b->own : &b->other[step % 2];
        pv_exchange *arrived = coming;
        coming = NULL;
        if (arrived) status = pv_exchange_wait(arrived);
        if (arrived) pv_exchange_destroy(arrived);
        if (status == PV_OK && step < last) {
            pv_fock_bundle *next = &b->other[(step + 1) % 2];
            status = make_exchange(b, step + 1, 0, next, &coming);
            if (status == PV_OK) status = pv_exchange_start(coming, b->own.coefficients, next->coefficients);
        }
        if (status != PV_OK) break;
        if (step <= half || b->fock->one_way) pair_bundle(b, here, step);
        pair_images(b, here);
        if (step > 0 && step <= half) status = send_back(b, step);
    }
    if (coming) pv_exchange_destroy(coming);
    return status;
}

// One rank that gives up is enough.
static pv_status agree_on_end(build *b)
{
    int64_t given_up = b->given_up;
    PV_TRY(pv_comm_reduce_i64(b->comm, PV_MAX, 1, &given_up));
    return given_up ? PV_ERR_STOPPED : PV_OK;
}

// ---- The build ---------------------------------------------------------------------------------------------------

static pv_status energy_of(const build *b, const double *filling, double _Complex *const *orbitals,
                           double _Complex *const *out, double *energy_ha_p)
{
    const pv_system *system = b->fock->system;
    double energy = 0.0;
    for (int s = 0; s < b->states; s++) {
        const int64_t local = system->basis[s % b->kpoints]->local;
        for (int j = 0; is_mine(b, s) && !b->rests[s % b->kpoints] && j < b->bands; j++) {
            double sum = 0.0;
            const double _Complex *u = orbitals[s] + j * local, *v = out[s] + j * local;
            for (int64_t i = 0; i < local; i++) sum += creal(u[i]) * creal(v[i]) + cimag(u[i]) * cimag(v[i]);
            energy += 0.5 * system->kpoints->weight[s % b->kpoints] * filling[(int64_t)s * b->bands + j] * sum;
        }
    }
    PV_TRY(pv_comm_reduce_f64(b->comm, PV_SUM, 1, &energy));
    *energy_ha_p = energy;
    return PV_OK;
}

static pv_status prepare(build *b, const double *filling)
{
    const int64_t count = (int64_t)b->states * b->bands;
    const double full = b->fock->system->params.spins == 2 ? 1.0 : 2.0;
    PV_TRY(PV_ALLOC(count, &b->share));
    PV_TRY(PV_ALLOC(2 * (int64_t)b->bands, &b->order));
    PV_TRY(pv_fock_deal(b->fock->system->groups.size, b->bands, b->order));
    for (int64_t i = 0; i < count; i++) b->share[i] = filling[i - i % b->bands + b->order[i % b->bands]] / full;
    return allocate(b);
}

pv_status pv_fock_build(pv_fock *fock, pv_band_split *const *split, double _Complex *const *orbitals,
                        const double *filling, const unsigned char *rests, pv_fock_progress progress, void *context,
                        double _Complex *const *out, double *energy_ha_p)
{
    const pv_system *system = fock->system;
    build b = {.fock = fock,
               .comm = system->comm,
               .split = split,
               .rests = rests,
               .kpoints = fock->kpoints,
               .states = system->params.spins * fock->kpoints,
               .bands = system->params.bands,
               .progress = progress,
               .context = context};
    fock->effort = (pv_fock_effort){0, 0};
    pv_status status = pv_comm_agree(b.comm, prepare(&b, filling));
    if (status == PV_OK) {
        b.whole = (double)b.states * (double)b.bands * (0.5 * pv_comm_size(b.comm) + 0.5) / pv_comm_size(b.comm);
        status = take_orbitals(&b, orbitals, out);
    }
    if (status == PV_OK) status = go_round(&b);
    if (status == PV_OK) status = agree_on_end(&b);
    if (status == PV_OK) status = give_results(&b, out);
    if (status == PV_OK) status = energy_of(&b, filling, orbitals, out, energy_ha_p);
    release(&b);
    return status;
}
