// SPDX-License-Identifier: Apache-2.0
#include "dns/forecast.h"

#include "harness.h"

static pv_dns_params cube(int64_t n)
{
    pv_dns_params p = pv_dns_params_defaults();
    for (int d = 0; d < 3; d++) p.grid[d] = n;
    return p;
}

static void resolves_what_the_data_base_resolves(void **state)
{
    (void)state;
    pv_dns_params p = cube(1024);
    p.dealias = PV_DEALIAS_SHIFT;
    const pv_dns_rates rates = pv_dns_rates_h200(PV_FP64);
    const pv_dns_forecast f = pv_dns_forecast_of(&p, 1, &rates, 1.35);
    assert_near(f.kmax, 482.0, 1.0);
    assert_near(f.reynolds_taylor, 418.0, 10.0);
    assert_near(f.viscosity, 1.85e-4, 0.2e-4);
}

static void counts_memory(void **state)
{
    (void)state;
    const pv_dns_rates rates = pv_dns_rates_h200(PV_FP64);
    pv_dns_params p = cube(512);
    const pv_dns_forecast nine = pv_dns_forecast_of(&p, 1, &rates, 1.5);
    // Six fields, and six components of 0.296 of a field.
    assert_near((nine.modes_bytes + nine.fields_bytes) / nine.points, 8.0 * (6.0 + 6.0 * 0.296), 0.4);
    // AB3 begins with steps of Runge-Kutta, which want two copies more; scalars have a component each, and six fields.
    p.scheme = PV_SCHEME_AB3;
    p.scalars = 2;
    const pv_dns_forecast three = pv_dns_forecast_of(&p, 1, &rates, 1.5);
    assert_near((three.modes_bytes + three.fields_bytes) / three.points, 8.0 * (6.0 + 5.0 * 5.0 * 0.296), 0.6);
    p.scheme = PV_SCHEME_AB2;
    p.scalars = 0;
    p.form = PV_FORM_DIVERGENCE;
    p.precision = PV_FP32;
    const pv_dns_forecast eight = pv_dns_forecast_of(&p, 1, &rates, 1.5);
    assert_near((eight.modes_bytes + eight.fields_bytes) / eight.points, 4.0 * (5.0 + 6.0 * 0.296), 0.2);
    assert_true(eight.fits && eight.step_s < 0.5 * nine.step_s);
    p = cube(4096);
    assert_false(pv_dns_forecast_of(&p, 1, &rates, 1.5).fits);
}

static void many_devices_share(void **state)
{
    (void)state;
    const pv_dns_rates rates = pv_dns_rates_h200(PV_FP64);
    pv_dns_params p = cube(1024);
    const pv_dns_forecast one = pv_dns_forecast_of(&p, 1, &rates, 1.5), eight = pv_dns_forecast_of(&p, 8, &rates, 1.5);
    assert_near(one.exchange_s, 0.0, 0.0);
    assert_near(eight.compute_s, one.compute_s / 8.0, 1e-12);
    // Nine fields of 8.6 GB, of which two thirds are kept along x and y, an eighth of each a device, 7/8 of it to
    // others.
    assert_near(eight.exchange_s, 9.0 * 8.59e9 * 4.0 / 9.0 / 8.0 * 7.0 / 8.0 / 370e9, 2e-4);
    const pv_dns_forecast many = pv_dns_forecast_of(&p, 64, &rates, 1.5);
    assert_true(many.exchange_s > eight.exchange_s / 8.0);
}

// A scalar moves what its four transforms, the visit of seven rows and its update do.
static void scalars_cost_transforms(void **state)
{
    (void)state;
    const pv_dns_rates rates = pv_dns_rates_h200(PV_FP64);
    pv_dns_params p = cube(512);
    const double none = pv_dns_forecast_of(&p, 1, &rates, 1.5).volumes;
    p.scalars = 1;
    const double one = pv_dns_forecast_of(&p, 1, &rates, 1.5).volumes;
    p.scalars = 3;
    const double three = pv_dns_forecast_of(&p, 1, &rates, 1.5).volumes;
    assert_near(one - none, 4.0 * (0.296 + 2.0 * 0.444 + 0.667) + 7.0 * 0.667 + 7.0 * 0.296, 0.3);
    assert_near(three - none, 3.0 * (one - none), 1e-12);
}

