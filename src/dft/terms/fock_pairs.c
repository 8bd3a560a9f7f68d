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

static void to_wide(const pv_fock *fock, const pv_basis *basis, int64_t count, const double _Complex *coefficients,
                    double *field)
{
    const int64_t reals = fock->field_bytes[PV_FP64] / (int64_t)sizeof *field;
    if (fock->real) {
        pv_sphere_to_reals(basis->sphere, count, coefficients, basis->count, field);
        return;
    }
#pragma omp parallel for num_threads(fock->threads) schedule(static, 1)
    for (int64_t f = 0; f < count; f++)
        pv_sphere_to_slices(basis->sphere, thread_index(), coefficients + f * basis->count, field + f * reals);
}

static void from_wide(const pv_fock *fock, const pv_basis *basis, int64_t count, const double *field,
                      double _Complex *coefficients)
{
    const int64_t reals = fock->field_bytes[PV_FP64] / (int64_t)sizeof *field;
    if (fock->real) {
        pv_sphere_from_reals(basis->sphere, count, field, coefficients, basis->count);
        return;
    }
#pragma omp parallel for num_threads(fock->threads) schedule(static, 1)
    for (int64_t f = 0; f < count; f++)
        pv_sphere_from_slices(basis->sphere, thread_index(), field + f * reals, coefficients + f * basis->count);
}

// Fields that pass through fock->wide together, from field `first` on.
static int64_t batch_of(const pv_fock *fock, int64_t count, int64_t first)
{
    const int64_t most = 2 * fock->threads;
    return count - first < most ? count - first : most;
}

void pv_fock_to_fields(const pv_fock *fock, const pv_basis *basis, int64_t count, const double _Complex *coefficients,
                       void *field)
{
    const int64_t reals = fock->field_bytes[PV_FP64] / (int64_t)sizeof *fock->wide;
    if (fock->precision == PV_FP64) {
        to_wide(fock, basis, count, coefficients, field);
        return;
    }
    for (int64_t first = 0; first < count; first += 2 * fock->threads) {
        const int64_t batch = batch_of(fock, count, first);
        to_wide(fock, basis, batch, coefficients + first * basis->count, fock->wide);
#pragma omp parallel for num_threads(fock->threads) schedule(static, 1)
        for (int64_t f = 0; f < batch; f++)
            pv_sphere_narrow(fock->host[PV_FP64], fock->host[PV_FP32], fock->real ? 1 : 2, fock->wide + f * reals,
                             (float *)pv_fock_field(fock, field, first + f));
    }
}

void pv_fock_from_fields(const pv_fock *fock, const pv_basis *basis, int64_t count, const void *field,
                         double _Complex *coefficients)
{
    const int64_t reals = fock->field_bytes[PV_FP64] / (int64_t)sizeof *fock->wide;
    if (fock->precision == PV_FP64) {
        from_wide(fock, basis, count, field, coefficients);
        return;
    }
    for (int64_t first = 0; first < count; first += 2 * fock->threads) {
        const int64_t batch = batch_of(fock, count, first);
#pragma omp parallel for num_threads(fock->threads) schedule(static, 1)
        for (int64_t f = 0; f < batch; f++)
            pv_sphere_widen(fock->host[PV_FP32], fock->host[PV_FP64], fock->real ? 1 : 2,
                            (const float *)pv_fock_field(fock, field, first + f), fock->wide + f * reals);
        from_wide(fock, basis, batch, fock->wide, coefficients + first * basis->count);
    }
}

// ---- Pairs -------------------------------------------------------------------------------------------------------

// What all pairs of sources with a block share.
typedef struct common {
    const pv_fock *fock;
    const pv_fock_sources *sources;
    const pv_fock_block *block;
    pv_fock_meeting meeting;
    double target_weight; // times the source's share
    double source_weight; // times the target's share
} common;

