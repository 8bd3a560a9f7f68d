// SPDX-License-Identifier: Apache-2.0
// Exact exchange on the host: fields in the sliced order of spheres, which stay in cache while a pair is worked on.
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
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

// ---- Making --------------------------------------------------------------------------------------------------------

static pv_status create(pv_fock *fock)
{
    const pv_system *system = fock->system;
    const double reach = fock->pair_reach + pv_fock_longest_momentum(fock);
    const int64_t count = pv_fock_list_ball(fock, reach, NULL);
    int32_t(*points)[3];
    PV_TRY(PV_ALLOC(count, &points));
    pv_fock_list_ball(fock, reach, points);
    pv_status status = PV_OK;
    for (int p = 0; status == PV_OK && p < 2; p++)
        if (p == PV_FP64 || system->params.fock.single)
            status = pv_sphere_create_as(&pv_sphere_slices, fock->self, fock->shape, count, (const int32_t(*)[3])points,
                                         NULL, (pv_precision)p, system->engine, PV_ESTIMATE, &fock->host[p]);
    pv_mem_free(points);
    if (status != PV_OK) return status;
    for (int p = 0; p < 2; p++)
        if (fock->host[p])
            fock->field_bytes[p] =
                (fock->real ? 1 : 2) * pv_sphere_reals_count(fock->host[p]) * (int64_t)pv_real_bytes((pv_precision)p);
    if (fock->host[PV_FP32])
        PV_TRY(pv_mem_alloc(2 * (size_t)fock->threads, (size_t)fock->field_bytes[PV_FP64], (void **)&fock->wide));
    return PV_OK;
}

static void destroy(pv_fock *fock)
{
    for (int p = 0; p < 2; p++) pv_sphere_destroy(fock->host[p]);
    pv_mem_free(fock->wide);
}

static pv_status make_momentum(pv_fock *fock, pv_fock_momentum *momentum, int64_t count, const int32_t (*points)[3],
                               const double *values)
{
    int twice_kappa[3];
    for (int d = 0; d < 3; d++) twice_kappa[d] = (int)lround(2.0 * momentum->kappa[d]);
    for (int p = 0; p < 2; p++)
        if (fock->host[p])
            PV_TRY(pv_pair_kernel_create(fock->host[p], count, points, fock->real ? twice_kappa : NULL,
                                         1.0 / (double)fock->points, values, &momentum->kernel[p]));
    return PV_OK;
}

static void free_momentum(pv_fock_momentum *momentum)
{
    for (int p = 0; p < 2; p++) pv_pair_kernel_destroy(momentum->kernel[p]);
}

static void end(pv_fock *fock)
{
    pv_mem_free(fock->pairs);
    pv_mem_free(fock->sums);
    fock->pairs = fock->sums = NULL;
}

static pv_status begin(pv_fock *fock)
{
    const size_t threads = (size_t)fock->threads;
    PV_TRY(pv_mem_alloc(threads * (size_t)fock->most, pv_fock_pair_bytes(fock), &fock->pairs));
    return pv_mem_alloc_raw(threads > 1 ? 2 * threads : 0, (size_t)fock->field_bytes[fock->precision], &fock->sums);
}

// ---- Fields ------------------------------------------------------------------------------------------------------

static pv_status to_wide(const pv_fock *fock, const pv_basis *basis, int64_t count, const double _Complex *coefficients,
                         double *field)
{
    const int64_t reals = fock->field_bytes[PV_FP64] / (int64_t)sizeof *field;
    if (fock->real) return pv_sphere_to_reals(basis->sphere, count, coefficients, basis->count, field);
#pragma omp parallel for num_threads(fock->threads) schedule(static, 1)
    for (int64_t f = 0; f < count; f++)
        pv_sphere_to_slices(basis->sphere, thread_index(), coefficients + f * basis->count, field + f * reals);
    return PV_OK;
}

static pv_status from_wide(const pv_fock *fock, const pv_basis *basis, int64_t count, const double *field,
                           double _Complex *coefficients)
{
    const int64_t reals = fock->field_bytes[PV_FP64] / (int64_t)sizeof *field;
    if (fock->real) return pv_sphere_from_reals(basis->sphere, count, field, coefficients, basis->count);
#pragma omp parallel for num_threads(fock->threads) schedule(static, 1)
    for (int64_t f = 0; f < count; f++)
        pv_sphere_from_slices(basis->sphere, thread_index(), field + f * reals, coefficients + f * basis->count);
    return PV_OK;
}

// Fields that pass through fock->wide together, from field `first` on.
static int64_t batch_of(const pv_fock *fock, int64_t count, int64_t first)
{
    const int64_t most = 2 * fock->threads;
    return count - first < most ? count - first : most;
}

static pv_status to_fields(const pv_fock *fock, const pv_basis *basis, int64_t count,
                           const double _Complex *coefficients, void *field)
{
    const int64_t reals = fock->field_bytes[PV_FP64] / (int64_t)sizeof *fock->wide;
    if (fock->precision == PV_FP64) return to_wide(fock, basis, count, coefficients, field);
    for (int64_t first = 0; first < count; first += 2 * fock->threads) {
        const int64_t batch = batch_of(fock, count, first);
        PV_TRY(to_wide(fock, basis, batch, coefficients + first * basis->count, fock->wide));
#pragma omp parallel for num_threads(fock->threads) schedule(static, 1)
        for (int64_t f = 0; f < batch; f++)
            pv_sphere_narrow(fock->host[PV_FP64], fock->host[PV_FP32], fock->real ? 1 : 2, fock->wide + f * reals,
                             (float *)pv_fock_field(fock, field, first + f));
    }
    return PV_OK;
}

