// SPDX-License-Identifier: Apache-2.0
// Exact exchange as a low-rank operator that does on a set of orbitals what the Fock operator does (adaptively
// compressed exchange: L. Lin, J. Chem. Theory Comput. 12, 2242 (2016)): V = - xi xi^H.
#ifndef PV_DFT_ACE_H
#define PV_DFT_ACE_H

#include <complex.h>

#include "dft/model/basis.h"
#include "linalg/dense.h"

typedef struct pv_ace {
    const pv_basis *basis;
    pv_dense *dense;
    pv_device *device;     // where these arrays lie, as the orbitals do
    int64_t most, count;   // vectors at most and now
    double _Complex *xi;   // [most][local]
    double _Complex *work; // [most][local]
    double *small;         // [2 most most] scalars
    double *numbers;       // [most]
} pv_ace;

// For `most` orbitals. basis and dense are kept. Local.
pv_status pv_ace_create(pv_dense *dense, const pv_basis *basis, int64_t most, pv_ace **ace_p);
void pv_ace_destroy(pv_ace *ace);

// From orbitals [bands][local], bands <= most, and what the Fock operator makes of them. Directions on which it acts by
// less than 1e-12 of the most are dropped, so that dependent orbitals do no harm. Collective.
pv_status pv_ace_make(pv_ace *ace, int64_t bands, const double _Complex *orbitals, const double _Complex *acted);
// out[bands] += V in[bands], bands <= most. Collective.
pv_status pv_ace_apply(pv_ace *ace, int64_t bands, const double _Complex *in, double _Complex *out);
// sum over bands of weights <in|V|in>. Collective.
pv_status pv_ace_energy(pv_ace *ace, int64_t bands, const double *weights, const double _Complex *in, double *energy_p);

#endif
