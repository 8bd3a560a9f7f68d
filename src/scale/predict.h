// SPDX-License-Identifier: Apache-2.0
// What a run of so many iterations takes, from one that stopped earlier (NELM = 1). Pure.
#ifndef PV_SCALE_PREDICT_H
#define PV_SCALE_PREDICT_H

#include "scale/outcar_times.h"

typedef struct pv_prediction {
    double total_s; // before + steps + after
    double steps_s;
    int is_measured; // the run has all the iterations itself
    int by_profile;  // another run told what its later iterations cost
} pv_prediction;

// Iterations beyond the run's own: with `profile` (the same system, more iterations, any machine; NULL: none) they are
// the profile's, each part of them (POTLOK, EDDAV, FOCK, ...) as much slower or faster as it was in the iterations that
// both runs have; without, or beyond the profile's end, they take the mean of those that are known. builds > 0: of all
// iterations so many build exact exchange, as long as the run's own that do; without a profile.
pv_prediction pv_predict(const pv_run_times *run, const pv_run_times *profile, int iterations, int builds);

#endif
