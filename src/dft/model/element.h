// SPDX-License-Identifier: Apache-2.0
// The chemical elements: symbols, masses, sizes.
#ifndef PV_DFT_ELEMENT_H
#define PV_DFT_ELEMENT_H

// Atomic number of an exact symbol ("Hf" gives 72); 0 when there is none.
int pv_element_number(const char *symbol);
// Symbol of an atomic number from 1 to 118; NULL outside.
const char *pv_element_symbol(int number);
// Standard atomic weight (IUPAC 2016), in unified atomic mass units; 0 outside.
double pv_element_mass(int number);
// Covalent radius in Angstrom (B. Cordero et al., Dalton Trans. 2832 (2008)), about 1.6 beyond Cm; 0 outside.
double pv_element_radius(int number);

#endif
