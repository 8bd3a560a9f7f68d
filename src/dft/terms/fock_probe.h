// SPDX-License-Identifier: Apache-2.0
// What exact exchange makes of a few vectors, without a build: <phi|V|phi> in double precision. Every rank has all of
// the vectors and lets its own filled bands act on them, so that nothing travels but the sums.
#ifndef PV_DFT_FOCK_PROBE_H
#define PV_DFT_FOCK_PROBE_H

#include "dft/terms/fock.h"

// Vectors of one state.
typedef struct pv_fock_probe {
    int state;
    int64_t count;
    const double _Complex *vectors; // [count][all plane waves] of the run's list, in memory of the device
} pv_fock_probe;

// Products of orbitals that `one` vector of a state meets, of all ranks, in points of the grid. Pure.
double pv_fock_probe_work(const pv_fock *fock, const double *filling);

// split, orbitals and filling as in pv_fock_build(). values: of all vectors, probe after probe. Collective.
pv_status pv_fock_probe_run(pv_fock *fock, pv_band_split *const *split, double _Complex *const *orbitals,
                            const double *filling, int probes, const pv_fock_probe *probe, double *values);

#endif
