// SPDX-License-Identifier: Apache-2.0
// What vasprun.xml says of the input: program, INCAR, parameters, k-points, atoms.
#ifndef PV_DFT_VASPRUN_INPUT_H
#define PV_DFT_VASPRUN_INPUT_H

#include <stdio.h>

#include "dft/files/run.h"

void pv_vasprun_put_input(FILE *out, const pv_run *run);

#endif
