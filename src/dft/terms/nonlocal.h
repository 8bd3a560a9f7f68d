// SPDX-License-Identifier: Apache-2.0
// Separable non-local potential of one k-point: sum over atoms of |beta> D <beta|.
#ifndef PV_DFT_NONLOCAL_H
#define PV_DFT_NONLOCAL_H

#include <complex.h>

#include "dft/model/basis.h"
#include "dft/model/pseudo_form.h"
#include "linalg/dense.h"

typedef struct pv_nonlocal {
    const pv_basis *basis;
    pv_dense *dense;
    pv_device *device;                 // where these arrays lie, but for `first`
    int64_t count;                     // projectors of all atoms, m counted
    double _Complex *projector;        // [count][local], stored as orbitals are
    int atoms;
    int64_t *first;                    // [atoms + 1], projectors of an atom
    int width;                         // most functions that D couples with one
    int32_t *partner;                  // [count][width]: these
    double *coupling_ha;               // [count][width]: D of the function and each of them
    double *overlap, *coupled;         // [most bands][count] scalars: scratch
    double *weight, *sums;             // [most bands], [count]: scratch
} pv_nonlocal;

// For blocks of at most `bands_most` orbitals. basis and dense are kept. Orbitals are arrays of their device. Local.
pv_status pv_nonlocal_create(pv_dense *dense, const pv_basis *basis, const pv_cell *cell,
                             pv_pseudo *const *pseudo, int64_t bands_most, pv_nonlocal **nonlocal_p);
void pv_nonlocal_destroy(pv_nonlocal *nonlocal);

// diagonal_ha[local] = <k+G|V|k+G>, on the device. Local.
pv_status pv_nonlocal_diagonal(const pv_nonlocal *nonlocal, double *diagonal_ha);

// out[bands] += V in[bands]; both sliced over ranks, [bands][local]. Collective.
pv_status pv_nonlocal_apply(pv_nonlocal *nonlocal, int64_t bands, const double _Complex *in, double _Complex *out);

// sum over bands of weight <psi|V|psi>. Collective.
pv_status pv_nonlocal_energy(pv_nonlocal *nonlocal, int64_t bands, const double *weight, const double _Complex *in,
                             double *energy_ha_p);

// Adds minus the derivative of that energy by the atoms' positions. The same on every rank. Collective.
pv_status pv_nonlocal_add_forces(pv_nonlocal *nonlocal, int64_t bands, const double *weight, const double _Complex *in,
                                 double (*forces_ha_bohr)[3]);

// Adds the derivative of that energy by the strain, for fixed coefficients; cell and pseudo are those it was made from.
// The same on every rank. Collective.
pv_status pv_nonlocal_add_strain(pv_nonlocal *nonlocal, const pv_cell *cell, pv_pseudo *const *pseudo, int64_t bands,
                                 const double *weight, const double _Complex *in, double (*strain_ha)[3]);

#endif
