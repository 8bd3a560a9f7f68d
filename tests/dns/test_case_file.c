// SPDX-License-Identifier: Apache-2.0
#include "dns/files/case_file.h"

#include <string.h>

#include "base/rng.h"
#include "dns/params.h"
#include "harness.h"

static pv_status parse(const char *given, pv_dns_params *params)
{
    static char text[4096];
    strncpy(text, given, sizeof text - 1);
    *params = pv_dns_params_defaults();
    return pv_dns_case_parse("case.ini", text, params);
}

static void reads_what_is_written(void **state)
{
    (void)state;
    pv_dns_params p;
    assert_ok(parse("\xef\xbb\xbf# a run\r\n[grid]\r\ngrid = 32x24x16 ; points\r\n\tprecision=fp32\n\nscheme = ab3\nhyper_order = "
                    "2\nviscosity = 1e-3\nsteps = 1e12",
                    &p));
    assert_int_equal(p.grid[0], 32);
    assert_int_equal(p.grid[2], 16);
    assert_int_equal(p.precision, PV_FP32);
    assert_int_equal(p.scheme, PV_SCHEME_AB3);
    assert_int_equal(p.hyper_order, 2);
    assert_near(p.viscosity, 1e-3, 0.0);
    assert_int_equal(p.steps, 1000000000000);
}

static void says_where_and_what(const char *text, const char *expected)
{
    pv_dns_params p;
    assert_fails(PV_ERR_INPUT, parse(text, &p));
    if (!strstr(pv_last_error(), expected)) fail_msg("\"%s\" is not in \"%s\"", expected, pv_last_error());
}

static void long_values_leave_room_for_what_is_accepted(void **state)
{
    (void)state;
    char text[900] = "viscosity = ";
    memset(text + strlen(text), '1', 800);
    says_where_and_what(text, "11\"; a finite number is accepted");
    assert_true(strlen(pv_last_error()) < 200);
}

static void says_where_the_fault_is(void **state)
{
    (void)state;
    says_where_and_what("\nviscosty = 1", "case.ini:2: there is no parameter 'viscosty'; did you mean 'viscosity'?");
    says_where_and_what("viscosity", "case.ini:1: \"viscosity\" has no '='");
    says_where_and_what("viscosity = thick", "case.ini:1: viscosity is \"thick\"; a finite number is accepted");
    says_where_and_what("viscosity = nan", "a finite number is accepted");
    says_where_and_what("viscosity = -1", "case.ini:1: viscosity is -1; 0 to");
    says_where_and_what("flow = taylor", "one of taylor-green|taylor-green-2d|abc|random is accepted");
    says_where_and_what("grid = 0x3x4", "case.ini:1: grid is \"0x3x4\"; three lengths of 4 to 65536 are accepted");
    says_where_and_what("grid = 256", "three lengths of 4 to 65536");
    says_where_and_what("\n[bad]", "case.ini:2: there is no section [bad]; [grid], [equations]");
    says_where_and_what("grid=16x16x16\n\ngrid=32x32x32", "case.ini:3: grid was given in line 1 already");
    says_where_and_what("k_peak = 2\nk-peak = 2", "case.ini:2: k-peak was given in line 1 already");
    says_where_and_what("steps = 1.5", "steps is \"1.5\"; a whole number, 0 to 1000000000000, is accepted");
    says_where_and_what("steps = 2e12", "0 to 1000000000000 is accepted");
    says_where_and_what("scalars = 99", "0 to 16 is accepted");
    says_where_and_what("schmidt = 1, heavy", "case.ini:1: schmidt is \"1, heavy\"; a finite number is accepted, or several");
    says_where_and_what("schmidt = 1, 0", "case.ini:1: schmidt is 0; 1e-06 to 1e+06 is accepted");
}

// One number for all scalars, or one for each.
static void lists_fit_the_scalars(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {{"scalars = 2\nschmidt = 1, 0.7\nscalar-gradient = 0.5, -2", NULL},
                 {"scalars = 3\nschmidt = 0.7", NULL},
                 {"schmidt = 0.7", NULL},
                 {"scalars = 3\nschmidt = 1, 2", "schmidt has 2 numbers with scalars = 3; one, which holds for all"},
                 {"scalars = 1\nscalar-gradient = 1,2", "scalar-gradient has 2 numbers with scalars = 1"},
                 {"scalars = 3\nscalar-gradient-z = 1,2", "scalar-gradient-z has 2 numbers with scalars = 3"},
                 {"schmidt = 1,2", "schmidt has 2 numbers with scalars = 0"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pv_dns_params p;
        assert_ok(parse(cases[i].text, &p));
        if (!cases[i].message) {
            assert_ok(pv_dns_params_check(&p));
            continue;
        }
        assert_fails(PV_ERR_INPUT, pv_dns_params_check(&p));
        if (!strstr(pv_last_error(), cases[i].message)) fail_msg("%s: %s", cases[i].text, pv_last_error());
    }
    pv_dns_params p;
    assert_ok(parse(cases[0].text, &p));
    assert_true(pv_dns_schmidt(&p, 1) == 1.0 && pv_dns_schmidt(&p, 2) == 0.7);
    assert_true(pv_dns_scalar_gradient(&p, 1, 0) == 0.5 && pv_dns_scalar_gradient(&p, 2, 0) == -2.0);
    assert_ok(parse(cases[1].text, &p));
    assert_true(pv_dns_schmidt(&p, 1) == 0.7 && pv_dns_schmidt(&p, 3) == 0.7);
    assert_true(pv_dns_scalar_gradient(&p, 3, 2) == 0.0);
}

// Whatever the bytes: accepted or one error, no crash.
static void survives_any_bytes(void **state)
{
    (void)state;
    static const char base[] = "grid = 32x24x16\nscheme = ab3\nviscosity = 0.01\nflow = random\n[flow]\nseed = 4\n";
    char text[sizeof base];
    for (uint64_t round = 0; round < 2000; round++) {
        memcpy(text, base, sizeof base);
        uint32_t bits[4];
        for (uint64_t change = 0; change < 1 + round % 5; change++) {
            pv_rng_bits(1, round, change, bits);
            text[bits[0] % (sizeof base - 1)] = (char)(bits[1] & 255);
        }
        pv_dns_params p = pv_dns_params_defaults();
        pv_test_mute(1);
        pv_status status = pv_dns_case_parse("case.ini", text, &p);
        pv_test_mute(0);
        assert_true(status == PV_OK || status == PV_ERR_INPUT);
    }
}

PV_TEST_MAIN(PV_TEST(reads_what_is_written), PV_TEST(says_where_the_fault_is), PV_TEST(lists_fit_the_scalars),
             PV_TEST(long_values_leave_room_for_what_is_accepted), PV_TEST(survives_any_bytes))
