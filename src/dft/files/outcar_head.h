// SPDX-License-Identifier: Apache-2.0
// What stands in OUTCAR before the first step: the machine, the input, the potentials, the cell, the k-points.
#ifndef PV_DFT_OUTCAR_HEAD_H
#define PV_DFT_OUTCAR_HEAD_H

#include <stdio.h>

#include "dft/files/run.h"

void pv_outcar_put_rule(FILE *out);
void pv_outcar_put_lattice(FILE *out, const pv_cell *cell);
void pv_outcar_put_head(FILE *out, const pv_run *run);

#endif
