// SPDX-License-Identifier: Apache-2.0
#include "dft/terms/ewald.h"

#include <math.h>
#include <string.h>

#include "harness.h"

static pv_cell *crystal(const double lattice[3][3], int atoms, const double (*fractional)[3])
{
    pv_cell *cell;
    assert_ok(pv_cell_create(atoms, 1, 0, &cell));
    assert_ok(pv_cell_set_lattice(cell, lattice));
    memcpy(cell->fractional, fractional, (size_t)atoms * sizeof *fractional);
    return cell;
}

// Madelung constants referred to the nearest distance: C. Kittel, Introduction to Solid State Physics.
static void ionic_crystals_have_their_madelung_constants(void **state)
{
    (void)state;
    const double charge[2] = {1.0, -1.0};
    const double fcc[3][3] = {{0.0, 1.0, 1.0}, {1.0, 0.0, 1.0}, {1.0, 1.0, 0.0}};
    const double cube[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    const double rocksalt[2][3] = {{0.0, 0.0, 0.0}, {0.5, 0.5, 0.5}},
                 zincblende[2][3] = {{0.0, 0.0, 0.0}, {0.25, 0.25, 0.25}};
    const struct {
        const double (*lattice)[3];
        const double (*positions)[3];
        double nearest, constant;
    } cases[] = {{fcc, rocksalt, 1.0, 1.7475645946331822},
                 {cube, rocksalt, 0.8660254037844386, 1.7626747730709883},
                 {fcc, zincblende, 0.8660254037844386, 1.6380550533888402}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pv_cell *cell = crystal(cases[i].lattice, 2, cases[i].positions);
        double energy;
        assert_ok(pv_ewald(cell, charge, 0.0, &energy, NULL, NULL));
        assert_near(-energy * cases[i].nearest, cases[i].constant, 1e-12);
        pv_cell_destroy(cell);
    }
}

static const double skewed[3][3] = {{7.0, 0.3, 0.0}, {-1.0, 8.0, 0.5}, {0.2, -2.0, 9.0}};
static const double places[4][3] = {{0.0, 0.0, 0.0}, {0.31, 0.22, 0.43}, {0.7, -0.4, 1.9}, {0.15, 0.6, 0.77}};
static const double charges[4] = {4.0, 6.0, 12.0, 1.0};

static void the_splitting_does_not_matter(void **state)
{
    (void)state;
    pv_cell *cell = crystal(skewed, 4, places);
    double reference, forces[4][3];
    assert_ok(pv_ewald(cell, charges, 0.0, &reference, forces, NULL));
    for (double eta = 0.25; eta < 0.9; eta += 0.2) {
        double energy, again[4][3];
        assert_ok(pv_ewald(cell, charges, eta, &energy, again, NULL));
        assert_near(energy, reference, 1e-10);
        for (int a = 0; a < 4; a++)
            for (int d = 0; d < 3; d++) assert_near(again[a][d], forces[a][d], 1e-10);
    }
    assert_fails(PV_ERR_ARGUMENT, pv_ewald(cell, charges, -1.0, &reference, NULL, NULL));
    pv_cell_destroy(cell);
}

static void forces_are_slopes_of_the_energy(void **state)
{
    (void)state;
    const double step = 1e-4;
    pv_cell *cell = crystal(skewed, 4, places);
    double energy, forces[4][3];
    assert_ok(pv_ewald(cell, charges, 0.0, &energy, forces, NULL));
    for (int d = 0; d < 3; d++) {
        double moved[3] = {0.0, 0.0, 0.0}, shift[3], ends[2];
        moved[d] = step;
        pv_cell_to_fractional(cell, moved, shift);
        for (int side = 0; side < 2; side++) {
            for (int i = 0; i < 3; i++) cell->fractional[1][i] = places[1][i] + (side ? shift[i] : -shift[i]);
            assert_ok(pv_ewald(cell, charges, 0.0, &ends[side], NULL, NULL));
        }
        memcpy(cell->fractional[1], places[1], sizeof places[1]);
        assert_near(forces[1][d], -(ends[1] - ends[0]) / (2.0 * step), 1e-6);
    }
    for (int d = 0; d < 3; d++) assert_near(forces[0][d] + forces[1][d] + forces[2][d] + forces[3][d], 0.0, 1e-10);
    pv_cell_destroy(cell);
}

static void strain_is_a_slope_too(void **state)
{
    (void)state;
    const double step = 1e-4;
    pv_cell *cell = crystal(skewed, 4, places);
    double energy, strain[3][3], other[3][3];
    assert_ok(pv_ewald(cell, charges, 0.0, &energy, NULL, strain));
    assert_ok(pv_ewald(cell, charges, 0.6, &energy, NULL, other));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double ends[2];
            for (int side = 0; side < 2; side++) {
                double lattice[3][3];
                for (int a = 0; a < 3; a++)
                    for (int d = 0; d < 3; d++)
                        lattice[a][d] = skewed[a][d] + (d == i ? (side ? step : -step) * skewed[a][j] : 0.0);
                assert_ok(pv_cell_set_lattice(cell, lattice));
                assert_ok(pv_ewald(cell, charges, 0.0, &ends[side], NULL, NULL));
            }
            assert_near(strain[i][j], (ends[1] - ends[0]) / (2.0 * step), 1e-6 * fabs(energy));
            assert_near(other[i][j], strain[i][j], 1e-9);
        }
    pv_cell_destroy(cell);
}

PV_TEST_MAIN(PV_TEST(strain_is_a_slope_too), PV_TEST(ionic_crystals_have_their_madelung_constants),
             PV_TEST(the_splitting_does_not_matter), PV_TEST(forces_are_slopes_of_the_energy))
