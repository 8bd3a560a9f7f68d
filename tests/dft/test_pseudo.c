// SPDX-License-Identifier: Apache-2.0
#include "dft/model/pseudo.h"

#include <string.h>
#include <sys/stat.h>

#include "analytic.h"
#include "dft/model/bessel.h"
#include "dft/model/element.h"
#include "dft/model/units.h"
#include "shared.h"
#include "write_file.h"

// 4 pi int r^2 f(r) j_l(qr) dr by the trapezoidal rule, which is exact to round-off for even functions that decay.
static double radial_transform(double (*f)(const pv_gth *, int, int, double), const pv_gth *gth, int l, int i, double q)
{
    const double step = 0.0025;
    double sum = 0.0;
    for (int n = 1; n < 8000; n++) {
        double r = n * step;
        sum += r * r * f(gth, l, i, r) * pv_bessel(l, q * r);
    }
    return 4.0 * PV_PI * step * sum;
}

static double gth_projector(const pv_gth *gth, int l, int i, double r)
{
    const double a = gth->channel[l].r, power = l + 2 * i;
    return sqrt(2.0) * pow(r, power) * exp(-0.5 * r * r / (a * a)) / (pow(a, power + 1.5) * sqrt(tgamma(power + 1.5)));
}

// V_loc + Z erf(r)/r.
static double gth_short_local(const pv_gth *gth, int l, int i, double r)
{
    (void)l, (void)i;
    const double x = r / gth->r_local, *c = gth->c_local;
    return gth->valence * (erf(r) - erf(x / sqrt(2.0))) / r +
           exp(-0.5 * x * x) * (c[0] + x * x * (c[1] + x * x * (c[2] + x * x * c[3])));
}

static void closed_forms_are_the_integrals(void **state)
{
    (void)state;
    static const char *const elements[] = {"H", "Li", "O", "Hf", "Pt", "Ce"};
    for (size_t e = 0; e < sizeof elements / sizeof elements[0]; e++) {
        const pv_gth *gth = pv_gth_find(elements[e]);
        assert_non_null(gth);
        for (double q = 0.0; q < 12.0; q += 1.7) {
            const double coulomb = q > 0.0 ? -4.0 * PV_PI * gth->valence * exp(-0.25 * q * q) / (q * q) : 0.0;
            double local = radial_transform(gth_short_local, gth, 0, 0, q) + coulomb;
            if (q == 0.0) local += PV_PI * gth->valence; // 4 pi int r (1 - erf r) dr
            assert_near(pv_gth_local_form(gth, q), local, 1e-9);
            for (int l = 0; l < PV_GTH_CHANNELS; l++)
                for (int i = 0; i < gth->channel[l].count; i++)
                    assert_near(pv_gth_projector_form(gth, l, i, q), radial_transform(gth_projector, gth, l, i, q),
                                1e-9);
        }
    }
}

static void projectors_are_normalised(void **state)
{
    (void)state;
    for (int e = 0; e < pv_gth_count; e++)
        for (int l = 0; l < PV_GTH_CHANNELS; l++)
            for (int i = 0; i < pv_gth_table[e].channel[l].count; i++) {
                double sum = 0.0;
                for (int n = 1; n < 1200; n++) {
                    const double r = n * 0.01, p = gth_projector(&pv_gth_table[e], l, i, r);
                    sum += 0.01 * r * r * p * p;
                }
                assert_near(sum, 1.0, 1e-9);
            }
}

static void the_built_in_table_is_sound(void **state)
{
    (void)state;
    assert_true(pv_gth_count >= 80);
    int before = 0;
    for (int e = 0; e < pv_gth_count; e++) {
        const pv_gth *gth = &pv_gth_table[e];
        const int number = pv_element_number(gth->element);
        assert_true(number > before); // each once, in order
        before = number;
        assert_true(gth->valence > 0 && gth->valence <= number);
        assert_true(gth->r_local > 0.0 && gth->cutoff_ha > 0.0);
        for (int l = 0; l < PV_GTH_CHANNELS; l++)
            for (int i = 0; i < PV_GTH_PROJECTORS; i++)
                for (int j = 0; j < PV_GTH_PROJECTORS; j++)
                    assert_near(gth->channel[l].h[i][j], gth->channel[l].h[j][i], 0.0);
    }
    assert_int_equal(pv_gth_find("Hf")->valence, 12);
    assert_int_equal(pv_gth_find("O")->valence, 6);
    assert_near(pv_gth_find("O")->r_local, 0.24455430, 0.0);
    assert_near(pv_gth_find("Hf")->channel[0].h[0][2], -14.96156977, 0.0);
}

