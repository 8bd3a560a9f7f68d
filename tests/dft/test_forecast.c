// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2 3
#include "dft/forecast.h"

#include <math.h>

#include "case.h"
#include "dft/rates_file.h"

static const char gamma_point[] = "Gamma\n0\nGamma\n1 1 1\n0 0 0\n", mesh[] = "mesh\n0\nGamma\n3 3 3\n0 0 0\n";
static const char hybrid[] = "ENCUT = 250\nNBANDS = 10\nISMEAR = 0; SIGMA = 0.1\nLHFCALC = T\nHFSCREEN = 0.2\n"
                             "NELM = 40\n";

// What is planned for so many ranks is what a run on them forecasts, with the true numbers of plane waves.
static void memory_is_the_programs(void **state)
{
    (void)state;
    fixture f = fixture_open();
    char folder[64];
    make_case(&f, SILICON("0.25 0.25 0.25"), hybrid, mesh, folder);
    pv_system *run = NULL, *planned = NULL;
    assert_ok(pv_system_create(f.comm, folder, NULL, "auto", &run));
    assert_ok(pv_system_read_for_plan(f.comm, folder, NULL, NULL, &planned));
    pv_rank_plan plan;
    assert_ok(pv_system_plan_ranks(planned, pv_test_size(), INFINITY, &plan));
    assert_int_equal(plan.groups, run->groups.count);
    assert_int_equal(plan.group_ranks, run->groups.size);
    for (int part = PV_MEMORY_ORBITALS; part < PV_MEMORY_PARTS; part++) {
        const double bytes = run->memory.bytes[part];
        assert_true(fabs(plan.memory.bytes[part] - bytes) <= 0.1 * bytes + 2e5);
    }
    pv_system_destroy(planned);
    pv_system_destroy(run);
    remove_case(&f, folder);
    fixture_close(&f);
}

static pv_dft_forecast forecast_of(const pv_system *system, const pv_dft_rates *rates, int count)
{
    static const pv_dft_assumed usual = {0};
    pv_dft_work work;
    pv_dft_forecast forecast;
    const pv_dft_assumed assumed = pv_dft_assume(&system->params, &usual);
    assert_ok(pv_dft_work_of(system, &work));
    assert_ok(pv_dft_forecast_of(system, &work, &assumed, rates, count, &forecast));
    return forecast;
}

// Counted by hand: two atoms of silicon with eight electrons at Gamma, all orbitals real.
static void work_is_counted(void **state)
{
    (void)state;
    fixture f = fixture_open();
    char folder[64];
    make_case(&f, SILICON("0.25 0.25 0.25"), hybrid, gamma_point, folder);
    pv_system *system = NULL;
    assert_ok(pv_system_read_for_plan(f.comm, folder, NULL, NULL, &system));
    pv_dft_work w;
    assert_ok(pv_dft_work_of(system, &w));
    assert_near(w.states, 10.0, 0.0);
    assert_near(w.real_states, 10.0, 0.0);
    assert_near(w.occupied, 4.0, 0.0);
    assert_near(w.pairs, 10 * 4 - 0.5 * 4 * 4, 0.0);
    assert_near(w.pair_transforms, 0.5 * w.pairs, 0.0);
    assert_near(w.filled_share, 0.5 * 4 * 4 / w.pairs, 1e-12);
    const pv_dft_assumed given = {.steps = 7, .builds = 9};
    const pv_dft_assumed assumed = pv_dft_assume(&system->params, &given);
    assert_int_equal(assumed.steps, 7);
    assert_int_equal(assumed.builds, 7);
    pv_system_destroy(system);
    remove_case(&f, folder);

    make_case(&f, SILICON("0.25 0.25 0.25"), hybrid, mesh, folder);
    assert_ok(pv_system_read_for_plan(f.comm, folder, NULL, NULL, &system));
    assert_ok(pv_dft_work_of(system, &w));
    const double k = system->kpoints->count;
    assert_near(w.pairs, k * 10 * 27 * 4 - 0.5 * 16 * k * k, 1e-9);
    assert_true(w.real_states >= 10.0 && w.real_states < w.states);
    pv_system_destroy(system);
    remove_case(&f, folder);
    fixture_close(&f);
}

