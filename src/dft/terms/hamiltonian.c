// SPDX-License-Identifier: Apache-2.0
#include "dft/terms/hamiltonian.h"

#include "base/check.h"
#include "dft/terms/waves.h"

static pv_status apply_local(pv_hamiltonian *hamiltonian, int64_t bands, const double _Complex *in,
                             double _Complex *out)
{
    const pv_basis *basis = hamiltonian->basis;
    const double _Complex *whole;
    PV_TRY(pv_stopwatch_start(hamiltonian->watch));
    PV_TRY(pv_band_split_gather(hamiltonian->split, bands, in, &whole));
    PV_TRY(pv_stopwatch_lap(hamiltonian->watch, PV_HAMILTONIAN_MOVE));
    int64_t lower, upper;
    pv_band_split_range(hamiltonian->split, bands, &lower, &upper);
    const int64_t count = pv_band_split_count(hamiltonian->split);
    PV_TRY(pv_sphere_multiply(basis->sphere, upper - lower, hamiltonian->potential_ha, whole, count,
                              pv_band_split_room(hamiltonian->split, out), count));
    PV_TRY(pv_stopwatch_lap(hamiltonian->watch, PV_HAMILTONIAN_LOCAL));
    PV_TRY(pv_band_split_scatter(hamiltonian->split, bands, out));
    return pv_stopwatch_lap(hamiltonian->watch, PV_HAMILTONIAN_MOVE);
}

pv_status pv_hamiltonian_apply(pv_hamiltonian *hamiltonian, int64_t bands, const double _Complex *in,
                               double _Complex *out)
{
    const pv_basis *basis = hamiltonian->basis;
    PV_TRY(apply_local(hamiltonian, bands, in, out));
    PV_TRY(pv_waves_add_kinetic(pv_device_stream(pv_comm_device(basis->comm)), bands, basis->local,
                                basis->device_kinetic_ha, in, out));
    PV_TRY(pv_nonlocal_apply(hamiltonian->nonlocal, bands, in, out));
    PV_TRY(pv_stopwatch_lap(hamiltonian->watch, PV_HAMILTONIAN_NONLOCAL));
    hamiltonian->applied += bands;
    if (!hamiltonian->ace) return PV_OK;
    PV_TRY(pv_ace_apply(hamiltonian->ace, bands, in, out));
    return pv_stopwatch_lap(hamiltonian->watch, PV_HAMILTONIAN_ACE);
}
