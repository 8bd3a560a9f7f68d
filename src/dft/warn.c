// SPDX-License-Identifier: Apache-2.0
#include "dft/warn.h"

#include <math.h>

#include "base/log.h"

#define TOP_FILLING 1e-4               // share of the highest band that is worth a warning
#define LEFT_OUT_HA 1e-4               // energy an atom that a convention leaves out and that is worth a warning

void pv_warn_full_top(const pv_electrons *electrons)
{
    const pv_system *system = electrons->system;
    const int bands = system->params.bands, kpoints = system->kpoints->count;
    const double full = pv_dft_params_full(&system->params);
    int worst = -1;
    double most = TOP_FILLING;
    if (system->params.smearing == PV_SMEARING_FIXED) return;
    if (2.0 * bands <= system->params.electrons + 1e-6) return; // all bands are full, and there are to be no others
    for (int s = 0; s < electrons->states; s++) {
        const double share = fabs(electrons->filling[(int64_t)(s + 1) * bands - 1]) / full;
        if (system->kpoints->weight[s % kpoints] == 0.0 || share <= most) continue;
        most = share;
        worst = s % kpoints;
    }
    if (worst < 0) return;
    pv_log(PV_LOG_WARN,
           "the highest of the %d bands is filled to %.2g at k-point %d: states above it are missing "
           "from energy and density; raise NBANDS, or lower SIGMA",
           bands, most, worst + 1);
}

void pv_warn_no_build(const pv_dft_params *params, int steps)
{
    pv_log(
        PV_LOG_WARN,
        "LHFCALC = .TRUE., but in %d step%s exact exchange was not built: energies, bands and forces are those of the "
        "semilocal functional; raise NELM (now %d), or begin from the orbitals (parseval.h5) of a finished run",
        steps, steps == 1 ? "" : "s", params->steps_max);
}

void pv_warn_left_out(double left_out_ha)
{
    if (fabs(left_out_ha) <= LEFT_OUT_HA) return;
    pv_log(PV_LOG_WARN,
           "%.1e Ha an atom of short-range exchange is left out where the density is flat: the energy jumps by it when "
           "atoms leave their symmetric places; for differences from distorted crystals (defects, phonons, strain) "
           "give LXCFLAT = .TRUE. in all runs",
           fabs(left_out_ha));
}
