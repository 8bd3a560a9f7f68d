// SPDX-License-Identifier: Apache-2.0
// UPF 2, the pseudopotential format of Quantum ESPRESSO: norm-conserving, scalar-relativistic. Energies in the file are
// in Ry. Ultrasoft, PAW, spin-orbit, semilocal and Coulomb potentials, UPF 1 and the XML schema are refused by name.
#ifndef PV_DFT_UPF_H
#define PV_DFT_UPF_H

#include <stddef.h>

#include "dft/model/pseudo.h"

// Whether the text is a UPF file of any version.
int pv_upf_is(const char *text, size_t length);
// The element that the file is for; "" when it cannot be told.
void pv_upf_element(const char *text, size_t length, char element[8]);
// The potential before pv_pseudo_prepare; `name` stands for the file in messages.
pv_status pv_upf_parse(const char *text, size_t length, const char *name, pv_pseudo **pseudo_p);

#endif
