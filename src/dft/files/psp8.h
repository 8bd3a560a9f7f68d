// SPDX-License-Identifier: Apache-2.0
// psp8, the pseudopotential format of ABINIT for potentials made by ONCVPSP: norm-conserving on a uniform radial mesh.
// Energies in the file are in Ha, densities carry a factor of 4 pi. Spin-orbit files are refused.
#ifndef PV_DFT_PSP8_H
#define PV_DFT_PSP8_H

#include <stddef.h>

#include "dft/model/pseudo.h"

// Whether the text has the six header lines of a psp8 file.
int pv_psp8_is(const char *text, size_t length);
// The element that the file is for; "" when it cannot be told.
void pv_psp8_element(const char *text, size_t length, char element[8]);
// The potential before pv_pseudo_prepare; `name` stands for the file in messages.
pv_status pv_psp8_parse(const char *text, size_t length, const char *name, pv_pseudo **pseudo_p);

#endif
