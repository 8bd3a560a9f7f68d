// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "dft/terms/fock_parts.h"

#ifdef _OPENMP
#include <omp.h>
static int thread_index(void)
{
    return omp_get_thread_num();
}
#else
static int thread_index(void)
{
    return 0;
}
#endif

// ---- Fields ------------------------------------------------------------------------------------------------------

void pv_fock_to_fields(const pv_fock *fock, const pv_basis *basis, int64_t count, const double _Complex *coefficients,
                       double *field)
{
    if (fock->real) {
        pv_sphere_to_reals(basis->sphere, count, coefficients, basis->count, field);
        return;
    }
#pragma omp parallel for num_threads(fock->threads) schedule(static, 1)
    for (int64_t f = 0; f < count; f++)
        pv_sphere_to_slices(basis->sphere, thread_index(), coefficients + f * basis->count,
                            field + f * fock->reals);
}

void pv_fock_from_fields(const pv_fock *fock, const pv_basis *basis, int64_t count, const double *field,
                         double _Complex *coefficients)
{
    if (fock->real) {
        pv_sphere_from_reals(basis->sphere, count, field, coefficients, basis->count);
        return;
    }
#pragma omp parallel for num_threads(fock->threads) schedule(static, 1)
    for (int64_t f = 0; f < count; f++)
        pv_sphere_from_slices(basis->sphere, thread_index(), field + f * fock->reals,
                              coefficients + f * basis->count);
}

// ---- Pairs -------------------------------------------------------------------------------------------------------

// What all pairs of a source with a block share.
typedef struct common {
    const pv_fock *fock;
    const pv_fock_source *source;
    const pv_fock_block *block;
    const unsigned char *wanted;
    pv_fock_meeting meeting;
    double target_weight, source_weight; // the latter times the target's share
} common;

static double source_weight_of(const common *c, int64_t t)
{
    return c->wanted[t] == PV_FOCK_SELF ? 0.0 : c->source_weight * c->block->share[t];
}

static void pair_real(const common *c, int64_t a, int64_t b, double *source_sum)
{
    const int64_t reals = c->fock->reals;
    const pv_fock_block *block = c->block;
    const pv_slots_real_pair pair = {
        .source = c->source->field,
        .target = {block->field + a * reals, b < 0 ? NULL : block->field + b * reals},
        .source_sum = source_sum,
        .target_sum = {block->sum + a * reals, b < 0 ? NULL : block->sum + b * reals},
        .source_weight = {source_weight_of(c, a), b < 0 ? 0.0 : source_weight_of(c, b)},
        .target_weight = {c->target_weight, c->target_weight},
    };
    pv_sphere_pair_real(c->meeting.momentum->kernel, thread_index(), &pair);
}

static void pair_complex(const common *c, int64_t t, double *source_sum)
{
    const int64_t reals = c->fock->reals;
    const pv_slots_complex_pair pair = {
        .source = c->source->field,
        .target = c->block->field + t * reals,
        .source_sum = source_sum,
        .target_sum = c->block->sum + t * reals,
        .source_weight = source_weight_of(c, t),
        .target_weight = c->target_weight,
    };
    pv_sphere_pair_complex(c->meeting.momentum->kernel, thread_index(), c->meeting.shift, &pair);
}

void pv_fock_pair_block(pv_fock *fock, const pv_fock_source *source, const pv_fock_block *block,
                           const unsigned char *wanted, int64_t *list, double *scratch)
{
    common c = {fock, source, block, wanted, pv_fock_meet(fock, block->kpoint, source->point), 0.0, 0.0};
    int64_t count = 0;
    for (int64_t t = 0; t < block->count; t++)
        if (wanted[t] != PV_FOCK_OUT) list[count++] = t;
    if (!c.meeting.momentum || count == 0) return;
    c.target_weight = -fock->fraction * pv_fock_point_at(fock, source->point)->weight * source->share;
    c.source_weight = -fock->fraction * fock->home[block->kpoint].weight;
    const int64_t each = fock->real ? 2 : 1, transforms = (count + each - 1) / each;
    const int alone = fock->threads == 1;
    if (source->sum && !alone) memset(scratch, 0, (size_t)(fock->threads * fock->reals) * sizeof *scratch);
#pragma omp parallel for num_threads(fock->threads) schedule(static, 1)
    for (int64_t p = 0; p < transforms; p++) {
        double *sum = !source->sum ? NULL : alone ? source->sum : scratch + thread_index() * fock->reals;
        if (fock->real)
            pair_real(&c, list[2 * p], 2 * p + 1 < count ? list[2 * p + 1] : -1, sum);
        else
            pair_complex(&c, list[p], sum);
    }
    for (int t = 0; source->sum && !alone && t < fock->threads; t++)
        for (int64_t i = 0; i < fock->reals; i++) source->sum[i] += scratch[t * fock->reals + i];
    fock->effort.pairs += count;
    fock->effort.transforms += transforms;
}
