// SPDX-License-Identifier: Apache-2.0
// Which bands meet in a step of a build of exact exchange, tile after tile of targets.
#include "base/check.h"
#include "device/vector.h"
#include "dft/terms/fock_task.h"

// sum += what has been done, of bands of a state.
static pv_status add(const pv_fock_task *b, int state, int64_t bands, const double _Complex *from, double _Complex *sum)
{
    return pv_vector_axpy(b->work, 2 * bands * pv_fock_basis_of(b, state)->count, 1.0, (const double *)from,
                          (double *)sum);
}

// ---- Tiles of targets --------------------------------------------------------------------------------------------

static int tile_end(const pv_fock_task *b, int first)
{
    return first + b->room.tile < b->states ? first + b->room.tile : b->states;
}

static int tiles_of(const pv_fock_task *b)
{
    return (b->states + b->room.tile - 1) / b->room.tile;
}

static pv_status open_tile(pv_fock_task *b, int first)
{
    int64_t bands = 0;
    for (int s = 0; s < b->states; s++) b->mine[s].field = b->mine[s].sum = NULL;
    for (int s = first; s < tile_end(b, first); s++) {
        pv_fock_block *block = &b->mine[s];
        if (block->count == 0) continue;
        block->field = pv_fock_field(b->fock, pv_buffer_data(b->room.field), bands);
        block->sum = pv_fock_field(b->fock, pv_buffer_data(b->room.sum), bands);
        bands += block->count;
        PV_TRY(b->fock->ops->to_fields(b->fock, pv_fock_basis_of(b, s), block->count,
                                       pv_fock_bundle_at(b->fock, &b->room.own, s, 0), block->field));
    }
    return pv_stream_zero(b->work, pv_buffer_data(b->room.sum),
                          (size_t)(bands * b->fock->field_bytes[b->fock->precision]));
}

// fields' part inside the sphere is added to coefficients of bands of a state.
static pv_status add_fields(pv_fock_task *b, int state, int64_t bands, const void *fields, double _Complex *sum)
{
    double _Complex *scratch = pv_buffer_data(b->room.scratch);
    const int64_t count = pv_fock_basis_of(b, state)->count;
    for (int64_t i = 0; i < bands; i += b->room.portion) {
        const int64_t some = bands - i < b->room.portion ? bands - i : b->room.portion;
        PV_TRY(b->fock->ops->from_fields(b->fock, pv_fock_basis_of(b, state), some, pv_fock_field(b->fock, fields, i),
                                         scratch));
        PV_TRY(add(b, state, some, scratch, sum + i * count));
    }
    return PV_OK;
}

static pv_status close_tile(pv_fock_task *b, int first)
{
    PV_TRY(b->fock->ops->flush(b->fock));
    for (int s = first; s < tile_end(b, first); s++)
        if (b->mine[s].count > 0 && !b->rests[s % b->kpoints])
            PV_TRY(add_fields(b, s, b->mine[s].count, b->mine[s].sum, pv_fock_result_at(b, s, 0)));
    return PV_OK;
}

// ---- Pairs of bands of the run -----------------------------------------------------------------------------------

// How band `band` of state s meets target `target` of state t: each pair of the run once over all ranks and steps.
static unsigned char wanted_of(const pv_fock_task *b, const pv_fock_bundle *other, int step, int s, int64_t band, int t,
                               int64_t target)
{
    const double *share = b->share;
    const int halved = 2 * step == pv_comm_size(b->comm) && step > 0, first = b->room.own.rank < other->rank;
    if (!pv_fock_is_felt(share[(int64_t)s * b->bands + band]) &&
        !pv_fock_is_felt(share[(int64_t)t * b->bands + target]))
        return PV_FOCK_OUT;
    if (step == 0 && (s > t || (s == t && band > target))) return PV_FOCK_OUT;
    // Neighbours, which share a transform, stay together.
    if (halved && (int)((band / 2 + target / 2) & 1) != first) return PV_FOCK_OUT;
    return step == 0 && s == t && band == target ? PV_FOCK_SELF : PV_FOCK_PAIR;
}

static void report(pv_fock_task *b)
{
    const double done = (double)b->fock->effort.pairs / b->whole;
    if (b->progress && !b->given_up) b->given_up = b->progress(b->context, done < 1.0 ? done : 1.0);
}

