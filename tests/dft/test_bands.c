// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2 3
// Bands of a fixed density, and of points of weight 0, are those that the self-consistent run has at the same points.
#include "restart_case.h"

#include "dft/files/chgcar_read.h"

// The highest bands converge last, and are asked for too.
static void compare_bands(const outcome *a, int ka, const outcome *b, int kb, double tolerance)
{
    const int bands = a->bands < b->bands ? a->bands : b->bands;
    for (int i = 0; i < bands; i++)
        assert_near(a->eigenvalues[ka * a->bands + i], b->eigenvalues[kb * b->bands + i], tolerance);
}

static const char path_list[] = "lines\n3\nLine\nReciprocal\n0 0 0 Gamma\n0.5 0 0 X\n";
// The mesh 2 1 1 and the point between its two.
static const char with_weightless[] = "list\n3\nReciprocal\n0 0 0 1\n0.5 0 0 1\n0.25 0 0 0\n";

static void a_fixed_density_gives_the_same_bands(void **state)
{
    (void)state;
    restart_case c;
    restart_open(&c);
    const outcome scf = restart_scratch(&c, plain, INCAR("NBANDS = 9\nNELMIN = 2\n"), two_points);
    const outcome path = restart_run(&c, plain, INCAR("NBANDS = 8\nICHARG = 11\n"), path_list);
    assert_int_equal(path.kpoints, 3);
    compare_bands(&scf, 0, &path, 0, 1e-6);
    compare_bands(&scf, 1, &path, 2, 1e-6);
    assert_near(path.fermi, scf.fermi, 1e-12);
    // The density is still that of the first run.
    const outcome again = restart_run(&c, plain, INCAR("NBANDS = 8\nICHARG = 11\nISTART = 0\n"), path_list);
    for (int k = 0; k < 3; k++) compare_bands(&again, k, &path, k, 1e-6);
    const outcome weightless = restart_scratch(&c, plain, INCAR("NBANDS = 8\n"), with_weightless);
    assert_near(weightless.energy, scf.energy, 1e-9);
    compare_bands(&weightless, 2, &path, 1, 1e-6);
    restart_close(&c);
}

static const char aluminium[] = "Al4\n1.0\n4.05 0 0\n0 4.05 0\n0 0 4.05\nAl\n4\nDirect\n"
                                "0 0 0\n0.51 0.5 0\n0.5 0 0.49\n0 0.5 0.5\n";
static const char eight_points[] = "mesh\n0\nGamma\n2 2 2\n0 0 0\n";

// Self-consistency needs no empty bands, and may end before they are what they claim to be.
static void empty_bands_of_a_metal_are_solved(void **state)
{
    (void)state;
    restart_case c;
    restart_open(&c);
#define METAL "ENCUT = 300\nEDIFF = 1E-9\nNELM = 60\nISMEAR = 1\nSIGMA = 0.272\n"
    const outcome few = restart_scratch(&c, aluminium, METAL "NBANDS = 12\n", eight_points);
    const outcome more = restart_scratch(&c, aluminium, METAL "NBANDS = 16\n", eight_points);
    for (int k = 0; k < few.kpoints; k++)
        for (int band = 0; band < 10; band++)
            assert_near(few.eigenvalues[k * 12 + band], more.eigenvalues[k * 16 + band], 1e-5);
    restart_close(&c);
}

