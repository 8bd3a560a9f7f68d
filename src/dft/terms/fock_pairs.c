// SPDX-License-Identifier: Apache-2.0
// Lists of pairs: which bands meet in which transforms, and what each does to the other's sum.
#include "dft/terms/fock_parts.h"

pv_fock_common pv_fock_common_of(const pv_fock *fock, const pv_fock_sources *sources, const pv_fock_block *block)
{
    return (pv_fock_common){.fock = fock,
                            .sources = sources,
                            .block = block,
                            .meeting = pv_fock_meet(fock, block->kpoint, sources->point),
                            .target_weight = -fock->fraction * pv_fock_point_at(fock, sources->point)->weight,
                            .source_weight = -fock->fraction * fock->home[block->kpoint].weight};
}

// Source i with target t and, if it is not negative, u; acts: whether they act back. The pair is number `at`.
static void put_pair(const pv_fock_common *c, int64_t i, int64_t t, int64_t u, const int acts[2], void *source_sum,
                     int64_t at, void *pairs)
{
    const pv_fock *fock = c->fock;
    const pv_fock_block *block = c->block;
    const void *source = pv_fock_field(fock, c->sources->field, i);
    const double weight = c->target_weight * c->sources->share[i];
    const double back[2] = {acts[0] ? c->source_weight * block->share[t] : 0.0,
                            acts[1] ? c->source_weight * block->share[u] : 0.0};
    if (back[0] == 0.0 && back[1] == 0.0) source_sum = NULL;
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

int64_t pv_fock_list_group(const pv_fock_common *c, void *source_sum, int64_t first, const unsigned char *wanted,
                           int64_t *products_p, void *pairs)
{
    const int64_t each = pv_fock_targets_each(c->fock), group = pv_fock_group(c->fock);
    int64_t count = 0;
    for (int64_t i = 0; i < c->sources->count; i++)
        for (int64_t k = 0; k < group; k += each) {
            const unsigned char *of = wanted + i * group + k;
            const int one = of[0] != PV_FOCK_OUT, two = each == 2 && of[1] != PV_FOCK_OUT;
            if (!one && !two) continue;
            const int acts[2] = {of[one ? 0 : 1] == PV_FOCK_PAIR, one && two && of[1] == PV_FOCK_PAIR};
            put_pair(c, i, first + k + !one, one && two ? first + k + 1 : -1, acts,
                     pv_fock_field(c->fock, source_sum, i), count++, pairs);
            *products_p += one + two;
        }
    return count;
}

int64_t pv_fock_list_targets(const pv_fock_common *c, int64_t first, int64_t last, void *pairs)
{
    static const int acts[2];
    const int64_t each = pv_fock_targets_each(c->fock);
    int64_t count = 0;
    for (int64_t i = 0; i < c->sources->count; i++)
        for (int64_t t = first; pv_fock_is_felt(c->sources->share[i]) && t < last; t += each)
            put_pair(c, i, t, each == 2 && t + 1 < last ? t + 1 : -1, acts, NULL, count++, pairs);
    return count;
}
