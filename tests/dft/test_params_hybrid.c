// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/log.h"
#include "dft/model/units.h"
#include "params_of.h"

static void functionals_are_those_of_vasp(void **state)
{
    (void)state;
    static const struct {
        const char *text, *name;
        pv_functional f;
    } cases[] = {
        {"", "PBE", {PV_FUNCTIONAL_PBE, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0}},
        {"GGA = --", "PBE", {PV_FUNCTIONAL_PBE, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0}},
        {"GGA = ps", "PBEsol", {PV_FUNCTIONAL_PBESOL, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0}},
        {"GGA = CA", "LDA", {PV_FUNCTIONAL_LDA, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0}},
        {"lhfcalc = T", "PBE0", {PV_FUNCTIONAL_PBE, 0.25, 0.0, 0.75, 0.75, 1.0, 1.0, 0}},
        {"LHFCALC = T; HFSCREEN = 0.2", "HSE06", {PV_FUNCTIONAL_PBE, 0.25, 0.2, 0.75, 0.75, 1.0, 1.0, 0}},
        {"LHFCALC = T; HFSCREEN = 0.3", "HSE03", {PV_FUNCTIONAL_PBE, 0.25, 0.3, 0.75, 0.75, 1.0, 1.0, 0}},
        {"LHFCALC = T; HFSCREEN = 0.2; GGA = PS", "HSEsol", {PV_FUNCTIONAL_PBESOL, 0.25, 0.2, 0.75, 0.75, 1.0, 1.0, 0}},
        {"LHFCALC = T; AEXX = 1", "PBE + 1 exact exchange", {PV_FUNCTIONAL_PBE, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0}},
        {"LHFCALC = T; AEXX = 1; ALDAC = 1; AGGAC = 1", "PBE + 1 exact exchange, shares 0 0 1 1",
         {PV_FUNCTIONAL_PBE, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0}},
        {"LHFCALC = T; AEXX = 0.2; AGGAX = 0.72; AGGAC = 0.81", "PBE + 0.2 exact exchange, shares 0.8 0.72 1 0.81",
         {PV_FUNCTIONAL_PBE, 0.2, 0.0, 0.8, 0.72, 1.0, 0.81, 0}},
        {"LHFCALC = F; AEXX = 0.4; HFSCREEN = 0.2", "PBE", {PV_FUNCTIONAL_PBE, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0}},
    };
    pv_log_set_level(PV_LOG_ERROR);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pv_dft_params params = params_of(cases[i].text);
        char name[96];
        const pv_functional *f = &params.functional, *e = &cases[i].f;
        pv_functional_text(f, sizeof name, name);
        assert_string_equal(name, cases[i].name);
        assert_int_equal(f->kind, e->kind);
        assert_near(f->exact_fraction, e->exact_fraction, 1e-15);
        assert_near(f->screening_bohr, e->screening_bohr * PV_BOHR_ANGSTROM, 1e-15);
        assert_near(f->lda_exchange, e->lda_exchange, 1e-15);
        assert_near(f->gradient_exchange, e->gradient_exchange, 1e-15);
        assert_near(f->lda_correlation, e->lda_correlation, 1e-15);
        assert_near(f->gradient_correlation, e->gradient_correlation, 1e-15);
        pv_dft_params_release(&params);
    }
    pv_log_set_level(PV_LOG_WARN);
}

