// SPDX-License-Identifier: Apache-2.0
#include "dft/outcome.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "dft/gap.h"
#include "dft/model/units.h"
#include "dft/solve/energy.h"
#include "dft/warn.h"

static void say_energies(const pv_progress *progress, const pv_dft_energies *e)
{
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
        pv_progress_say(progress, line);
    }
}

static void say_states(const pv_progress *progress)
{
    const pv_electrons *electrons = progress->scf->electrons;
    const pv_results_gap gap = pv_gap_of(electrons);
    char line[PV_RESULTS_LINE];
    if (gap.known)
        pv_results_gap_line(&gap, line);
    else if (!electrons->occupation.partly_filled && isinf(gap.cbm))
        snprintf(line, sizeof line, "band gap   not known without empty bands (NBANDS above %d); the highest filled "
                 "state, at %.4f eV, is the Fermi energy", progress->scf->system->params.bands, gap.vbm);
    else
        snprintf(line, sizeof line, "band gap   none found; Fermi energy %.4f eV",
                 electrons->occupation.fermi_ha * PV_HARTREE_EV);
    pv_progress_say(progress, line);
    if (progress->scf->system->params.spins < 2) return;
    snprintf(line, sizeof line, "moment     %10.4f mu_B", pv_energy_moment(electrons));
    pv_progress_say(progress, line);
}

// A convention that shows in perfect crystals.
static pv_status say_left_out(const pv_progress *progress)
{
    const pv_scf *scf = progress->scf;
    const int atoms = scf->system->cell->atoms;
    double left_out;
    char line[240];
    PV_TRY(pv_xc_left_out(scf->potential->xc, &left_out));
    if (fabs(left_out) < 1e-6 * atoms) return PV_OK;
    snprintf(line, sizeof line,
             "note        without %.3e Ha of short-range exchange at grid points where the density is flat, as in "
             "Quantum ESPRESSO; LXCFLAT = .TRUE. counts it (for energies beside those of distorted crystals)",
             left_out);
    pv_progress_say(progress, line);
    if (pv_comm_rank(scf->system->comm) == 0) pv_warn_left_out(left_out / atoms);
    return PV_OK;
}

static void say_grid_error(const pv_progress *progress, const pv_grid_error *error)
{
    char line[PV_RESULTS_LINE];
    if (error->answer.known)
        pv_results_grid_error_line(&error->answer, progress->scf->system->cell->atoms, line);
    else if (error->is_wanted && error->why_not[0])
        snprintf(line, sizeof line, "exchange grid not compared with the full one: %s", error->why_not);
    else
        return;
    pv_progress_say(progress, line);
}

pv_status pv_outcome_say(const pv_progress *progress, const pv_dft_energies *energies,
                         const pv_grid_error *grid_error)
{
    const pv_scf *scf = progress->scf;
    if (!scf->system->kpoints->is_path) say_energies(progress, energies);
    say_states(progress);
    say_grid_error(progress, grid_error);
    if (pv_comm_rank(scf->system->comm) == 0 && scf->system->params.start_density < 10)
        pv_warn_full_top(scf->electrons);
    if (pv_comm_rank(scf->system->comm) == 0 && scf->hybrid && scf->hybrid->builds == 0)
        pv_warn_no_build(&scf->system->params, scf->steps);
    return say_left_out(progress);
}
