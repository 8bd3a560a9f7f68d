// SPDX-License-Identifier: Apache-2.0
// Orbitals and fillings in a given potential, and what the groups of ranks have to tell each other of them.
#include "dft/solve/electrons.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/clock.h"
#include "dft/terms/waves.h"

// Of each group one rank speaks.
static int speaks(const pv_system *system) { return pv_comm_rank(system->group_comm) == 0; }

pv_status pv_electrons_sum(const pv_electrons *electrons, int64_t count, double *values)
{
    if (!speaks(electrons->system)) memset(values, 0, (size_t)count * sizeof *values);
    return pv_comm_reduce_f64(electrons->system->comm, PV_SUM, count, values);
}

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
        const double full = pv_dft_params_full(&system->params);
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