static void more_gpus_need_less(void **state)
{
    (void)state;
    fixture f = fixture_open();
    char folder[64];
    make_case(&f, SILICON("0.25 0.25 0.25"), hybrid, mesh, folder);
    pv_system *system = NULL;
    assert_ok(pv_system_read_for_plan(f.comm, folder, NULL, NULL, &system));
    pv_dft_rates rates = pv_dft_rates_h200();
    const pv_dft_forecast one = forecast_of(system, &rates, 1), two = forecast_of(system, &rates, 2),
                          many = forecast_of(system, &rates, 2048);
    assert_true(one.states == system->kpoints->count * system->params.spins);
    assert_true(one.fits && one.tile == one.states && one.held_bytes > one.bytes && one.comm_s == 0.0);
    assert_true(two.build_s < one.build_s && two.comm_s > 0.0);
    // Bands of others on their way take what is saved where there are few.
    assert_true(two.plan.memory.bytes[PV_MEMORY_ORBITALS] < one.plan.memory.bytes[PV_MEMORY_ORBITALS]);
    assert_true(many.plan.groups <= system->kpoints->count && many.total_s > 0.0);
    // Where fields of all k-points do not fit, some are worked on at a time.
    rates.device_bytes = one.bytes + 0.3 * (one.held_bytes - one.bytes);
    const pv_dft_forecast tight = forecast_of(system, &rates, 1);
    assert_true(tight.fits && tight.bytes == one.bytes && tight.tile >= 1 && tight.tile < tight.states);
    assert_true(tight.held_bytes >= tight.bytes && tight.held_bytes <= rates.device_bytes);
    rates.device_bytes = 1e3;
    assert_true(!forecast_of(system, &rates, 1).fits);
    // Rates that are twice as high halve what they are for.
    rates = pv_dft_rates_h200();
    rates.pair_flops_per_s *= 2.0;
    const double pairs_s = one.build_s - rates.build_s;
    assert_near(forecast_of(system, &rates, 1).build_s, 0.5 * pairs_s + rates.build_s, 1e-9 * one.build_s);
    pv_system_destroy(system);
    remove_case(&f, folder);
    fixture_close(&f);
}

static void rates_are_read_back(void **state)
{
    (void)state;
    char path[64];
    snprintf(path, sizeof path, "/tmp/parseval_rates_%d_%d", (int)getpid(), pv_test_rank());
    const pv_dft_rates h200 = pv_dft_rates_h200();
    pv_dft_rates read = {.launch_s = 7.0};
    assert_ok(pv_dft_rates_write(path, &h200));
    assert_ok(pv_dft_rates_read(path, &read));
    assert_string_equal(read.source, h200.source);
    assert_near(read.gemm_flops_per_s, h200.gemm_flops_per_s, 1e-3 * h200.gemm_flops_per_s);
    assert_near(read.launch_s, h200.launch_s, 1e-3 * h200.launch_s);
    assert_int_equal(read.node_devices, h200.node_devices);
    unlink(path);
    static const struct {
        const char *text, *words;
    } wrong[] = {{"gem_flops_per_s = 1", "gemm_flops_per_s"}, {"gemm_flops_per_s = fast", "rates:1: "},
                 {"\n# of mine\nlatency_s = -1", "rates:3: "},  {"latency_s 3", "has no '='"},
                 {"node_devices = 1.5", "\"1.5\"; a whole number"},        {"waves_per_s = 0", "less than 1 a second"},
                 {"gemm_flops_per_s = 1e-300", "less than 1 a second"}, {"launch_s = 1e99", "0 to 1e30"},
                 {"# nothing\n", "names no rate"},
                 {"latency_s = 1\nLatency_s = 2", "rates:2: Latency_s is given twice"},
                 {"source = a\nsource = b", "rates:2: source is given twice"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_fails(PV_ERR_INPUT, pv_dft_rates_parse(wrong[i].text, strlen(wrong[i].text), "rates", &read));
        if (!strstr(pv_last_error(), wrong[i].words)) fail_msg("\"%s\" lacks \"%s\"", pv_last_error(), wrong[i].words);
        assert_near(read.latency_s, h200.latency_s, 1e-3 * h200.latency_s);
    }
}

PV_TEST_MAIN(PV_TEST(memory_is_the_programs), PV_TEST(work_is_counted), PV_TEST(more_gpus_need_less),
             PV_TEST(rates_are_read_back))