// Bands of state s from `begin` on, here from a bundle, with this rank's of state t, and back.
static pv_status meet_state(pv_fock_task *b, const pv_fock_bundle *other, int step, int s, int64_t begin, int t,
                            const pv_fock_sources *sources, void *sum)
{
    const pv_fock_block *block = &b->mine[t];
    const int64_t group = pv_fock_group(b->fock);
    for (int64_t first = 0; first < block->count && !b->given_up; first += group) {
        unsigned char *wanted = b->room.wanted;
        for (int64_t i = 0; i < sources->count; i++)
            for (int64_t k = 0; k < group; k++)
                *wanted++ = first + k < block->count ? wanted_of(b, other, step, s, other->lower[s] + begin + i, t,
                                                                 b->room.own.lower[t] + first + k)
                                                     : PV_FOCK_OUT;
        PV_TRY(b->fock->ops->pair_group(b->fock, sources, sum, block, first, b->room.wanted));
        report(b);
    }
    return PV_OK;
}

// Pairs of k-points that both have weight are a task of half of the ranks; others have targets alone.
static pv_status meet_targets(pv_fock_task *b, const pv_fock_bundle *other, int step, int s, int64_t begin,
                              const pv_fock_sources *sources, void *sum)
{
    for (int t = 0; t < b->states && !b->given_up; t++) {
        if (!b->mine[t].field || b->rests[t % b->kpoints] || t / b->kpoints != s / b->kpoints) continue;
        if (b->fock->home[t % b->kpoints].weight == 0.0)
            PV_TRY(b->fock->ops->act_on_block(b->fock, sources, &b->mine[t]));
        else if (2 * step <= pv_comm_size(b->comm))
            PV_TRY(meet_state(b, other, step, s, begin, t, sources, sum));
    }
    return b->fock->ops->flush(b->fock);
}

// Bands of a state that are not among the targets at hand, a portion at a time. What is done for them goes to the
// bundle that travels back, or to this rank's results.
static pv_status pair_foreign(pv_fock_task *b, const pv_fock_bundle *other, int step, int s)
{
    const int acts_back = 2 * step <= pv_comm_size(b->comm);
    void *field = pv_buffer_data(b->room.foreign_field), *sum = pv_buffer_data(b->room.foreign_sum);
    for (int64_t i = 0; i < other->count[s] && !b->given_up; i += b->room.portion) {
        const int64_t rest = other->count[s] - i, count = rest < b->room.portion ? rest : b->room.portion;
        const pv_fock_sources sources = {s % b->kpoints, count, &b->share[(int64_t)s * b->bands + other->lower[s] + i],
                                         field};
        PV_TRY(pv_stream_zero(b->work, sum, (size_t)(count * b->fock->field_bytes[b->fock->precision])));
        PV_TRY(b->fock->ops->to_fields(b->fock, pv_fock_basis_of(b, s), count, pv_fock_bundle_at(b->fock, other, s, i),
                                       field));
        PV_TRY(meet_targets(b, other, step, s, i, &sources, sum));
        if (!acts_back) continue;
        PV_TRY(add_fields(b, s, count, sum,
                          step > 0 ? pv_fock_bundle_at(b->fock, &b->room.returned[step % 2], s, i)
                                   : pv_fock_result_at(b, s, i)));
    }
    return PV_OK;
}

// Own bands of tiles to come do not meet those at hand: they will when they are targets.
static pv_status pair_states(pv_fock_task *b, const pv_fock_bundle *other, int step, int last)
{
    for (int s = 0; s < b->states && !b->given_up; s++) {
        const pv_fock_block *block = &b->mine[s];
        if (other->count[s] > 0 && b->fock->home[s % b->kpoints].weight > 0.0 &&
            (step > 0 || s < last || b->fock->one_way)) {
            const pv_fock_sources sources = {s % b->kpoints, block->count, block->share, block->field};
            PV_TRY(step == 0 && block->field ? meet_targets(b, other, 0, s, 0, &sources, block->sum)
                                             : pair_foreign(b, other, step, s));
        }
        report(b);
    }
    return PV_OK;
}

// ---- Points that symmetry adds -----------------------------------------------------------------------------------

