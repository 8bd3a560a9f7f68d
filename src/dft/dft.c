// SPDX-License-Identifier: Apache-2.0
#include <parseval/dft.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/message.h"
#include "dft/files/results.h"
#include "dft/gap.h"
#include "dft/history.h"
#include "dft/keep.h"
#include "dft/machine.h"
#include "dft/model/units.h"
#include "dft/plan_text.h"
#include "dft/run_files.h"
#include "dft/solve/bands.h"
#include "dft/solve/energy.h"
#include "dft/solve/forces.h"
#include "dft/solve/scf.h"
#include "dft/solve/stress.h"
#include "dft/start.h"
#include "dft/warn.h"

#define SAY_S 10.0                     // a long step, or build of exchange, is heard from so often

struct pv_dft {
    pv_comm *comm;
    pv_dft_options options;
    pv_system *system;
    pv_scf *scf;
    char *plan;
    pv_dft_energies energies;
    double (*forces)[3];
    double stress_ha_bohr3[3][3];
    pv_history history;
    pv_keep keep;
    pv_dft_machine machine;
    time_t started;
    double start_s, setup_s, forces_s, total_s;
    double build_start_s, build_said_s, build_done; // of the exchange in the making
    double step_start_s, heard_s;      // of the step in the making: when it began, when something was said of it
    int progress_failed;
};

static int is_fixed(const pv_dft *dft) { return dft->system->params.start_density >= 10; }

pv_dft_options pv_dft_options_defaults(void)
{
    return (pv_dft_options){.directory = ".", .engine = "auto", .checkpoint_interval_s = 300.0};
}

pv_status pv_dft_create(pv_comm *comm, const pv_dft_options *options, pv_dft **dft_p)
{
    pv_dft *dft;
    PV_TRY(PV_ALLOC(1, &dft));
    dft->start_s = pv_clock_s();
    dft->started = time(NULL);
    dft->comm = comm;
    dft->options = options ? *options : pv_dft_options_defaults();
    pv_status status;
    PV_TRY_GOTO(pv_system_create_on(comm, dft->options.orbital_comm, dft->options.directory,
                                    dft->options.pseudo_directory, dft->options.engine, &dft->system),
                status, failed);
    PV_TRY_GOTO(pv_dft_machine_count(dft->system->all_orbital_comm, &dft->machine), status, failed);
    status = pv_dft_plan_write(dft->system, &dft->plan);
    if (status == PV_OK) status = PV_ALLOC(dft->system->cell->atoms, &dft->forces);
    PV_TRY_GOTO(pv_comm_agree(comm, status), status, failed);
    PV_TRY_GOTO(pv_keep_check(&dft->options, dft->system, !is_fixed(dft)), status, failed);
    *dft_p = dft;
    return PV_OK;
failed:
    pv_dft_destroy(dft);
    return status;
}

void pv_dft_destroy(pv_dft *dft)
{
    if (!dft) return;
    pv_scf_destroy(dft->scf);
    pv_system_destroy(dft->system);
    pv_mem_free(dft->plan);
    pv_mem_free(dft->forces);
    pv_history_release(&dft->history);
    pv_mem_free(dft);
}

const char *pv_dft_plan_text(const pv_dft *dft) { return dft->plan; }

// ---- Progress ----------------------------------------------------------------------------------------------------

static void say(const pv_dft *dft, const char *line)
{
    if (dft->options.say && pv_comm_rank(dft->comm) == 0) dft->options.say(dft->options.say_context, line);
}

static void begin_step(pv_dft *dft) { dft->step_start_s = dft->heard_s = pv_clock_s(); }

// A run whose results are still to come does not end for want of room on a disk.
static void write_progress(pv_dft *dft)
{
    const pv_history *history = &dft->history;
    char path[4096];
    if (!dft->options.progress_directory || pv_comm_rank(dft->comm) > 0 || dft->progress_failed) return;
    if (history->status != PV_OK || history->count == 0) return;
    snprintf(path, sizeof path, "%s/OSZICAR", dft->options.progress_directory);
    dft->progress_failed = pv_oszicar_add(path, history->count, &history->step[history->count - 1]) != PV_OK;
    if (dft->progress_failed)
        pv_log(PV_LOG_WARN, "OSZICAR has no more steps until the run ends (%s)",
               pv_message_without_function(pv_last_error()));
}

