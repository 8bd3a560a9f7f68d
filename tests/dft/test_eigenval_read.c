// SPDX-License-Identifier: Apache-2.0
#include "dft/files/eigenval_read.h"

#include <stdlib.h>
#include <unistd.h>

#include "made_up_run.h"

static void what_is_written_is_read(void **state)
{
    (void)state;
    for (int spins = 1; spins <= 2; spins++) {
        made_up_run made;
        make_up_run(&made, spins);
        char directory[] = "/tmp/parseval-bands-XXXXXX", eigenval[64], doscar[64];
        assert_non_null(mkdtemp(directory));
        snprintf(eigenval, sizeof eigenval, "%s/EIGENVAL", directory);
        snprintf(doscar, sizeof doscar, "%s/DOSCAR", directory);
        assert_ok(pv_eigenval_write(eigenval, &made.run));
        assert_ok(pv_doscar_write(doscar, &made.run));
        pv_bands *bands;
        double fermi;
        assert_ok(pv_eigenval_read(eigenval, &bands));
        assert_ok(pv_doscar_read_fermi(doscar, &fermi));
        remove(eigenval);
        remove(doscar);
        assert_int_equal(rmdir(directory), 0);
        assert_near(fermi, made.results.fermi_ev, 1e-8);
        assert_int_equal(bands->spins, spins);
        assert_int_equal(bands->kpoints, MADE_KPOINTS);
        assert_int_equal(bands->bands, MADE_BANDS);
        assert_near(bands->electrons, 36.0, 0.0);
        for (int k = 0; k < MADE_KPOINTS; k++) {
            assert_near(bands->kpoint[k][2], made.kpoints->fractional[k][2], 1e-7);
            assert_near(bands->weight[k], made.kpoints->weight[k], 1e-7);
        }
        for (int i = 0; i < spins * MADE_KPOINTS * MADE_BANDS; i++) {
            assert_near(bands->eigenvalue_ev[i], made.eigenvalue[i], 1e-6);
            assert_near(bands->filling[i], made.occupation[i] / (3 - spins), 1e-6);
        }
        pv_bands_destroy(bands);
        release_run(&made);
    }
}

#define HEAD "2 2 1 1\n0 0 0 0 0\n1e-4\nCAR\nname\n"

static void older_files_have_no_fillings(void **state)
{
    (void)state;
    static const char text[] = HEAD "8 1 2\n\n0 0 0 1\n1 -5.5\n2 0.5\n";
    pv_bands *bands;
    assert_ok(pv_eigenval_parse(text, sizeof text - 1, "EIGENVAL", &bands));
    assert_null(bands->filling);
    assert_near(bands->eigenvalue_ev[1], 0.5, 0.0);
    pv_bands_destroy(bands);
    pv_bands_destroy(NULL);
}

static void what_is_wrong_is_said_with_its_line(void **state)
{
    (void)state;
    static const struct { const char *text, *word; } cases[] = {
        {"", "first line"}, {"2 2 1 3\n", "1 or 2"}, {"2 2 1 1\n0\n", "ends after line 2"},
        {HEAD "8 1\n", "EIGENVAL:6"},
        {HEAD "8 0 2\n", "EIGENVAL:6"}, {HEAD "8 1000000 1000000\n0 0 0 1\n", "no room"},
        {HEAD "8 1 1\n0 0 0\n1 2 3\n", "four numbers"}, {HEAD "8 1 2\n0 0 0 1\n1 2 1\n3 4 1\n", "EIGENVAL:9"},
        {HEAD "8 1 2\n0 0 0 1\n1 2 1\n", "band 2 of k-point 1"}, {HEAD "8 1 1\n0 0 0 1\n1 x 1\n", "EIGENVAL:8"}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        pv_bands *untouched = NULL;
        assert_fails(PV_ERR_INPUT, pv_eigenval_parse(cases[c].text, strlen(cases[c].text), "EIGENVAL", &untouched));
        assert_null(untouched);
        if (!strstr(pv_last_error(), cases[c].word)) fail_msg("'%s' is not in: %s", cases[c].word, pv_last_error());
    }
    pv_bands *untouched = NULL;
    assert_fails(PV_ERR_INPUT, pv_eigenval_read("/nowhere/EIGENVAL", &untouched));
}

PV_TEST_MAIN(PV_TEST(what_is_written_is_read), PV_TEST(older_files_have_no_fillings),
             PV_TEST(what_is_wrong_is_said_with_its_line))
