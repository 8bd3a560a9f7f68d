// SPDX-License-Identifier: Apache-2.0
#include "dft/model/params_kpoints.h"

#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "capture.h"
#include "dft/model/tags.h"
#include "dft/model/units.h"
#include "params_of.h"

static void defaults_are_those_of_vasp(void **state)
{
    (void)state;
    pv_dft_params params = params_of("");
    assert_near(params.tolerance_ha * PV_HARTREE_EV, 1e-4, 1e-18);
    assert_int_equal(params.steps_max, 60);
    assert_int_equal(params.steps_min, 2);
    assert_int_equal(params.smearing, PV_SMEARING_METHFESSEL);
    assert_int_equal(params.smearing_order, 1);
    assert_near(params.smearing_ha * PV_HARTREE_EV, 0.2, 1e-15);
    assert_int_equal(params.spins, 1);
    assert_int_equal(params.precision, PV_PRECISION_NORMAL);
    assert_int_equal(params.functional.kind, PV_FUNCTIONAL_PBE);
    assert_int_equal(params.start_density, -1);
    assert_int_equal(params.stress, 1);
    assert_int_equal(params.fock.on, 0);
    assert_near(params.spacing, 0.5, 0.0);
    assert_int_equal(params.gamma_centred, 1);
    pv_dft_params_release(&params);
}

static void tags_are_read_in_atomic_units(void **state)
{
    (void)state;
    pv_dft_params params = params_of(
        "SYSTEM = test\nENCUT = 925.187132 eV; NBANDS = 56\nprec = acc\nGGA = CA\nALGO = Fast\n"
        "ISMEAR = -1; SIGMA = 0.1\nNGX = 54; NGYF = 60\nAMIX = 0.2; BMIX = 0.5; AMIX_MAG = 0.8; MAXMIX = -20\n"
        "ISPIN = 2; MAGMOM = 2*1.0; NUPDOWN = 2\nLHFCALC = .TRUE.; HFSCREEN = 0.2003111755\n"
        "AEXX = 0.3; PRECFOCK = Fast; NKRED = 2; NKREDZ = 1\nLWAVE = F\n");
    assert_string_equal(params.system, "test");
    assert_near(params.cutoff_ha, 34.0, 1e-7);
    assert_int_equal(params.bands, 56);
    assert_int_equal(params.precision, PV_PRECISION_ACCURATE);
    assert_int_equal(params.functional.kind, PV_FUNCTIONAL_LDA);
    assert_int_equal(params.algorithm, PV_ALGORITHM_FAST);
    assert_int_equal(params.smearing, PV_SMEARING_FERMI);
    assert_int_equal(params.grid[0], 54);
    assert_int_equal(params.grid[1], 0);
    assert_int_equal(params.fine_grid[1], 60);
    assert_near(params.mix_wave_bohr, 0.5 * PV_BOHR_ANGSTROM, 1e-15);
    assert_near(params.mix_amount, 0.2, 0.0);
    assert_near(params.mix_moment_amount, 0.8, 0.0);
    assert_int_equal(params.mix_history, 20);
    assert_int_equal(params.magnetic_count, 2);
    assert_near(params.magnetic_moments[1], 1.0, 0.0);
    assert_near(params.spin_difference, 2.0, 0.0);
    assert_int_equal(params.fock.on, 1);
    assert_near(params.fock.screening_bohr, 0.106, 1e-6);
    assert_near(params.fock.fraction, 0.3, 0.0);
    assert_int_equal(params.fock.precision, PV_PRECISION_LOW);
    assert_int_equal(params.fock.reduction[0], 2);
    assert_int_equal(params.fock.reduction[2], 1);
    assert_int_equal(params.stress, 0); // there is none of hybrids
    assert_int_equal(params.symmetry, 3);
    assert_int_equal(params.start_density, -1);
    assert_int_equal(params.write_orbitals, 0);
    pv_dft_params_release(&params);
    assert_null(params.magnetic_moments);
}

