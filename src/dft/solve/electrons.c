// SPDX-License-Identifier: Apache-2.0
#include "dft/solve/electrons.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/rng.h"
#include "device/array.h"
#include "dft/terms/density.h"
#include "dft/terms/waves.h"

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
    pv_device *device = electrons->system->device;
    const double _Complex *there = electrons->orbitals[state];
    const size_t bytes = state_bytes(electrons, state);
    double _Complex *here = NULL;
    *orbitals_p = there;
    if (pv_device_is_host(device)) return PV_OK;
    *orbitals_p = NULL;
    PV_TRY(pv_mem_alloc_raw(bytes, 1, (void **)&here));
    *orbitals_p = here;
    return pv_array_read(device, there, here, bytes);
}

pv_status pv_electrons_put(const pv_electrons *electrons, int state, const double _Complex *orbitals)
{
    double _Complex *there = electrons->orbitals[state];
    if (orbitals == there) return PV_OK;
    return pv_array_write(electrons->system->device, there, orbitals, state_bytes(electrons, state));
}

void pv_electrons_release(const pv_electrons *electrons, int state, const double _Complex *orbitals)
{
    if (orbitals != electrons->orbitals[state]) pv_mem_free((void *)orbitals);
}

static pv_status random_orbitals(const pv_electrons *electrons, int state)
{
    const double _Complex *orbitals;
    pv_status status = pv_electrons_fetch(electrons, state, &orbitals);
    if (status == PV_OK) {
        fill_randomly(electrons, state, (double _Complex *)orbitals);
        status = pv_electrons_put(electrons, state, orbitals);
    }
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
    return pv_band_split_create_in(electrons->room, basis, system->params.bands, &hamiltonian->split);
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
    int64_t local_most = 0, count_most = 0;
    for (int k = 0; k < system->kpoints->count; k++) {
        if (!pv_system_owns(system, k)) continue;
        if (system->basis[k]->local > local_most) local_most = system->basis[k]->local;
        if (system->basis[k]->count > count_most) count_most = system->basis[k]->count;
    }
    PV_TRY(pv_band_room_create(system->orbital_comm, local_most, count_most, system->params.bands, &electrons->room));
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
    const int alone = !pv_device_is_host(system->device) && pv_comm_size(system->comm) == 1;
    PV_TRY(PV_ALLOC(alone ? 0 : system->grid->points, &electrons->whole));
    PV_TRY(PV_ARRAY(system->device, "the density", alone ? system->grid->points : 0, &electrons->slab));
    PV_TRY(PV_ARRAY(system->device, "the density", alone ? system->grid->waves : 0, &electrons->slab_waves));
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
    pv_mem_free(electrons->whole);
    pv_array_destroy(device, electrons->slab);
    pv_array_destroy(device, electrons->slab_waves);
    pv_array_destroy(device, electrons->packed);
    pv_array_destroy(device, electrons->weights);
    pv_mem_free(electrons->tolerance);
    pv_mem_free(electrons);
}

// ---- Sums over groups --------------------------------------------------------------------------------------------

// Of each group one rank speaks.
static int speaks(const pv_system *system) { return pv_comm_rank(system->group_comm) == 0; }

pv_status pv_electrons_sum(const pv_electrons *electrons, int64_t count, double *values)
{
    if (!speaks(electrons->system)) memset(values, 0, (size_t)count * sizeof *values);
    return pv_comm_reduce_f64(electrons->system->comm, PV_SUM, count, values);
}

// ---- Solving -----------------------------------------------------------------------------------------------------

// How far to go, and what came of it.
typedef struct effort {
    double tolerance, empty_tolerance;
    int expansions_most;
    pv_eigen_report worst;
} effort;

