// SPDX-License-Identifier: Apache-2.0
#include "dns/figure/figure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <parseval/comm.h>

#include "dns/files/journal.h"
#include "dns/files/table.h"
#include "harness.h"

static void make_run_with(int scalars, char folder[64])
{
    pv_device *device;
    pv_comm *comm;
    pv_dns_journal *journal;
    strcpy(folder, "/tmp/parseval-dns-XXXXXX");
    assert_non_null(mkdtemp(folder));
    assert_ok(pv_device_open("cpu", &device));
    assert_ok(pv_comm_open_self(device, &comm));
    assert_ok(pv_dns_journal_open(comm, folder, scalars, 0, 0.0, &journal));
    pv_dns_structure structure = {.count = {3, 3, 3}};
    for (int axis = 0; axis < 3; axis++)
        for (int i = 0; i < 3; i++) {
            structure.r[axis][i] = 0.1 * (1 << i);
            structure.longitudinal[axis][i][0] = 0.4;
            structure.longitudinal[axis][i][1] = -0.01;
        }
    for (int i = 0; i < 6; i++) {
        const double energy[] = {0.0, 1.0, 0.3, 0.1, 0.02}, transfer[] = {0.0, -1.0, 0.2, 0.5, 0.3};
        pv_dns_record record = {.step = i, .time = 0.1 * i, .energy = 1.0 / (1 + i), .dissipation = 0.2,
                                      .reynolds_taylor = 80.0, .kolmogorov = 0.2, .kmax_eta = 0.6};
        pv_dns_shells shells = {
            .count = 5, .width = 1.0, .energy = energy, .transfer = transfer, .dissipation = energy};
        const double variance[] = {0.0, 2.0, 0.6, 0.2, 0.04, 0.0, 1.0, 0.5, 0.25, 0.125};
        const double gain[] = {0.0, -1.0, 0.2, 0.5, 0.3, 0.0, -2.0, 0.5, 1.0, 0.5};
        shells.scalars = scalars;
        shells.scalar_variance = shells.scalar_dissipation = variance;
        shells.scalar_transfer = gain;
        for (int scalar = 0; scalar < scalars; scalar++) {
            record.scalar_variance[scalar] = 2.84 - scalar;
            record.scalar_dissipation[scalar] = 0.5;
            record.mixed_skewness[scalar] = -0.5;
        }
        assert_ok(pv_dns_journal_add(journal, &record, &shells, i == 5 ? &structure : NULL));
    }
    pv_dns_journal_close(journal);
    pv_comm_close(comm);
    pv_device_close(device);
}

static void make_run(char folder[64])
{
    make_run_with(0, folder);
}

