// SPDX-License-Identifier: Apache-2.0
#include "dft/solve/electrons.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/rng.h"
#include "dft/terms/density.h"

static void random_orbitals(const pv_electrons *electrons, int state)
{
    const pv_system *system = electrons->system;
    const pv_basis *basis = system->basis[state % system->kpoints->count];
    const int bands = system->params.bands;
    for (int b = 0; b < bands; b++) {
        double _Complex *orbital = electrons->orbitals[state] + b * basis->local;
        for (int64_t i = 0; i < basis->local; i++) {
            double pair[2];
            pv_rng_normal((uint64_t)system->params.seed, (uint64_t)state * (uint64_t)bands + (uint64_t)b,
                          (uint64_t)(basis->lower + i), pair);
            const double damping = pow(1.0 + 2.0 * basis->kinetic_ha[i], -2.0);
            orbital[i] = damping * CMPLX(pair[0], pair[1]);
            if (basis->lower + i == basis->single) orbital[i] = creal(orbital[i]);
        }
    }
}

static pv_status create_k(pv_electrons *electrons, int k)
{
    pv_system *system = electrons->system;
    const pv_basis *basis = system->basis[k];
    pv_hamiltonian *hamiltonian = &electrons->hamiltonian[k];
    hamiltonian->basis = basis;
    pv_status status = pv_nonlocal_create(system->dense, basis, system->cell, system->pseudo, system->params.bands,
                                          &hamiltonian->nonlocal);
    if (status == PV_OK) status = PV_ALLOC(basis->local, &electrons->projector_diagonal[k]);
    PV_TRY(pv_comm_agree(system->comm, status));
    pv_nonlocal_diagonal(hamiltonian->nonlocal, electrons->projector_diagonal[k]);
    return pv_band_split_create(basis, system->params.bands, &hamiltonian->split);
}

static pv_status allocate(pv_electrons *electrons)
{
    const pv_system *system = electrons->system;
    const int kpoints = system->kpoints->count, bands = system->params.bands;
    int64_t local_most = 0;
    pv_scalar scalar = PV_SCALAR_REAL;
    for (int k = 0; k < kpoints; k++) {
        if (system->basis[k]->local > local_most) local_most = system->basis[k]->local;
        if (system->basis[k]->scalar == PV_SCALAR_COMPLEX) scalar = PV_SCALAR_COMPLEX;
    }
    PV_TRY(PV_ALLOC(electrons->states, &electrons->orbitals));
    PV_TRY(PV_ALLOC(kpoints, &electrons->hamiltonian));
    PV_TRY(PV_ALLOC(kpoints, &electrons->projector_diagonal));
    PV_TRY(PV_ALLOC(local_most, &electrons->diagonal));
    PV_TRY(PV_ALLOC(electrons->states * bands, &electrons->eigenvalues_ha));
    PV_TRY(PV_ALLOC(electrons->states * bands, &electrons->filling));
    PV_TRY(PV_ALLOC(system->grid->points, &electrons->whole));
    PV_TRY(PV_ALLOC(pv_sphere_reals_count(system->basis[0]->sphere), &electrons->packed));
    PV_TRY(PV_ALLOC(bands, &electrons->tolerance));
    for (int s = 0; s < electrons->states; s++)
        PV_TRY(PV_ALLOC(bands * system->basis[s % kpoints]->local, &electrons->orbitals[s]));
    return pv_eigensolver_create(system->dense, scalar, local_most, bands, &electrons->solver);
}

pv_status pv_electrons_create(pv_system *system, pv_electrons **electrons_p)
{
    pv_electrons *electrons;
    PV_TRY(PV_ALLOC(1, &electrons));
    electrons->system = system;
    electrons->states = system->params.spins * system->kpoints->count;
    pv_status status = pv_comm_agree(system->comm, allocate(electrons));
    for (int k = 0; status == PV_OK && k < system->kpoints->count; k++) status = create_k(electrons, k);
    if (status != PV_OK) {
        pv_electrons_destroy(electrons);
        return status;
    }
    for (int s = 0; s < electrons->states; s++) random_orbitals(electrons, s);
    *electrons_p = electrons;
    return PV_OK;
}