static void algorithms_are_all_accepted(void **state)
{
    (void)state;
    static const struct { const char *text; pv_dft_algorithm algorithm;
    } cases[] = {{"ALGO = Normal", PV_ALGORITHM_NORMAL},
                 {"ALGO = VeryFast", PV_ALGORITHM_VERYFAST},
                 {"ALGO = A", PV_ALGORITHM_ALL},
                 {"ALGO = damped", PV_ALGORITHM_DAMPED},
                 {"ALGO = Exact", PV_ALGORITHM_EXACT},
                 {"ALGO = Nothing", PV_ALGORITHM_NOTHING},
                 {"ALGO = Eigenval", PV_ALGORITHM_EIGENVALUES},
                 {"IALGO = 48", PV_ALGORITHM_VERYFAST},
                 {"IALGO = 48; ALGO = N", PV_ALGORITHM_NORMAL}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pv_dft_params params = params_of(cases[i].text);
        assert_int_equal(params.algorithm, cases[i].algorithm);
        pv_dft_params_release(&params);
    }
}

static void occupations_are_read(void **state)
{
    (void)state;
    static const struct {
        int number, order;
        pv_dft_smearing smearing;
    } cases[] = {{-6, 0, PV_SMEARING_COLD},  {-5, 0, PV_SMEARING_TETRAHEDRA_BLOECHL}, {-4, 0, PV_SMEARING_TETRAHEDRA},
                 {-1, 0, PV_SMEARING_FERMI}, {0, 0, PV_SMEARING_GAUSSIAN},            {3, 3, PV_SMEARING_METHFESSEL}};
    char text[64];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snprintf(text, sizeof text, "ISMEAR = %d", cases[i].number);
        pv_dft_params params = params_of(text);
        assert_int_equal(params.smearing, cases[i].smearing);
        assert_int_equal(params.smearing_order, cases[i].order);
        assert_int_equal(pv_dft_params_ismear(&params), cases[i].number);
        pv_dft_params_release(&params);
    }
    pv_dft_params params = params_of("ISMEAR = -2; ISPIN = 2; FERWE = 2*1 0.5 0; FERDO = 1 3*0");
    assert_int_equal(pv_dft_params_ismear(&params), -2);
    assert_int_equal(params.fixed_count[0], 4);
    assert_int_equal(params.fixed_count[1], 4);
    assert_near(params.fixed_filling[0][2], 0.5, 0.0);
    assert_near(params.fixed_filling[1][1], 0.0, 0.0);
    pv_dft_params_release(&params);
    assert_null(params.fixed_filling[0]);
    assert_refused(PV_ERR_INPUT, "ISMEAR = -2", "ISMEAR = -2 without FERWE");
    assert_refused(PV_ERR_INPUT, "ISMEAR = -2; ISPIN = 2; FERWE = 1 0", "without FERDO");
    assert_refused(PV_ERR_INPUT, "ISMEAR = -2; FERWE = 2 0", "found 2 as number 1 of FERWE; 0 to 1");
}