static pv_status solve_state(pv_electrons *electrons, const pv_potential *potential, int state, effort *effort)
{
    pv_system *system = electrons->system;
    const int kpoints = system->kpoints->count, k = state % kpoints, bands = system->params.bands;
    const pv_basis *basis = system->basis[k];
    pv_hamiltonian *hamiltonian = &electrons->hamiltonian[k];
    hamiltonian->ace = electrons->ace ? electrons->ace[state] : NULL;
    hamiltonian->potential_ha = potential->packed_ha + state / kpoints * potential->packed_count;
    PV_TRY(pv_waves_add(pv_device_stream(system->device), basis->local, basis->device_kinetic_ha,
                        electrons->projector_diagonal[k], potential->mean_ha, electrons->diagonal));
    for (int b = 0; b < bands; b++) {
        const double full = system->params.spins == 2 ? 1.0 : 2.0;
        const int empty = electrons->filling[state * bands + b] < 1e-4 * full;
        electrons->tolerance[b] = empty ? effort->empty_tolerance : effort->tolerance;
    }
    pv_eigen_report report;
    PV_TRY(pv_eigensolver_solve(electrons->solver, hamiltonian, electrons->diagonal, electrons->tolerance,
                                effort->expansions_most, electrons->orbitals[state],
                                electrons->eigenvalues_ha + state * bands, &report));
    if (report.expansions > effort->worst.expansions) effort->worst.expansions = report.expansions;
    effort->worst.residual = fmax(effort->worst.residual, report.residual);
    effort->worst.stopped = report.stopped;
    return PV_OK;
}

static int is_to_solve(const pv_electrons *electrons, int state)
{
    return pv_electrons_owns(electrons, state) && !electrons->rests[state % electrons->system->kpoints->count];
}

static pv_status solve_owned(pv_electrons *electrons, const pv_potential *potential, effort *effort)
{
    const int bands = electrons->system->params.bands;
    electrons->solved = electrons->to_solve = 0;
    for (int state = 0; state < electrons->states; state++) electrons->to_solve += is_to_solve(electrons, state);
    for (int state = 0; state < electrons->states; state++) {
        if (!pv_electrons_owns(electrons, state))
            memset(electrons->eigenvalues_ha + state * bands, 0, (size_t)bands * sizeof *electrons->eigenvalues_ha);
        if (!is_to_solve(electrons, state) || effort->worst.stopped) continue;
        PV_TRY(solve_state(electrons, potential, state, effort));
        electrons->solved++;
    }
    return PV_OK;
}

static int64_t applied_here(const pv_electrons *electrons)
{
    int64_t applied = 0;
    for (int k = 0; k < electrons->system->kpoints->count; k++) applied += electrons->hamiltonian[k].applied;
    return applied;
}

// What this group found becomes what all found.
static pv_status share(pv_electrons *electrons, effort *effort)
{
    pv_system *system = electrons->system;
    PV_TRY(pv_electrons_sum(electrons, electrons->states * system->params.bands, electrons->eigenvalues_ha));
    double worst[3] = {effort->worst.expansions, effort->worst.residual, effort->worst.stopped};
    PV_TRY(pv_comm_reduce_f64(system->comm, PV_MAX, 3, worst));
    effort->worst = (pv_eigen_report){(int)worst[0], worst[1], (int)worst[2]};
    electrons->applied = speaks(system) ? applied_here(electrons) : 0;
    return pv_comm_reduce_i64(system->comm, PV_SUM, 1, &electrons->applied);
}

static pv_status fill(pv_electrons *electrons)
{
    const pv_system *system = electrons->system;
    const pv_dft_params *params = &system->params;
    const int kpoints = system->kpoints->count;
    if (isnan(electrons->held_fermi_ha))
        return pv_occupation_fill(params, kpoints, system->kpoints->weight, system->tetrahedra,
                                  electrons->eigenvalues_ha, electrons->filling, &electrons->occupation);
    pv_occupation_hold(params, kpoints, system->kpoints->weight, electrons->eigenvalues_ha, electrons->held_fermi_ha,
                       electrons->filling, &electrons->occupation);
    return PV_OK;
}

// Decided once: ranks whose machines round differently would disagree on the last bits, and then on when to stop.
pv_status pv_electrons_fill(pv_electrons *electrons)
{
    pv_comm *comm = electrons->system->comm;
    const size_t states = (size_t)electrons->states * (size_t)electrons->system->params.bands;
    PV_TRY(pv_comm_agree(comm, pv_comm_rank(comm) == 0 ? fill(electrons) : PV_OK));
    PV_TRY(pv_comm_broadcast(comm, 0, states * sizeof *electrons->filling, electrons->filling));
    return pv_comm_broadcast(comm, 0, sizeof electrons->occupation, &electrons->occupation);
}

