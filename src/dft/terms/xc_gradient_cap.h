// SPDX-License-Identifier: Apache-2.0
// Large gradients in screened exchange. The enhancement over the exchange hole of Ernzerhof and Perdew is wrong above a
// reduced gradient s of 8.57, so its makers hold s below that (J. Heyd, G. E. Scuseria and M. Ernzerhof, J. Chem. Phys.
// 118, 8207 (2003), and their code, which Quantum ESPRESSO has): s to 8.3, 8.572844 - 18.79622316 / s^2 above. libxc
// bends s from 1 on instead, which moves states in a vacuum by 25 meV. Here libxc is given the gradient that it bends to
// what the makers meant.
#ifndef PV_DFT_XC_GRADIENT_CAP_H
#define PV_DFT_XC_GRADIENT_CAP_H

// What the functional takes in the place of a density's squared gradient, and its derivatives by the squared gradient
// and by the density.
typedef struct pv_xc_capped {
    double sigma, by_sigma, by_density;
} pv_xc_capped;

// density, sigma: of both spins together (spins = 1) or of one of two. Pure.
pv_xc_capped pv_xc_cap_gradient(int spins, double density, double sigma);

#endif