// NKRED and FERWE against a mesh of 4 x 2 x 1 points, 2 bands and 2 electrons.
static void k_points_and_tags_agree(void **state)
{
    (void)state;
    static const struct {
        const char *text, *said; // NULL: accepted
    } cases[] = {{"LHFCALC = T; NKREDX = 2", NULL},
                 {"LHFCALC = T; NKREDX = 4; NKREDY = 2", NULL},
                 {"LHFCALC = T; NKRED = 2", "NKREDZ (or NKRED) = 2 for a mesh of 4 x 2 x 1 k-points; a divisor of 1"},
                 {"LHFCALC = T; NKREDX = 3", "a divisor of 4"},
                 {"NKREDX = 3", NULL},
                 {"ISMEAR = -2; FERWE = 1 0", NULL},
                 {"ISMEAR = -2; FERWE = 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0", NULL},
                 {"ISMEAR = -2; FERWE = 1 0 1 0", "lists 4 fillings for 2 bands at 8 k-points"},
                 {"ISMEAR = -2; FERWE = 1 1", "hold 4 electrons where NELECT is 2"}};
    const int mesh[3] = {4, 2, 1};
    const double shift[3] = {0.0, 0.0, 0.0};
    pv_kpoints *kpoints;
    assert_ok(pv_kpoints_create_mesh(mesh, shift, &kpoints));
    pv_log_set_level(PV_LOG_ERROR);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pv_dft_params params = params_of(cases[i].text);
        params.bands = 2;
        params.electrons = 2.0;
        if (!cases[i].said)
            assert_ok(pv_dft_params_check_kpoints(&params, kpoints));
        else {
            assert_fails(PV_ERR_INPUT, pv_dft_params_check_kpoints(&params, kpoints));
            if (!strstr(pv_last_error(), cases[i].said)) fail_msg("'%s'", pv_last_error());
        }
        pv_dft_params_release(&params);
    }
    pv_dft_params params = params_of("LHFCALC = T; NKRED = 2");
    kpoints->is_mesh = 0;
    assert_fails(PV_ERR_INPUT, pv_dft_params_check_kpoints(&params, kpoints));
    assert_non_null(strstr(pv_last_error(), "no regular mesh"));
    pv_dft_params_release(&params);
    pv_log_set_level(PV_LOG_WARN);
    pv_kpoints_destroy(kpoints);
}

static void what_would_change_the_physics_is_refused(void **state)
{
    (void)state;
    assert_refused(PV_ERR_UNSUPPORTED, "\nLSORBIT = .TRUE.",
            "INCAR:2: found LSORBIT = .TRUE., which sets spin-orbit coupling");
    assert_refused(PV_ERR_UNSUPPORTED, "LDAU = T", "DFT+U");
    assert_refused(PV_ERR_UNSUPPORTED, "IVDW = 11", "dispersion");
    assert_refused(PV_ERR_UNSUPPORTED, "METAGGA = R2SCAN", "meta-GGA");
    assert_refused(PV_ERR_UNSUPPORTED, "NSW = 10", "ionic steps");
    assert_refused(PV_ERR_UNSUPPORTED, "IBRION = 6", "phonons");
    assert_refused(PV_ERR_UNSUPPORTED, "KERNEL_TRUNCATION { LTRUNCATE = T }", "Coulomb kernel");
    assert_refused(PV_ERR_UNSUPPORTED, "EFIELD_PEAD = 0 0 0.1", "electric field");
    assert_refused(PV_ERR_UNSUPPORTED, "ISMEAR = -3; SMEARINGS = 1", "several smearings");
    assert_refused(PV_ERR_UNSUPPORTED, "ISMEAR = -15", "-6 (cold smearing");
    assert_refused(PV_ERR_UNSUPPORTED, "ML_MODE = train", "machine-learned");
    pv_dft_params params = params_of("LSORBIT = F; LDAU = .FALSE.; IVDW = 0; METAGGA = none; NSW = 0; IBRION = -1\n"
                                     "KERNEL_TRUNCATION/LTRUNCATE = F; EFIELD_PEAD = 0 0.0 0; LORBIT = 11; KPAR = 2\n"
                                     "ENCUTT = 500\n");
    assert_near(params.cutoff_ha, 0.0, 0.0); // the unknown tag does not count
    pv_dft_params_release(&params);
}

static int warnings_of(const char *text, char said[2048])
{
    capture c = begin_capture();
    pv_dft_params params = params_of(text);
    pv_dft_params_release(&params);
    return end_capture(&c, "warn:", said, 2048);
}

