// SPDX-License-Identifier: Apache-2.0
#include "dft/files/psp8.h"

#include "analytic.h"

static void form_factors_are_those_of_the_closed_form(void **state)
{
    (void)state;
    pv_pseudo *pseudo;
    assert_ok(pv_pseudo_open_file(ANALYTIC_PSP8, &pseudo));
    assert_string_equal(pseudo->element, "Si");
    assert_string_equal(pseudo->functional, "PBE");
    assert_near(pseudo->valence, 4.0, 0.0);
    assert_int_equal(pseudo->projectors, 3);
    const double coupling[9] = {4.0, 0, 0, 0, -1.25, 0, 0, 0, 2.5};
    for (int i = 0; i < 9; i++) assert_near(pseudo->coupling_ha[i], coupling[i], 1e-14);
    assert_analytic_forms(pseudo);
    pv_pseudo_destroy(pseudo);
}

static void damage_is_named_with_its_line(void **state)
{
    (void)state;
    static const struct { const char *from, *to, *said; } edits[] = {
        {"  14.0 4.0", "  140 4.0", "analytic:2: found '140 4.0"},
        {"  14.0 4.0", "  14.0 x", "analytic:2:"},
        {"  8 11 1 4 61", "  6 11 1 4 61", "analytic:3: found '6 11"},
        {"  8 11 1 4 61", "  8 11 1 7 61", "lmax and lloc"},
        {"  8 11 1 4 61", "  8 11 1 4 999999999", "mmax"},
        {"  8 11 1 4 61", "  8 11 1 4 60", "block of l = 1"},
        {"  8 11 1 4 61", "  8 11 1 4 62", "a row is"},
        {"  2 1 0 0 0 nproj", "  2 1 0 0 2 nproj", "analytic:5:"},
        {"  2 1 0 0 0 nproj", "  2 nproj", "analytic:5:"},
        {"  1 1 extension", "  3 1 extension", "spin-orbit"},
        {"  6.0 1.0 0.0", "  6.0", "analytic:4:"},
        {"     3 2.000000000000000E-01", "     4 2.000000000000000E-01", "analytic:10:"},
        {"  1 2.500000000000000E+00\n", "  1\n", "one energy for each"}};
    char *text = read_text(ANALYTIC_PSP8);
    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++) {
        char *edited = replaced(text, edits[i].from, edits[i].to);
        pv_pseudo *pseudo = NULL;
        assert_fails(PV_ERR_INPUT, pv_psp8_parse(edited, strlen(edited), "analytic", &pseudo));
        assert_null(pseudo);
        if (!strstr(pv_last_error(), edits[i].said)) fail_msg("'%s' does not say '%s'", pv_last_error(), edits[i].said);
        free(edited);
    }
    free(text);
}

static void every_cut_short_file_is_refused(void **state)
{
    (void)state;
    char *text = read_text(ANALYTIC_PSP8);
    const size_t whole = strlen(text);
    for (size_t length = 0; length + 40 < whole; length += 397) {
        pv_pseudo *pseudo;
        assert_fails(PV_ERR_INPUT, pv_psp8_parse(text, length, "analytic", &pseudo));
    }
    free(text);
}

static void an_uneven_mesh_is_refused(void **state)
{
    (void)state;
    static const struct { const char *from, *said; } edits[] = {
        {"    61 6.000000000000000E+00 6.", "analytic:314:"},   // in the last block alone
        {"    61 6.000000000000000E+00 1.", "analytic:130:"}};  // in the first: the second disagrees
    char *text = read_text(ANALYTIC_PSP8), to[64];
    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++) {
        snprintf(to, sizeof to, "%s", edits[i].from);
        memcpy(to, "    61 7", 8);
        char *edited = replaced(text, edits[i].from, to);
        pv_pseudo *pseudo;
        assert_fails(PV_ERR_INPUT, pv_psp8_parse(edited, strlen(edited), "analytic", &pseudo));
        if (!strstr(pv_last_error(), edits[i].said)) fail_msg("'%s' does not say '%s'", pv_last_error(), edits[i].said);
        free(edited);
    }
    free(text);
}

PV_TEST_MAIN(PV_TEST(form_factors_are_those_of_the_closed_form), PV_TEST(damage_is_named_with_its_line),
             PV_TEST(every_cut_short_file_is_refused), PV_TEST(an_uneven_mesh_is_refused))