static pv_status from_fields(const pv_fock *fock, const pv_basis *basis, int64_t count, const void *field,
                             double _Complex *coefficients)
{
    const int64_t reals = fock->field_bytes[PV_FP64] / (int64_t)sizeof *fock->wide;
    if (fock->precision == PV_FP64) return from_wide(fock, basis, count, field, coefficients);
    for (int64_t first = 0; first < count; first += 2 * fock->threads) {
        const int64_t batch = batch_of(fock, count, first);
#pragma omp parallel for num_threads(fock->threads) schedule(static, 1)
        for (int64_t f = 0; f < batch; f++)
            pv_sphere_widen(fock->host[PV_FP32], fock->host[PV_FP64], fock->real ? 1 : 2,
                            (const float *)pv_fock_field(fock, field, first + f), fock->wide + f * reals);
        PV_TRY(from_wide(fock, basis, batch, fock->wide, coefficients + first * basis->count));
    }
    return PV_OK;
}

// ---- Pairs ---------------------------------------------------------------------------------------------------------

static void work_on(const pv_fock_common *c, int64_t first, int64_t last, const void *pairs)
{
    const pv_pair_kernel *kernel = c->meeting.momentum->kernel[c->fock->precision];
    if (c->fock->real)
        pv_sphere_pair_real(kernel, thread_index(), last - first, (const pv_real_pair *)pairs + first);
    else
        pv_sphere_pair_complex(kernel, thread_index(), c->meeting.shift, last - first,
                               (const pv_complex_pair *)pairs + first);
}

// ---- Targets that act back: threads share the sources --------------------------------------------------------------

// The sums of a thread's pairs, apart from those of others.
static void set_apart(const pv_fock_common *c, int64_t first, int64_t from, int64_t to, void *sums, void *pairs)
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
static void gather_sums(const pv_fock_common *c, int64_t first, int64_t targets, const void *sums)
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

static pv_status pair_group(pv_fock *fock, const pv_fock_sources *sources, void *source_sum, const pv_fock_block *block,
                            int64_t first, const unsigned char *wanted)
{
    const pv_fock_common c = pv_fock_common_of(fock, sources, block);
    if (!c.meeting.momentum) return PV_OK;
    const int64_t count = pv_fock_list_group(&c, source_sum, first, wanted, &fock->effort.pairs, fock->pairs);
    const int64_t rest = block->count - first, targets = rest < pv_fock_group(fock) ? rest : pv_fock_group(fock);
    fock->effort.transforms += count;
    if (fock->threads == 1) {
        work_on(&c, 0, count, fock->pairs);
        return PV_OK;
    }
#pragma omp parallel for num_threads(fock->threads) schedule(static, 1)
    for (int t = 0; t < fock->threads; t++) {
        const int64_t from = count * t / fock->threads, to = count * (t + 1) / fock->threads;
        void *sums = pv_fock_field(fock, fock->sums, 2 * t);
        memset(sums, 0, 2 * (size_t)fock->field_bytes[fock->precision]);
        set_apart(&c, first, from, to, sums, fock->pairs);
        work_on(&c, from, to, fock->pairs);
    }
    gather_sums(&c, first, targets, fock->sums);
    return PV_OK;
}

// ---- Targets that do not: threads share them -----------------------------------------------------------------------

static pv_status act_on_block(pv_fock *fock, const pv_fock_sources *sources, const pv_fock_block *block)
{
    const pv_fock_common c = pv_fock_common_of(fock, sources, block);
    const int64_t each = pv_fock_targets_each(fock), groups = (block->count + each - 1) / each;
    int64_t filled = 0;
    if (!c.meeting.momentum) return PV_OK;
    for (int64_t i = 0; i < sources->count; i++) filled += pv_fock_is_felt(sources->share[i]);
#pragma omp parallel for num_threads(fock->threads) schedule(static, 1)
    for (int64_t g = 0; g < groups; g++) {
        char *pairs = (char *)fock->pairs + (size_t)(thread_index() * fock->most) * pv_fock_pair_bytes(fock);
        const int64_t last = (g + 1) * each < block->count ? (g + 1) * each : block->count;
        work_on(&c, 0, pv_fock_list_targets(&c, g * each, last, pairs), pairs);
    }
    fock->effort.pairs += filled * block->count;
    fock->effort.transforms += filled * groups;
    return PV_OK;
}

static pv_status flush(pv_fock *fock)
{
    (void)fock;
    return PV_OK;
}

const pv_fock_ops pv_fock_slices = {
    .transforms = 1,
    .together = 8,
    .create = create,
    .destroy = destroy,
    .make_momentum = make_momentum,
    .free_momentum = free_momentum,
    .begin = begin,
    .end = end,
    .to_fields = to_fields,
    .from_fields = from_fields,
    .pair_group = pair_group,
    .act_on_block = act_on_block,
    .flush = flush,
};
