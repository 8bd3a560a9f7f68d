// SPDX-License-Identifier: Apache-2.0
// What a run of so many iterations takes, from one that stopped earlier (NELM = 1). Pure.
#ifndef PV_SCALE_PREDICT_H
#define PV_SCALE_PREDICT_H

#include "scale/run_times.h"

typedef struct pv_prediction {
    double total_s; // before + steps + after
    double steps_s;
    double builds_s;         // of them in exchange builds
    int is_measured;         // the run has all the iterations itself
    int by_profile;          // another run told what its later iterations cost
    int lacks_builds;        // of exchange, in its own iterations: those to come are nobody's, or scaled as the rest
    int assumes_double;      // that the last build's double precision costs what it does elsewhere
    int assumes_applications; // of the Hamiltonian, in iterations to come, by those of the first
    double error; // of total_s that is to be expected, as a part of it; 0: measured; NaN: one iteration tells nothing
} pv_prediction;

// Iterations beyond the run's own: with `profile` (the same system, more iterations, any machine; NULL: none) they are
// the profile's, each part of them (POTLOK, EDDAV, FOCK, ...) as much slower or faster as it was in the iterations that
// both runs have, and beyond the profile's end the mean of all. Without, they take the mean of the run's own; of this
// program's the eigensolver has fewer applications than in the first. builds > 0, without a profile: of all iterations
// so many build exact exchange, as long as the run's own that do; where these are in single precision the last is in
// double, too.
pv_prediction pv_predict(const pv_run_times *run, const pv_run_times *profile, int iterations, int builds);

#endif
