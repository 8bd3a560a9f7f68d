// SPDX-License-Identifier: Apache-2.0
// CHGCAR: a density of this program or another of VASP's format. Augmentation occupancies between the fields are passed
// over.
#ifndef PV_DFT_CHGCAR_READ_H
#define PV_DFT_CHGCAR_READ_H

#include <stddef.h>
#include <stdint.h>

#include "dft/model/cell.h"

typedef struct pv_chgcar {
    pv_cell *cell;
    int64_t grid[3];
    int spins;       // 1: the density; 2: and up less down
    double *density; // [spins][nx][ny][nz], electrons / bohr^3
} pv_chgcar;

// PV_ERR_IO when the file is there and cannot be read, PV_ERR_INPUT with file and line when it is not a CHGCAR. Local.
pv_status pv_chgcar_read(const char *path, pv_chgcar **chgcar_p);
// The same from memory; `name` stands for the file in messages. `text` needs no terminating zero.
pv_status pv_chgcar_parse(const char *text, size_t length, const char *name, pv_chgcar **chgcar_p);
void pv_chgcar_destroy(pv_chgcar *chgcar);

#endif