// Tags that name what is done anyway are worth no word; parts of what is off are no error.
static void what_changes_nothing_is_told_once(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int warnings;
        const char *said;
    } cases[] = {
        {"LREAL = .FALSE.; IBRION = -1; NSW = 0; LORBIT = 0; LELF = F; LVTOT = .F.; LPLANE = T; LSCALU = .TRUE.", 0,
         ""},
        {"IBRION = -1; NSW = 5", 0, ""},
        {"LREAL = Auto", 1, "LREAL = Auto is not used and changes no result"},
        {"LORBIT = 11; LASPH = T", 2, "which are not written"},
        {"LDAU = F; LDAUU = 4 0; LDAUL = 2 -1; LDAUTYPE = 2", 3, "DFT+U, which LDAU switches on"},
        {"LSORBIT = F; SAXIS = 0 0 1", 1, "SAXIS"},
        {"LHFCALC = T; HFSCREEN = 0.2; HFRCUT = 0", 0, ""},
        {"LHFCALC = T; HFSCREEN = 0.2; HFRCUT = -1", 1, "HFRCUT does nothing with HFSCREEN = 0.2"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char said[2048];
        assert_int_equal(warnings_of(cases[i].text, said), cases[i].warnings);
        if (!strstr(said, cases[i].said)) fail_msg("'%s' does not say '%s'", said, cases[i].said);
    }
    assert_refused(PV_ERR_UNSUPPORTED, "LDAUU = 4; LDAU = T", "found LDAU = T");
    assert_refused(PV_ERR_UNSUPPORTED, "IBRION = 2; NSW = 5", "found NSW = 5");
    assert_refused(PV_ERR_UNSUPPORTED, "METAGGA = SCAN", "NONE or -- is accepted");
    pv_dft_params params = params_of("ENMAX = 300");
    assert_near(params.cutoff_ha * PV_HARTREE_EV, 300.0, 1e-10);
    pv_dft_params_release(&params);
    params = params_of("ENCUT = 400; ENMAX = 300");
    assert_near(params.cutoff_ha * PV_HARTREE_EV, 400.0, 1e-10);
    pv_dft_params_release(&params);
}

static void values_out_of_range_are_refused(void **state)
{
    (void)state;
    assert_refused(PV_ERR_INPUT, "ENCUT = -5", "found ENCUT = -5; 1 to 100000");
    assert_refused(PV_ERR_INPUT, "ISPIN = 3", "1 to 2");
    assert_refused(PV_ERR_INPUT, "NGX = 0", "NGX");
    assert_refused(PV_ERR_INPUT, "SIGMA = 0", "SIGMA");
    assert_refused(PV_ERR_INPUT, "GGA = B3", "PE, PBE, PS, CA, PZ, -- are accepted");
    assert_refused(PV_ERR_INPUT, "PREC =", "ACCURATE");
    assert_refused(PV_ERR_INPUT, "ICHARG = 5", "ICHARG");
    assert_refused(PV_ERR_INPUT, "IMIX = 2", "IMIX");
    assert_refused(PV_ERR_INPUT, "MAGMOM = up", "MAGMOM");
    assert_refused(PV_ERR_INPUT, "IALGO = 8", "ALGO says the same");
}

static void no_number_of_groups_ends_a_run(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int groups;
    } cases[] = {{"", 0}, {"KPAR = 4", 4}, {"KPAR = 0", 1}, {"KPAR = -3", 1}, {"KPAR = many", 0}, {"KPAR =", 0},
                 {"KPAR = 1.5", 0}, {"KPAR = 99999999999", 0}, {"KPAR = 2; NCORE = x; NPAR = 0; NSIM = -4", 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pv_test_mute(1);
        pv_dft_params params = params_of(cases[i].text);
        pv_test_mute(0);
        assert_int_equal(params.kpoint_groups, cases[i].groups);
        pv_dft_params_release(&params);
    }
}

