// SPDX-License-Identifier: Apache-2.0
#include "dft/solve/bands.h"

#include <math.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/mem.h"
#include "dft/solve/energy.h"

#define EXPANSIONS 8    // a step
#define ROUGHEST   1e-4 // residual in Ha: an eigenvalue's error is its square over the gap to other bands

static pv_status step(pv_scf *scf, double residual, pv_scf_step *now, int *done_p)
{
    pv_electrons *electrons = scf->electrons;
    const double start = pv_clock_s();
    pv_eigen_report eigen;
    PV_TRY(pv_electrons_solve(electrons, scf->potential, residual, residual, EXPANSIONS, &eigen));
    const double energy = pv_energy_harris(electrons, scf->potential, scf->ewald_ha);
    *now = (pv_scf_step){.step = now->step + 1,
                         .energy_ha = energy,
                         .change_ha = energy - now->energy_ha,
                         .distance_ha = NAN,
                         .expansions = eigen.expansions,
                         .residual_ha = eigen.residual * residual,
                         .gap_ha = pv_scf_gap(electrons),
                         .seconds = pv_clock_s() - start};
    *done_p = eigen.residual <= 1.0;
    return pv_comm_broadcast(scf->system->comm, 0, sizeof *done_p, done_p);
}

static pv_status run(pv_scf *scf, int only_weightless, pv_scf_report report, void *context)
{
    const pv_dft_params *params = &scf->system->params;
    const double residual = fmin(sqrt(0.01 * params->tolerance_ha), ROUGHEST);
    pv_scf_step now = {0};
    int done = 0;
    PV_TRY(pv_potential_update(scf->potential, scf->in));
    while (!done && now.step < params->steps_max) {
        PV_TRY(step(scf, fmax(residual, 1e-9), &now, &done));
        if (!only_weightless) scf->steps = now.step;
        if (report) PV_TRY(report(context, &now));
    }
    scf->converged = done && (!only_weightless || scf->converged);
    return PV_OK;
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
