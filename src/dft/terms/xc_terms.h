// SPDX-License-Identifier: Apache-2.0
// What a density functional is a sum of: functionals of libxc, each with its weight, as an LDA part that holds at every
// point and gradient corrections (a functional less its LDA part) that a caller may leave out where they mean nothing.
#ifndef PV_DFT_XC_TERMS_H
#define PV_DFT_XC_TERMS_H

#include <xc.h>

#include <parseval/status.h>

#include "dft/model/functional.h"

#define PV_XC_TERMS 9

typedef enum pv_xc_part { PV_XC_LDA, PV_XC_EXCHANGE_CORRECTION, PV_XC_CORRELATION_CORRECTION } pv_xc_part;

typedef struct pv_xc_terms {
    int count, gradients;              // whether there are gradient corrections
    double flat_weight;                // of the short-range exchange without a gradient that vanishes with the corrections
    int short_range;                   // the term of short-range exchange, where flat_weight is not 0
    int published, exact;              // LDA's correlation and what its correction takes away, where these differ by
                                       // their constants alone (xc_constants.h), without spin; -1: there is no such pair
    struct {
        xc_func_type functional;
        pv_xc_part part;
        double weight;
        int gradients;                 // of this functional
        int opposite;                  // the term that takes away what this one adds where both count; -1: none
        int capped;                    // takes capped gradients (xc_gradient_cap.h)
    } term[PV_XC_TERMS];
} pv_xc_terms;

// The semilocal part: everything but exact exchange. Energies vanish where the density is below density_floor.
pv_status pv_xc_terms_open(const pv_functional *functional, int spins, double density_floor, pv_xc_terms *terms_p);
void pv_xc_terms_close(pv_xc_terms *terms);

#endif
