// SPDX-License-Identifier: Apache-2.0
#include "scale/predict.h"

#include <math.h>
#include <string.h>

// A pair of orbitals in double precision against one in single: on an H200 3.4 where one kernel has the whole cube, 2.4
// where planes go through memory.
#define DOUBLE_COST 2.8

// In this program's runs of 2 to 24 atoms, semilocal and hybrid, an iteration has 0.42 to 0.58 times as many
// applications of the Hamiltonian as the first, the last of them 0.3.
#define LATER       0.46
#define LATER_ERROR 0.2
#define LEAST       0.3

// These are inside other parts.
static int counts(const char *part)
{
    static const char *const inside[] = {"COMM", "FOCKDP", "FOCKWAY", "FOCKWAIT"};
    for (size_t i = 0; i < sizeof inside / sizeof *inside; i++)
        if (strcmp(part, inside[i]) == 0) return 0;
    return 1;
}

static int has_part(const pv_run_times *t, const char *part)
{
    for (int p = 0; p < t->parts; p++)
        if (strcmp(t->part[p], part) == 0) return 1;
    return 0;
}

static int steps_with(const pv_run_times *t, const char *part, int steps)
{
    int count = 0;
    for (int i = 0; i < steps; i++) count += pv_run_times_part(t, i, part) > 0.0;
    return count;
}

static double sum_of_loops(const pv_run_times *t, int first, int end)
{
    double sum = 0.0;
    for (int i = first; i < end; i++) sum += t->step[i].loop_s;
    return sum;
}

// How much slower than the profile the run is in a part, by the first n of both; `whole` where one of them has none.
static double ratio_of(const pv_run_times *run, const pv_run_times *profile, const char *part, int n, double whole)
{
    const double mine = pv_run_times_sum(run, part, n), theirs = pv_run_times_sum(profile, part, n);
    return mine > 0.0 && theirs > 0.0 ? mine / theirs : whole;
}

static double ratio_of_loops(const pv_run_times *run, const pv_run_times *profile, int n)
{
    const double profile_s = sum_of_loops(profile, 0, n);
    return profile_s > 0.0 ? sum_of_loops(run, 0, n) / profile_s : 1.0;
}

// Of a part, in iterations first to end of the profile, at the speed of the run.
static double scaled_part(const pv_run_times *run, const pv_run_times *profile, const char *part, int n, int first,
                          int end)
{
    const double ratio = ratio_of(run, profile, part, n, ratio_of_loops(run, profile, n));
    return ratio * (pv_run_times_sum(profile, part, end) - pv_run_times_sum(profile, part, first));
}

// Iterations first to end of the profile at the speed of the run, which is known from the first n of both.
static double scaled_loops(const pv_run_times *run, const pv_run_times *profile, int n, int first, int end)
{
    const double whole = ratio_of_loops(run, profile, n);
    double sum = whole * sum_of_loops(profile, first, end);
    for (int p = 0; p < profile->parts; p++) {
        const char *name = profile->part[p];
        if (!counts(name)) continue;
        const double ratio = ratio_of(run, profile, name, n, whole);
        sum += (ratio - whole) * (pv_run_times_sum(profile, name, end) - pv_run_times_sum(profile, name, first));
    }
    return sum;
}

// Of all pairs of a build those of filled bands alone; a half where the file does not tell the electrons.
static double filled_share(const pv_run_times *t)
{
    const double filled = t->electrons > 0.0 ? fmin(0.5 * t->electrons / t->bands, 1.0) : 2.0 / 3.0;
    return 0.5 * filled / (1.0 - 0.5 * filled);
}

// As many of the run's builds, and, where they are in single precision, one for filled bands in double, too: the last.
static double seconds_of_builds(const pv_run_times *run, int builds, int *assumes_double_p)
{
    const double fock_s = pv_run_times_sum(run, "FOCK", run->steps);
    const double double_s = pv_run_times_sum(run, "FOCKDP", run->steps);
    const int made = steps_with(run, "FOCK", run->steps), doubled = steps_with(run, "FOCKDP", run->steps);
    if (made == 0) return 0.0;
    if (!has_part(run, "FOCKDP") || doubled == made) return fock_s / made * builds;
    const double single_s = (fock_s - double_s) / made;
    *assumes_double_p = doubled == 0;
    return builds * single_s + (doubled > 0 ? double_s / doubled : DOUBLE_COST * filled_share(run) * single_s);
}

