// SPDX-License-Identifier: Apache-2.0
// What the user of a finished run should know before its energies are used. One rank tells.
#ifndef PV_DFT_WARN_H
#define PV_DFT_WARN_H

#include "dft/solve/electrons.h"

// Smearing that reaches beyond NBANDS leaves out energy and charge.
void pv_warn_full_top(const pv_electrons *electrons);

// A hybrid that ended before its first build of exact exchange, after so many steps.
void pv_warn_no_build(const pv_dft_params *params, int steps);

// Exchange an atom that a convention leaves out (decision 0024), where it is worth a warning.
void pv_warn_left_out(double left_out_ha);

#endif
