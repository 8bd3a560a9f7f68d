// SPDX-License-Identifier: Apache-2.0
#include "dft/solve/electrons.h"

#include <math.h>

#include "base/check.h"
#include "base/mem.h"
#include "base/rng.h"
#include "device/array.h"

static void fill_randomly(const pv_electrons *electrons, int state, double _Complex *orbitals)
{
    const pv_system *system = electrons->system;
    const pv_basis *basis = system->basis[state % system->kpoints->count];
    const int bands = system->params.bands;
#pragma omp parallel for num_threads(pv_device_host_threads(system->device))
    for (int b = 0; b < bands; b++) {
        double _Complex *orbital = orbitals + b * basis->local;
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

static size_t state_bytes(const pv_electrons *electrons, int state)
{
    const pv_system *system = electrons->system;
    const int64_t local = system->basis[state % system->kpoints->count]->local;
    return (size_t)(system->params.bands * local) * sizeof(double _Complex);
}

pv_status pv_electrons_fetch(const pv_electrons *electrons, int state, const double _Complex **orbitals_p)
{
    return pv_array_fetch(electrons->system->device, electrons->orbitals[state], state_bytes(electrons, state),
                          (const void **)orbitals_p);
}

pv_status pv_electrons_put(const pv_electrons *electrons, int state, const double _Complex *orbitals)
{
    double _Complex *there = electrons->orbitals[state];
    if (orbitals == there) return PV_OK;
    return pv_array_write(electrons->system->device, there, orbitals, state_bytes(electrons, state));
}

void pv_electrons_release(const pv_electrons *electrons, int state, const double _Complex *orbitals)
{
    pv_array_release(electrons->orbitals[state], orbitals);
}

static pv_status random_orbitals(const pv_electrons *electrons, int state)
{
    double _Complex *orbitals = electrons->orbitals[state];
    if (!pv_device_is_host(electrons->system->device))
        PV_TRY(pv_mem_alloc_raw(state_bytes(electrons, state), 1, (void **)&orbitals));
    fill_randomly(electrons, state, orbitals);
    const pv_status status = pv_electrons_put(electrons, state, orbitals);
    pv_electrons_release(electrons, state, orbitals);
    return status;
}

static pv_status create_k(pv_electrons *electrons, int k)
{
    pv_system *system = electrons->system;
    const pv_basis *basis = system->basis[k];
    pv_hamiltonian *hamiltonian = &electrons->hamiltonian[k];
    hamiltonian->basis = basis;
    hamiltonian->watch = electrons->watch;
    pv_status status = pv_nonlocal_create_in(electrons->projectors, system->group_dense, basis, system->cell,
                                             system->pseudo, system->params.bands, &hamiltonian->nonlocal);
    if (status == PV_OK)
        status = PV_ARRAY(system->device, "the diagonal of the Hamiltonian", basis->local,
                          &electrons->projector_diagonal[k]);
    if (status == PV_OK) status = pv_nonlocal_diagonal(hamiltonian->nonlocal, electrons->projector_diagonal[k]);
    PV_TRY(pv_comm_agree(system->group_comm, status));
    return pv_band_split_create_in(electrons->room, basis, basis->sphere, system->params.bands, &hamiltonian->split);
}

// Where they are made anew in a moment, the projectors of one k-point are enough.
static pv_status make_projector_room(pv_electrons *electrons, int64_t local_most)
{
    const pv_system *system = electrons->system;
    pv_scalar scalar = PV_SCALAR_REAL;
    if (pv_device_is_host(system->device)) return PV_OK;
    for (int k = 0; k < system->kpoints->count; k++)
        if (pv_system_owns(system, k) && system->basis[k]->scalar == PV_SCALAR_COMPLEX) scalar = PV_SCALAR_COMPLEX;
    return pv_nonlocal_room_create(system->device, system->cell, system->pseudo, scalar, local_most,
                                   system->params.bands, &electrons->projectors);
}

static pv_status create_owned(pv_electrons *electrons)
{
    const pv_system *system = electrons->system;
    int64_t local_most = 0;
    for (int k = 0; k < system->kpoints->count; k++)
        if (pv_system_owns(system, k) && system->basis[k]->local > local_most) local_most = system->basis[k]->local;
    PV_TRY(pv_band_room_create(system->orbital_comm, &electrons->room));
    PV_TRY(pv_comm_agree(system->group_comm, make_projector_room(electrons, local_most)));
    for (int k = 0; k < system->kpoints->count; k++)
        if (pv_system_owns(system, k)) PV_TRY(create_k(electrons, k));
    return PV_OK;
}

static pv_status allocate(pv_electrons *electrons)
{
    const pv_system *system = electrons->system;
    const int kpoints = system->kpoints->count, bands = system->params.bands;
    int64_t local_most = 0;
    pv_scalar scalar = PV_SCALAR_REAL;
    for (int k = 0; k < kpoints; k++) {
        if (!pv_system_owns(system, k)) continue;
        if (system->basis[k]->local > local_most) local_most = system->basis[k]->local;
        if (system->basis[k]->scalar == PV_SCALAR_COMPLEX) scalar = PV_SCALAR_COMPLEX;
    }
    PV_TRY(pv_stopwatch_create(system->device, PV_HAMILTONIAN_PARTS, &electrons->watch));
    PV_TRY(PV_ALLOC(electrons->states, &electrons->orbitals));
    PV_TRY(PV_ALLOC(kpoints, &electrons->hamiltonian));
    PV_TRY(PV_ALLOC(kpoints, &electrons->projector_diagonal));
    PV_TRY(PV_ARRAY(system->device, "the diagonal of the Hamiltonian", local_most, &electrons->diagonal));
    PV_TRY(PV_ALLOC(kpoints, &electrons->rests));
    for (int k = 0; k < kpoints; k++) electrons->rests[k] = system->kpoints->weight[k] == 0.0;
    PV_TRY(PV_ALLOC(electrons->states * bands, &electrons->eigenvalues_ha));
    PV_TRY(PV_ALLOC(electrons->states * bands, &electrons->filling));
    PV_TRY(PV_ARRAY(system->device, "the density", system->grid->points + 1, &electrons->whole));
    PV_TRY(PV_ARRAY(system->device, "the density", pv_sphere_reals_count(pv_system_sphere(system)),
                    &electrons->packed));
    PV_TRY(PV_ALLOC(bands, &electrons->tolerance));
    PV_TRY(PV_ARRAY(system->device, "fillings", bands, &electrons->weights));
    for (int s = 0; s < electrons->states; s++)
        if (pv_electrons_owns(electrons, s))
            PV_TRY(PV_ARRAY(system->device, "orbitals", bands * system->basis[s % kpoints]->local,
                            &electrons->orbitals[s]));
    return pv_eigensolver_create(system->group_dense, scalar, local_most, bands, &electrons->solver);
}

pv_status pv_electrons_create(pv_system *system, pv_electrons **electrons_p)
{
    pv_electrons *electrons;
    PV_TRY(PV_ALLOC(1, &electrons));
    electrons->system = system;
    electrons->states = system->params.spins * system->kpoints->count;
    electrons->held_fermi_ha = NAN;
    pv_status status = pv_comm_agree(system->comm, allocate(electrons));
    if (status == PV_OK) status = pv_comm_agree(system->comm, create_owned(electrons));
    for (int s = 0; status == PV_OK && s < electrons->states; s++)
        if (pv_electrons_owns(electrons, s)) status = random_orbitals(electrons, s);
    status = pv_comm_agree(system->comm, status);
    if (status != PV_OK) {
        pv_electrons_destroy(electrons);
        return status;
    }
    *electrons_p = electrons;
    return PV_OK;
}

void pv_electrons_destroy(pv_electrons *electrons)
{
    if (!electrons) return;
    pv_device *device = electrons->system->device;
    for (int k = 0; k < electrons->system->kpoints->count; k++) {
        if (electrons->hamiltonian) {
            pv_nonlocal_destroy(electrons->hamiltonian[k].nonlocal);
            pv_band_split_destroy(electrons->hamiltonian[k].split);
        }
        if (electrons->projector_diagonal) pv_array_destroy(device, electrons->projector_diagonal[k]);
    }
    pv_band_room_destroy(electrons->room);
    pv_nonlocal_room_destroy(electrons->projectors);
    for (int s = 0; electrons->orbitals && s < electrons->states; s++)
        pv_array_destroy(device, electrons->orbitals[s]);
    pv_eigensolver_destroy(electrons->solver);
    pv_stopwatch_destroy(electrons->watch);
    pv_mem_free(electrons->orbitals);
    pv_mem_free(electrons->hamiltonian);
    pv_mem_free(electrons->projector_diagonal);
    pv_array_destroy(device, electrons->diagonal);
    pv_mem_free(electrons->rests);
    pv_mem_free(electrons->eigenvalues_ha);
    pv_mem_free(electrons->filling);
    pv_array_destroy(device, electrons->whole);
    pv_array_destroy(device, electrons->packed);
    pv_array_destroy(device, electrons->weights);
    pv_mem_free(electrons->tolerance);
    pv_mem_free(electrons);
}