static common common_of(const pv_fock *fock, const pv_fock_sources *sources, const pv_fock_block *block)
{
    return (common){.fock = fock,
                    .sources = sources,
                    .block = block,
                    .meeting = pv_fock_meet(fock, block->kpoint, sources->point),
                    .target_weight = -fock->fraction * pv_fock_point_at(fock, sources->point)->weight,
                    .source_weight = -fock->fraction * fock->home[block->kpoint].weight};
}

// Source i with target t and, if it is not negative, u; acts: whether they act back. The pair is number `at`.
static void put_pair(const common *c, int64_t i, int64_t t, int64_t u, const int acts[2], void *source_sum, int64_t at,
                     void *pairs)
{
    const pv_fock *fock = c->fock;
    const pv_fock_block *block = c->block;
    const void *source = pv_fock_field(fock, c->sources->field, i);
    const double weight = c->target_weight * c->sources->share[i];
    const double back[2] = {acts[0] ? c->source_weight * block->share[t] : 0.0,
                            acts[1] ? c->source_weight * block->share[u] : 0.0};
    if (fock->real)
        ((pv_real_pair *)pairs)[at] = (pv_real_pair){
            .source = source,
            .target = {pv_fock_field(fock, block->field, t), u < 0 ? NULL : pv_fock_field(fock, block->field, u)},
            .source_sum = source_sum,
            .target_sum = {pv_fock_field(fock, block->sum, t), u < 0 ? NULL : pv_fock_field(fock, block->sum, u)},
            .source_weight = {back[0], back[1]},
            .target_weight = {weight, weight},
        };
    else
        ((pv_complex_pair *)pairs)[at] = (pv_complex_pair){
            .source = source,
            .target = pv_fock_field(fock, block->field, t),
            .source_sum = source_sum,
            .target_sum = pv_fock_field(fock, block->sum, t),
            .source_weight = back[0],
            .target_weight = weight,
        };
}

static void work_on(const common *c, int64_t first, int64_t last, const void *pairs)
{
    const pv_pair_kernel *kernel = c->meeting.momentum->kernel[c->fock->precision];
    if (c->fock->real)
        pv_sphere_pair_real(kernel, thread_index(), last - first, (const pv_real_pair *)pairs + first);
    else
        pv_sphere_pair_complex(kernel, thread_index(), c->meeting.shift, last - first,
                               (const pv_complex_pair *)pairs + first);
}

// ---- Targets that act back: threads share the sources --------------------------------------------------------------

// Pairs of a group; their number.
static int64_t list_group(const common *c, void *source_sum, int64_t first, const unsigned char (*wanted)[2],
                          int64_t *products_p, void *pairs)
{
    int64_t count = 0;
    for (int64_t i = 0; i < c->sources->count; i++) {
        const int one = wanted[i][0] != PV_FOCK_OUT, two = wanted[i][1] != PV_FOCK_OUT;
        if (!one && !two) continue;
        const int acts[2] = {wanted[i][one ? 0 : 1] == PV_FOCK_PAIR, one && wanted[i][1] == PV_FOCK_PAIR};
        put_pair(c, i, one ? first : first + 1, one && two ? first + 1 : -1, acts,
                 pv_fock_field(c->fock, source_sum, i), count++, pairs);
        *products_p += one + two;
    }
    return count;
}

// The sums of a thread's pairs, apart from those of others.
static void set_apart(const common *c, int64_t first, int64_t from, int64_t to, void *sums, void *pairs)
{
    const void *sum = pv_fock_field(c->fock, c->block->sum, first);
    for (int64_t p = from; p < to; p++) {
        if (!c->fock->real) {
            ((pv_complex_pair *)pairs)[p].target_sum = sums;
            continue;
        }
        pv_real_pair *pair = (pv_real_pair *)pairs + p;
        for (int k = 0; k < 2; k++)
            if (pair->target_sum[k]) pair->target_sum[k] = pv_fock_field(c->fock, sums, pair->target_sum[k] != sum);
    }
}