static void every_built_in_potential_opens(void **state)
{
    (void)state;
    for (int e = 0; e < pv_gth_count; e++) {
        const pv_gth *gth = &pv_gth_table[e];
        pv_pseudo *pseudo;
        assert_ok(pv_pseudo_open(gth->element, NULL, &pseudo));
        assert_string_equal(pseudo->element, gth->element);
        assert_near(pv_pseudo_density_form(pseudo, 0.0), gth->valence, 1e-12);
        assert_near(pv_pseudo_core_form(pseudo, 1.0), 0.0, 0.0);
        for (int i = 0, n = 0; i < pseudo->projectors; i++) {
            n = i > 0 && pseudo->l[i] == pseudo->l[i - 1] ? n + 1 : 0;
            assert_near(pv_pseudo_projector_form(pseudo, i, 2.5), pv_gth_projector_form(gth, pseudo->l[i], n, 2.5),
                        0.0);
            for (int j = 0; j < pseudo->projectors; j++) {
                const double d = pseudo->coupling_ha[i * pseudo->projectors + j];
                if (pseudo->l[i] != pseudo->l[j]) assert_near(d, 0.0, 0.0);
                else if (i == j) assert_near(d, gth->channel[pseudo->l[i]].h[n][n], 0.0);
            }
        }
        pv_pseudo_destroy(pseudo);
    }
    pv_pseudo *none = NULL;
    assert_fails(PV_ERR_INPUT, pv_pseudo_open("Pu", NULL, &none));
    assert_non_null(strstr(pv_last_error(), "Hf"));
    assert_null(none);
}

static void bessel_functions_keep_their_recurrence(void **state)
{
    (void)state;
    for (double x = 0.0; x < 40.0; x += 0.0371)
        for (int l = 1; l < 3; l++)
            assert_near((2 * l + 1) * pv_bessel(l, x), x * (pv_bessel(l - 1, x) + pv_bessel(l + 1, x)), 1e-13);
    assert_near(pv_bessel(3, 0.1), 9.5185197209e-6, 1e-15);
    assert_near(pv_bessel(0, 0.0), 1.0, 0.0);
}

static void integrals_end_beyond_ten_bohr_with_an_odd_count(void **state)
{
    (void)state;
    static const struct { int points, extent, integrated, projector; } cases[] = {
        {120, 120, 81, 81}, {81, 40, 81, 39}, {60, 7, 59, 7}, {60, 0, 59, 59}, {82, 1000, 81, 81}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        pv_pseudo *pseudo;
        assert_ok(pv_pseudo_create_radial(cases[c].points, 1, 0, 0, &pseudo));
        for (int i = 0; i < cases[c].points; i++) {
            pseudo->radial->r[i] = 0.125 * i; // point 82 is the first beyond 10 bohr
            pseudo->radial->dr[i] = 0.125;
            pseudo->radial->local_ha[i] = -2.0 / fmax(pseudo->radial->r[i], 1.0);
        }
        strcpy(pseudo->element, "He");
        pseudo->valence = 2.0;
        pseudo->radial->projector_integrated = cases[c].extent;
        assert_ok(pv_pseudo_prepare(pseudo));
        assert_int_equal(pseudo->radial->integrated, cases[c].integrated);
        assert_int_equal(pseudo->radial->projector_integrated, cases[c].projector);
        pv_pseudo_destroy(pseudo);
    }
}

// The same potential for one electron less, as a header may say by mistake.
static void tails_agree_with_the_valence(void **state)
{
    (void)state;
    for (int electrons = 1; electrons <= 2; electrons++) {
        pv_pseudo *pseudo;
        assert_ok(pv_pseudo_create_radial(81, 0, 0, 0, &pseudo));
        for (int i = 0; i < 81; i++) {
            pseudo->radial->r[i] = 0.1 * i;
            pseudo->radial->dr[i] = 0.1;
            pseudo->radial->local_ha[i] = -2.0 / fmax(pseudo->radial->r[i], 1.0);
        }
        strcpy(pseudo->element, "He");
        pseudo->valence = electrons;
        if (electrons == 2) assert_ok(pv_pseudo_prepare(pseudo));
        else {
            assert_fails(PV_ERR_INPUT, pv_pseudo_prepare(pseudo));
            assert_non_null(strstr(pv_last_error(), "1 valence electrons and its local potential, -2 / r"));
        }
        pv_pseudo_destroy(pseudo);
    }
}

