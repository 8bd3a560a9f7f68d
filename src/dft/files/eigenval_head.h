// SPDX-License-Identifier: Apache-2.0
// The five lines that EIGENVAL and DOSCAR begin with.
#ifndef PV_DFT_EIGENVAL_HEAD_H
#define PV_DFT_EIGENVAL_HEAD_H

#include <stdio.h>

#include "dft/files/run.h"

// third, fourth: of the first line; EIGENVAL's last is the number of spins.
void pv_eigenval_put_head(FILE *out, const pv_run *run, int third, int fourth);

#endif
