// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2
// What no choice of axes, origin or cutoff may change, and forces as slopes of the energy with spin.
#include <math.h>
#include <stdio.h>

#include "case.h"
#include "dft/model/units.h"
#include "solved.h"

#define COMMON "EDIFF = 1E-9\nISMEAR = 0; SIGMA = 0.02\nNELM = 60\nNBANDS = 6\n"
#define HSE "LHFCALC = T; HFSCREEN = 0.2; ENCUTFOCK = 653.2\n"
#define CUT "ENCUT = 163.3\n"

static const char gamma_only[] = "mesh\n0\nGamma\n1 1 1\n0 0 0\n", two[] = "mesh\n0\nGamma\n2 1 1\n0 0 0\n";

// Two silicon atoms, the second 0.27 0.24 0.25 from the first, which is at `origin`, on rotated axes.
static outcome silicon_at(const fixture *f, const double axes[3][3], const double origin[3], const char *incar,
                          const char *kpoints)
{
    static const double lattice[3][3] = {{0.0, 2.7, 2.7}, {2.7, 0.0, 2.7}, {2.7, 2.7, 0.0}};
    static const double second[3] = {0.27, 0.24, 0.25};
    char text[1024];
    int n = snprintf(text, sizeof text, "silicon\n1.0\n");
    for (int i = 0; i < 3; i++) {
        double a[3] = {0.0};
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++) a[r] += axes[r][c] * lattice[i][c];
        n += snprintf(text + n, sizeof text - (size_t)n, "%.16f %.16f %.16f\n", a[0], a[1], a[2]);
    }
    snprintf(text + n, sizeof text - (size_t)n, "Si\n2\nDirect\n%.12f %.12f %.12f\n%.12f %.12f %.12f\n", origin[0],
             origin[1], origin[2], origin[0] + second[0], origin[1] + second[1], origin[2] + second[2]);
    return solve_case(f, text, incar, kpoints, NULL);
}

static const double unturned[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const double here[3] = {0.0, 0.0, 0.0};

// By whole steps of the grid nothing changes; between them only what exchange and correlation, which are no plane waves
// of the density's sphere, make of the grid, the less the finer it is.
static void places_do_not_matter(void **state)
{
    (void)state;
    fixture f = fixture_open();
    static const char coarse[] = CUT COMMON "NGX = 20; NGY = 20; NGZ = 20\n";
    static const char fine[] = CUT COMMON "NGX = 32; NGY = 32; NGZ = 32\n";
    static const double whole[3] = {0.15, 0.05, 0.7}, between[3] = {0.0137, 0.0293, 0.0171};
    const outcome first = silicon_at(&f, unturned, here, coarse, two);
    const outcome moved = silicon_at(&f, unturned, whole, coarse, two);
    assert_near(moved.energy, first.energy, 1e-9);
    const outcome shifted = silicon_at(&f, unturned, between, coarse, two);
    assert_near(shifted.energy, first.energy, 2e-5);
    const outcome smooth = silicon_at(&f, unturned, here, fine, two);
    const outcome smooth_shifted = silicon_at(&f, unturned, between, fine, two);
    assert_near(smooth_shifted.energy, smooth.energy, 1e-6);
    for (int d = 0; d < 3; d++) {
        assert_near(moved.forces[1][d], first.forces[1][d], 1e-6);
        assert_near(shifted.forces[1][d], first.forces[1][d], 1e-4);
        assert_near(smooth_shifted.forces[1][d], smooth.forces[1][d], 1e-5);
    }
    fixture_close(&f);
}

static void turn(const double axes[3][3], const double v[3], double turned[3])
{
    for (int r = 0; r < 3; r++) turned[r] = axes[r][0] * v[0] + axes[r][1] * v[1] + axes[r][2] * v[2];
}

static void axes_do_not_matter(void **state)
{
    (void)state;
    fixture f = fixture_open();
    // By 0.4 about z, then by 0.7 about x.
    const double c = cos(0.4), s = sin(0.4), d = cos(0.7), t = sin(0.7);
    const double axes[3][3] = {{c, -s, 0}, {d * s, d * c, -t}, {t * s, t * c, d}};
    static const char *const incars[] = {CUT COMMON, CUT COMMON HSE};
    for (int hybrid = 0; hybrid < 2; hybrid++) {
        const outcome before = silicon_at(&f, unturned, here, incars[hybrid], two);
        const outcome after = silicon_at(&f, axes, here, incars[hybrid], two);
        assert_near(after.energy, before.energy, 1e-8);
        assert_near(after.exchange, before.exchange, 1e-6);
        for (int b = 0; b < 5; b++) assert_near(after.eigenvalues[b], before.eigenvalues[b], 1e-6);
        double force[3], half[3][3], stress[3][3];
        turn(axes, before.forces[1], force);
        for (int i = 0; i < 3; i++) turn(axes, before.stress[i], half[i]); // stress times the transpose of axes
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                stress[i][j] = 0.0;
                for (int k = 0; k < 3; k++) stress[i][j] += axes[i][k] * half[k][j];
                assert_near(after.stress[i][j], stress[i][j], 1e-8);
            }
        for (int i = 0; i < 3; i++) assert_near(after.forces[1][i], force[i], 1e-6);
    }
    fixture_close(&f);
}

