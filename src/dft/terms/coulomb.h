// SPDX-License-Identifier: Apache-2.0
// The Coulomb interaction of exact exchange between plane waves, and what stands for it at q + G = 0.
#ifndef PV_DFT_COULOMB_H
#define PV_DFT_COULOMB_H

#include "dft/model/cell.h"

typedef enum pv_coulomb_kind {
    PV_COULOMB_SCREENED,  // erfc(omega r) / r: J. Heyd, G. E. Scuseria, M. Ernzerhof, J. Chem. Phys. 118, 8207 (2003)
    PV_COULOMB_AUXILIARY, // 1 / r, F. Gygi and A. Baldereschi, Phys. Rev. B 34, 4405 (1986), with a Gaussian
    PV_COULOMB_TRUNCATED  // 1 / r inside a sphere: J. Spencer and A. Alavi, Phys. Rev. B 77, 193110 (2008)
} pv_coulomb_kind;

typedef struct pv_coulomb {
    pv_coulomb_kind kind;
    double omega_bohr;  // of PV_COULOMB_SCREENED, 1/bohr
    double radius_bohr; // of PV_COULOMB_TRUNCATED
    double zero;        // the value at q + G = 0, Ha bohr^3
} pv_coulomb;

// mesh: of k-points, over whose supercell the exchange hole extends; cutoff_ha: of the orbitals, sets the width of the
// Gaussian. radius_bohr: 0 for the sphere as large as the supercell. Pure.
pv_coulomb pv_coulomb_screened(double omega_bohr);
pv_coulomb pv_coulomb_auxiliary(const pv_cell *cell, const int mesh[3], double cutoff_ha);
pv_coulomb pv_coulomb_truncated(const pv_cell *cell, const int mesh[3], double radius_bohr);

// Its Fourier transform at |q + G|^2, Ha bohr^3. Pure.
double pv_coulomb_at(const pv_coulomb *coulomb, double square);

#endif
