// SPDX-License-Identifier: Apache-2.0
// Which k-points a space group makes equal.
#ifndef PV_DFT_SYMMETRY_KPOINTS_H
#define PV_DFT_SYMMETRY_KPOINTS_H

#include <complex.h>
#include <stdint.h>

#include "dft/model/kpoints.h"
#include "dft/model/symmetry.h"

// How a point of the full set comes from a point of the reduced one: k = s reciprocal k' + umklapp, with the
// reciprocal matrix of the operation and s = -1 where time reversal took part. Its orbitals have the same energies.
typedef struct pv_kpoint_image {
    int from;                  // index in the reduced set
    int operation;             // index in the symmetry
    int reversed;              // conjugate the orbital of `from` first
    int umklapp[3];
} pv_kpoint_image;

// Joins points of positive weight that an operation (with time reversal, where the symmetry has it) takes into each
// other: the first of each star is kept, with the weight of all. Sums over the reduced points equal sums over the full
// ones for whatever has been symmetrised with all operations, whether or not the mesh has the symmetry. A path is
// copied. images, unless NULL, is [full->count]. Local.
pv_status pv_symmetry_reduce_kpoints(const pv_symmetry *symmetry, const pv_kpoints *full, pv_kpoint_image *images,
                                     pv_kpoints **reduced_p);

// Operations that take the set of points (with their weights) into itself are marked in keep[count of the symmetry];
// kept_p: how many. For a mesh that lacks operations of the crystal, sums without symmetry and with all operations
// differ; with these alone (pv_symmetry_create_part) they agree. Local.
pv_status pv_symmetry_of_kpoints(const pv_symmetry *symmetry, const pv_kpoints *full, unsigned char *keep,
                                 int *kept_p);

// Coefficients of an orbital at the image of its k-point: the wave `from` (Miller indices at the reduced point) has the
// index `to` there, and its coefficient, conjugated if reversed, is multiplied by the result. k: the full point. Pure.
double _Complex pv_symmetry_carry_wave(const pv_operation *operation, const pv_kpoint_image *image, const double k[3],
                                       const int32_t from[3], int32_t to[3]);

#endif
