// SPDX-License-Identifier: Apache-2.0
#include "dft/files/results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "crystals.h"
#include "shared.h"

// Two atoms, two k-points, two bands; a metal without stress.
static pv_results made_up(void)
{
    static const double kpoint[2][3] = {{0, 0, 0}, {0.5, 0, 0}}, weight[2] = {0.25, 0.75};
    static const double eigenvalue[4] = {-1.5, 2.0, -1.25, 2.5}, occupation[4] = {2, 0, 2, 0};
    static const double force[2][3] = {{0.1, 0, -0.2}, {-0.1, 0, 0.2}};
    static const pv_results_entry energy[] = {{"hartree", 1.5}, {"ewald", -2.0}},
                                  seconds[] = {{"scf", 1.0}, {"total", 1.5}};
    return (pv_results){.converged = 1,
                        .energy_ha = -10.25,
                        .energy_sigma0_ha = NAN,
                        .atoms = 2,
                        .spins = 1,
                        .kpoints = 2,
                        .bands = 2,
                        .kpoint = kpoint,
                        .weight = weight,
                        .eigenvalue_ev = eigenvalue,
                        .occupation = occupation,
                        .force_ev_angstrom = force,
                        .fermi_ev = 0.5,
                        .energy = energy,
                        .energies = 2,
                        .iterations = 9,
                        .seconds = seconds,
                        .seconds_count = 2,
                        .peak_bytes = 1 << 20};
}

static char *written(const pv_results *results)
{
    char directory[] = "/tmp/parseval-results-XXXXXX", path[128];
    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/results.json", directory);
    assert_ok(pv_results_write(path, results));
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 16);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 16) - 1, file) > 0);
    fclose(file);
    remove(path);
    assert_int_equal(rmdir(directory), 0);
    return text;
}