static pv_status note_step(void *context, const pv_scf_step *step)
{
    pv_dft *dft = context;
    char line[160];
    begin_step(dft);
    if (step->interrupted) return pv_keep_after_step(&dft->keep, step);
    pv_history_add(&dft->history, dft->scf, step);
    write_progress(dft);
    if (step->build_s > 0.0) {
        snprintf(line, sizeof line, "      exchange %d  %16.10f Ha, the last one missed %9.2e%38.2f", step->builds,
                 step->exchange_ha, step->exchange_error_ha, step->build_s);
        say(dft, line);
        snprintf(line, sizeof line, "      exchange in single precision is off by %.2e Ha", step->single_error_ha);
        if (step->single_error_ha > 0.0) say(dft, line);
    }
    snprintf(line, sizeof line, "%4d  %18.10f  %10.2e  %9.2e  %2d  %7.3f  %6.2f", step->step, step->energy_ha,
             step->change_ha, isnan(step->distance_ha) ? step->residual_ha : step->distance_ha, step->expansions,
             step->gap_ha * PV_HARTREE_EV, step->seconds);
    say(dft, line);
    return pv_keep_after_step(&dft->keep, step);
}

// A long build is heard from every few seconds.
static int note_build(void *context, double done)
{
    pv_dft *dft = context;
    const double now_s = pv_clock_s();
    char line[120];
    if (done < dft->build_done) dft->build_start_s = dft->build_said_s = now_s;
    dft->build_done = done;
    if (now_s - dft->build_said_s < SAY_S || done <= 0.0) return pv_keep_hears_stop(&dft->keep);
    dft->build_said_s = now_s;
    snprintf(line, sizeof line, "      exchange: %3.0f %% done, about %.0f s left", 100.0 * done,
             (now_s - dft->build_start_s) * (1.0 - done) / done);
    say(dft, line);
    return pv_keep_hears_stop(&dft->keep);
}

static int hears_stop(void *context)
{
    pv_dft *dft = context;
    const pv_electrons *electrons = dft->scf->electrons;
    const double now_s = pv_clock_s();
    char line[120];
    if (now_s - dft->heard_s >= SAY_S) {
        dft->heard_s = now_s;
        snprintf(line, sizeof line, "      orbitals: %d of %d k-points%s done after %.0f s", electrons->solved,
                 electrons->to_solve, dft->system->params.spins == 2 ? " and spins" : "", now_s - dft->step_start_s);
        say(dft, line);
    }
    return pv_keep_hears_stop(&dft->keep);
}

// Steps that add nothing to the history of the self-consistent ones.
static pv_status note_bands(void *context, const pv_scf_step *step)
{
    pv_dft *dft = context;
    char line[160];
    begin_step(dft);
    if (step->interrupted) return pv_keep_after_step(&dft->keep, step);
    snprintf(line, sizeof line, "      %d k-points of weight 0: residual %9.2e Ha, %2d  %6.2f",
             pv_kpoints_weightless(dft->system->kpoints), step->residual_ha, step->expansions, step->seconds);
    say(dft, line);
    return pv_keep_after_step(&dft->keep, step);
}

static void say_energies(const pv_dft *dft)
{
    const pv_dft_energies *e = &dft->energies;
    const struct {
        const char *name;
        double value;
    } parts[] = {{"kinetic", e->kinetic_ha}, {"local", e->local_ha},   {"nonlocal", e->nonlocal_ha},
                 {"hartree", e->hartree_ha}, {"xc", e->xc_ha},         {"ewald", e->ewald_ha},
                 {"fock", e->fock_ha}, {"-TS", e->smearing_ha},    {"total F", e->free_ha}};
    char line[80];
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i].value == 0.0 && strcmp(parts[i].name, "fock") == 0) continue;
        const double value = fabs(parts[i].value) < 5e-11 ? 0.0 : parts[i].value; // no -0
        snprintf(line, sizeof line, "%-10s %18.10f Ha", parts[i].name, value);
        say(dft, line);
    }
}

