// SPDX-License-Identifier: Apache-2.0
// EIGENVAL, as Parseval and VASP write it, and the Fermi energy of a DOSCAR.
#ifndef PV_DFT_EIGENVAL_READ_H
#define PV_DFT_EIGENVAL_READ_H

#include <stddef.h>

#include <parseval/status.h>

typedef struct pv_bands {
    int spins, kpoints, bands;
    double electrons;
    double (*kpoint)[3];       // [kpoints], fractional
    double *weight;            // [kpoints]
    double *eigenvalue_ev;     // [spins][kpoints][bands]
    double *filling;           // the same, 0 to 1; NULL when the file has none
} pv_bands;

// PV_ERR_IO when the file is there and cannot be read; PV_ERR_INPUT with file and line when it is no EIGENVAL. Local.
pv_status pv_eigenval_read(const char *path, pv_bands **bands_p);
// The same from memory; `name` stands for the file in messages. `text` needs no terminating zero.
pv_status pv_eigenval_parse(const char *text, size_t length, const char *name, pv_bands **bands_p);
void pv_bands_destroy(pv_bands *bands);

// The Fermi energy in the sixth line of a DOSCAR.
pv_status pv_doscar_read_fermi(const char *path, double *fermi_ev_p);

#endif
