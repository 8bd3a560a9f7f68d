// SPDX-License-Identifier: Apache-2.0
#include "dft/solve/energy.h"

#include "base/check.h"
#include "base/mem.h"
#include "dft/solve/smearing.h"

// sum over states of weight * eigenvalue.
static double band_energy(const pv_electrons *electrons)
{
    const pv_system *system = electrons->system;
    const int bands = system->params.bands;
    double sum = 0.0;
    for (int s = 0; s < electrons->states; s++)
        for (int b = 0; b < bands; b++)
            sum += system->kpoints->weight[s % system->kpoints->count] * electrons->filling[s * bands + b]
                   * electrons->eigenvalues_ha[s * bands + b];
    return sum;
}

double pv_energy_harris(const pv_electrons *electrons, const pv_potential *potential, double ewald_ha)
{
    return band_energy(electrons) - potential->double_ha + potential->hartree_ha + potential->xc_ha + ewald_ha
           + electrons->occupation.smearing_energy_ha;
}

static pv_status add_kinetic(pv_electrons *electrons, int state, double *energy_ha_p)
{
    const pv_basis *basis = electrons->system->basis[state % electrons->system->kpoints->count];
    double *weights;
    PV_TRY(PV_ALLOC(basis->local, &weights));
    const pv_status status = pv_electrons_wave_weights(electrons, state, weights);
    for (int64_t i = 0; status == PV_OK && i < basis->local; i++) *energy_ha_p += basis->kinetic_ha[i] * weights[i];
    pv_mem_free(weights);
    return status;
}

// Of this group's states: the kinetic energy of this rank's plane waves, the non-local energy of all.
static pv_status add_owned(pv_electrons *electrons, double *kinetic_ha_p, double *nonlocal_ha_p)
{
    const pv_system *system = electrons->system;
    const int bands = system->params.bands, kpoints = system->kpoints->count;
    double *weights = electrons->tolerance;
    for (int s = 0; s < electrons->states; s++) {
        if (!pv_electrons_owns(electrons, s)) continue;
        double nonlocal;
        PV_TRY(add_kinetic(electrons, s, kinetic_ha_p));
        pv_electrons_weights(electrons, s, weights);
        PV_TRY(pv_nonlocal_energy(electrons->hamiltonian[s % kpoints].nonlocal, bands, weights, electrons->orbitals[s],
                                  &nonlocal));
        *nonlocal_ha_p += nonlocal;
    }
    return PV_OK;
}

double pv_energy_moment(const pv_electrons *electrons)
{
    const pv_system *system = electrons->system;
    const int bands = system->params.bands, kpoints = system->kpoints->count;
    double moment = 0.0;
    for (int s = 0; system->params.spins == 2 && s < electrons->states; s++)
        for (int b = 0; b < bands; b++)
            moment += (s < kpoints ? 1.0 : -1.0) * system->kpoints->weight[s % kpoints]
                      * electrons->filling[s * bands + b];
    return moment;
}

pv_status pv_energy_parts(pv_electrons *electrons, pv_potential *potential, const double _Complex *density,
                          pv_hybrid *hybrid, double ewald_ha, pv_dft_energies *energies_p)
{
    const pv_system *system = electrons->system;
    const pv_grid *grid = potential->grid;
    pv_dft_energies e = {.ewald_ha = ewald_ha, .smearing_ha = electrons->occupation.smearing_energy_ha};
    PV_TRY(pv_comm_agree(system->comm, add_owned(electrons, &e.kinetic_ha, &e.nonlocal_ha)));
    PV_TRY(pv_comm_reduce_f64(system->comm, PV_SUM, 1, &e.kinetic_ha));
    PV_TRY(pv_electrons_sum(electrons, 1, &e.nonlocal_ha));
    for (int s = 0; s < system->params.spins; s++) {
        double product;
        PV_TRY(pv_grid_dot(grid, potential->there.local, density + s * grid->waves, &product));
        e.local_ha += product * grid->volume_bohr3;
    }
    PV_TRY(pv_potential_energies(potential, density));
    e.hartree_ha = potential->hartree_ha;
    e.xc_ha = potential->xc_ha;
    if (hybrid) PV_TRY(pv_hybrid_energy(hybrid, &e.fock_ha));
    e.free_ha = e.kinetic_ha + e.nonlocal_ha + e.local_ha + e.hartree_ha + e.xc_ha + e.fock_ha + e.ewald_ha
                + e.smearing_ha;
    e.sigma0_ha = e.free_ha - pv_smearing_beyond_sigma0(&system->params, e.smearing_ha);
    *energies_p = e;
    return PV_OK;
}