static void say_states(const pv_dft *dft)
{
    const pv_results_gap gap = pv_gap_of(dft->scf->electrons);
    char line[160];
    if (gap.known)
        snprintf(line, sizeof line, "band gap   %10.4f eV (direct %.4f), from %.4f to %.4f eV", gap.fundamental, gap.direct,
                 gap.vbm, gap.cbm);
    else
        snprintf(line, sizeof line, "band gap   none found; Fermi energy %.4f eV",
                 dft->scf->electrons->occupation.fermi_ha * PV_HARTREE_EV);
    say(dft, line);
    if (dft->system->params.spins < 2) return;
    snprintf(line, sizeof line, "moment     %10.4f mu_B", pv_energy_moment(dft->scf->electrons));
    say(dft, line);
}

// A convention that shows in perfect crystals.
static pv_status say_left_out(pv_dft *dft)
{
    double left_out;
    char line[240];
    PV_TRY(pv_xc_left_out(dft->scf->potential->xc, &left_out));
    if (fabs(left_out) < 1e-6 * dft->system->cell->atoms) return PV_OK;
    snprintf(line, sizeof line,
             "note        without %.3e Ha of short-range exchange at grid points where the density is flat, as in "
             "Quantum ESPRESSO; LXCFLAT = .TRUE. counts it (for energies beside those of distorted crystals)", left_out);
    say(dft, line);
    if (pv_comm_rank(dft->comm) == 0) pv_warn_left_out(left_out / dft->system->cell->atoms);
    return PV_OK;
}

// ---- Solving -----------------------------------------------------------------------------------------------------

// The folder's files for a start.
static pv_status start(pv_dft *dft)
{
    char chgcar[4096], said[256], line[320];
    snprintf(chgcar, sizeof chgcar, "%s/CHGCAR", dft->options.directory);
    const pv_start_files files = {dft->options.checkpoint, chgcar};
    PV_TRY(pv_start(dft->scf, &files, said));
    snprintf(line, sizeof line, "start       %s", said);
    say(dft, line);
    const char *obstacle = pv_keep_obstacle(&dft->keep);
    if (!obstacle) return PV_OK;
    snprintf(line, sizeof line, "checkpoint  none: %s", obstacle);
    say(dft, line);
    return PV_OK;
}

static pv_status find_bands(pv_dft *dft)
{
    pv_scf *scf = dft->scf;
    say(dft, "step       energy (Ha)      change  residual  it  gap(eV)       s");
    PV_TRY(pv_bands_run(scf, 0, note_step, dft));
    return pv_electrons_density(scf->electrons, scf->out);
}

static pv_status find_ground_state(pv_dft *dft)
{
    pv_scf *scf = dft->scf;
    if (scf->hybrid) say(dft, pv_fock_text(scf->hybrid->fock));
    say(dft, "step       energy (Ha)      change   density  it  gap(eV)       s");
    PV_TRY(pv_scf_run(scf, note_step, dft));
    if (scf->converged && scf->is_loose) PV_TRY(pv_bands_settle(scf));
    return pv_kpoints_weightless(dft->system->kpoints) > 0 ? pv_bands_run(scf, 1, note_bands, dft) : PV_OK;
}

static pv_status find_derivatives(pv_dft *dft)
{
    pv_scf *scf = dft->scf;
    PV_TRY(pv_forces(scf->electrons, scf->potential, scf->out, dft->forces));
    if (!dft->system->params.stress) return PV_OK;
    return pv_stress(scf->electrons, scf->potential, scf->out, dft->stress_ha_bohr3);
}