static void what_is_there_and_what_is_not(void **state)
{
    (void)state;
    pv_results results = made_up();
    char *text = written(&results);
    static const char *const parts[] = {
        "\"converged\": true", "\"energy_ha\": -10.25", "\"energy_sigma0_ha\": null", "\"kpoints\": [", "[0.5, 0, 0]",
        "\"weights\": [0.25, 0.75]", "[-1.25, 2.5]", "\"occupations\": [", "\"gap_ev\": null", "\"exchange_grid\": null",
        "[0.1, 0, -0.2]",
        "\"stress_kbar\": null", "\"energies_ha\": {", "\"hartree\": 1.5", "\"iterations\": 9", "\"total\": 1.5",
        "\"peak_bytes\": 1048576", "\"iteration_seconds\": null", "\"machine\": null",
        "\"version\": null", "\"system\": null"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (!strstr(text, parts[i])) fail_msg("%s is not in %s", parts[i], text);
    free(text);

    results.gap_ev = (pv_results_gap){.known = 1, .fundamental = 3.25, .direct = 3.5, .vbm = -1.25, .cbm = 2.0,
                                      .vbm_k = {0.5, 0, 0}, .spin = {3.25, INFINITY}};
    results.grid_error = (pv_dft_grid_error){.known = 1, .grid = {30, 32, 36}, .full = {54, 54, 60}, .filled = 48,
                                             .sums = 6, .energy_ha = 0.001, .gap_ha = NAN};
    static const double seconds[PV_RESULTS_SECONDS * 9] = {1.5, 0.5, [9] = 0.25, [18] = 0.0625, [36] = 0.125,
                                                           [45] = 0.5};
    results.step_s = seconds;
    results.machine = (pv_results_machine){.ranks = 4, .threads = 2, .nodes = 1, .device = "cuda", .transport = "nccl"};
    text = written(&results);
    assert_non_null(strstr(text, "\"iteration_seconds\": [1.5, 0.5, 0,"));
    assert_non_null(strstr(text, "\"iteration_exchange_seconds\": [0.25, 0,"));
    assert_non_null(strstr(text, "\"iteration_exchange_double_seconds\": [0.0625, 0,"));
    assert_non_null(strstr(text, "\"iteration_exchange_wait_seconds\": [0.125, 0,"));
    assert_non_null(strstr(text, "\"iteration_communication_seconds\": [0.5, 0,"));
    assert_non_null(strstr(text, "\"full_points\": [54, 54, 60]"));
    assert_non_null(strstr(text, "\"gap_error_mev\": null"));
    assert_non_null(strstr(text, "\"transport\": \"nccl\""));
    assert_non_null(strstr(text, "\"fundamental\": 3.25"));
    assert_non_null(strstr(text, "\"vbm_k\": [0.5, 0, 0]"));
    assert_non_null(strstr(text, "\"spins\": [3.25, null]"));
    free(text);
}

static void what_was_computed_is_told(void **state)
{
    (void)state;
    pv_cell *cell = cell_of(&magnesia);
    const pv_dft_params params = {.cutoff_ha = 500.0 / PV_HARTREE_EV, .electrons = 16.0, .spins = 2, .bands = 12,
                                  .functional = pv_functional_hybrid_of(PV_FUNCTIONAL_PBE, 0.25, 0.0)};
    static const char *const potentials[] = {"Mg.upf", "O \"n\""};
    pv_results results = made_up();
    results.system = (pv_results_system){"1.2.3", cell, &params, potentials};
    results.moment_mu_b = -1.5;
    char *text = written(&results);
    static const char *const parts[] = {
        "\"version\": \"1.2.3\"", "\"elements\": [\"Mg\", \"O\"]", "\"volume_angstrom3\": 18.65",
        "\"potentials\": [\"Mg.upf\", \"O \\\"n\\\"\"]", "\"functional\": \"PBE0\"", "\"electrons\": 16",
        "\"spins\": 2",
        "\"bands\": 12", "\"moment_mu_b\": -1.5"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (!strstr(text, parts[i])) fail_msg("%s is not in %s", parts[i], text);
    const char *cutoff = strstr(text, "\"cutoff_ev\": ");
    assert_non_null(cutoff);
    assert_near(strtod(cutoff + strlen("\"cutoff_ev\": "), NULL), 500.0, 1e-9);
    free(text);
    pv_cell_destroy(cell);
}

static void the_gap_has_a_line(void **state)
{
    (void)state;
    pv_results_gap gap = {.known = 1, .fundamental = 3.25, .direct = 3.5, .vbm = -1.25, .cbm = 2.0, .spin = {NAN, NAN}};
    char line[PV_RESULTS_LINE];
    pv_results_gap_line(&gap, line);
    assert_string_equal(line, "band gap       3.2500 eV (direct 3.5000), from -1.2500 to 2.0000 eV");
    gap.spin[0] = 3.25;
    gap.spin[1] = 4.5;
    pv_results_gap_line(&gap, line);
    assert_non_null(strstr(line, "to 2.0000 eV; spin up 3.2500, down 4.5000 eV"));
    gap.cbm = -2.0;
    gap.fundamental = gap.cbm - gap.vbm;
    pv_results_gap_line(&gap, line);
    assert_string_equal(line, "band gap   none: states are filled up to -1.2500 eV and empty from -2.0000 eV on; spin "
                              "up 3.2500, down 4.5000 eV");
}

static void the_grid_of_exchange_has_a_line(void **state)
{
    (void)state;
    pv_dft_grid_error error = {.known = 1, .grid = {30, 32, 36}, .full = {54, 54, 60}, .filled = 48, .sums = 6,
                               .energy_ha = 1.2e-4, .gap_ha = -3e-6};
    char line[PV_RESULTS_LINE];
    pv_results_grid_error_line(&error, 12, line);
    assert_string_equal(line, "exchange grid 30x32x36 against full 54x54x60: energy +0.27 meV/atom, gap -0.082 meV "
                              "(from 6 sums of 48 filled bands)");
    error.sums = 48;
    error.gap_ha = NAN;
    pv_results_grid_error_line(&error, 12, line);
    assert_string_equal(line, "exchange grid 30x32x36 against full 54x54x60: energy +0.27 meV/atom");
}

static void the_total_time_is_needed(void **state)
{
    (void)state;
    pv_results results = made_up();
    results.seconds_count = 1;
    assert_fails(PV_ERR_ARGUMENT, pv_results_write("/tmp/never-written.json", &results));
    assert_int_not_equal(access("/tmp/never-written.json", F_OK), 0);
}

// A case's comparison reads the file and finds the made-up energy wrong, nothing else: exit status 1, "FAIL".
static void the_comparison_reads_it(void **state)
{
    (void)state;
    char root[4096], command[16384], line[512] = "";
    snprintf(root, sizeof root, "%s", shared_or_skip("reference/dft"));
    if (system("python3 -c pass > /dev/null 2>&1") != 0) pv_test_skip("python3 is not there");
    static double kpoint[8][3], weight[8], bands[64], force[2][3], stress[3][3];
    static const pv_results_entry seconds[] = {{"total", 2.0}};
    const pv_results results = {.atoms = 2,
                                .spins = 1,
                                .kpoints = 8,
                                .bands = 8,
                                .kpoint = (const double(*)[3])kpoint,
                                .weight = weight,
                                .eigenvalue_ev = bands,
                                .force_ev_angstrom = (const double(*)[3])force,
                                .stress_kbar = (const double(*)[3])stress,
                                .seconds = seconds,
                                .seconds_count = 1};
    char path[] = "/tmp/parseval-compare-XXXXXX";
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    assert_ok(pv_results_write(path, &results));
    snprintf(command, sizeof command, "python3 %s/compare.py %s/si2_pbe_222 %s 2>&1", root, root, path);
    FILE *answer = popen(command, "r");
    assert_non_null(answer);
    assert_non_null(fgets(line, sizeof line, answer));
    const int status = pclose(answer);
    remove(path);
    if (!strstr(line, "si2_pbe_222: dF") || !strstr(line, "FAIL")) fail_msg("compare.py says: %s", line);
    assert_int_not_equal(status, 0);
}

PV_TEST_MAIN(PV_TEST(what_is_there_and_what_is_not), PV_TEST(what_was_computed_is_told),
             PV_TEST(the_gap_has_a_line), PV_TEST(the_grid_of_exchange_has_a_line), PV_TEST(the_total_time_is_needed),
             PV_TEST(the_comparison_reads_it))
