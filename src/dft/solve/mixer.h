// SPDX-License-Identifier: Apache-2.0
// The next density from earlier ones: Pulay's mixing (P. Pulay, Chem. Phys. Lett. 73, 393 (1980)) of densities in plane
// waves, with residuals measured by their electrostatic energy; optionally after Kerker's damping of long waves (G. P.
// Kerker, Phys. Rev. B 23, 3082 (1981)). Steps are kept in bounds; docs/decisions/0027-mixing.md.
#ifndef PV_DFT_MIXER_H
#define PV_DFT_MIXER_H

#include "dft/model/grid.h"
#include "linalg/dense.h"

typedef struct pv_mixer pv_mixer;

typedef struct pv_mixer_damping {
    double amount;                     // of the residual that is added
    double kerker_bohr;                // waves longer than this wave number are damped, 1/bohr; 0: none
    double moment_amount, moment_kerker_bohr; // the same for the magnetisation
} pv_mixer_damping;

// history: densities remembered. Densities are [spins][waves] on the grid's device, in the order of its stream: the
// total, or up and down, which are mixed as total and difference. dense: of the host. Local.
pv_status pv_mixer_create(const pv_grid *grid, pv_dense *dense, int spins, int history,
                          const pv_mixer_damping *damping, pv_mixer **mixer_p);
void pv_mixer_destroy(pv_mixer *mixer);

// From now on: other amounts and wave numbers. Local.
pv_status pv_mixer_damp(pv_mixer *mixer, const pv_mixer_damping *damping);

// Electrostatic energy of (out - in), in Ha, and as much again for the magnetisation, as if it were a charge screened
// at 1/bohr: the estimate of the error of the energy. Collective.
pv_status pv_mixer_distance(const pv_mixer *mixer, const double _Complex *in, const double _Complex *out,
                            double *distance_ha_p);

// in: the density that went in; becomes the next one. out: what came out of it. Collective.
pv_status pv_mixer_mix(pv_mixer *mixer, double _Complex *in, const double _Complex *out);

// The same density will lead to another one from now on (exact exchange was built anew): what steps before and after
// say may be compared only among themselves. Local.
void pv_mixer_change_map(pv_mixer *mixer);

#endif
