// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2 3
// Whole calculations, small, through the public interface.
#include <parseval/dft.h>

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "case.h"
#include "dft/solve/scf.h"

static const char gamma_only[] = "mesh\n0\nGamma\n1 1 1\n0 0 0\n";
static const char incar[] = "ENCUT = 163.3\nEDIFF = 1E-9\nNBANDS = 6\nISMEAR = 0; SIGMA = 0.02\nNELM = 40\n";

typedef struct outcome {
    double energy, forces[8][3];
    double eigenvalues[8];             // of the first k-point
    double gap;
} outcome;

static outcome solve(pv_comm *comm, const char *folder)
{
    pv_dft_options options = pv_dft_options_defaults();
    options.directory = folder;
    pv_dft *dft;
    assert_ok(pv_dft_create(comm, &options, &dft));
    assert_non_null(strstr(pv_dft_plan_text(dft), "plane waves"));
    assert_ok(pv_dft_solve(dft));
    pv_dft_summary s;
    pv_dft_summarise(dft, &s);
    assert_true(s.converged);
    outcome o = {.energy = s.energies.free_ha};
    memcpy(o.forces, s.forces_ha_bohr, (size_t)s.atoms * sizeof *o.forces);
    for (int b = 0; b < s.bands && b < 8; b++) o.eigenvalues[b] = s.eigenvalues_ha[b];
    pv_dft_destroy(dft);
    return o;
}

static outcome solve_case(const fixture *f, const char *poscar, const char *incar_text, const char *kpoints)
{
    char folder[64];
    make_case(f, poscar, incar_text, kpoints, folder);
    const outcome o = solve(f->comm, folder);
    remove_case(f, folder);
    return o;
}

static void ranks_do_not_matter(void **state)
{
    (void)state;
    fixture f = fixture_open();
    char folder[64];
    make_case(&f, SILICON("0.27 0.24 0.25"), incar, gamma_only, folder);
    const outcome together = solve(f.comm, folder);
    pv_comm *alone;
    assert_ok(pv_comm_split(f.comm, pv_test_rank(), 0, &alone));
    const outcome single = solve(alone, folder);
    pv_comm_close(alone);
    assert_near(together.energy, single.energy, 1e-9);
    for (int b = 0; b < 5; b++) assert_near(together.eigenvalues[b], single.eigenvalues[b], 1e-6);
    for (int d = 0; d < 3; d++) assert_near(together.forces[0][d], single.forces[0][d], 1e-6);
    remove_case(&f, folder);
    fixture_close(&f);
}

static void forces_are_slopes_of_the_energy(void **state)
{
    (void)state;
    fixture f = fixture_open();
    const outcome middle = solve_case(&f, SILICON("0.27 0.24 0.25"), incar, gamma_only);
    const outcome less = solve_case(&f, SILICON("0.269 0.24 0.25"), incar, gamma_only);
    const outcome more = solve_case(&f, SILICON("0.271 0.24 0.25"), incar, gamma_only);
    // Along a1 = (0, 2.7, 2.7) Angstrom; the mean over the atoms, which a finite grid leaves, counts half for each.
    const double step = 0.001 * 2.7 / 0.529177210903;
    const double force = middle.forces[1][1] + middle.forces[1][2];
    assert_near(force, -(more.energy - less.energy) / (2.0 * step), 1e-5);
    assert_near(middle.forces[0][0] + middle.forces[1][0], 0.0, 1e-12);
    fixture_close(&f);
}

// Two cells at Gamma are one cell at Gamma and at the zone boundary; and Gamma shifted by b1 is Gamma.
static void folded_points_agree(void **state)
{
    (void)state;
    fixture f = fixture_open();
    const char grid_one[] = "NGX = 20; NGY = 20; NGZ = 20\n", grid_two[] = "NGX = 40; NGY = 20; NGZ = 20\n";
    char one[512], two[512];
    snprintf(one, sizeof one, "%s%s", incar, grid_one);
    snprintf(two, sizeof two, "ENCUT = 163.3\nEDIFF = 1E-9\nNBANDS = 11\nISMEAR = 0; SIGMA = 0.02\n%s", grid_two);
    const outcome pair = solve_case(&f, SILICON("0.27 0.24 0.25"), one, "mesh\n0\nGamma\n2 1 1\n0 0 0\n");
    const outcome doubled = solve_case(&f,
                                       "doubled\n1.0\n0.0 5.4 5.4\n2.7 0.0 2.7\n2.7 2.7 0.0\nSi\n4\nDirect\n0 0 0\n"
                                       "0.135 0.24 0.25\n0.5 0 0\n0.635 0.24 0.25\n",
                                       two, gamma_only);
    assert_near(doubled.energy, 2.0 * pair.energy, 2e-8);
    const outcome real = solve_case(&f, SILICON("0.27 0.24 0.25"), one, gamma_only);
    const outcome shifted = solve_case(&f, SILICON("0.27 0.24 0.25"), one, "list\n1\nReciprocal\n1 0 0 1\n");
    assert_near(shifted.energy, real.energy, 1e-9);
    for (int d = 0; d < 3; d++) assert_near(shifted.forces[1][d], real.forces[1][d], 1e-6);
    fixture_close(&f);
}

