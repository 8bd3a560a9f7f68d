// SPDX-License-Identifier: Apache-2.0
#include "scale/predict.h"

#include <math.h>
#include <stdio.h>

#include "harness.h"

static void steps_of(pv_run_times *t, int steps, pv_step_times *step, const char *first, const char *second)
{
    *t = (pv_run_times){
        .steps = steps, .step = step, .setup_s = 2.0, .after_s = 1.0, .elapsed_s = NAN, .loop_plus_s = NAN, .parts = 2};
    snprintf(t->part[0], PV_TIMES_NAME, "%s", first);
    snprintf(t->part[1], PV_TIMES_NAME, "%s", second);
}

// EDDAV is twice as fast as in the profile, exchange three times as slow, the rest, 1 s of each step, as fast as all.
static void parts_are_scaled_apart(void **state)
{
    (void)state;
    pv_step_times full[4], first[1];
    pv_run_times run, profile;
    for (int i = 0; i < 4; i++) full[i] = (pv_step_times){.loop_s = 10.0 + i, .part_s = {4.0 + i, 6.0}};
    first[0] = (pv_step_times){.loop_s = 20.0, .part_s = {18.0, 2.0}};
    steps_of(&profile, 4, full, "EDDAV", "FOCK");
    steps_of(&run, 1, first, "FOCK", "EDDAV");
    const pv_prediction p = pv_predict(&run, &profile, 4, 0);
    assert_near(p.steps_s, 20.0 + (0.5 * (5 + 6 + 7) + 3.0 * 18.0), 1e-9);
    assert_near(p.total_s, p.steps_s + 3.0, 1e-9);
    assert_int_equal(p.by_profile, 1);
    assert_int_equal(p.is_measured, 0);
    assert_near(pv_predict(&run, NULL, 4, 0).total_s, 83.0, 1e-9);
    assert_near(pv_predict(&profile, NULL, 4, 0).total_s, 49.0, 1e-9);
    assert_int_equal(pv_predict(&profile, NULL, 4, 0).is_measured, 1);
    assert_near(pv_predict(&profile, NULL, 2, 0).total_s, 24.0, 1e-9);
    // A single iteration of 20 s, of which exchange 18; of ten three build.
    assert_near(pv_predict(&run, NULL, 10, 3).steps_s, 10 * 2.0 + 3 * 18.0, 1e-9);
    assert_near(pv_predict(&run, &profile, 4, 1).steps_s, p.steps_s, 1e-9);
    // Beyond the profile: the mean.
    assert_near(pv_predict(&run, &profile, 8, 0).steps_s, 2.0 * p.steps_s, 1e-9);
}

// Two builds of 18 and 20 s in iterations that take 2 s besides; in single precision alone, or the second in both.
static void builds_are_told_apart(void **state)
{
    (void)state;
    pv_step_times steps[2] = {{.loop_s = 20.0, .part_s = {18.0, 18.0}}, {.loop_s = 22.0, .part_s = {20.0, 20.0}}};
    pv_run_times run;
    steps_of(&run, 2, steps, "FOCK", "FOCKDP");
    snprintf(run.program, sizeof run.program, "parseval 1");
    run.hybrid = 1;
    run.bands = 100;
    run.electrons = 100.0; // a third of the pairs are of filled bands alone
    pv_prediction p = pv_predict(&run, NULL, 10, 4);
    assert_near(p.steps_s, 10 * 2.0 + 4 * 19.0, 1e-9); // all in double precision, as on cores
    assert_int_equal(p.assumes_double, 0);
    steps[0].part_s[1] = steps[1].part_s[1] = 0.0;
    p = pv_predict(&run, NULL, 10, 4);
    assert_near(p.steps_s, 10 * 2.0 + (4 + 2.8 / 3.0) * 19.0, 1e-9);
    assert_int_equal(p.assumes_double, 1);
    assert_int_equal(p.lacks_builds, 0);
    steps[1].part_s[1] = 8.0;
    p = pv_predict(&run, NULL, 10, 4);
    assert_near(p.steps_s, 10 * 2.0 + 4 * 15.0 + 8.0, 1e-9);
    assert_int_equal(p.assumes_double, 0);
    steps[0].part_s[0] = steps[1].part_s[0] = 0.0;
    assert_int_equal(pv_predict(&run, NULL, 10, 4).lacks_builds, 1);
    assert_int_equal(pv_predict(&run, NULL, 2, 0).lacks_builds, 0);
}

// A first iteration of 1000 applications in 20 s; of the four to come each has 0.46 times as many, and 1 s of the rest.
static void first_iterations_are_no_measure(void **state)
{
    (void)state;
    pv_step_times first[1] = {{.loop_s = 21.0, .part_s = {20.0, 1.0}, .applications = 1000}};
    pv_run_times run;
    steps_of(&run, 1, first, "EDDAV", "POTLOK");
    snprintf(run.program, sizeof run.program, "parseval 1");
    const pv_prediction p = pv_predict(&run, NULL, 5, 0);
    assert_near(p.steps_s, 5 * 1.0 + 20.0 + 4 * 0.46 * 20.0, 1e-9);
    assert_int_equal(p.assumes_applications, 1);
    assert_near(p.error, 0.2 * 4 * 0.46 * 20.0 / p.total_s, 1e-9);
    snprintf(run.program, sizeof run.program, "vasp.6.3"); // its iterations are alike
    assert_near(pv_predict(&run, NULL, 5, 0).steps_s, 105.0, 1e-9);
    assert_int_equal(pv_predict(&run, NULL, 5, 0).assumes_applications, 0);
}

// Iterations of 9, 10 and 11 s where the profile's are all alike: 10 % of spread, over the mean of three and of six.
static void spread_tells_the_error(void **state)
{
    (void)state;
    pv_step_times full[9], first[3];
    pv_run_times run, profile;
    for (int i = 0; i < 9; i++) full[i] = (pv_step_times){.loop_s = 20.0};
    for (int i = 0; i < 3; i++) first[i] = (pv_step_times){.loop_s = 9.0 + i};
    steps_of(&profile, 9, full, "EDDAV", "FOCK");
    steps_of(&run, 3, first, "EDDAV", "FOCK");
    const pv_prediction p = pv_predict(&run, &profile, 9, 0);
    assert_near(p.total_s, 93.0, 1e-9);
    assert_near(p.error, 0.1 * sqrt(1.0 / 3.0 + 1.0 / 6.0) * 60.0 / 93.0, 1e-9);
    assert_near(pv_predict(&run, NULL, 9, 0).error, p.error, 1e-9);
    assert_near(pv_predict(&run, &profile, 3, 0).error, 0.0, 0.0);
    run.steps = 1;
    assert_true(isnan(pv_predict(&run, &profile, 9, 0).error));
}

PV_TEST_MAIN(PV_TEST(parts_are_scaled_apart), PV_TEST(builds_are_told_apart),
             PV_TEST(first_iterations_are_no_measure), PV_TEST(spread_tells_the_error))