static void ranks_of_a_band_end_no_run_either(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int ranks, groups;
    } cases[] = {{"", 0, 0}, {"NCORE = 4", 4, 0}, {"NPAR = 2", 0, 2}, {"NCORE = 2; NPAR = 3", 2, 3},
                 {"NCORE = 0; NPAR = -7", 1, 1}, {"NCORE = x; NPAR = 1.5", 0, 0}, {"NCORE =", 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pv_test_mute(1);
        pv_dft_params params = params_of(cases[i].text);
        pv_test_mute(0);
        assert_int_equal(params.band_ranks, cases[i].ranks);
        assert_int_equal(params.band_groups, cases[i].groups);
        pv_dft_params_release(&params);
    }
}

static void the_nearest_known_tag(void **state)
{
    (void)state;
    assert_string_equal(pv_tag_nearest("ENCUTT"), "ENCUT");
    assert_string_equal(pv_tag_nearest("nbnads"), "NBANDS");
    assert_string_equal(pv_tag_nearest("ENCTU"), "ENCUT");
    assert_string_equal(pv_tag_nearest("LHFCAL"), "LHFCALC");
    assert_null(pv_tag_nearest("FOOBAR"));
    assert_null(pv_tag_find("ENCUTT"));
    assert_non_null(pv_tag_find("ml_anything"));
    assert_int_equal(pv_tag_find("ISMEAR")->class, PV_TAG_READ);
    assert_int_equal(pv_tag_find("NCORE")->class, PV_TAG_READ);
    assert_int_equal(pv_tag_find("NSIM")->class, PV_TAG_HARMLESS);
}

// Two Hf (12 electrons) and four O (6).
static pv_cell *make_cell(void)
{
    pv_cell *cell;
    assert_ok(pv_cell_create(6, 2, 0, &cell));
    strcpy(cell->species_name[0], "Hf");
    strcpy(cell->species_name[1], "O");
    cell->count_of[0] = 2;
    cell->count_of[1] = 4;
    return cell;
}

static void cell_and_potentials_complete_the_rest(void **state)
{
    (void)state;
    static const double valence[2] = {12.0, 6.0}, advised[2] = {26.0, 52.0}, silent[2] = {0.0, 0.0};
    static const struct { const char *text; int bands; double electrons, cutoff; } cases[] = {
        {"", 28, 48.0, 52.0},                                     // (48 + 2) / 2 + 3 against 0.6 * 48
        {"NELECT = 200; ENCUT = 272.11386245988", 120, 200.0, 10.0}, // 101 + 3 against 120
        {"ISPIN = 2; MAGMOM = 2*-5 4*0.5", 34, 48.0, 52.0},        // 12 more by absolute value: 6 bands
        {"ISPIN = 2; MAGMOM = 2*5 4*0.5", 34, 48.0, 52.0},
        {"ISPIN = 2", 31, 48.0, 52.0},                             // one an atom: 3 more
        {"ISPIN = 2; NUPDOWN = 3", 30, 48.0, 52.0},                // shared by the atoms: 2 more
        {"ISPIN = 2; MAGMOM = 6*1e30", 52, 48.0, 52.0}};           // no more than all electrons
    pv_cell *cell = make_cell();
    pv_log_set_level(PV_LOG_ERROR);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pv_dft_params params = params_of(cases[i].text);
        assert_ok(pv_dft_params_complete(&params, cell, valence, advised));
        assert_int_equal(params.bands, cases[i].bands);
        assert_near(params.electrons, cases[i].electrons, 0.0);
        assert_near(params.cutoff_ha, cases[i].cutoff, 1e-12);
        assert_int_equal(params.magnetic_count, params.spins == 2 ? 6 : 0);
        pv_dft_params_release(&params);
    }
    pv_log_set_level(PV_LOG_WARN);
    static const struct { const char *text, *said; const double *advised; } wrong[] = {
        {"NBANDS = 23", "at least 24 bands", advised},
        {"ISPIN = 2; MAGMOM = 5*1", "5 moments for 6 atoms", advised},
        {"ISPIN = 2; NUPDOWN = 10; NBANDS = 28", "at least 29 bands", advised},
        {"ISPIN = 2; NUPDOWN = 50", "NUPDOWN = 50 for 48 electrons", advised},
        {"LHFCALC = T; ENCUTFOCK = 300; ENCUT = 400", "ENCUT or more", advised},
        {"", "ENCUT is missing", silent}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        pv_dft_params params = params_of(wrong[i].text);
        assert_fails(PV_ERR_INPUT, pv_dft_params_complete(&params, cell, valence, wrong[i].advised));
        assert_non_null(strstr(pv_last_error(), wrong[i].said));
        pv_dft_params_release(&params);
    }
    pv_cell_destroy(cell);
}

