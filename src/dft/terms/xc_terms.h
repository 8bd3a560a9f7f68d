// SPDX-License-Identifier: Apache-2.0
// What a density functional is a sum of: an LDA part that holds at every point, and gradient corrections (a functional
// less its LDA part), which a point may lack where they mean nothing. docs/decisions/0023-corrections-of-gradients.md.
#ifndef PV_DFT_XC_TERMS_H
#define PV_DFT_XC_TERMS_H

#include <parseval/status.h>

#include "dft/model/functional.h"

// The exchange hole whose short range counts (xc_screened.h).
typedef enum pv_xc_hole { PV_XC_HOLE_NONE, PV_XC_HOLE_EP, PV_XC_HOLE_HJS } pv_xc_hole;

typedef struct pv_xc_terms {
    int gradients;                     // whether there are corrections
    pv_xc_hole hole;
    double screening_bohr;             // of every short range
    double mu, beta;                   // gradient coefficients of exchange and correlation (xc_pbe.h)
    // Weights of the LDA part: exchange, its short range, correlation.
    double lda_exchange, lda_short, lda_correlation;
    // Weights of corrections: of exchange and correlation; of the hole's short range, and of LDA's that it takes away.
    double exchange, correlation, hole_short, uniform_short;
    double flat_weight;                // of short-range exchange without a gradient that vanishes with the corrections
} pv_xc_terms;

// The semilocal part: everything but exact exchange. Pure.
pv_status pv_xc_terms_of(const pv_functional *functional, pv_xc_terms *terms_p);

#endif
