// SPDX-License-Identifier: Apache-2.0
#include "dft/files/upf.h"

#include "analytic.h"

static void form_factors_are_those_of_the_closed_form(void **state)
{
    (void)state;
    pv_pseudo *pseudo;
    assert_ok(pv_pseudo_open_file(ANALYTIC_UPF, &pseudo));
    assert_string_equal(pseudo->element, "Si");
    assert_string_equal(pseudo->functional, "PBE");
    assert_string_equal(pseudo->source, "UPF " ANALYTIC_UPF);
    assert_near(pseudo->valence, 4.0, 0.0);
    assert_near(pseudo->cutoff_ha, 15.0, 1e-14);
    assert_int_equal(pseudo->projectors, 3);
    assert_int_equal(pseudo->l_max, 1);
    const double coupling[9] = {4.0, 0, 0, 0, -1.25, 0, 0, 0, 2.5};
    for (int i = 0; i < 9; i++) assert_near(pseudo->coupling_ha[i], coupling[i], 1e-14);
    assert_analytic_forms(pseudo);
    pv_pseudo_destroy(pseudo);
}

static void the_end_of_the_table_joins_the_integral(void **state)
{
    (void)state;
    pv_pseudo *pseudo;
    assert_ok(pv_pseudo_open_file(ANALYTIC_UPF, &pseudo));
    for (int i = 0; i < pseudo->projectors; i++)
        assert_near(pv_pseudo_projector_form(pseudo, i, 32.0 - 1e-12), pv_pseudo_projector_form(pseudo, i, 32.0), 1e-9);
    pv_pseudo_destroy(pseudo);
}

static void kinds_it_cannot_use_are_named(void **state)
{
    (void)state;
    static const struct { const char *from, *to, *said; } edits[] = {
        {"is_ultrasoft=\"F\"", "is_ultrasoft=\".true.\"", "ultrasoft"},
        {"is_paw=\"F\"", "is_paw=\"T\"", "PAW"},
        {"is_coulomb=\"F\"", "is_coulomb=\"true\"", "Coulomb"},
        {"has_so=\"F\"", "has_so=\"T\"", "spin-orbit"},
        {"pseudo_type=\"NC\"", "pseudo_type=\"SL\"", "found pseudo_type = \"SL\""},
        {"<UPF version=\"2.0.1\">", "", "is not UPF 2"},
        {"<UPF version=\"2.0.1\">", "<qe_pp:pseudo>", "XML schema"},
        {"element=\"Si\"", "element=\"Qx\"", "found element = \"Qx\""},
        {"z_valence=\"4.00\"", "z_valence=\"-4\"", "z_valence"},
        {"z_valence=\"4.00\"", "", "has no z_valence"},
        {"mesh_size=\"61\"", "mesh_size=\"2000000000\"", "mesh_size"},
        {"mesh_size=\"61\"", "mesh_size=\"2000\"", "room"},
        {"mesh_size=\"61\"", "mesh_size=\"62\"", "61 of 62"},
        {"mesh_size=\"61\"", "mesh_size=\"4\"", "at least 5 points"},
        {"number_of_proj=\"3\"", "number_of_proj=\"4\"", "PP_BETA.4"},
        {"angular_momentum=\"1\"", "angular_momentum=\"4\"", "0 to 3"},
        {"</PP_LOCAL>", "", "PP_LOCAL begins here and never ends"},
        {"</PP_RHOATOM>", "", "PP_RHOATOM begins here and never ends"},
        {"</UPF>", "", "ends early"},
        {"1.000000000000000E-01", "nan", "analytic:11: found 'nan'"},
        {"1.000000000000000E-01", "1e999", "found '1e999'"}};
    char *text = read_text(ANALYTIC_UPF);
    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++) {
        char *edited = replaced(text, edits[i].from, edits[i].to);
        pv_pseudo *pseudo = NULL;
        assert_fails(PV_ERR_INPUT, pv_upf_parse(edited, strlen(edited), "analytic", &pseudo));
        assert_null(pseudo);
        if (!strstr(pv_last_error(), edits[i].said)) fail_msg("'%s' does not say '%s'", pv_last_error(), edits[i].said);
        free(edited);
    }
    free(text);
}