pv_status pv_dft_solve(pv_dft *dft)
{
    pv_scf_destroy(dft->scf);
    dft->scf = NULL;
    PV_TRY(pv_scf_create(dft->system, &dft->scf));
    pv_scf *scf = dft->scf;
    dft->keep = pv_keep_begin(&dft->options, scf, !is_fixed(dft));
    scf->note_build = note_build;
    scf->note_context = dft;
    scf->electrons->stop = hears_stop;
    scf->electrons->stop_context = dft;
    dft->build_done = 2.0;
    PV_TRY(start(dft));
    dft->setup_s = pv_clock_s() - dft->start_s;
    pv_history_release(&dft->history);
    dft->history = pv_history_begin();
    begin_step(dft);
    PV_TRY(is_fixed(dft) ? find_bands(dft) : find_ground_state(dft));
    PV_TRY(pv_keep_at_end(&dft->keep, pv_scf_energy(scf)));
    const double start_s = pv_clock_s();
    PV_TRY(pv_energy_parts(scf->electrons, scf->potential, scf->out, scf->hybrid, scf->ewald_ha, &dft->energies));
    if (!is_fixed(dft)) PV_TRY(find_derivatives(dft));
    dft->forces_s = pv_clock_s() - start_s;
    dft->total_s = pv_clock_s() - dft->start_s;
    if (!dft->system->kpoints->is_path) say_energies(dft);
    say_states(dft);
    if (pv_comm_rank(dft->comm) == 0 && !is_fixed(dft)) pv_warn_full_top(dft->scf->electrons);
    PV_TRY(say_left_out(dft));
    return PV_OK;
}

void pv_dft_summarise(const pv_dft *dft, pv_dft_summary *summary_p)
{
    const pv_system *system = dft->system;
    const pv_electrons *electrons = dft->scf->electrons;
    *summary_p = (pv_dft_summary){
        .converged = dft->scf->converged,
        .steps = dft->scf->steps,
        .energies = dft->energies,
        .fermi_ha = electrons->occupation.fermi_ha,
        .spins = system->params.spins,
        .kpoints = system->kpoints->count,
        .bands = system->params.bands,
        .atoms = system->cell->atoms,
        .kpoint = (const double (*)[3])system->kpoints->fractional,
        .weight = system->kpoints->weight,
        .eigenvalues_ha = electrons->eigenvalues_ha,
        .filling = electrons->filling,
        .forces_ha_bohr = is_fixed(dft) ? NULL : (const double (*)[3])dft->forces,
        .stress_ha_bohr3 = system->params.stress && !is_fixed(dft) ? dft->stress_ha_bohr3 : NULL,
    };
}

// ---- results.json ------------------------------------------------------------------------------------------------

static pv_results_machine machine_of(const pv_dft *dft)
{
    const pv_device *device = pv_comm_device(dft->comm);
    return (pv_results_machine){.ranks = pv_comm_size(dft->comm), .threads = pv_device_threads(device),
                                .nodes = dft->machine.nodes, .gpus = dft->machine.gpus,
                                .groups = dft->system->groups.count, .device = pv_device_name(dft->system->device),
                                .transport = pv_comm_transport(dft->system->all_orbital_comm)};
}

