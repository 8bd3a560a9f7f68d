// SPDX-License-Identifier: Apache-2.0
// Exact exchange of a run: built from the orbitals now and then, and in between acting as the compressed operator of
// the last build (terms/ace.h) over all bands, empty ones too, but for rough builds far from the end.
#ifndef PV_DFT_HYBRID_H
#define PV_DFT_HYBRID_H

#include "dft/solve/electrons.h"
#include "dft/solve/exchange_mixer.h"
#include "dft/terms/fock.h"

typedef struct pv_hybrid {
    pv_electrons *electrons;
    pv_fock *fock;
    pv_band_split **split;             // [kpoints], of whole bands; the Hamiltonian's where that has whole ones, too
    pv_ace **ace;                      // [states]; NULL where another group owns the state
    pv_exchange_mixer *mixer;          // NULL: builds are of the orbitals as they are solved
    int builds;
    double energy_ha;                  // exchange of the orbitals of the last build
    double compressed_ha;              // the same by the compressed operator, less that: pairs are cut in V psi alone
    double error_ha;                   // what the build before last missed of it, in one precision; infinite after the
                                       // first
    double left_ha;                    // what all builds to come may yet find, as errors shrink from build to build
    double ratio;                      // by which the last error was smaller than the one before; 1: not known
    double due_ha;                     // what has to be below the tolerance at the end: the error; or, where that was
                                       // measured in single precision and its noise, what such errors shrink to
    pv_precision precision;            // of the last build
    int is_near;                       // builds in single precision act on empty bands, too
    double single_error_ha;            // of single precision, if the last build gave it up; 0: it did not
    double precision_ha;               // what the last build's precision has added to the energy, for that reason
    double build_s;                    // time so far
    double double_s;                   // of that: builds, or parts of them, in double precision
    double way_s, waited_s;            // of that: messages of builds under way, and nothing to work on meanwhile
} pv_hybrid;

// electrons is kept; its Hamiltonian feels the exchange from the first build on. Collective.
pv_status pv_hybrid_create(pv_electrons *electrons, pv_hybrid **hybrid_p);
void pv_hybrid_destroy(pv_hybrid *hybrid);

// From the electrons' orbitals and filling, which become those that earlier builds lead to (exchange_mixer.h), for the
// k-points that do not rest; energy and error are left as they are when only k-points of weight zero are at work.
// progress may be NULL; where it asks to give up, PV_ERR_STOPPED without a message, and the operator of the build
// before acts on. Collective.
pv_status pv_hybrid_build(pv_hybrid *hybrid, pv_fock_progress progress, void *context);

// Whether another build would find less than the tolerance. Pure.
int pv_hybrid_is_settled(const pv_hybrid *hybrid);

// Exchange of the electrons' orbitals to first order in their change since the build: what they feel, less energy_ha.
// The error is of second order. Collective.
pv_status pv_hybrid_energy(pv_hybrid *hybrid, double *energy_ha_p);

#endif
