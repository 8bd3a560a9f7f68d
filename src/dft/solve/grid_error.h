// SPDX-License-Identifier: Apache-2.0
// What the grid of exact exchange, where it is smaller than products of orbitals need, changes of energy and gap: to
// first order, from the orbitals at hand, by what exchange on it and on the full grid makes of a few vectors. What
// self-consistency makes of it is not in it.
#ifndef PV_DFT_GRID_ERROR_H
#define PV_DFT_GRID_ERROR_H

#include <parseval/dft.h>

#include "dft/solve/hybrid.h"

typedef struct pv_grid_error {
    int is_wanted;     // 0: nobody asked, no build was made, or the grid holds all products
    char why_not[160]; // where the answer is not known, but wanted: no room, too long
    pv_dft_grid_error answer;
    double seconds;
} pv_grid_error;

// A failure leaves the run as it was. Collective.
pv_status pv_grid_error_find(pv_hybrid *hybrid, pv_grid_error *error_p);

// How many vectors to look at, where one works `work`, the builds of a run `builds`, and too_few matters to nobody; 0:
// even few take too long. Pure.
int pv_grid_error_vectors(double work, double builds, double too_few);

#endif
