// SPDX-License-Identifier: Apache-2.0
#include "dft/terms/fock_bundle.h"

#include "base/check.h"
#include "base/mem.h"

static int states_of(const pv_fock *fock)
{
    return fock->system->params.spins * fock->kpoints;
}

pv_status pv_fock_bundle_make(const pv_fock *fock, int64_t room, pv_fock_bundle *bundle)
{
    const int states = states_of(fock);
    PV_TRY(PV_ALLOC(states, &bundle->lower));
    PV_TRY(PV_ALLOC(states, &bundle->count));
    PV_TRY(PV_ALLOC(states, &bundle->offset));
    return pv_buffer_create(fock->device, (size_t)room * sizeof(double _Complex), &bundle->coefficients);
}

void pv_fock_bundle_free(pv_fock_bundle *bundle)
{
    pv_mem_free(bundle->lower);
    pv_mem_free(bundle->count);
    pv_mem_free(bundle->offset);
    pv_buffer_destroy(bundle->coefficients);
}

double _Complex *pv_fock_bundle_at(const pv_fock *fock, const pv_fock_bundle *bundle, int state, int64_t band)
{
    double _Complex *coefficients = pv_buffer_data(bundle->coefficients);
    return coefficients + bundle->offset[state] + band * fock->home[state % fock->kpoints].basis->count;
}

// Ranks that share the states of a k-point. Pure.
static int first_owner(const pv_fock *fock, int state)
{
    const pv_kpoint_groups *groups = &fock->system->groups;
    return pv_kpoint_groups_first_rank(groups, groups->group_of[state % fock->kpoints]);
}

int pv_fock_bundle_has(const pv_fock *fock, int rank, int state)
{
    const int first = first_owner(fock, state);
    return rank >= first && rank < first + fock->system->groups.size;
}

void pv_fock_bundle_measure(const pv_fock *fock, int rank, pv_fock_bundle *bundle)
{
    const int ranks = fock->system->groups.size, states = states_of(fock);
    bundle->rank = rank;
    bundle->total = 0;
    for (int s = 0; s < states; s++) {
        int64_t upper = bundle->lower[s] = 0;
        if (pv_fock_bundle_has(fock, rank, s))
            pv_band_split_range_of(ranks, rank - first_owner(fock, s), fock->bands, &bundle->lower[s], &upper);
        bundle->count[s] = upper - bundle->lower[s];
        bundle->offset[s] = bundle->total;
        bundle->total += bundle->count[s] * fock->home[s % fock->kpoints].basis->count;
    }
}