// Applications of the Hamiltonian in iterations to come: all of them LATER times as many as the first has, on average,
// and the late ones fewer than that.
static double later_applications(const pv_run_times *run, int own, int iterations)
{
    const double first = (double)run->step[0].applications;
    double made = 0.0;
    for (int i = 0; i < own; i++) made += (double)run->step[i].applications;
    return fmax(first * (1.0 + LATER * (iterations - 1)) - made, LEAST * first * (iterations - own));
}

// Iterations without a profile: like the mean of the run's own, but for the eigensolver of this program, whose first
// iteration, from random orbitals, is no measure of the others. Builds of exchange apart.
static void extend(const pv_run_times *run, int own, int iterations, int builds, pv_prediction *p)
{
    const double loops_s = sum_of_loops(run, 0, own), fock_s = pv_run_times_sum(run, "FOCK", own);
    const int tells = pv_run_times_are_ours(run) && run->step[0].applications > 0;
    const double solver_s = tells ? pv_run_times_sum(run, "EDDAV", own) : 0.0;
    double later_s = 0.0, made = 0.0;
    for (int i = 0; i < own; i++) made += (double)run->step[i].applications;
    if (solver_s > 0.0) later_s = solver_s / made * later_applications(run, own, iterations);
    p->builds_s = builds > 0 ? seconds_of_builds(run, builds, &p->assumes_double) : fock_s / own * iterations;
    p->steps_s = (loops_s - fock_s - solver_s) / own * iterations + solver_s + later_s + p->builds_s;
    p->assumes_applications = solver_s > 0.0;
    p->error = LATER_ERROR * later_s;
}

// How far the first n iterations are from what the profile, or their own mean, makes of them, carried to the mean of
// the iterations that are foretold and to those themselves.
static double expected_error(const pv_run_times *run, const pv_run_times *profile, int n, int foretold)
{
    const double mean_s = sum_of_loops(run, 0, n) / n;
    double squares = 0.0;
    if (n < 2) return NAN;
    for (int i = 0; i < n; i++) {
        const double expected_s = profile ? scaled_loops(run, profile, n, i, i + 1) : mean_s;
        squares += pow(run->step[i].loop_s / fmax(expected_s, 1e-300) - 1.0, 2);
    }
    return sqrt(squares / (n - 1) * (1.0 / n + 1.0 / foretold));
}

pv_prediction pv_predict(const pv_run_times *run, const pv_run_times *profile, int iterations, int builds)
{
    const int own = run->steps < iterations ? run->steps : iterations;
    const double own_s = sum_of_loops(run, 0, own);
    const double fock_s = pv_run_times_sum(run, "FOCK", own);
    pv_prediction p = {.steps_s = own_s, .builds_s = fock_s, .is_measured = own == iterations};
    p.by_profile = profile && !p.is_measured && profile->steps > own && own > 0;
    if (p.by_profile) {
        const int known = profile->steps < iterations ? profile->steps : iterations;
        p.steps_s = (own_s + scaled_loops(run, profile, own, own, known)) * iterations / known;
        p.builds_s = (fock_s + scaled_part(run, profile, "FOCK", own, own, known)) * iterations / known;
    } else if (!p.is_measured && own > 0) {
        extend(run, own, iterations, builds, &p);
    }
    // VASP's have exchange in every iteration, whatever they name it.
    p.lacks_builds = run->hybrid && pv_run_times_are_ours(run) && !p.is_measured && steps_with(run, "FOCK", own) == 0;
    p.total_s = pv_run_times_before(run) + pv_run_times_after(run) + p.steps_s;
    if (p.is_measured) return p;
    const double foretold_s = fmax(p.steps_s - own_s, 0.0);
    if (p.assumes_applications)
        p.error /= p.total_s;
    else
        p.error = expected_error(run, p.by_profile ? profile : NULL, own, iterations - own) * foretold_s / p.total_s;
    return p;
}
