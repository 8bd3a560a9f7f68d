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
    const unsigned char *wanted; // NULL: all targets, and no action back
    pv_fock_meeting meeting;
    double target_weight; // times the source's share
    double source_weight; // times the target's share
} common;

static common common_of(const pv_fock *fock, const pv_fock_sources *sources, const pv_fock_block *block,
                        const unsigned char *wanted)
{
    return (common){.fock = fock,
                    .sources = sources,
                    .block = block,
                    .wanted = wanted,
                    .meeting = pv_fock_meet(fock, block->kpoint, sources->point),
                    .target_weight = -fock->fraction * pv_fock_point_at(fock, sources->point)->weight,
                    .source_weight = -fock->fraction * fock->home[block->kpoint].weight};
}

static double source_weight_of(const common *c, int64_t t)
{
    return c->wanted && c->wanted[t] == PV_FOCK_PAIR ? c->source_weight * c->block->share[t] : 0.0;
}

static const pv_pair_kernel *kernel_of(const common *c)
{
    return c->meeting.momentum->kernel[c->fock->precision];
}

// Source i with targets a and, unless negative, b.
static void pair_real(const common *c, int64_t i, int64_t a, int64_t b, void *source_sum)
{
    const pv_fock_block *block = c->block;
    const double weight = c->target_weight * c->sources->share[i];
    const pv_slots_real_pair pair = {
        .source = pv_fock_field(c->fock, c->sources->field, i),
        .target = {pv_fock_field(c->fock, block->field, a), b < 0 ? NULL : pv_fock_field(c->fock, block->field, b)},
        .source_sum = source_sum,
        .target_sum = {pv_fock_field(c->fock, block->sum, a), b < 0 ? NULL : pv_fock_field(c->fock, block->sum, b)},
        .source_weight = {source_weight_of(c, a), b < 0 ? 0.0 : source_weight_of(c, b)},
        .target_weight = {weight, weight},
    };
    pv_sphere_pair_real(kernel_of(c), thread_index(), &pair);
}

static void pair_complex(const common *c, int64_t i, int64_t t, void *source_sum)
{
    const pv_slots_complex_pair pair = {
        .source = pv_fock_field(c->fock, c->sources->field, i),
        .target = pv_fock_field(c->fock, c->block->field, t),
        .source_sum = source_sum,
        .target_sum = pv_fock_field(c->fock, c->block->sum, t),
        .source_weight = source_weight_of(c, t),
        .target_weight = c->target_weight * c->sources->share[i],
    };
    pv_sphere_pair_complex(kernel_of(c), thread_index(), c->meeting.shift, &pair);
}

static void add_field(const pv_fock *fock, const void *from, void *to)
{
    const int64_t bytes = fock->field_bytes[fock->precision];
    if (fock->precision == PV_FP64)
        for (int64_t i = 0; i < bytes / 8; i++) ((double *)to)[i] += ((const double *)from)[i];
    else
        for (int64_t i = 0; i < bytes / 4; i++) ((float *)to)[i] += ((const float *)from)[i];
}

static int64_t transforms_of(const pv_fock *fock, int64_t targets)
{
    return fock->real ? (targets + 1) / 2 : targets;
}

void pv_fock_pair_block(pv_fock *fock, const pv_fock_sources *source, void *source_sum, const pv_fock_block *block,
                        const unsigned char *wanted, int64_t *list, void *scratch)
{
    const common c = common_of(fock, source, block, wanted);
    int64_t count = 0;
    for (int64_t t = 0; t < block->count; t++)
        if (wanted[t] != PV_FOCK_OUT) list[count++] = t;
    if (!c.meeting.momentum || count == 0) return;
    const int64_t transforms = transforms_of(fock, count);
    const int alone = fock->threads == 1;
    if (source_sum && !alone) memset(scratch, 0, (size_t)(fock->threads * fock->field_bytes[fock->precision]));
#pragma omp parallel for num_threads(fock->threads) schedule(static, 1)
    for (int64_t p = 0; p < transforms; p++) {
        void *own = alone ? source_sum : pv_fock_field(fock, scratch, thread_index());
        void *sum = source_sum ? own : NULL;
        if (fock->real)
            pair_real(&c, 0, list[2 * p], 2 * p + 1 < count ? list[2 * p + 1] : -1, sum);
        else
            pair_complex(&c, 0, list[p], sum);
    }
    for (int t = 0; source_sum && !alone && t < fock->threads; t++)
        add_field(fock, pv_fock_field(fock, scratch, t), source_sum);
    fock->effort.pairs += count;
    fock->effort.transforms += transforms;
}

void pv_fock_act_on_block(pv_fock *fock, const pv_fock_sources *sources, const pv_fock_block *block)
{
    const common c = common_of(fock, sources, block, NULL);
    const int64_t count = block->count, transforms = transforms_of(fock, count);
    int64_t filled = 0;
    if (!c.meeting.momentum) return;
    for (int64_t i = 0; i < sources->count; i++) filled += sources->share[i] > PV_FOCK_FILLED;
#pragma omp parallel for num_threads(fock->threads) schedule(static, 1)
    for (int64_t p = 0; p < transforms; p++)
        for (int64_t i = 0; i < sources->count; i++) {
            if (sources->share[i] <= PV_FOCK_FILLED) continue;
            if (fock->real)
                pair_real(&c, i, 2 * p, 2 * p + 1 < count ? 2 * p + 1 : -1, NULL);
            else
                pair_complex(&c, i, p, NULL);
        }
    fock->effort.pairs += filled * count;
    fock->effort.transforms += filled * transforms;
}
