// SPDX-License-Identifier: Apache-2.0
// The way of a band structure through the Brillouin zone, as a drawing needs it.
#ifndef PV_DFT_BAND_PATH_H
#define PV_DFT_BAND_PATH_H

#include "dft/model/cell.h"
#include "dft/model/kpoints.h"

#define PV_BAND_PATH_LABEL 48

typedef struct pv_band_path {
    int count;                 // 0: there is no path
    int *point;                // [count], index of the k-point
    double *at;                // [count], length of the way so far, 1/bohr
    unsigned char *begins;     // [count], the way jumps to this point: the first point too
    int ticks;
    double *tick_at;           // [ticks]
    char (*tick_label)[PV_BAND_PATH_LABEL]; // [ticks], UTF-8: names of the file; else coordinates, a line each
} pv_band_path;

// All points in line mode; of a list the points of weight 0, with ticks where the way turns or jumps. kpoint, weight:
// [count], as the run has them; lines: the points of KPOINTS when it is in line mode with `count` points, else NULL.
// Local.
pv_status pv_band_path_create(const pv_cell *cell, int count, const double (*kpoint)[3], const double *weight,
                              const pv_kpoints *lines, pv_band_path **path_p);
void pv_band_path_destroy(pv_band_path *path);

#endif