pv_status pv_electrons_solve(pv_electrons *electrons, const pv_potential *potential, double tolerance,
                             double empty_tolerance, int expansions_most, pv_eigen_report *report_p)
{
    const double start = pv_clock_s();
    pv_comm *comm = electrons->system->comm;
    effort effort = {tolerance, empty_tolerance, expansions_most, {0}};
    pv_eigensolver_set_stop(electrons->solver, electrons->stop, electrons->stop_context);
    PV_TRY(pv_comm_broadcast(comm, 0, sizeof effort, &effort));
    PV_TRY(pv_comm_agree(comm, solve_owned(electrons, potential, &effort)));
    PV_TRY(share(electrons, &effort));
    if (effort.worst.stopped) return PV_ERR_STOPPED;
    PV_TRY(pv_electrons_fill(electrons));
    *report_p = effort.worst;
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

pv_status pv_electrons_wave_weights(pv_electrons *electrons, int state, double *wave_weights)
{
    const pv_system *system = electrons->system;
    pv_device *device = system->device;
    const pv_basis *basis = system->basis[state % system->kpoints->count];
    const int bands = system->params.bands;
    pv_electrons_weights(electrons, state, electrons->tolerance);
    PV_TRY(pv_array_write(device, electrons->weights, electrons->tolerance, (size_t)bands * sizeof(double)));
    PV_TRY(pv_waves_weigh(pv_device_stream(device), bands, basis->local, electrons->weights, electrons->orbitals[state],
                          electrons->diagonal));
    return pv_array_read(device, electrons->diagonal, wave_weights, (size_t)basis->local * sizeof(double));
}

// Bands up to the last one that holds anything: empty bands need no transforms.
static int filled_bands(const double *weights, int bands)
{
    while (bands > 0 && weights[bands - 1] == 0.0) bands--;
    return bands;
}

// The squares of this rank's bands of one spin, into `packed`.
static pv_status add_owned(pv_electrons *electrons, int spin)
{
    const pv_system *system = electrons->system;
    const int kpoints = system->kpoints->count, bands = system->params.bands;
    double *weights = electrons->tolerance;
    for (int k = 0; k < kpoints; k++) {
        const int state = spin * kpoints + k;
        if (!pv_electrons_owns(electrons, state) || system->kpoints->weight[k] == 0.0) continue;
        pv_electrons_weights(electrons, state, weights);
        for (int b = 0; b < bands; b++) weights[b] /= system->grid->volume_bohr3;
        PV_TRY(pv_density_add(system->basis[k], electrons->hamiltonian[k].split, filled_bands(weights, bands), weights,
                              electrons->orbitals[state], electrons->packed));
    }
    return PV_OK;
}

// Plane waves of what all ranks have in `packed`.
static pv_status to_waves(const pv_electrons *electrons, double _Complex *waves)
{
    const pv_system *system = electrons->system;
    pv_grid *grid = system->grid;
    if (electrons->slab) {
        PV_TRY(pv_sphere_unpack(pv_system_sphere(system), electrons->packed, electrons->slab));
        PV_TRY(pv_grid_to_waves(system->device_grid, electrons->slab, electrons->slab_waves));
        return pv_array_read(system->device, electrons->slab_waves, waves, (size_t)grid->waves * sizeof *waves);
    }
    PV_TRY(pv_comm_agree(system->comm, pv_system_unpack(system, electrons->packed, electrons->whole)));
    PV_TRY(pv_comm_reduce_f64(grid->comm, PV_SUM, grid->points, electrons->whole));
    return pv_grid_to_waves(grid, electrons->whole + grid->first_point, waves);
}

pv_status pv_electrons_density(pv_electrons *electrons, double _Complex *density)
{
    const double start = pv_clock_s();
    const pv_system *system = electrons->system;
    const int64_t waves = system->grid->waves;
    const pv_sphere *sphere = pv_system_sphere(system);
    for (int spin = 0; spin < system->params.spins; spin++) {
        PV_TRY(pv_stream_zero(pv_device_stream(system->device), electrons->packed,
                              (size_t)pv_sphere_reals_count(sphere) * sizeof *electrons->packed));
        PV_TRY(pv_comm_agree(system->comm, add_owned(electrons, spin)));
        PV_TRY(to_waves(electrons, density + spin * waves));
        PV_TRY(pv_grid_symmetry_apply(system->symmetriser, density + spin * waves));
    }
    electrons->density_s += pv_clock_s() - start;
    return PV_OK;
}
