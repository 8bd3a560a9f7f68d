// SPDX-License-Identifier: Apache-2.0
#include "dft/solve/bands.h"

#include <math.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/mem.h"
#include "dft/solve/energy.h"

#define EXPANSIONS 8    // a step
#define SETTLED_HA 1e-6 // an eigenvalue that changes less from one exchange to the next
#define ENOUGH     3e-5 // residual in Ha of an empty band
#define ROUGHEST   1e-4 // residual in Ha: an eigenvalue's error is its square over the gap to other bands

static pv_status step(pv_scf *scf, double residual, pv_scf_step *now, int *done_p)
{
    pv_electrons *electrons = scf->electrons;
    const double start = pv_clock_s();
    pv_eigen_report eigen;
    PV_TRY(pv_electrons_solve(electrons, scf->potential, residual, residual, EXPANSIONS, &eigen));
    const double energy = pv_scf_energy(scf);
    *now = (pv_scf_step){.step = now->step + 1,
                         .energy_ha = energy,
                         .change_ha = now->step > 0 ? energy - now->energy_ha : energy,
                         .distance_ha = NAN,
                         .expansions = eigen.expansions,
                         .residual_ha = eigen.residual * residual,
                         .gap_ha = pv_scf_gap(electrons),
                         .seconds = pv_clock_s() - start};
    *done_p = eigen.residual <= 1.0;
    return pv_comm_broadcast(scf->system->comm, 0, sizeof *done_p, done_p);
}

// Largest change of an eigenvalue of the points that are solved; they are kept for the next time. The topmost bands mix
// with those beyond NBANDS, on which compressed exchange does not act, and settle last of all: they do not count.
static double change_since(const pv_electrons *electrons, double *before)
{
    const pv_system *system = electrons->system;
    const int bands = system->params.bands, counted = bands - 1 - bands / 10;
    double change = 0.0;
    for (int64_t i = 0; i < (int64_t)electrons->states * bands; i++) {
        if (i % bands < counted && !electrons->rests[i / bands % system->kpoints->count])
            change = fmax(change, fabs(electrons->eigenvalues_ha[i] - before[i]));
        before[i] = electrons->eigenvalues_ha[i];
    }
    return change;
}

// Until the residuals are small.
static pv_status solve(pv_scf *scf, int counts, pv_scf_step *now, int *done_p, pv_scf_report report, void *context)
{
    const pv_dft_params *params = &scf->system->params;
    const double residual = fmax(fmin(sqrt(0.01 * params->tolerance_ha), ROUGHEST), 1e-9);
    for (int done = *done_p = 0; !done && now->step < params->steps_max; *done_p = done) {
        const pv_status status = step(scf, residual, now, &done);
        if (status == PV_ERR_STOPPED) return pv_scf_interrupt(now, report, context);
        PV_TRY(status);
        if (counts) scf->steps = now->step;
        if (report) PV_TRY(report(context, now));
    }
    return PV_OK;
}

// Exact exchange acts as the operator of its last build, which knows the orbitals that it was built from: those of
// points of weight 0 make it anew until their energies settle.
static pv_status run(pv_scf *scf, int only_weightless, pv_scf_report report, void *context)
{
    const pv_electrons *electrons = scf->electrons;
    const double settled = fmax(scf->system->params.tolerance_ha, SETTLED_HA);
    pv_scf_step now = {.energy_ha = scf->steps > 0 ? pv_scf_energy(scf) : 0.0};
    double *before; // eigenvalues; at first 0, far from all of them
    int done = 0;
    PV_TRY(pv_potential_update(scf->potential, scf->in));
    PV_TRY(pv_comm_agree(scf->system->comm, PV_ALLOC(electrons->states * scf->system->params.bands, &before)));
    pv_status status = solve(scf, !only_weightless, &now, &done, report, context);
    double change = change_since(electrons, before);
    while (status == PV_OK && done && scf->hybrid && change >= settled) {
        status = pv_hybrid_build(scf->hybrid, scf->note_build, scf->note_context);
        if (status == PV_ERR_STOPPED) status = pv_scf_interrupt(&now, report, context);
        if (status == PV_OK) status = solve(scf, !only_weightless, &now, &done, report, context);
        change = change_since(electrons, before);
        if (status == PV_OK) status = pv_comm_broadcast(scf->system->comm, 0, sizeof change, &change);
    }
    pv_mem_free(before);
    scf->converged = done && (!only_weightless || scf->converged);
    return status;
}

pv_status pv_bands_run(pv_scf *scf, int only_weightless, pv_scf_report report, void *context)
{
    const pv_kpoints *kpoints = scf->system->kpoints;
    pv_electrons *electrons = scf->electrons;
    for (int k = 0; k < kpoints->count; k++) electrons->rests[k] = only_weightless && kpoints->weight[k] > 0.0;
    if (scf->fermi_is_known && !only_weightless) electrons->held_fermi_ha = scf->known_fermi_ha;
    const pv_status status = run(scf, only_weightless, report, context);
    electrons->held_fermi_ha = NAN;
    for (int k = 0; k < kpoints->count; k++) electrons->rests[k] = kpoints->weight[k] == 0.0;
    return status;
}

pv_status pv_bands_settle(pv_scf *scf)
{
    const double residual = fmax(fmin(sqrt(0.01 * scf->system->params.tolerance_ha), ROUGHEST), 1e-9);
    pv_eigen_report eigen = {.residual = 2.0};
    for (int pass = 0; pass < 4 && eigen.residual > 1.0; pass++) {
        const pv_status status =
            pv_electrons_solve(scf->electrons, scf->potential, residual, fmax(residual, ENOUGH), EXPANSIONS, &eigen);
        if (status == PV_ERR_STOPPED) break;
        PV_TRY(status);
        PV_TRY(pv_comm_broadcast(scf->system->comm, 0, sizeof eigen, &eigen));
    }
    return pv_electrons_density(scf->electrons, scf->out);
}