static void add_reals(pv_precision precision, int64_t first, int64_t last, const void *from, void *to)
{
    for (int64_t i = first; precision == PV_FP64 && i < last; i++) ((double *)to)[i] += ((const double *)from)[i];
    for (int64_t i = first; precision == PV_FP32 && i < last; i++) ((float *)to)[i] += ((const float *)from)[i];
}

// All threads' sums to those of the block, in the order of threads, each thread some of the points.
static void gather_sums(const common *c, int64_t first, int64_t targets, const void *sums)
{
    const pv_fock *fock = c->fock;
    const int64_t reals = fock->field_bytes[fock->precision] / (int64_t)pv_real_bytes(fock->precision);
#pragma omp parallel for num_threads(fock->threads) schedule(static, 1)
    for (int part = 0; part < fock->threads; part++)
        for (int64_t t = 0; t < targets; t++)
            for (int from = 0; from < fock->threads; from++)
                add_reals(fock->precision, reals * part / fock->threads, reals * (part + 1) / fock->threads,
                          pv_fock_field(fock, sums, 2 * from + t), pv_fock_field(fock, c->block->sum, first + t));
}

void pv_fock_pair_group(pv_fock *fock, const pv_fock_sources *sources, void *source_sum, const pv_fock_block *block,
                        int64_t first, const unsigned char (*wanted)[2], const pv_fock_room *room)
{
    const common c = common_of(fock, sources, block);
    if (!c.meeting.momentum) return;
    const int64_t count = list_group(&c, source_sum, first, wanted, &fock->effort.pairs, room->pairs);
    const int64_t rest = block->count - first, targets = rest < pv_fock_group(fock) ? rest : pv_fock_group(fock);
    fock->effort.transforms += count;
    if (fock->threads == 1) {
        work_on(&c, 0, count, room->pairs);
        return;
    }
#pragma omp parallel for num_threads(fock->threads) schedule(static, 1)
    for (int t = 0; t < fock->threads; t++) {
        const int64_t from = count * t / fock->threads, to = count * (t + 1) / fock->threads;
        void *sums = pv_fock_field(fock, room->sums, 2 * t);
        memset(sums, 0, 2 * (size_t)fock->field_bytes[fock->precision]);
        set_apart(&c, first, from, to, sums, room->pairs);
        work_on(&c, from, to, room->pairs);
    }
    gather_sums(&c, first, targets, room->sums);
}

// ---- Targets that do not: threads share them -----------------------------------------------------------------------

void pv_fock_act_on_block(pv_fock *fock, const pv_fock_sources *sources, const pv_fock_block *block,
                          const pv_fock_room *room)
{
    static const int acts[2];
    const common c = common_of(fock, sources, block);
    const int64_t each = pv_fock_group(fock), groups = (block->count + each - 1) / each;
    const size_t pair_bytes = fock->real ? sizeof(pv_real_pair) : sizeof(pv_complex_pair);
    int64_t filled = 0;
    if (!c.meeting.momentum) return;
    for (int64_t i = 0; i < sources->count; i++) filled += pv_fock_is_felt(sources->share[i]);
#pragma omp parallel for num_threads(fock->threads) schedule(static, 1)
    for (int64_t g = 0; g < groups; g++) {
        char *pairs = (char *)room->pairs + (size_t)(thread_index() * room->most) * pair_bytes;
        int64_t count = 0;
        for (int64_t i = 0; i < sources->count; i++)
            if (pv_fock_is_felt(sources->share[i]))
                put_pair(&c, i, g * each, each == 2 && 2 * g + 1 < block->count ? 2 * g + 1 : -1, acts, NULL, count++,
                         pairs);
        work_on(&c, 0, count, pairs);
    }
    fock->effort.pairs += filled * block->count;
    fock->effort.transforms += filled * groups;
}
