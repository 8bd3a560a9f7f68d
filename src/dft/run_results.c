// SPDX-License-Identifier: Apache-2.0
#include "dft/run_results.h"

#include <math.h>

#include "base/check.h"
#include "base/mem.h"
#include "dft/gap.h"
#include "dft/model/units.h"
#include "dft/solve/energy.h"

static pv_status allocate(const pv_finished_run *finished, pv_run_results *made)
{
    const pv_dft_summary *summary = finished->summary;
    PV_TRY(PV_ALLOC((int64_t)summary->spins * summary->kpoints * summary->bands, &made->eigenvalues_ev));
    PV_TRY(PV_ALLOC(summary->atoms, &made->forces));
    return PV_ALLOC(PV_RESULTS_SECONDS * finished->history->count, &made->steps_s);
}

static void convert(const pv_dft_summary *summary, pv_run_results *made)
{
    const int64_t states = (int64_t)summary->spins * summary->kpoints * summary->bands;
    for (int64_t i = 0; i < states; i++) made->eigenvalues_ev[i] = summary->eigenvalues_ha[i] * PV_HARTREE_EV;
    for (int i = 0; summary->forces_ha_bohr && i < 3 * summary->atoms; i++)
        made->forces[i / 3][i % 3] = summary->forces_ha_bohr[i / 3][i % 3] * PV_HARTREE_BOHR_EV_ANGSTROM;
    for (int i = 0; summary->stress_ha_bohr3 && i < 9; i++)
        made->stress_kbar[i / 3][i % 3] = summary->stress_ha_bohr3[i / 3][i % 3] * PV_HARTREE_BOHR3_KBAR;
}

static void take_energies(const pv_dft_energies *e, pv_results_entry entries[PV_RUN_ENERGIES])
{
    const pv_results_entry all[PV_RUN_ENERGIES] = {
        {"kinetic", e->kinetic_ha}, {"local", e->local_ha}, {"nonlocal", e->nonlocal_ha}, {"hartree", e->hartree_ha},
        {"xc", e->xc_ha},           {"ewald", e->ewald_ha}, {"fock", e->fock_ha},         {"smearing", e->smearing_ha}};
    for (int i = 0; i < PV_RUN_ENERGIES; i++) entries[i] = all[i];
}

static pv_status take_seconds(const pv_finished_run *finished, pv_results_entry entries[PV_RUN_SECONDS])
{
    const pv_scf *scf = finished->scf;
    const pv_electrons *electrons = scf->electrons;
    double part_s[PV_HAMILTONIAN_PARTS];
    for (int p = 0; p < PV_HAMILTONIAN_PARTS; p++) PV_TRY(pv_stopwatch_read(electrons->watch, p, &part_s[p]));
    const pv_results_entry all[PV_RUN_SECONDS] = {
        {"total", finished->solved_s},
        {"setup", finished->setup_s},
        {"eigensolver", electrons->solve_s},
        {"local_potential", part_s[PV_HAMILTONIAN_LOCAL]},
        {"nonlocal_potential", part_s[PV_HAMILTONIAN_NONLOCAL]},
        {"move", part_s[PV_HAMILTONIAN_MOVE]},
        {"density", electrons->density_s},
        {"potential", scf->potential_s},
        {"mixing", scf->mix_s},
        {"exchange_builds", scf->hybrid ? scf->hybrid->build_s : 0.0},
        {"exchange_messages", scf->hybrid ? scf->hybrid->way_s : 0.0},
        {"exchange_waits", scf->hybrid ? scf->hybrid->waited_s : 0.0},
        {"exchange_applied", part_s[PV_HAMILTONIAN_ACE]},
        {"energies_forces_stress", finished->forces_s},
        {"exchange_grid_check", finished->grid_error_s},
        {"communication", pv_comm_seconds()},
    };
    for (int i = 0; i < PV_RUN_SECONDS; i++) entries[i] = all[i];
    return PV_OK;
}

static pv_results_machine machine_of(const pv_run *run)
{
    return (pv_results_machine){.ranks = run->ranks,
                                .threads = run->threads,
                                .nodes = run->nodes,
                                .gpus = run->gpus,
                                .groups = run->groups,
                                .device = run->device,
                                .transport = run->transport};
}

static pv_results_system system_of(const pv_run *run)
{
    return (pv_results_system){
        .version = run->version, .cell = run->cell, .params = run->params, .potential = run->potential};
}

static pv_status fill(const pv_finished_run *finished, pv_run_results *made)
{
    const pv_dft_summary *summary = finished->summary;
    const pv_electrons *electrons = finished->scf->electrons;
    PV_TRY(finished->history->status);
    PV_TRY(allocate(finished, made));
    convert(summary, made);
    take_energies(&summary->energies, made->energies);
    PV_TRY(take_seconds(finished, made->seconds));
    pv_history_seconds(finished->history, made->steps_s);
    pv_results *results = &made->results;
    *results = finished->described->results;
    results->system = system_of(&finished->described->run);
    results->machine = machine_of(&finished->described->run);
    results->step_s = finished->history->count == summary->steps ? made->steps_s : NULL;
    results->converged = summary->converged;
    results->energy_ha = summary->energies.free_ha;
    results->energy_sigma0_ha = summary->energies.sigma0_ha;
    results->eigenvalue_ev = made->eigenvalues_ev;
    results->occupation = summary->filling;
    results->grid_error = summary->grid_error;
    results->gap_ev = pv_gap_of(electrons);
    results->force_ev_angstrom = summary->forces_ha_bohr ? (const double(*)[3])made->forces : NULL;
    results->stress_kbar = summary->stress_ha_bohr3 ? (const double(*)[3])made->stress_kbar : NULL;
    results->fermi_ev = summary->fermi_ha * PV_HARTREE_EV;
    results->moment_mu_b = summary->spins == 2 ? pv_energy_moment(electrons) : NAN;
    results->energy = made->energies;
    results->energies = PV_RUN_ENERGIES;
    results->iterations = summary->steps;
    results->seconds = made->seconds;
    results->seconds_count = PV_RUN_SECONDS;
    results->peak_bytes = (int64_t)pv_memory_peak_bytes();
    return PV_OK;
}

pv_status pv_run_results_make(const pv_finished_run *finished, pv_run_results *made_p)
{
    *made_p = (pv_run_results){0};
    const pv_status status = fill(finished, made_p);
    if (status != PV_OK) pv_run_results_release(made_p);
    return status;
}

void pv_run_results_release(pv_run_results *made)
{
    pv_mem_free(made->eigenvalues_ev);
    pv_mem_free(made->steps_s);
    pv_mem_free(made->forces);
    *made = (pv_run_results){0};
}