static pv_status write_results(const pv_dft *dft, const char *path, double *eigenvalues_ev, double (*forces)[3],
                               double *steps_s)
{
    const pv_system *system = dft->system;
    const pv_scf *scf = dft->scf;
    const pv_electrons *electrons = scf->electrons;
    const pv_dft_energies *e = &dft->energies;
    const int64_t count = (int64_t)electrons->states * system->params.bands;
    for (int64_t i = 0; i < count; i++) eigenvalues_ev[i] = electrons->eigenvalues_ha[i] * PV_HARTREE_EV;
    for (int a = 0; a < system->cell->atoms; a++)
        for (int d = 0; d < 3; d++) forces[a][d] = dft->forces[a][d] * PV_HARTREE_BOHR_EV_ANGSTROM;
    double stress[3][3];
    for (int i = 0; i < 9; i++) stress[i / 3][i % 3] = dft->stress_ha_bohr3[i / 3][i % 3] * PV_HARTREE_BOHR3_KBAR;
    const pv_results_entry energies[] = {
        {"kinetic", e->kinetic_ha}, {"local", e->local_ha}, {"nonlocal", e->nonlocal_ha},   {"hartree", e->hartree_ha},
        {"xc", e->xc_ha},           {"ewald", e->ewald_ha}, {"fock", e->fock_ha}, {"smearing", e->smearing_ha},
    };
    double part_s[PV_HAMILTONIAN_PARTS];
    for (int p = 0; p < PV_HAMILTONIAN_PARTS; p++) PV_TRY(pv_stopwatch_read(electrons->watch, p, &part_s[p]));
    const pv_results_entry seconds[] = {
        {"total", dft->total_s},          {"setup", dft->setup_s},
        {"eigensolver", electrons->solve_s}, {"local_potential", part_s[PV_HAMILTONIAN_LOCAL]},
        {"nonlocal_potential", part_s[PV_HAMILTONIAN_NONLOCAL]}, {"move", part_s[PV_HAMILTONIAN_MOVE]},
        {"density", electrons->density_s}, {"potential", scf->potential_s},
        {"mixing", scf->mix_s},           {"exchange_builds", scf->hybrid ? scf->hybrid->build_s : 0.0},
        {"exchange_messages", scf->hybrid ? scf->hybrid->way_s : 0.0},
        {"exchange_waits", scf->hybrid ? scf->hybrid->waited_s : 0.0},
        {"exchange_applied", part_s[PV_HAMILTONIAN_ACE]},        {"energies_forces_stress", dft->forces_s},
        {"communication", pv_comm_seconds()},
    };
    pv_history_seconds(&dft->history, steps_s);
    const pv_results results = {
        .machine = machine_of(dft),
        .step_s = dft->history.count == scf->steps ? steps_s : NULL,
        .converged = scf->converged,
        .energy_ha = e->free_ha,
        .energy_sigma0_ha = e->sigma0_ha,
        .atoms = system->cell->atoms,
        .spins = system->params.spins,
        .kpoints = system->kpoints->count,
        .bands = system->params.bands,
        .kpoint = (const double (*)[3])system->kpoints->fractional,
        .weight = system->kpoints->weight,
        .eigenvalue_ev = eigenvalues_ev,
        .occupation = electrons->filling,
        .gap_ev = pv_gap_of(electrons),
        .force_ev_angstrom = is_fixed(dft) ? NULL : (const double (*)[3])forces,
        .stress_kbar = system->params.stress && !is_fixed(dft) ? (const double (*)[3])stress : NULL,
        .fermi_ev = electrons->occupation.fermi_ha * PV_HARTREE_EV,
        .energy = energies,
        .energies = sizeof energies / sizeof *energies,
        .iterations = scf->steps,
        .seconds = seconds,
        .seconds_count = sizeof seconds / sizeof *seconds,
        .peak_bytes = (int64_t)pv_memory_peak_bytes(),
    };
    return pv_results_write(path, &results);
}

pv_status pv_dft_write_results(pv_dft *dft, const char *path)
{
    PV_REQUIRE(dft->scf, PV_ERR_ARGUMENT, "results of a calculation that was not solved; call pv_dft_solve first");
    pv_status status = PV_OK;
    if (pv_comm_rank(dft->comm) == 0) {
        double *eigenvalues = NULL, (*forces)[3] = NULL, *steps_s = NULL;
        status = PV_ALLOC(dft->scf->electrons->states * dft->system->params.bands, &eigenvalues);
        if (status == PV_OK) status = PV_ALLOC(dft->system->cell->atoms, &forces);
        if (status == PV_OK) status = PV_ALLOC(PV_RESULTS_SECONDS * dft->history.count, &steps_s);
        if (status == PV_OK) status = write_results(dft, path, eigenvalues, forces, steps_s);
        pv_mem_free(steps_s);
        pv_mem_free(eigenvalues);
        pv_mem_free(forces);
    }
    return pv_comm_agree(dft->comm, status);
}

pv_status pv_dft_write_files(pv_dft *dft, const char *directory, const char *version)
{
    PV_REQUIRE(dft->scf, PV_ERR_ARGUMENT, "files of a calculation that was not solved; call pv_dft_solve first");
    pv_dft_summary summary;
    pv_dft_summarise(dft, &summary);
    const pv_finished_run finished = {.scf = dft->scf, .summary = &summary, .history = &dft->history,
                                      .input = dft->options.directory, .version = version, .started = dft->started,
                                      .seconds = pv_clock_s() - dft->start_s, .cpu_seconds = pv_history_cpu_s(),
                                      .setup_s = dft->setup_s, .forces_s = dft->forces_s, .machine = dft->machine};
    return pv_run_files_write(&finished, directory);
}
