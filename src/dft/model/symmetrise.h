// SPDX-License-Identifier: Apache-2.0
// Projections onto what a space group leaves as it is: fields of plane waves, forces, stress. Fields are turned in
// reciprocal space, where translations are phases: the grid need not know the symmetry.
#ifndef PV_DFT_SYMMETRISE_H
#define PV_DFT_SYMMETRISE_H

#include <complex.h>
#include <stdint.h>

#include <parseval/device.h>

#include "dft/model/symmetry.h"

typedef struct pv_symmetriser pv_symmetriser;

// For real fields u(r) = sum_G u(G) exp(i G r). miller[waves]: all plane waves, of a pair G, -G one or both, each once.
// PV_ERR_INPUT when an operation takes one of them out of the set (a lattice that has the symmetry only roughly: see
// pv_symmetry_refine_cell). device and symmetry are kept. Local.
pv_status pv_symmetriser_create(pv_device *device, const pv_symmetry *symmetry, int64_t waves,
                                const int32_t (*miller)[3], pv_symmetriser **symmetriser_p);
void pv_symmetriser_destroy(pv_symmetriser *symmetriser);

// from[waves] to its mean over all operations; both on the device, without overlap. In the order of the stream. Local.
pv_status pv_symmetriser_apply(const pv_symmetriser *symmetriser, pv_stream *stream, const double _Complex *from,
                               double _Complex *to);

// Cartesian forces[atoms]. Local.
pv_status pv_symmetrise_forces(const pv_symmetry *symmetry, const pv_cell *cell, double (*forces)[3]);
// A Cartesian tensor of second rank. Pure.
void pv_symmetrise_tensor(const pv_symmetry *symmetry, const pv_cell *cell, double tensor[3][3]);

#endif
