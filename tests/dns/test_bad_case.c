// SPDX-License-Identifier: Apache-2.0
// Bad parameters: a thousand values of each give one error that names it or are taken; runs of any values that are
// taken come to an end.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <parseval/comm.h>

#include "base/rng.h"
#include "dns/files/case_file.h"
#include "dns/params.h"
#include "harness.h"

enum { VALUES = 1000, RUNS = 300 };

static uint32_t bits_of(uint64_t stream, uint64_t index)
{
    uint32_t bits[4];
    pv_rng_bits(11, stream, index, bits);
    return bits[0];
}

// One to four pieces of what people and programs write by mistake.
static void make_value(uint64_t stream, uint64_t round, char value[128])
{
    static const char *const pieces[] = {
        "1",    "-1",   "0",    "1e",   "1e400", "1e-400", "nan",  "inf",  "-inf",  "0x10", "1,5",  "1.5.2", "--3",
        "+",    "-",    ".",    "e5",   "1e5",  "16",    "65537",  "1_0",  "true", "no",    "none", "\"",   "'",
        "%s",   "%n",   "x",    "16x",  "x16x", "16x16x16x16", "4x4x4", "0x0x0", "99999999999999999999",
        "-9223372036854775808", "fp32", "ab3",  "rk5",  "taylor", "\xc3\xa9", "\xff", "\t", " ", "/", "..",
        "velocity,", "q", "[", "]", "="};
    enum { PIECES = sizeof pieces / sizeof *pieces };
    const uint32_t count = 1 + bits_of(stream, 8 * round) % 4;
    value[0] = '\0';
    for (uint32_t i = 0; i < count; i++) strcat(value, pieces[bits_of(stream, 8 * round + 1 + i) % PIECES]);
}

// About this parameter, short, and with what would do.
static void expect_clear(const char *message, const char *name)
{
    static const char *const remedies[] = {"accepted", "give ", "needed"};
    int helps = 0;
    for (int i = 0; i < 3; i++) helps += strstr(message, remedies[i]) != NULL;
    if (!strstr(message, name) || strlen(message) > 700 || !helps)
        fail_msg("of %s it is said: %s", name, message);
}

static void every_parameter_bears_bad_values(void **state)
{
    (void)state;
    pv_dns_params defaults = pv_dns_params_defaults();
    pv_option table[PV_DNS_PARAMETERS];
    const int count = pv_dns_declare(&defaults, table);
    for (int i = 0; i < count; i++) {
        int refused = 0;
        for (uint64_t round = 0; round < VALUES; round++) {
            char value[128], text[256];
            pv_dns_params p = pv_dns_params_defaults();
            make_value((uint64_t)i, round, value);
            snprintf(text, sizeof text, "# a case\n%s = %s\n", table[i].name, value);
            pv_test_mute(1);
            pv_status status = pv_dns_case_parse("case.ini", text, &p);
            if (status == PV_OK) status = pv_dns_params_check(&p);
            pv_test_mute(0);
            if (status == PV_OK) continue;
            refused++;
            assert_int_equal(status, PV_ERR_INPUT);
            expect_clear(pv_last_error(), table[i].name);
        }
        // A name of a file is anything.
        assert_true(refused > VALUES / 3 || strcmp(table[i].name, "restart") == 0);
    }
}

// ---- Runs -----------------------------------------------------------------------------------------------------------

static double random_real(uint64_t stream, uint64_t round, const pv_option *option)
{
    const double u = pv_rng_uniform(12, stream, 2 * round), largest = fmin(option->maximum, 1e300);
    // Mostly of the size of one, sometimes at the end of the range.
    if (u < 0.1) return option->minimum;
    if (u < 0.2) return largest;
    const double value = pow(10.0, 4.0 * pv_rng_uniform(12, stream, 2 * round + 1) - 3.0);
    return value < option->minimum ? option->minimum : value > largest ? largest : value;
}

static int choices_of(const char *choices)
{
    int count = 1;
    for (; *choices; choices++) count += *choices == '|';
    return count;
}

static void make_params(uint64_t round, pv_dns_params *p)
{
    pv_option table[PV_DNS_PARAMETERS];
    const int count = pv_dns_declare(p, table);
    for (int i = 0; i < count; i++) {
        const uint64_t stream = 100 + (uint64_t)i;
        // A few parameters at a time differ from their defaults.
        if (bits_of(stream, round) % 6 > 0) continue;
        if (table[i].type == PV_OPTION_REAL || table[i].type == PV_OPTION_REALS)
            *(double *)table[i].value = random_real(stream, round, &table[i]);
        if (table[i].type == PV_OPTION_CHOICE)
            *(int *)table[i].value = (int)(bits_of(stream + 100, round) % (uint32_t)choices_of(table[i].choices));
    }
    for (int d = 0; d < 3; d++) p->grid[d] = 4 + bits_of(300 + (uint64_t)d, round) % 9;
    p->scalars = bits_of(304, round) % 3;
    p->picture_width = 16 + bits_of(305, round) % 32;
    p->picture_height = 16 + bits_of(306, round) % 32;
}

static const char picture[] = "dns_bad_case.png";

static pv_status run(pv_comm *comm, const pv_dns_params *p)
{
    pv_dns *dns = NULL;
    pv_dns_record record;
    pv_status status = pv_dns_create(comm, p, &dns);
    if (status == PV_OK) status = pv_dns_observe(dns, &record);
    if (status == PV_OK && p->picture != PV_PICTURE_NONE) status = pv_dns_picture(dns, picture);
    for (int step = 0; step < 4 && status == PV_OK && pv_dns_time(dns) < p->time_end; step++) status = pv_dns_step(dns);
    pv_dns_destroy(dns);
    return status;
}

static void runs_of_any_values_end(void **state)
{
    (void)state;
    pv_device *device;
    pv_comm *comm;
    int good = 0;
    assert_ok(pv_device_open("cpu", &device));
    assert_ok(pv_comm_open_self(device, &comm));
    for (uint64_t round = 0; round < RUNS; round++) {
        pv_dns_params p = pv_dns_params_defaults();
        make_params(round, &p);
        pv_test_mute(1);
        const pv_status status = run(comm, &p);
        pv_test_mute(0);
        good += status == PV_OK;
        if (status != PV_OK && status != PV_ERR_INPUT && status != PV_ERR_CONVERGENCE)
            fail_msg("round %d: status %d: %s", (int)round, (int)status, pv_last_error());
    }
    assert_true(good > RUNS / 4);
    unlink(picture);
    pv_comm_close(comm);
    pv_device_close(device);
}

static void damping_is_a_number(void **state)
{
    (void)state;
    pv_dns_params p = pv_dns_params_defaults();
    p.hyperviscosity = 1e240; // k^2 = 1323, its 16th power 1e50
    p.hyper_order = 16;
    assert_ok(pv_dns_params_check(&p));
    p.hyperviscosity = 1e260;
    assert_fails(PV_ERR_INPUT, pv_dns_params_check(&p));
    assert_non_null(strstr(pv_last_error(), "hyperviscosity = 1e+260"));
    p.hyperviscosity = 0.0;
    assert_ok(pv_dns_params_check(&p));
}

PV_TEST_MAIN(PV_TEST(damping_is_a_number), PV_TEST(every_parameter_bears_bad_values), PV_TEST(runs_of_any_values_end))
