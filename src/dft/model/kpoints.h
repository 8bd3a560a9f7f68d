// SPDX-License-Identifier: Apache-2.0
// Points of the Brillouin zone and their weights.
#ifndef PV_DFT_MODEL_KPOINTS_H
#define PV_DFT_MODEL_KPOINTS_H

#include <stdint.h>

#include "dft/model/cell.h"

#define PV_KPOINTS_LABEL 16

typedef struct pv_kpoints {
    int count;
    double (*fractional)[3];   // [count], in units of b1, b2, b3
    double *weight;            // [count], sums to 1; zero marks points where only bands are wanted
    int *first_of;             // [count], first point equal to this one modulo the reciprocal lattice; itself when new
    int is_mesh;               // the whole regular mesh below, or its reduced half
    int mesh[3];               // 0 unless is_mesh
    double shift[3];           // point n of axis i lies at (n + shift_i) / mesh_i (Monkhorst-Pack's half step included)
    int is_path;               // lines of a band structure, equal weights: no mesh to integrate over
    int line_points;           // of each line of a path; 0 unless is_path
    char (*label)[PV_KPOINTS_LABEL]; // [count], "" where the file had none; NULL unless is_path
} pv_kpoints;

// `count` points with all arrays zero but first_of. Local.
pv_status pv_kpoints_create(int count, pv_kpoints **kpoints_p);
void pv_kpoints_destroy(pv_kpoints *kpoints);

// All mesh[0]*mesh[1]*mesh[2] points (n + shift) / mesh, first axis fastest (VASP's order), wrapped into (-1/2, 1/2].
pv_status pv_kpoints_create_mesh(const int mesh[3], const double shift[3], pv_kpoints **kpoints_p);
// VASP's rule for KSPACING (1/Angstrom): mesh_i = max(1, ceil(|b_i| / spacing)).
pv_status pv_kpoints_create_spacing(const pv_cell *cell, double spacing, int gamma_centred, pv_kpoints **kpoints_p);

// The points of `full`, and behind them those of `path` with weight 0: bands are wanted there, too.
pv_status pv_kpoints_append(const pv_kpoints *full, const pv_kpoints *path, pv_kpoints **both_p);

// Points of weight 0. Pure.
int pv_kpoints_weightless(const pv_kpoints *kpoints);

// sign * k modulo the reciprocal lattice as one number, the same for points that differ by rounding. Pure.
int64_t pv_kpoints_key(const double k[3], double sign);

// Fills first_of from the points. For makers of points.
pv_status pv_kpoints_mark_equal(pv_kpoints *kpoints);

#endif