static void electrons_pair_up_at_gamma(void **state)
{
    (void)state;
    static const struct {
        const char *text, *said; // at Gamma; NULL: accepted, as all is on a mesh
        double electrons;
    } cases[] = {{"", NULL, 4.0},
                 {"", "ISPIN = 2 or an even NELECT is accepted", 3.0},
                 {"", NULL, 2.5},
                 {"ISPIN = 2", NULL, 3.0},
                 {"ISPIN = 2; NUPDOWN = 1", NULL, 3.0},
                 {"ISPIN = 2; NUPDOWN = 2", "a NUPDOWN of the parity of NELECT is accepted", 3.0},
                 {"ISPIN = 2; NUPDOWN = 0.5", NULL, 3.0},
                 {"ICHARG = 11", NULL, 3.0}};
    const double shift[3] = {0.0, 0.0, 0.0};
    pv_log_set_level(PV_LOG_ERROR);
    for (int points = 1; points <= 2; points++) {
        const int mesh[3] = {points, 1, 1};
        pv_kpoints *kpoints;
        assert_ok(pv_kpoints_create_mesh(mesh, shift, &kpoints));
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            pv_dft_params params = params_of(cases[i].text);
            params.electrons = cases[i].electrons;
            if (cases[i].said && points == 1) {
                assert_fails(PV_ERR_INPUT, pv_dft_params_check_kpoints(&params, kpoints));
                if (!strstr(pv_last_error(), cases[i].said)) fail_msg("'%s'", pv_last_error());
            } else {
                assert_ok(pv_dft_params_check_kpoints(&params, kpoints));
            }
            pv_dft_params_release(&params);
        }
        pv_kpoints_destroy(kpoints);
    }
    pv_log_set_level(PV_LOG_WARN);
}

static void the_example_is_read(void **state)
{
    (void)state;
    pv_incar *incar;
    pv_dft_params params;
    assert_ok(pv_incar_read("examples/hfo2/INCAR", &incar));
    assert_ok(pv_dft_params_read(incar, &params));
    for (int i = 0; i < pv_incar_count(incar); i++) assert_int_equal(pv_incar_asked(incar, i), 1);
    assert_int_equal(params.precision, PV_PRECISION_ACCURATE);
    pv_dft_params_release(&params);
    pv_incar_destroy(incar);
}

PV_TEST_MAIN(PV_TEST(defaults_are_those_of_vasp), PV_TEST(tags_are_read_in_atomic_units),
             PV_TEST(algorithms_are_all_accepted), PV_TEST(occupations_are_read), PV_TEST(k_points_and_tags_agree),
             PV_TEST(what_would_change_the_physics_is_refused), PV_TEST(what_changes_nothing_is_told_once),
             PV_TEST(values_out_of_range_are_refused),
             PV_TEST(no_number_of_groups_ends_a_run), PV_TEST(ranks_of_a_band_end_no_run_either),
             PV_TEST(the_nearest_known_tag),
             PV_TEST(cell_and_potentials_complete_the_rest), PV_TEST(electrons_pair_up_at_gamma),
             PV_TEST(the_example_is_read))
