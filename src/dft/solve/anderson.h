// SPDX-License-Identifier: Apache-2.0
// Anderson's mixing of a few steps (D. G. Anderson, J. ACM 12, 547 (1965)) from products alone: what the vectors are is
// for those to know who have them.
#ifndef PV_DFT_ANDERSON_H
#define PV_DFT_ANDERSON_H

#include "linalg/dense.h"

enum { PV_ANDERSON_OTHERS = 2 };       // steps before the last one that count

// Of residuals of earlier steps less the last one's, and of where they began less where the last one did: the last but
// one first.
typedef struct pv_anderson {
    double square, left[PV_ANDERSON_OTHERS]; // of the last residual with itself and with those
    double residuals[PV_ANDERSON_OTHERS][PV_ANDERSON_OTHERS];
    double crossed[PV_ANDERSON_OTHERS][PV_ANDERSON_OTHERS]; // beginnings with residuals
    double moves[PV_ANDERSON_OTHERS][PV_ANDERSON_OTHERS];   // beginnings
} pv_anderson;

// Weights, which sum to 1, of the last step and of `others` before it, the last but one first, that make the combined
// residual least; but none is made less along directions in which residuals lead away from where they vanish, so that a
// state that is not stable is left as plain steps leave it. Rank 0 of dense counts. Collective.
pv_status pv_anderson_weigh(pv_dense *dense, int others, const pv_anderson *products,
                            double weight[1 + PV_ANDERSON_OTHERS]);

#endif
