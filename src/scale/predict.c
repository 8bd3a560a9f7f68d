// SPDX-License-Identifier: Apache-2.0
#include "scale/predict.h"

#include <string.h>

// These are inside other parts.
static int counts(const char *part)
{
    return strcmp(part, "COMM") != 0 && strcmp(part, "FOCKWAY") != 0 && strcmp(part, "FOCKWAIT") != 0;
}

static double sum_of_part(const pv_run_times *t, const char *part, int steps)
{
    double sum = 0.0;
    for (int i = 0; i < steps; i++) sum += pv_run_times_part(t, i, part);
    return sum;
}

static double sum_of_loops(const pv_run_times *t, int first, int end)
{
    double sum = 0.0;
    for (int i = first; i < end; i++) sum += t->step[i].loop_s;
    return sum;
}

// Iterations first to end of the profile at the speed of the run, which is known from the first n of both.
static double scaled_loops(const pv_run_times *run, const pv_run_times *profile, int n, int first, int end)
{
    const double run_s = sum_of_loops(run, 0, n), profile_s = sum_of_loops(profile, 0, n);
    const double whole = profile_s > 0.0 ? run_s / profile_s : 1.0;
    double sum = whole * sum_of_loops(profile, first, end);
    for (int p = 0; p < profile->parts; p++) {
        const char *name = profile->part[p];
        if (!counts(name)) continue;
        const double mine = sum_of_part(run, name, n), theirs = sum_of_part(profile, name, n);
        const double ratio = mine > 0.0 && theirs > 0.0 ? mine / theirs : whole;
        sum += (ratio - whole) * (sum_of_part(profile, name, end) - sum_of_part(profile, name, first));
    }
    return sum;
}

// Iterations at the mean without what builds took, and builds at their own mean; 0 where the run has made none.
static double with_builds(const pv_run_times *run, int iterations, int builds)
{
    int made = 0;
    for (int i = 0; i < run->steps; i++) made += pv_run_times_part(run, i, "FOCK") > 0.0;
    if (made == 0) return 0.0;
    const double fock_s = sum_of_part(run, "FOCK", run->steps), loops_s = sum_of_loops(run, 0, run->steps);
    return (loops_s - fock_s) / run->steps * iterations + fock_s / made * builds;
}

pv_prediction pv_predict(const pv_run_times *run, const pv_run_times *profile, int iterations, int builds)
{
    const double ends_s = pv_run_times_before(run) + pv_run_times_after(run);
    const int own = run->steps < iterations ? run->steps : iterations;
    pv_prediction p = {.steps_s = sum_of_loops(run, 0, own), .is_measured = own == iterations};
    int known = own;
    if (profile && own < iterations && profile->steps > own && own > 0) {
        known = profile->steps < iterations ? profile->steps : iterations;
        p.steps_s += scaled_loops(run, profile, own, own, known);
        p.by_profile = 1;
    }
    if (known > 0) p.steps_s *= (double)iterations / known;
    const double built_s = builds > 0 && !p.by_profile && !p.is_measured ? with_builds(run, iterations, builds) : 0.0;
    if (built_s > 0.0) p.steps_s = built_s;
    p.total_s = ends_s + p.steps_s;
    return p;
}
