// SPDX-License-Identifier: Apache-2.0
#include "scale/model.h"

#include <math.h>

#include "harness.h"

static void models_give_back_what_they_were_made_of(void **state)
{
    (void)state;
    const pv_scale_rates rates = pv_scale_rates_h200();
    const pv_scale_model true_one = {.serial_s = 3.0, .work_s = 800.0, .bytes = 2e12, .rounds = 100.0, .rates = rates};
    pv_scale_sample samples[5];
    const double counts[] = {1, 4, 8, 32, 256};
    for (int i = 0; i < 5; i++)
        samples[i] = (pv_scale_sample){counts[i], pv_scale_model_seconds(&true_one, counts[i]), NAN, NAN, NAN};
    pv_scale_model m = pv_scale_model_fit(5, samples, 100.0, &rates);
    assert_near(m.serial_s, 3.0, 1e-6);
    assert_near(m.work_s, 800.0, 1e-5);
    assert_near(m.bytes, 2e12, 1e6);
    assert_near(m.error, 0.0, 1e-9);
    // Two points in a node whose communication was measured.
    for (int i = 0; i < 2; i++) {
        const pv_scale_model without = {.serial_s = 3.0, .work_s = 800.0, .rates = rates};
        samples[i].comm_s = samples[i].seconds - pv_scale_model_seconds(&without, counts[i]);
    }
    m = pv_scale_model_fit(2, samples, 100.0, &rates);
    assert_near(m.bytes, 2e12, 1e6);
    assert_near(m.work_s, 800.0, 1e-5);
    // Communication that is mostly waiting, the same on any number, is not what times come of.
    const pv_scale_model plain = {.serial_s = 3.0, .work_s = 800.0, .rates = rates};
    for (int i = 0; i < 4; i++) {
        samples[i] = (pv_scale_sample){1 << i, pv_scale_model_seconds(&plain, 1 << i), i ? 60.0 : 0.0, NAN, NAN};
    }
    m = pv_scale_model_fit(4, samples, 0.0, &rates);
    assert_near(m.work_s, 800.0, 1e-6);
    assert_near(m.bytes, 0.0, 1e-3);
    assert_near(m.error, 0.0, 1e-9);
    // One point scales ideally; nothing becomes negative where more cores are more than twice as fast.
    m = pv_scale_model_fit(1, samples, 0.0, &rates);
    assert_near(pv_scale_model_seconds(&m, 2.0), 0.5 * samples[0].seconds, 1e-9);
    const pv_scale_sample better[] = {{1.0, 10.0, NAN, 0.0, NAN}, {2.0, 4.0, NAN, 0.0, NAN}};
    m = pv_scale_model_fit(2, better, 0.0, &rates);
    assert_true(m.serial_s >= 0.0 && m.bytes >= 0.0 && m.work_s > 8.0 && m.work_s < 10.0);
}

// Transforms of cubes of N points, complex, single precision, by cuFFTMp on 8, 16, ... H100s (NVIDIA's plots, read to
// about 5 %): three passes through memory, all data to all others, a message to each, with the rates that they were
// fitted by.
static void published_times_are_met(void **state)
{
    (void)state;
    static const struct {
        double points;
        int counts;
        double ms[9];
    } cubes[] = {{2048.0, 9, {40, 68, 45, 23.5, 13.2, 6.8, 3.65, 2.15, 1.97}},
                 {1024.0, 8, {4.5, 8.1, 5.45, 2.95, 1.67, 1.02, 0.84, 0.94}}};
    pv_scale_rates rates = pv_scale_rates_h200();
    rates.node_bytes_per_s = 360e9;
    for (int c = 0; c < 2; c++) {
        const double bytes = 8.0 * pow(cubes[c].points, 3);
        const pv_scale_model m = {.serial_s = 50e-6, .work_s = 6.0 * bytes / 2.7e12, .bytes = bytes, .rounds = 1.0,
                                  .rates = rates};
        double squares = 0.0;
        for (int i = 0; i < cubes[c].counts; i++) {
            const double error = 1e3 * pv_scale_model_seconds(&m, 8 << i) / cubes[c].ms[i] - 1.0;
            assert_true(fabs(error) < 0.13);
            squares += error * error;
        }
        assert_true(sqrt(squares / cubes[c].counts) < 0.07);
    }
}

// Messages of the ring take the same time on any number and hide while builds last.
static void rings_hide_behind_builds(void **state)
{
    (void)state;
    const pv_scale_rates rates = pv_scale_rates_h200();
    const pv_scale_model true_one = {
        .serial_s = 1.0, .work_s = 900.0, .ring_bytes = 1e12, .builds_s = 600.0, .rates = rates};
    pv_scale_sample samples[4];
    for (int i = 0; i < 4; i++) {
        const double count = 1 << i, ring_s = 1e12 * (count - 1.0) / count / rates.node_bytes_per_s;
        samples[i] = (pv_scale_sample){count, pv_scale_model_seconds(&true_one, count), NAN, 600.0 / count, ring_s};
        assert_near(samples[i].seconds, 1.0 + 900.0 / count, 1e-9);
    }
    const pv_scale_model m = pv_scale_model_fit(4, samples, 0.0, &rates);
    assert_near(m.ring_bytes, 1e12, 1e3);
    assert_near(m.builds_s, 600.0, 1e-9);
    assert_near(m.work_s, 900.0, 1e-6);
    const double far = 1e12 * (2048.0 - 8.0) / 2048.0 / (rates.efficiency * rates.network_bytes_per_s);
    assert_near(pv_scale_model_seconds(&m, 2048.0), 1.0 + 900.0 / 2048.0 + far - 600.0 / 2048.0, 1e-6);
}

PV_TEST_MAIN(PV_TEST(models_give_back_what_they_were_made_of), PV_TEST(published_times_are_met),
             PV_TEST(rings_hide_behind_builds))
