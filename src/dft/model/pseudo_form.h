// SPDX-License-Identifier: Apache-2.0
// Form factors: radial Fourier transforms of what a pseudopotential holds, at q = |G| or |k + G| in 1/bohr. The same
// calls for tables and analytic potentials. For an atom at tau in a cell of volume Omega:
//
//   V_loc(G)         = local_form(|G|) / Omega * exp(-i G tau)
//   <k+G|beta_i Y_lm> = projector_form(i, |k+G|) / sqrt(Omega) * (-i)^l Y_lm(k+G) * exp(-i (k+G) tau)
//   rho(G)           = density_form(|G|) / Omega * exp(-i G tau), core alike
//
// Y_lm real or complex, normalised to 1 on the sphere. All functions are pure and safe to call from many threads.
// Radial integrals: Simpson's rule to the first mesh point beyond 10 bohr (an odd count), as Quantum ESPRESSO 6.7;
// tabulated in q and interpolated to a relative 1e-10 of the largest value; beyond the table integrated directly.
#ifndef PV_DFT_PSEUDO_FORM_H
#define PV_DFT_PSEUDO_FORM_H

#include "dft/model/pseudo.h"

// 4 pi int r^2 V_loc(r) sin(qr)/(qr) dr in Ha bohr^3, with the Coulomb tail -4 pi Z / q^2 in it for q > 0. At q = 0
// the finite rest 4 pi int r^2 (V_loc(r) + Z/r) dr ("alpha Z").
double pv_pseudo_local_form(const pv_pseudo *pseudo, double q);
// 4 pi int r^2 beta_i(r) j_l(qr) dr.
double pv_pseudo_projector_form(const pv_pseudo *pseudo, int i, double q);
// 4 pi int r^2 rho_core(r) sin(qr)/(qr) dr; 0 without core correction.
double pv_pseudo_core_form(const pv_pseudo *pseudo, double q);
// The same of the atom's valence density, a start for self-consistency: about Z at q = 0, not exactly (scale it). Where
// the source has none (GTH, psp8 without one), a model density that integrates to Z.
double pv_pseudo_density_form(const pv_pseudo *pseudo, double q);

#endif
