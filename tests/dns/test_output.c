// SPDX-License-Identifier: Apache-2.0
// The line of progress, and the columns of tables.
#include <stdio.h>
#include <string.h>

#include "dns/files/output.h"
#include "harness.h"

static void the_line_tells_the_step_taken(void **state)
{
    (void)state;
    char text[256];
    // At the end of a run: a step of 10 would come, one of 0.5 has led there.
    pv_dns_record record = {.step = 7, .time = 2.0, .dt = 10.0, .cfl = 5.0, .dt_taken = 0.5, .energy = 0.125};
    assert_non_null(strstr(pv_dns_record_text(&record, text), " dt      0.5  CFL 0.250  E 0.125"));
    // At its start there is only one to come.
    record.dt_taken = 0.0;
    assert_non_null(strstr(pv_dns_record_text(&record, text), " dt       10  CFL 5.000  E 0.125"));
}

static void large_numbers_stay_short(void **state)
{
    (void)state;
    char text[256];
    const pv_dns_record record = {.time = 1e300, .dt = 1e300, .cfl = 1e300, .energy = 1e300, .dissipation = 1e300,
                                  .reynolds_taylor = 1e300, .kmax_eta = 1e300};
    assert_true(strlen(pv_dns_record_text(&record, text)) < 160);
}

// The columns of the first scalar are there without it, and have no number.
static void every_scalar_has_columns(void **state)
{
    (void)state;
    pv_dns_record record = {.step = 3, .divergence = 0.5};
    for (int i = 0; i < PV_DNS_MOST_SCALARS; i++) {
        record.scalar_variance[i] = 1.0 + i;
        record.scalar_dissipation[i] = 100.0 + i;
        record.scalar_production[i] = -1.0 - i;
        record.mixed_skewness[i] = -0.5 - i;
    }
    for (int scalars = 0; scalars <= PV_DNS_MOST_SCALARS; scalars++) {
        pv_table table = {0};
        pv_dns_table_begin(PV_DNS_SERIES, scalars, &table);
        assert_ok(pv_dns_series_add(&record, &table));
        assert_near(pv_table_column(&table, "step")[0], 3.0, 0.0);
        assert_near(pv_table_column(&table, "divergence")[0], 0.5, 0.0);
        assert_near(pv_table_column(&table, "scalar_variance")[0], 1.0, 0.0);
        assert_near(pv_table_column(&table, "scalar_production")[0], -1.0, 0.0);
        assert_null(pv_table_column(&table, "scalar_variance_1"));
        const double *mixed = pv_table_column(&table, "mixed_skewness");
        assert_true(scalars == 0 ? !mixed : mixed[0] == -0.5);
        for (int scalar = 2; scalar <= PV_DNS_MOST_SCALARS + 1; scalar++) {
            char name[32];
            snprintf(name, sizeof name, "scalar_dissipation_%d", scalar);
            const double *column = pv_table_column(&table, name);
            assert_int_equal(column != NULL, scalar <= scalars);
            if (column) assert_near(column[0], 99.0 + scalar, 0.0);
            snprintf(name, sizeof name, "mixed_skewness_%d", scalar);
            column = pv_table_column(&table, name);
            assert_int_equal(column != NULL, scalar <= scalars);
            if (column) assert_near(column[0], 0.5 - scalar, 0.0);
        }
        pv_table_release(&table);
    }
}

static void every_scalar_has_a_spectrum(void **state)
{
    (void)state;
    const double energy[] = {0.0, 1.0}, variance[] = {0.0, 3.0, 0.0, 5.0}, transfer[] = {0.25, -1.5, 0.5, -2.0};
    const pv_dns_shells shells = {.count = 2,
                                  .width = 0.5,
                                  .energy = energy,
                                  .transfer = energy,
                                  .dissipation = energy,
                                  .scalars = 2,
                                  .scalar_variance = variance,
                                  .scalar_transfer = transfer,
                                  .scalar_dissipation = variance};
    pv_table table = {0};
    pv_dns_table_begin(PV_DNS_SPECTRA, 2, &table);
    assert_ok(pv_dns_spectra_add(1.0, &shells, &table));
    assert_near(pv_table_column(&table, "energy")[1], 2.0, 0.0);
    assert_near(pv_table_column(&table, "scalar_variance")[1], 6.0, 0.0);
    assert_near(pv_table_column(&table, "scalar_variance_2")[1], 10.0, 0.0);
    assert_near(pv_table_column(&table, "scalar_variance_2")[0], 0.0, 0.0);
    assert_near(pv_table_column(&table, "scalar_transfer_2")[1], -4.0, 0.0);
    assert_near(pv_table_column(&table, "scalar_flux")[1], 1.25, 0.0);
    assert_near(pv_table_column(&table, "scalar_flux_2")[0], -0.5, 0.0);
    assert_near(pv_table_column(&table, "scalar_dissipation")[1], 6.0, 0.0);
    assert_null(pv_table_column(&table, "scalar_variance_3"));
    pv_table_release(&table);
}

PV_TEST_MAIN(PV_TEST(the_line_tells_the_step_taken), PV_TEST(large_numbers_stay_short),
             PV_TEST(every_scalar_has_columns), PV_TEST(every_scalar_has_a_spectrum))
