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

static const pv_pair_kernel *kernel_of(const common *c)
{
    return c->meeting.momentum->kernel[c->fock->precision];
}

static void pair_real(const common *c, int64_t a, int64_t b, void *source_sum)
{
    const pv_fock_block *block = c->block;
    const pv_slots_real_pair pair = {
        .source = c->source->field,
        .target = {pv_fock_field(c->fock, block->field, a), b < 0 ? NULL : pv_fock_field(c->fock, block->field, b)},
        .source_sum = source_sum,
        .target_sum = {pv_fock_field(c->fock, block->sum, a), b < 0 ? NULL : pv_fock_field(c->fock, block->sum, b)},
        .source_weight = {source_weight_of(c, a), b < 0 ? 0.0 : source_weight_of(c, b)},
        .target_weight = {c->target_weight, c->target_weight},
    };
    pv_sphere_pair_real(kernel_of(c), thread_index(), &pair);
}

static void pair_complex(const common *c, int64_t t, void *source_sum)
{
    const pv_slots_complex_pair pair = {
        .source = c->source->field,
        .target = pv_fock_field(c->fock, c->block->field, t),
        .source_sum = source_sum,
        .target_sum = pv_fock_field(c->fock, c->block->sum, t),
        .source_weight = source_weight_of(c, t),
        .target_weight = c->target_weight,
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

void pv_fock_pair_block(pv_fock *fock, const pv_fock_source *source, const pv_fock_block *block,
                           const unsigned char *wanted, int64_t *list, void *scratch)
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
    if (source->sum && !alone) memset(scratch, 0, (size_t)(fock->threads * fock->field_bytes[fock->precision]));
#pragma omp parallel for num_threads(fock->threads) schedule(static, 1)
    for (int64_t p = 0; p < transforms; p++) {
        void *own = alone ? source->sum : pv_fock_field(fock, scratch, thread_index());
        void *sum = source->sum ? own : NULL;
        if (fock->real)
            pair_real(&c, list[2 * p], 2 * p + 1 < count ? list[2 * p + 1] : -1, sum);
        else
            pair_complex(&c, list[p], sum);
    }
    for (int t = 0; source->sum && !alone && t < fock->threads; t++)
        add_field(fock, pv_fock_field(fock, scratch, t), source->sum);
    fock->effort.pairs += count;
    fock->effort.transforms += transforms;
}
