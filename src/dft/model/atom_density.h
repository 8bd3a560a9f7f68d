// SPDX-License-Identifier: Apache-2.0
// A model of an atom's valence density by Slater's rules (Phys. Rev. 36, 57 (1930)): the start of self-consistency for
// potentials that bring no density of their own.
#ifndef PV_DFT_ATOM_DENSITY_H
#define PV_DFT_ATOM_DENSITY_H

#define PV_ATOM_SHELLS 20

typedef struct pv_atom_density {
    int shells;
    struct {
        double electrons;
        double quantum;        // Slater's effective principal quantum number n
        double exponent;       // density r^(2 n - 2) exp(-exponent r), 1/bohr
    } shell[PV_ATOM_SHELLS];   // outermost first
} pv_atom_density;

// The outermost `valence` electrons of element `number`.
pv_atom_density pv_atom_density_of(int number, double valence);
// 4 pi int r^2 rho(r) sin(qr)/(qr) dr; the number of electrons at q = 0.
double pv_atom_density_form(const pv_atom_density *density, double q);

#endif