static int has_filled(const double *share, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (pv_fock_is_felt(share[i])) return 1;
    return 0;
}

// Some bands of a state at a point.
static pv_status pair_image(pv_fock_task *b, int p, int s, int64_t count, const double *share,
                            const double _Complex *coefficients)
{
    const pv_fock_point *point = &b->fock->image[p];
    double _Complex *carried = pv_buffer_data(b->room.carried);
    const pv_fock_sources sources = {b->kpoints + p, count, share, pv_buffer_data(b->room.image_field)};
    PV_TRY(pv_carry_apply(point->carry, count, coefficients, carried));
    PV_TRY(b->fock->ops->to_fields(b->fock, point->basis, count, carried, pv_buffer_data(b->room.image_field)));
    for (int t = 0; t < b->states && !b->given_up; t++)
        if (b->mine[t].field && !b->rests[t % b->kpoints] && t / b->kpoints == s / b->kpoints) {
            PV_TRY(b->fock->ops->act_on_block(b->fock, &sources, &b->mine[t]));
            report(b);
        }
    return b->fock->ops->flush(b->fock);
}

static pv_status pair_images(pv_fock_task *b, const pv_fock_bundle *other)
{
    for (int p = 0; p < b->fock->images; p++)
        for (int spin = 0; spin < b->states / b->kpoints; spin++) {
            const int s = spin * b->kpoints + b->fock->image[p].from;
            const double *share = b->share + (int64_t)s * b->bands + other->lower[s];
            for (int64_t i = 0; i < other->count[s] && !b->given_up; i += b->room.together) {
                const int64_t rest = other->count[s] - i, count = rest < b->room.together ? rest : b->room.together;
                if (has_filled(share + i, count))
                    PV_TRY(pair_image(b, p, s, count, share + i, pv_fock_bundle_at(b->fock, other, s, i)));
            }
        }
    return PV_OK;
}

// ---- How many ----------------------------------------------------------------------------------------------------

static double felt_of(const pv_fock_task *b, int state)
{
    double felt = 0.0;
    for (int i = 0; i < b->bands; i++) felt += pv_fock_is_felt(b->share[(int64_t)state * b->bands + i]);
    return felt;
}

double pv_fock_pairs_of_run(const pv_fock_task *b)
{
    double pairs = 0.0;
    for (int first = 0; first < b->states; first += b->kpoints) {
        double felt = 0.0, all = 0.0, images = 0.0, targets = 0.0;
        for (int k = 0; k < b->kpoints; k++) {
            if (!b->rests[k]) targets += b->bands;
            if (b->fock->home[k].weight == 0.0) continue;
            felt += felt_of(b, first + k);
            if (!b->rests[k]) all += b->bands;
        }
        for (int p = 0; p < b->fock->images; p++) images += felt_of(b, first + b->fock->image[p].from);
        // Of two that both are felt, and both are targets, one is the source.
        const double empty = all > felt ? all - felt : 0.0;
        pairs += all > 0.0 ? 0.5 * felt * (felt + 1.0) + felt * empty : 0.0;
        pairs += felt * (targets - all) + images * targets;
    }
    return pairs;
}

// ---- A step ------------------------------------------------------------------------------------------------------

// A bundle's pairs with all of this rank's targets. One tile stays open from the first step to the last.
pv_status pv_fock_pair_bundle(pv_fock_task *b, const pv_fock_bundle *other, int step)
{
    const int size = pv_comm_size(b->comm), stays = tiles_of(b) == 1;
    if (step > 0 && 2 * step <= size) {
        pv_fock_bundle *returned = &b->room.returned[step % 2];
        pv_fock_bundle_measure(b->fock, other->rank, returned);
        PV_TRY(pv_stream_zero(b->work, pv_buffer_data(returned->coefficients),
                              (size_t)returned->total * sizeof(double _Complex)));
    }
    for (int first = 0; first < b->states && !b->given_up; first += b->room.tile) {
        if (!stays || step == 0) PV_TRY(open_tile(b, first));
        if (2 * step <= size || b->fock->one_way) PV_TRY(pair_states(b, other, step, tile_end(b, first)));
        PV_TRY(pair_images(b, other));
        if (!stays || step == b->steps) PV_TRY(close_tile(b, first));
    }
    return PV_OK;
}
