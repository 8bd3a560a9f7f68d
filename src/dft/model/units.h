// SPDX-License-Identifier: Apache-2.0
// Hartree atomic units (hbar = m_e = e = 4 pi eps0 = 1) and every conversion constant of the program.
// Source of all: CODATA 2018 (Tiesinga, Mohr, Newell, Taylor, Rev. Mod. Phys. 93, 025010 (2021)).
#ifndef PV_DFT_UNITS_H
#define PV_DFT_UNITS_H

#define PV_PI 3.14159265358979323846

#define PV_HARTREE_EV 27.211386245988      // Hartree energy in eV
#define PV_BOHR_ANGSTROM 0.529177210903    // Bohr radius in Angstrom
#define PV_RYDBERG_HARTREE 0.5             // exact
#define PV_HARTREE_JOULE 4.3597447222071e-18
#define PV_BOHR_METRE 5.29177210903e-11

// Derived from the above.
#define PV_HARTREE_BOHR_EV_ANGSTROM (PV_HARTREE_EV / PV_BOHR_ANGSTROM) // force
#define PV_HARTREE_BOHR3_KBAR \
    (PV_HARTREE_JOULE / (PV_BOHR_METRE * PV_BOHR_METRE * PV_BOHR_METRE) * 1e-8) // pressure; 1 kbar = 1e8 Pa

#endif
