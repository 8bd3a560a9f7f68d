// SPDX-License-Identifier: Apache-2.0
// POSCAR and CONTCAR: the structure files of VASP.
// Read: one common factor (negative: the cell's volume in Angstrom^3) or three; species names with suffixes that VASP
// and others append (Hf_sv, Hf/0123abcd, Fe1); the same element in several groups becomes one species; selective
// dynamics (flags along the lattice vectors); Direct and Cartesian; CRLF, tabs, byte order mark, comments after values.
// A file without species names is refused: they are never guessed. Velocities after the positions are kept for CONTCAR.
#ifndef PV_DFT_POSCAR_H
#define PV_DFT_POSCAR_H

#include <stddef.h>
#include <stdio.h>

#include "dft/model/cell.h"

// PV_ERR_IO when the file is there and cannot be read; PV_ERR_INPUT with file and line when it is not a POSCAR, or when
// two atoms sit on each other.
pv_status pv_poscar_read(const char *path, pv_cell **cell_p);
// The same from memory; `name` stands for the file in messages. `text` needs no terminating zero.
pv_status pv_poscar_parse(const char *text, size_t length, const char *name, pv_cell **cell_p);
// The cell as a POSCAR: factor 1, Direct, 16 decimals.
void pv_poscar_put(FILE *out, const pv_cell *cell);
// The same into a file; an existing one is replaced whole or not at all.
pv_status pv_poscar_write(const char *path, const pv_cell *cell);

#endif