// Grids follow the crystal, not ISYM: glides of a quarter take points into points on both.
static void symmetry_does_not_change_the_grid(void **state)
{
    (void)state;
    fixture f = fixture_open();
    const char with[] = "ENCUT = 120\nEDIFF = 1E-8\nISMEAR = 0; SIGMA = 0.02\nISYM = 2\n";
    const char without[] = "ENCUT = 120\nEDIFF = 1E-8\nISMEAR = 0; SIGMA = 0.02\nISYM = 0\n";
    const char mesh[] = "mesh\n0\nGamma\n2 2 2\n";
    const outcome a = solve_case(&f, SILICON("0.25 0.25 0.25"), with, mesh);
    const outcome b = solve_case(&f, SILICON("0.25 0.25 0.25"), without, mesh);
    assert_near(a.energy, b.energy, 1e-9);
    fixture_close(&f);
}

static void bad_input_fails_on_every_rank(void **state)
{
    (void)state;
    fixture f = fixture_open();
    static const struct {
        const char *poscar, *incar;
    } cases[] = {
        {"nonsense\n", incar},
        {SILICON("0.27 0.24 0.25"), "ENCUT = 163.3\nNBANDS = 2\n"},
        {SILICON("0.27 0.24 0.25"), "ENCUT = 163.3\nNGX = 6; NGY = 6; NGZ = 6\n"},
        {SILICON("0.27 0.24 0.25"), "ENCUT = 163.3\nLHFCALC = .TRUE.\nNKRED = 2\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char folder[64];
        make_case(&f, cases[i].poscar, cases[i].incar, gamma_only, folder);
        pv_dft_options options = pv_dft_options_defaults();
        options.directory = folder;
        pv_dft *dft = NULL;
        pv_test_mute(1);
        assert_true(pv_dft_create(f.comm, &options, &dft) != PV_OK);
        pv_test_mute(0);
        assert_null(dft);
        remove_case(&f, folder);
    }
    fixture_close(&f);
}

static void results_are_written(void **state)
{
    (void)state;
    fixture f = fixture_open();
    char folder[64], path[512];
    make_case(&f, SILICON("0.25 0.25 0.25"), incar, gamma_only, folder);
    pv_dft_options options = pv_dft_options_defaults();
    options.directory = folder;
    pv_dft *dft;
    assert_ok(pv_dft_create(f.comm, &options, &dft));
    snprintf(path, sizeof path, "%s/results.json", folder);
    assert_fails(PV_ERR_ARGUMENT, pv_dft_write_results(dft, path));
    pv_test_mute(0);
    assert_ok(pv_dft_solve(dft));
    assert_ok(pv_dft_write_results(dft, path));
    pv_dft_destroy(dft);
    assert_int_equal(access(path, R_OK), 0);
    remove_case(&f, folder);
    fixture_close(&f);
}

// On one rank's word, on all.
static void an_energy_that_is_no_number_ends_the_run(void **state)
{
    (void)state;
    fixture f = fixture_open();
    char folder[64];
    pv_system *system;
    pv_scf *scf;
    make_case(&f, SILICON("0.25 0.25 0.25"), incar, gamma_only, folder);
    assert_ok(pv_system_create(f.comm, folder, NULL, "auto", &system));
    assert_ok(pv_scf_create(system, &scf));
    if (pv_test_rank() == 0) scf->ewald_ha = NAN;
    assert_fails(pv_test_rank() == 0 ? PV_ERR_CONVERGENCE : PV_ERR_PEER, pv_scf_run(scf, NULL, NULL));
    assert_non_null(strstr(pv_last_error(), "step 1: the energy is"));
    assert_false(scf->converged);
    pv_test_mute(0);
    pv_scf_destroy(scf);
    pv_system_destroy(system);
    remove_case(&f, folder);
    fixture_close(&f);
}

// A run that goes on may end with its second build, when nothing tells yet how fast errors shrink.
static void two_builds_end_a_run_that_has_little_left(void **state)
{
    (void)state;
    pv_system system = {.params.tolerance_ha = 1e-6};
    pv_electrons electrons = {.system = &system};
    pv_hybrid hybrid = {.electrons = &electrons, .builds = 2, .precision = PV_FP64};
    hybrid.error_ha = hybrid.due_ha = hybrid.left_ha = 5e-7;
    assert_false(pv_hybrid_is_settled(&hybrid));
    hybrid.builds = 3;
    assert_true(pv_hybrid_is_settled(&hybrid));
    hybrid.builds = 2;
    hybrid.error_ha = hybrid.due_ha = hybrid.left_ha = 5e-8;
    assert_true(pv_hybrid_is_settled(&hybrid));
}

PV_TEST_MAIN(PV_TEST(two_builds_end_a_run_that_has_little_left), PV_TEST(an_energy_that_is_no_number_ends_the_run),
             PV_TEST(ranks_do_not_matter), PV_TEST(forces_are_slopes_of_the_energy), PV_TEST(folded_points_agree),
             PV_TEST(symmetry_does_not_change_the_grid), PV_TEST(bad_input_fails_on_every_rank),
             PV_TEST(results_are_written))
