// SPDX-License-Identifier: Apache-2.0
#include "dft/gap.h"

#include <math.h>

#include "dft/model/units.h"

static void copy_point(double to[3], const double from[3])
{
    for (int d = 0; d < 3; d++) to[d] = from[d];
}

pv_results_gap pv_gap_of(const pv_electrons *electrons)
{
    const pv_system *system = electrons->system;
    const int bands = system->params.bands, kpoints = system->kpoints->count;
    const double full = pv_dft_params_full(&system->params);
    double spin_below[2] = {-INFINITY, -INFINITY}, spin_above[2] = {INFINITY, INFINITY};
    pv_results_gap gap = {.known = !electrons->occupation.partly_filled,
                          .direct = INFINITY,
                          .vbm = -INFINITY,
                          .cbm = INFINITY,
                          .spin = {NAN, NAN}};
    for (int s = 0; s < electrons->states; s++) {
        double below = -INFINITY, above = INFINITY;
        for (int b = 0; b < bands; b++) {
            const double e = electrons->eigenvalues_ha[s * bands + b] * PV_HARTREE_EV;
            if (electrons->filling[s * bands + b] > 0.5 * full)
                below = fmax(below, e);
            else
                above = fmin(above, e);
        }
        if (below > gap.vbm) copy_point(gap.vbm_k, system->kpoints->fractional[s % kpoints]), gap.vbm = below;
        if (above < gap.cbm) copy_point(gap.cbm_k, system->kpoints->fractional[s % kpoints]), gap.cbm = above;
        gap.direct = fmin(gap.direct, above - below);
        spin_below[s / kpoints] = fmax(spin_below[s / kpoints], below);
        spin_above[s / kpoints] = fmin(spin_above[s / kpoints], above);
    }
    if (system->params.spins == 2)
        for (int spin = 0; spin < 2; spin++) gap.spin[spin] = spin_above[spin] - spin_below[spin];
    gap.fundamental = gap.cbm - gap.vbm;
    gap.known = gap.known && isfinite(gap.fundamental);
    return gap;
}