static void remove_run(const char *folder)
{
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

static void draws_a_run(void **state)
{
    (void)state;
    char folder[64], path[128];
    make_run(folder);
    pv_dns_figures drawn;
    assert_ok(pv_dns_figures_write(folder, &drawn));
    assert_true(drawn.energy && drawn.power && drawn.scales && drawn.spectra && drawn.flux && drawn.structure);
    assert_true(drawn.compensated);
    assert_false(drawn.scalars || drawn.scalar_power || drawn.scalar_spectra || drawn.scalar_flux);
    snprintf(path, sizeof path, "%s/spectra.svg", folder);
    assert_int_equal(access(path, R_OK), 0);
    remove_run(folder);
}

// Of how many curves a figure is: those of paths with lines, but for frame, ticks and dashes.
static int curves_of(const char *folder, const char *file)
{
    char path[128], line[4096];
    int count = 0;
    snprintf(path, sizeof path, "%s/%s", folder, file);
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    while (fgets(line, sizeof line, in)) {
        const char *d = strstr(line, " d=\"M");
        count += d && strchr(d, 'L') && strstr(line, "stroke-width=\"1") && !strstr(line, "dasharray");
    }
    fclose(in);
    return count;
}

static void draws_every_scalar(void **state)
{
    (void)state;
    static const char *const files[] = {"scalars.svg", "scalar_power.svg", "scalar_spectra.svg", "scalar_flux.svg",
                                        "mixed_skewness.svg"};
    for (int scalars = 1; scalars <= 2; scalars++) {
        char folder[64];
        pv_dns_figures drawn;
        make_run_with(scalars, folder);
        assert_ok(pv_dns_figures_write(folder, &drawn));
        assert_true(drawn.scalars && drawn.scalar_power && drawn.scalar_spectra && drawn.scalar_flux);
        assert_true(drawn.mixed_skewness);
        for (int i = 0; i < 5; i++)
            if (curves_of(folder, files[i]) != scalars)
                fail_msg("%s has %d curves of %d scalars", files[i], curves_of(folder, files[i]), scalars);
        remove_run(folder);
    }
}

// Both laws are on the page although the run of make_run reaches neither.
static void laws_lie_within_the_frame(void **state)
{
    (void)state;
    char folder[64], path[128], line[4096];
    double left, top, right, bottom, at;
    int laws = 0, has_frame = 0;
    pv_dns_figures drawn;
    make_run(folder);
    assert_ok(pv_dns_figures_write(folder, &drawn));
    snprintf(path, sizeof path, "%s/structure.svg", folder);
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    double found[2];
    while (fgets(line, sizeof line, in)) {
        const char *dashed = strstr(line, "stroke-dasharray=\"4 2\" d=\"M"), *m = dashed ? strchr(dashed, 'M') : NULL;
        if (m && strchr(m, 'L') && laws < 2 && sscanf(m, "M%*f %lf", &at) == 1) found[laws++] = at;
        const char *frame = strstr(line, "d=\"M");
        if (frame && sscanf(frame, "d=\"M%lf %lfH%lfV%lf", &left, &top, &right, &bottom) == 4) has_frame = 1;
    }
    fclose(in);
    assert_true(has_frame && laws == 2);
    for (int i = 0; i < 2; i++) assert_true(found[i] > fmin(top, bottom) && found[i] < fmax(top, bottom));
    remove_run(folder);
}

// The law of E(k) has its own constant: through 1.6 eps^(2/3) at k = 1, the first shell, of slope - 5/3; shells beyond
// kmax = 3 are not drawn.
static void the_law_of_spectra_is_absolute(void **state)
{
    (void)state;
    char folder[64], path[128], line[4096];
    double left = 0.0, top = 0.0, right = 0.0, bottom = 0.0, law[4] = {0.0}, spectrum[6] = {0.0};
    pv_dns_figures drawn;
    make_run(folder);
    assert_ok(pv_dns_figures_write(folder, &drawn));
    snprintf(path, sizeof path, "%s/spectra.svg", folder);
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    while (fgets(line, sizeof line, in)) {
        const char *d = strstr(line, " d=\"M");
        if (!d) continue;
        sscanf(line, "<path fill=\"none\" stroke=\"#000\" stroke-width=\"0.6\" d=\"M%lf %lfH%lfV%lf", &left, &top,
               &right, &bottom);
        if (strstr(line, "stroke-dasharray=\"4 2\"") && strchr(d, 'L'))
            sscanf(d, " d=\"M%lf %lfL%lf %lf", &law[0], &law[1], &law[2], &law[3]);
        else if (strchr(d, 'L') && spectrum[0] == 0.0)
            assert_int_equal(sscanf(d, " d=\"M%lf %lfL%lf %lfL%lf %lfL", &spectrum[0], &spectrum[1], &spectrum[2],
                                    &spectrum[3], &spectrum[4], &spectrum[5]), 6);
    }
    fclose(in);
    // E = 1, 0.3, 0.1 at k = 1, 2, 3, which fill the axis of k.
    assert_near(spectrum[0], left, 0.02);
    assert_near(spectrum[4], right, 0.02);
    const double decade = spectrum[5] - spectrum[1], e = 1.6 * pow(0.2, 2.0 / 3.0);
    assert_near((law[1] - spectrum[1]) / decade, -log10(e), 2e-3);
    assert_near((law[3] - law[1]) / decade, 5.0 / 3.0 * (law[2] - law[0]) / (right - left) * log10(3.0), 2e-3);
    remove_run(folder);
}

static void tables_come_back_with_every_digit(void **state)
{
    (void)state;
    char folder[64], path[128];
    int found;
    pv_table table;
    make_run(folder);
    snprintf(path, sizeof path, "%s/series.csv", folder);
    assert_ok(pv_table_read(path, &table, &found));
    assert_int_equal(table.rows, 6);
    assert_near(pv_table_column(&table, "energy")[2], 1.0 / 3.0, 0.0);
    assert_null(pv_table_column(&table, "entropy"));
    pv_table_release(&table);
    // The flux through the last shell is what the transfer sums to, with the other sign.
    snprintf(path, sizeof path, "%s/spectra.csv", folder);
    assert_ok(pv_table_read(path, &table, &found));
    assert_near(pv_table_column(&table, "flux")[4], 0.0, 1e-15);
    assert_near(pv_table_column(&table, "flux")[1], 1.0, 1e-15);
    pv_table_release(&table);
    remove_run(folder);
}

static void says_what_is_no_run(void **state)
{
    (void)state;
    char folder[64], path[128];
    pv_dns_figures drawn;
    assert_fails(PV_ERR_INPUT, pv_dns_figures_write("/nowhere/at/all", &drawn));
    make_run(folder);
    snprintf(path, sizeof path, "%s/series.csv", folder);
    FILE *out = fopen(path, "a");
    fputs("6,0.6,half\n", out);
    fclose(out);
    assert_fails(PV_ERR_INPUT, pv_dns_figures_write(folder, &drawn));
    assert_non_null(strstr(pv_last_error(), "series.csv:8"));
    static const char *const wrong[] = {"", "\n", "\x01garbage \xff\n", "step,time,energy\n",
                                        "names,time,only\n1,2,3\n4,5,6\n"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        out = fopen(path, "w");
        fputs(wrong[i], out);
        fclose(out);
        assert_fails(PV_ERR_INPUT, pv_dns_figures_write(folder, &drawn));
        assert_non_null(strstr(pv_last_error(), "series.csv"));
    }
    remove_run(folder);
}

PV_TEST_MAIN(PV_TEST(draws_a_run), PV_TEST(draws_every_scalar), PV_TEST(laws_lie_within_the_frame),
             PV_TEST(the_law_of_spectra_is_absolute), PV_TEST(tables_come_back_with_every_digit),
             PV_TEST(says_what_is_no_run))
