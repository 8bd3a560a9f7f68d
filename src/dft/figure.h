// SPDX-License-Identifier: Apache-2.0
// Pictures of a finished run: its bands and its density of states.
#ifndef PV_DFT_FIGURE_H
#define PV_DFT_FIGURE_H

#include <parseval/status.h>

typedef struct pv_figures {
    int bands, dos;            // whether there was something to draw
    double gap_ev;             // 0 for a metal
} pv_figures;

// Draws DIRECTORY/bands.svg (points of KPOINTS' or KPOINTS_OPT's line mode, or of weight 0) and DIRECTORY/dos.svg
// (points with weight of a mesh or list, widened by Gaussians of `width_ev`), from the EIGENVAL, POSCAR and, where they
// are there, KPOINTS and DOSCAR of the folder. Energies count from the valence band maximum, or from the Fermi energy
// of a metal. Local.
pv_status pv_figures_write(const char *directory, double width_ev, pv_figures *figures_p);

#endif
