// SPDX-License-Identifier: Apache-2.0
// KPOINTS: the k-point file of VASP, into the points of model/kpoints.h.
// Read: automatic meshes (Gamma, Monkhorst-Pack, by length), explicit lists (reciprocal, Cartesian in 2 pi / scale of
// the POSCAR; weights, zero allowed), line mode with labels. A tetrahedra block after a list is ignored.
#ifndef PV_DFT_FILES_KPOINTS_H
#define PV_DFT_FILES_KPOINTS_H

#include <stddef.h>

#include "dft/model/kpoints.h"

// Reads the file; when it does not exist, a mesh from `spacing` (KSPACING, 1/Angstrom) and `gamma_centred` (KGAMMA).
pv_status pv_kpoints_read(const char *path, const pv_cell *cell, double spacing, int gamma_centred,
                          pv_kpoints **kpoints_p);
// The same from memory; `name` stands for the file in messages. `text` needs no terminating zero.
pv_status pv_kpoints_parse(const char *text, size_t length, const char *name, const pv_cell *cell,
                           pv_kpoints **kpoints_p);

#endif