static void chgcar_serves_as_well(void **state)
{
    (void)state;
    restart_case c;
    outcome scf;
    char path[128];
    restart_open(&c);
    const char spins[] = "NBANDS = 8\nISPIN = 2\nMAGMOM = 2*1\nNUPDOWN = 2\nISMEAR = -1\nSIGMA = 0.3\n";
    char incar[512];
    const char base[] = "ENCUT = 163.3\nEDIFF = 1E-9\nNELM = 40\n";
    snprintf(incar, sizeof incar, "%sNGX = 16; NGY = 16; NGZ = 16\n%s", base, spins);
    restart_input(&c, plain, incar, two_points);
    assert_ok(restart_try_on(c.f.comm, &c, 1, &scf));
    assert_true(scf.converged);
    restart_remove(&c, "parseval.h5");
    // Another grid takes the same plane waves.
    snprintf(incar, sizeof incar, "%sNGX = 16; NGY = 16; NGZ = 16\n%sICHARG = 11\n", base, spins);
    outcome bands;
    assert_ok(restart_try(&c, plain, incar, path_list, &bands));
    for (int spin = 0; spin < 2; spin++) {
        compare_bands(&scf, 2 * spin, &bands, 3 * spin, 2e-5);
        compare_bands(&scf, 2 * spin + 1, &bands, 3 * spin + 2, 2e-5);
    }
    pv_chgcar *chgcar;
    assert_ok(pv_chgcar_read(restart_path(&c, "CHGCAR", path), &chgcar));
    assert_int_equal(chgcar->spins, 2);
    double sums[2] = {0.0, 0.0};
    for (int i = 0; i < 2 * 16 * 16 * 16; i++)
        sums[i / 4096] += chgcar->density[i] * chgcar->cell->volume_bohr3 / 4096.0;
    assert_near(sums[0], 8.0, 1e-6);
    assert_near(sums[1], 2.0, 1e-6);
    pv_chgcar_destroy(chgcar);
    restart_close(&c);
}

// The path of KPOINTS_OPT beside a mesh, whose points are among it, with and without exact exchange.
static void a_path_beside_a_mesh(void **state)
{
    (void)state;
    static const char *const incars[] = {INCAR("NBANDS = 8\n"),
                                         INCAR("NBANDS = 8\nLHFCALC = T\nHFSCREEN = 0.2\nISYM = 0\n")};
    restart_case c;
    restart_open(&c);
    for (int i = 0; i < 2; i++) {
        const outcome alone = restart_scratch(&c, plain, incars[i], two_points);
        restart_write(&c, "KPOINTS_OPT", path_list);
        const outcome both = restart_scratch(&c, plain, incars[i], two_points);
        restart_remove(&c, "KPOINTS_OPT");
        assert_int_equal(both.kpoints, alone.kpoints + 3);
        // Beside complex orbitals pairs of real ones are summed over a few waves more.
        assert_near(both.energy, alone.energy, i == 0 ? 1e-9 : 1e-6);
        for (int band = 0; band < 7; band++) {
            assert_near(both.eigenvalues[2 * 8 + band], both.eigenvalues[band], i == 0 ? 1e-6 : 3e-6);
            assert_near(both.eigenvalues[4 * 8 + band], both.eigenvalues[8 + band], i == 0 ? 1e-6 : 3e-6);
        }
    }
    restart_close(&c);
}

static void what_cannot_be_is_told(void **state)
{
    (void)state;
    restart_case c;
    outcome o;
    restart_open(&c);
    restart_scratch(&c, plain, six_bands, gamma_point);
    static const struct {
        const char *poscar, *incar, *kpoints, *words;
    } cases[] = {
        {plain, six_bands, path_list, "ICHARG = 11"},
        {plain, INCAR("NBANDS = 6\nICHARG = 11\nLHFCALC = T\n"), path_list, "LHFCALC"},
        {SILICON("2.7", "0.28 0.24 0.25"), INCAR("NBANDS = 6\nICHARG = 11\n"), path_list, "keeps a density fixed"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pv_test_mute(1);
        assert_true(restart_try(&c, cases[i].poscar, cases[i].incar, cases[i].kpoints, &o) != PV_OK);
        assert_non_null(strstr(pv_last_error(), cases[i].words));
        pv_test_mute(0);
    }
    restart_close(&c);
}

PV_TEST_MAIN(PV_TEST(a_fixed_density_gives_the_same_bands), PV_TEST(empty_bands_of_a_metal_are_solved),
             PV_TEST(chgcar_serves_as_well), PV_TEST(a_path_beside_a_mesh), PV_TEST(what_cannot_be_is_told))