static void the_content_names_the_element_and_upf_comes_first(void **state)
{
    (void)state;
    char directory[] = "/tmp/parseval-pseudo-XXXXXX", path[128];
    assert_non_null(mkdtemp(directory));
    char *upf = read_text(ANALYTIC_UPF), *psp8 = read_text(ANALYTIC_PSP8);
    char *carbon = replaced(upf, "element=\"Si\"", "element=\"C\"");
    const struct { const char *name, *text; } files[] = {
        {"C.upf", upf}, {"Si.UPF", carbon}, {"A.psp8", psp8}, {"notes.txt", "Si"}, {"Z.upf", "neither format"},
        {"O.upf", ""}};
    for (size_t i = 0; i < 6; i++) write_file(directory, files[i].name, files[i].text);
    pv_pseudo *pseudo;
    assert_ok(pv_pseudo_open("Si", directory, &pseudo));
    assert_non_null(strstr(pseudo->source, "UPF"));
    assert_non_null(strstr(pseudo->source, "/C.upf"));
    pv_pseudo_destroy(pseudo);
    assert_fails(PV_ERR_INPUT, pv_pseudo_open("O", directory, &pseudo));
    assert_non_null(strstr(pv_last_error(), "Si C"));
    assert_non_null(strstr(pv_last_error(), "passed over: O.upf (empty), Z.upf (n"));

    snprintf(path, sizeof path, "%s/C.upf", directory);
    remove(path);
    assert_ok(pv_pseudo_open("Si", directory, &pseudo));
    assert_non_null(strstr(pseudo->source, "psp8"));
    pv_pseudo_destroy(pseudo);
    for (size_t i = 1; i < 6; i++) {
        snprintf(path, sizeof path, "%s/%s", directory, files[i].name);
        remove(path);
    }
    assert_int_equal(rmdir(directory), 0);
    assert_fails(PV_ERR_INPUT, pv_pseudo_open("Si", directory, &pseudo));
    free(carbon);
    free(psp8);
    free(upf);
}

// The same potential in both formats: the UPF has fewer digits, a longer mesh, and projectors that end where it says.
static void formats_agree_on_published_potentials(void **state)
{
    (void)state;
    static const char *const names[] = {"08_O_6_1.2_1.4_pbe_n_v1.0", "72_Hf_12_2.3_3.0_pbe_n_v1.0",
                                        "14_Si_4_1.9_1.9_pbe_n_v1.0"};
    char folder[4096], path[4200];
    snprintf(folder, sizeof folder, "%s", shared_or_skip("pseudo"));
    for (size_t f = 0; f < 3; f++) {
        pv_pseudo *upf, *psp8;
        snprintf(path, sizeof path, "%s/%s.upf", folder, names[f]);
        assert_ok(pv_pseudo_open_file(path, &upf));
        snprintf(path, sizeof path, "%s/%s.psp8", folder, names[f]);
        assert_ok(pv_pseudo_open_file(path, &psp8));
        assert_string_equal(upf->element, psp8->element);
        assert_int_equal(upf->projectors, psp8->projectors);
        assert_near(upf->valence, psp8->valence, 0.0);
        assert_near(pv_pseudo_density_form(upf, 0.0), upf->valence, 2e-3);
        for (double q = 0.0; q < 15.0; q += 0.37) {
            assert_near(pv_pseudo_local_form(upf, q), pv_pseudo_local_form(psp8, q), 1e-2);
            assert_near(pv_pseudo_core_form(upf, q), pv_pseudo_core_form(psp8, q), 1e-7);
            for (int i = 0; i < upf->projectors; i++)
                assert_near(pv_pseudo_projector_form(upf, i, q), pv_pseudo_projector_form(psp8, i, q), 1e-5);
        }
        for (int i = 0; i < upf->projectors * upf->projectors; i++)
            assert_near(upf->coupling_ha[i], psp8->coupling_ha[i], 1e-8);
        pv_pseudo_destroy(upf);
        pv_pseudo_destroy(psp8);
    }
}

// Slater's model against the densities that come with published potentials: the widths agree to a few tenths.
static void model_densities_resemble_published_ones(void **state)
{
    (void)state;
    static const char *const elements[] = {"H", "C", "O", "Mg", "Al", "Si", "Ti", "Fe", "Ga", "As", "Zr", "Hf", "W"};
    char folder[4096];
    snprintf(folder, sizeof folder, "%s", shared_or_skip("pseudo"));
    for (size_t e = 0; e < sizeof elements / sizeof elements[0]; e++) {
        pv_pseudo *pseudo;
        assert_ok(pv_pseudo_open(elements[e], folder, &pseudo));
        for (double q = 0.5; q < 4.0; q += 0.5)
            assert_near(pv_atom_density_form(&pseudo->model, q) / pseudo->valence,
                        pv_pseudo_density_form(pseudo, q) / pseudo->valence, 0.2);
        pv_pseudo_destroy(pseudo);
    }
}

PV_TEST_MAIN(PV_TEST(closed_forms_are_the_integrals), PV_TEST(projectors_are_normalised),
             PV_TEST(the_built_in_table_is_sound), PV_TEST(every_built_in_potential_opens),
             PV_TEST(bessel_functions_keep_their_recurrence), PV_TEST(integrals_end_beyond_ten_bohr_with_an_odd_count),
             PV_TEST(tails_agree_with_the_valence),
             PV_TEST(the_content_names_the_element_and_upf_comes_first), PV_TEST(formats_agree_on_published_potentials),
             PV_TEST(model_densities_resemble_published_ones))