void pv_electrons_destroy(pv_electrons *electrons)
{
    if (!electrons) return;
    for (int k = 0; k < electrons->system->kpoints->count; k++) {
        if (electrons->hamiltonian) {
            pv_nonlocal_destroy(electrons->hamiltonian[k].nonlocal);
            pv_band_split_destroy(electrons->hamiltonian[k].split);
        }
        if (electrons->projector_diagonal) pv_mem_free(electrons->projector_diagonal[k]);
    }
    for (int s = 0; electrons->orbitals && s < electrons->states; s++) pv_mem_free(electrons->orbitals[s]);
    pv_eigensolver_destroy(electrons->solver);
    pv_mem_free(electrons->orbitals);
    pv_mem_free(electrons->hamiltonian);
    pv_mem_free(electrons->projector_diagonal);
    pv_mem_free(electrons->diagonal);
    pv_mem_free(electrons->eigenvalues_ha);
    pv_mem_free(electrons->filling);
    pv_mem_free(electrons->whole);
    pv_mem_free(electrons->packed);
    pv_mem_free(electrons->tolerance);
    pv_mem_free(electrons);
}

pv_status pv_electrons_solve(pv_electrons *electrons, const pv_potential *potential, double tolerance,
                             double empty_tolerance, int expansions_most, pv_eigen_report *report_p)
{
    const double start = pv_clock_s();
    pv_system *system = electrons->system;
    const int kpoints = system->kpoints->count, bands = system->params.bands;
    pv_eigen_report worst = {0, 0.0};
    for (int state = 0; state < electrons->states; state++) {
        const int k = state % kpoints;
        const pv_basis *basis = system->basis[k];
        pv_hamiltonian *hamiltonian = &electrons->hamiltonian[k];
        hamiltonian->potential_ha = potential->packed_ha + state / kpoints * potential->packed_count;
        for (int64_t i = 0; i < basis->local; i++)
            electrons->diagonal[i] = basis->kinetic_ha[i] + potential->mean_ha + electrons->projector_diagonal[k][i];
        for (int b = 0; b < bands; b++) {
            const double full = system->params.spins == 2 ? 1.0 : 2.0;
            const int empty = electrons->filling[state * bands + b] < 1e-4 * full;
            electrons->tolerance[b] = empty ? empty_tolerance : tolerance;
        }
        pv_eigen_report report;
        PV_TRY(pv_eigensolver_solve(electrons->solver, hamiltonian, electrons->diagonal, electrons->tolerance,
                                    expansions_most, electrons->orbitals[state],
                                    electrons->eigenvalues_ha + state * bands, &report));
        if (report.expansions > worst.expansions) worst.expansions = report.expansions;
        worst.residual = fmax(worst.residual, report.residual);
    }
    PV_TRY(pv_occupation_fill(&system->params, kpoints, system->kpoints->weight, electrons->eigenvalues_ha,
                              electrons->filling, &electrons->occupation));
    *report_p = worst;
    electrons->solve_s += pv_clock_s() - start;
    return PV_OK;
}

void pv_electrons_weights(const pv_electrons *electrons, int state, double *weights)
{
    const pv_system *system = electrons->system;
    const int bands = system->params.bands;
    for (int b = 0; b < bands; b++)
        weights[b] = system->kpoints->weight[state % system->kpoints->count] * electrons->filling[state * bands + b];
}

// Bands up to the last one that holds anything: empty bands need no transforms.
static int filled_bands(const double *weights, int bands)
{
    while (bands > 0 && weights[bands - 1] == 0.0) bands--;
    return bands;
}

pv_status pv_electrons_density(pv_electrons *electrons, double _Complex *density)
{
    const double start = pv_clock_s();
    const pv_system *system = electrons->system;
    pv_grid *grid = system->grid;
    const pv_sphere *sphere = system->basis[0]->sphere;
    const int kpoints = system->kpoints->count, bands = system->params.bands;
    for (int spin = 0; spin < system->params.spins; spin++) {
        memset(electrons->packed, 0, (size_t)pv_sphere_reals_count(sphere) * sizeof *electrons->packed);
        for (int k = 0; k < kpoints; k++) {
            const int state = spin * kpoints + k;
            double *weights = electrons->tolerance;
            pv_electrons_weights(electrons, state, weights);
            for (int b = 0; b < bands; b++) weights[b] /= grid->volume_bohr3;
            PV_TRY(pv_density_add(system->basis[k], electrons->hamiltonian[k].split, filled_bands(weights, bands),
                                  weights, electrons->orbitals[state], electrons->packed));
        }
        pv_sphere_unpack(sphere, electrons->packed, electrons->whole);
        PV_TRY(pv_comm_reduce_f64(grid->comm, PV_SUM, grid->points, electrons->whole));
        PV_TRY(pv_grid_to_waves(grid, electrons->whole + grid->first_point, density + spin * grid->waves));
        PV_TRY(pv_grid_symmetry_apply(system->symmetriser, density + spin * grid->waves));
    }
    electrons->density_s += pv_clock_s() - start;
    return PV_OK;
}