static void functionals_have_one_name(void **state)
{
    (void)state;
    static const char *const names[][2] = {{"SLA PW PBX PBC", "PBE"}, {"sla  pw pbe pbe", "PBE"},
                                           {"PBESOL", "PBEsol"},      {"SLA PW PSX PSC", "PBEsol"},
                                           {"SLA PZ NOGX NOGC", "LDA"}, {"BLYP", "BLYP"}};
    char *text = read_text(ANALYTIC_UPF);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char attribute[64];
        pv_pseudo *pseudo;
        snprintf(attribute, sizeof attribute, "functional=\"%s\"", names[i][0]);
        char *edited = replaced(text, "functional=\"SLA PW PBX PBC\"", attribute);
        assert_ok(pv_upf_parse(edited, strlen(edited), "analytic", &pseudo));
        assert_string_equal(pseudo->functional, names[i][1]);
        pv_pseudo_destroy(pseudo);
        free(edited);
    }
    free(text);
}

// Wherever a transfer broke off.
static void a_cut_file_ends_early(void **state)
{
    (void)state;
    char *text = read_text(ANALYTIC_UPF);
    const size_t header = (size_t)(strstr(text, "<PP_HEADER") - text), whole = strlen(text) - strlen("\n</UPF>");
    for (size_t length = header; length < whole; length += 97) {
        pv_pseudo *pseudo = NULL;
        assert_fails(PV_ERR_INPUT, pv_upf_parse(text, length, "analytic", &pseudo));
        if (!strstr(pv_last_error(), "ends early")) fail_msg("cut after %zu bytes: %s", length, pv_last_error());
    }
    free(text);
}

static void what_does_not_fit_together_is_refused(void **state)
{
    (void)state;
    static const struct { const char *from, *to; } edits[] = {
        {"  1.000000000000000E-01", "  1.000000000000000E+01"},             // radii that do not rise
        {"8.000000000000000E+00  0.0", "8.000000000000000E+00  1.0"},       // D not symmetric
        {"angular_momentum=\"0\"", "angular_momentum=\"1\""},               // harmless alone: D stays diagonal
    };
    char *text = read_text(ANALYTIC_UPF);
    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++) {
        char *edited = replaced(text, edits[i].from, edits[i].to);
        pv_pseudo *pseudo;
        assert_ok(pv_upf_parse(edited, strlen(edited), "analytic", &pseudo));
        if (i < 2) assert_fails(PV_ERR_INPUT, pv_pseudo_prepare(pseudo));
        else assert_ok(pv_pseudo_prepare(pseudo));
        pv_pseudo_destroy(pseudo);
        free(edited);
    }
    free(text);
}

static void line_ends_and_padding_do_not_matter(void **state)
{
    (void)state;
    char *text = read_text(ANALYTIC_UPF), *padded = replaced(text, "element=\"Si\"", "element = 'si '");
    char *crlf = calloc(2, strlen(padded) + 1);
    assert_non_null(crlf);
    for (char *from = padded, *to = crlf; *from; from++) {
        if (*from == '\n') *to++ = '\r';
        *to++ = *from;
    }
    pv_pseudo *pseudo;
    assert_ok(pv_upf_parse(crlf, strlen(crlf), "analytic", &pseudo));
    assert_string_equal(pseudo->element, "Si");
    assert_ok(pv_pseudo_prepare(pseudo));
    assert_analytic_forms(pseudo);
    pv_pseudo_destroy(pseudo);
    free(crlf);
    free(padded);
    free(text);
}

PV_TEST_MAIN(PV_TEST(form_factors_are_those_of_the_closed_form), PV_TEST(the_end_of_the_table_joins_the_integral),
             PV_TEST(kinds_it_cannot_use_are_named), PV_TEST(functionals_have_one_name), PV_TEST(a_cut_file_ends_early),
             PV_TEST(what_does_not_fit_together_is_refused),
             PV_TEST(line_ends_and_padding_do_not_matter))