// Messages bound what many devices gain; more devices than planes share them as pencils.
static void messages_cost_time(void **state)
{
    (void)state;
    const pv_dns_rates rates = pv_dns_rates_h200(PV_FP64);
    pv_dns_params p = cube(1024);
    const pv_dns_forecast one = pv_dns_forecast_of(&p, 1, &rates, 1.5), eight = pv_dns_forecast_of(&p, 8, &rates, 1.5);
    assert_near(one.messages_s, 0.0, 0.0);
    assert_near(eight.messages_s, 9.0 * 50e-6, 1e-12);
    const pv_dns_forecast slabs = pv_dns_forecast_of(&p, 512, &rates, 1.5),
                          pencils = pv_dns_forecast_of(&p, 4096, &rates, 1.5);
    assert_int_equal(slabs.columns, 0);
    assert_near(slabs.messages_s, 9.0 * (50e-6 + 504.0 * 0.6e-6), 1e-12);
    // Rows of 64, eight of them on a node; of a column nobody else is.
    assert_int_equal(pencils.columns, 64);
    assert_near(pencils.messages_s, 9.0 * (100e-6 + (56.0 + 63.0) * 0.6e-6), 1e-12);
    assert_near(pencils.exchange_s,
                9.0 * 8.59e9 / 4096.0 * 2.0 / 3.0 * (56.0 / 64.0 + 2.0 / 3.0 * 63.0 / 64.0) / (0.86 * 50e9),
                0.01 * pencils.exchange_s);
    assert_near(pencils.step_s, pencils.compute_s + pencils.exchange_s + pencils.messages_s, 1e-15);
}

// Steps on one H200, AB2 (bench/results/dns_2026-12-01_f0ddd84_h200.jsonl).
static void tells_what_was_measured(void **state)
{
    (void)state;
    static const struct {
        int64_t n;
        int precision, form;
        double ms;
    } measured[] = {{512, PV_FP64, PV_FORM_VORTICITY, 9.87},    {512, PV_FP64, PV_FORM_DIVERGENCE, 8.91},
                    {512, PV_FP32, PV_FORM_VORTICITY, 5.81},    {512, PV_FP32, PV_FORM_DIVERGENCE, 5.50},
                    {1024, PV_FP64, PV_FORM_VORTICITY, 86.9},   {1024, PV_FP64, PV_FORM_DIVERGENCE, 76.8},
                    {1024, PV_FP32, PV_FORM_VORTICITY, 48.4},   {1024, PV_FP32, PV_FORM_DIVERGENCE, 44.1},
                    {1536, PV_FP32, PV_FORM_VORTICITY, 181.4},  {1536, PV_FP32, PV_FORM_DIVERGENCE, 170.0}};
    for (size_t i = 0; i < sizeof measured / sizeof *measured; i++) {
        const pv_dns_rates rates = pv_dns_rates_h200(measured[i].precision);
        pv_dns_params p = cube(measured[i].n);
        p.precision = measured[i].precision;
        p.form = measured[i].form;
        const double ms = 1e3 * pv_dns_forecast_of(&p, 1, &rates, 1.5).step_s;
        assert_near(ms / measured[i].ms, 1.0, measured[i].n == 1024 ? 0.06 : 0.18);
    }
}

PV_TEST_MAIN(PV_TEST(tells_what_was_measured), PV_TEST(resolves_what_the_data_base_resolves),
             PV_TEST(counts_memory), PV_TEST(scalars_cost_transforms),
            
             PV_TEST(many_devices_share), PV_TEST(messages_cost_time))