// More plane waves are more freedom.
static void energies_fall_with_the_cutoff(void **state)
{
    (void)state;
    fixture f = fixture_open();
    static const double cutoffs_ev[] = {100.0, 150.0, 210.0, 280.0};
    for (int hybrid = 0; hybrid < 2; hybrid++) {
        double last = INFINITY;
        for (size_t i = 0; i < sizeof cutoffs_ev / sizeof *cutoffs_ev; i++) {
            char incar[512];
            snprintf(incar, sizeof incar, "ENCUT = %g\n" COMMON "NGX = 25; NGY = 25; NGZ = 25\n%s", cutoffs_ev[i],
                     hybrid ? "LHFCALC = T; HFSCREEN = 0.2; PRECFOCK = Accurate\n" : "");
            const double energy = solve_case(&f, SILICON("0.27 0.24 0.25"), incar, gamma_only, NULL).energy;
            assert_true(energy < last);
            last = energy;
        }
    }
    fixture_close(&f);
}

// Two atoms move apart, so that the mean force, which a grid leaves and forces lack, does not count. POSCAR has room
// for their first coordinates; 0.0005 of them are step_bohr, in the direction `along`.
static void check_slope(const fixture *f, const char *format, double x, const double along[3], double step_bohr,
                        const char *incar)
{
    char text[3][512];
    outcome o[3];
    for (int i = 0; i < 3; i++) {
        const double step = 0.0005 * (i - 1);
        snprintf(text[i], sizeof text[i], format, -0.5 * step, x + 0.5 * step);
        o[i] = solve_case(f, text[i], incar, gamma_only, NULL);
    }
    double force = 0.0;
    for (int d = 0; d < 3; d++) force += o[1].forces[1][d] * along[d];
    assert_near(force, -(o[2].energy - o[0].energy) / (2.0 * step_bohr), 1e-5);
}

static void spins_pull_too(void **state)
{
    (void)state;
    fixture f = fixture_open();
    static const double along[3] = {1.0, 0.0, 0.0};
    static const char molecule[] = "H2\n1.0\n5.0 0 0\n0 3.5 0\n0 0 3.6\nH\n2\nDirect\n%.6f 0 0\n%.6f 0.04 0\n";
    static const char *const incars[] = {
        "ENCUT = 200\n" COMMON "ISPIN = 2; NUPDOWN = 2\n",
        "ENCUT = 200\n" COMMON "ISPIN = 2; NUPDOWN = 2; LHFCALC = T; HFSCREEN = 0.2; ENCUTFOCK = 800\n",
    };
    for (int i = 0; i < 2; i++) check_slope(&f, molecule, 0.24, along, 0.0005 * 5.0 / PV_BOHR_ANGSTROM, incars[i]);
    fixture_close(&f);
}

PV_TEST_MAIN(PV_TEST(places_do_not_matter), PV_TEST(axes_do_not_matter), PV_TEST(energies_fall_with_the_cutoff),
             PV_TEST(spins_pull_too))