static void exact_exchange_has_its_tags(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        pv_dft_precision precision;
        double cutoff_ev;
        int reduction[3];
        pv_fock_divergence divergence;
        double radius_angstrom;
        int compressed, symmetry, stress;
    } cases[] = {
        {"", PV_PRECISION_NORMAL, 0.0, {1, 1, 1}, PV_FOCK_PROBE_CHARGE, 0.0, 1, 3, 0},
        {"PRECFOCK = Fast; NKRED = 2", PV_PRECISION_LOW, 0.0, {2, 2, 2}, PV_FOCK_PROBE_CHARGE, 0.0, 1, 3, 0},
        {"PRECFOCK = Low; NKREDX = 2", PV_PRECISION_LOW, 0.0, {2, 1, 1}, PV_FOCK_PROBE_CHARGE, 0.0, 1, 3, 0},
        {"PRECFOCK = Medium", PV_PRECISION_NORMAL, 0.0, {1, 1, 1}, PV_FOCK_PROBE_CHARGE, 0.0, 1, 3, 0},
        {"PRECFOCK = M; PREC = A", PV_PRECISION_ACCURATE, 0.0, {1, 1, 1}, PV_FOCK_PROBE_CHARGE, 0.0, 1, 3, 0},
        {"PRECFOCK = Single", PV_PRECISION_NORMAL, 0.0, {1, 1, 1}, PV_FOCK_PROBE_CHARGE, 0.0, 1, 3, 0},
        {"PRECFOCK = accurate; ISYM = 0", PV_PRECISION_ACCURATE, 0.0, {1, 1, 1}, PV_FOCK_PROBE_CHARGE, 0.0, 1, 0, 0},
        {"ENCUTFOCK = 0", PV_PRECISION_LOW, 0.0, {1, 1, 1}, PV_FOCK_PROBE_CHARGE, 0.0, 1, 3, 0},
        {"ENCUTFOCK = 800", PV_PRECISION_NORMAL, 800.0, {1, 1, 1}, PV_FOCK_PROBE_CHARGE, 0.0, 1, 3, 0},
        {"HFRCUT = -1; LFOCKACE = F", PV_PRECISION_NORMAL, 0.0, {1, 1, 1}, PV_FOCK_SPHERE, 0.0, 0, 3, 0},
        {"HFRCUT = 4.5; ISIF = 2", PV_PRECISION_NORMAL, 0.0, {1, 1, 1}, PV_FOCK_SPHERE, 4.5, 1, 3, 0},
        {"NKRED = 3; NKREDZ = 1", PV_PRECISION_NORMAL, 0.0, {3, 3, 1}, PV_FOCK_PROBE_CHARGE, 0.0, 1, 3, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[128] = "LHFCALC = .TRUE.\n";
        strcat(text, cases[i].text);
        pv_dft_params params = params_of(text);
        assert_int_equal(params.fock.on, 1);
        assert_int_equal(params.fock.precision, cases[i].precision);
        assert_int_equal(params.fock.single, strstr(cases[i].text, "Single") != NULL);
        assert_near(params.fock.cutoff_ha * PV_HARTREE_EV, cases[i].cutoff_ev, 1e-10);
        assert_memory_equal(params.fock.reduction, cases[i].reduction, sizeof params.fock.reduction);
        assert_int_equal(params.fock.divergence, cases[i].divergence);
        assert_near(params.fock.radius_bohr * PV_BOHR_ANGSTROM, cases[i].radius_angstrom, 1e-12);
        assert_int_equal(params.fock.compressed, cases[i].compressed);
        assert_int_equal(params.symmetry, cases[i].symmetry);
        assert_int_equal(params.stress, cases[i].stress);
        pv_dft_params_release(&params);
    }
}

static void what_hybrids_cannot_do_is_said(void **state)
{
    (void)state;
    assert_refused(PV_ERR_INPUT, "LHFCALC = T; AEXX = 1.5", "0 to 1 is accepted");
    assert_refused(PV_ERR_INPUT, "LHFCALC = T; HFSCREEN = -0.2", "HFSCREEN");
    assert_refused(PV_ERR_INPUT, "LHFCALC = T; HFSCREEN = 0,2", "a decimal point");
    assert_refused(PV_ERR_INPUT, "LHFCALC = T; GGA = B3; HFSCREEN = 0.2", "PE, PBE, PS, CA, PZ, -- are accepted");
    assert_refused(PV_ERR_INPUT, "LHFCALC = T; HFRCUT = -0.5", "a radius in Angstrom");
    assert_refused(PV_ERR_INPUT, "LHFCALC = T; NKRED = 0", "NKRED = 0");
    assert_refused(PV_ERR_INPUT, "LHFCALC = T; NKREDY = 0", "NKREDY = 0");
    assert_refused(PV_ERR_INPUT, "LHFCALC = T; PRECFOCK = Exact",
                   "FAST, NORMAL, ACCURATE, LOW, MEDIUM, SINGLE are accepted");
    assert_refused(PV_ERR_UNSUPPORTED, "AGGAX = 0.5", "without LHFCALC");
    assert_refused(PV_ERR_UNSUPPORTED, "LHFCALC = T; EVENONLY = T", "which k-points");
    assert_refused(PV_ERR_UNSUPPORTED, "LHFCALC = T; LRHFCALC = T", "long-ranged");
    assert_refused(PV_ERR_UNSUPPORTED, "LHFCALC = T; LTHOMAS = T", "Thomas-Fermi");
    assert_refused(PV_ERR_UNSUPPORTED, "LHFCALC = T; LMODELHF = T", "dielectric-dependent");
}

// What only says how the work is done is accepted, whatever its value.
static void how_the_work_is_done_is_free(void **state)
{
    (void)state;
    pv_log_set_level(PV_LOG_ERROR);
    pv_dft_params params =
        params_of("LHFCALC = T; ALGO = VeryFast; NBLOCK_FOCK = 7; LUSENCCL = F; KPAR = 2; NCORE = 4\n"
                  "NSIM = 8; TIME = 0.5; HFALPHA = -1; AGGAX = 0.75; LMAXFOCK = 4\n");
    assert_int_equal(params.algorithm, PV_ALGORITHM_VERYFAST);
    pv_dft_params_release(&params);
    pv_log_set_level(PV_LOG_WARN);
}

PV_TEST_MAIN(PV_TEST(functionals_are_those_of_vasp), PV_TEST(exact_exchange_has_its_tags),
             PV_TEST(what_hybrids_cannot_do_is_said), PV_TEST(how_the_work_is_done_is_free))
