// SPDX-License-Identifier: Apache-2.0
#include "dft/model/supercell.h"

#include "crystals.h"
#include "dft/model/symmetry.h"

static double nearest_distance(const pv_cell *cell, int a)
{
    double shortest = 1e9;
    for (int b = 0; b < cell->atoms; b++)
        for (int n = 0; n < 27; n++) {
            const int image[3] = {n / 9 - 1, n / 3 % 3 - 1, n % 3 - 1};
            double step[3], way[3];
            for (int i = 0; i < 3; i++) step[i] = cell->fractional[b][i] - cell->fractional[a][i] + image[i];
            pv_cell_to_cartesian(cell, step, way);
            const double length = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
            if (length > 1e-6) shortest = fmin(shortest, length);
        }
    return shortest;
}

static void crystal_stays_the_same(void **state)
{
    (void)state;
    pv_cell *cell = cell_of(&hafnia), *supercell;
    strcpy(cell->comment, "hafnia");
    assert_ok(pv_supercell_create(cell, (const int[3]){2, 1, 3}, &supercell));
    assert_int_equal(supercell->atoms, 72);
    assert_int_equal(supercell->species, 2);
    assert_int_equal(supercell->count_of[0], 24);
    assert_int_equal(supercell->count_of[1], 48);
    assert_near(supercell->volume_bohr3, 6.0 * cell->volume_bohr3, 1e-9);
    assert_string_equal(supercell->comment, "hafnia 2x1x3");
    for (int a = 0; a < 72; a++) {
        const int atom = a / 6;
        assert_int_equal(supercell->species_of[a], cell->species_of[atom]);
        double at[3];
        for (int i = 0; i < 3; i++) {
            const int repeat[3] = {2, 1, 3};
            at[i] = supercell->fractional[a][i] * repeat[i] - cell->fractional[atom][i];
            assert_near(at[i] - round(at[i]), 0.0, 1e-12);
        }
        assert_near(nearest_distance(supercell, a), nearest_distance(cell, atom), 1e-9);
    }
    pv_symmetry *symmetry;
    assert_ok(pv_symmetry_create(supercell, NULL, 1, 1e-5, &symmetry));
    assert_int_equal(symmetry->number, 14);
    assert_int_equal(symmetry->count, 24);
    pv_symmetry_destroy(symmetry);
    pv_cell_destroy(supercell);
    pv_cell_destroy(cell);
}

static void flags_are_repeated(void **state)
{
    (void)state;
    pv_cell *cell, *supercell;
    assert_ok(pv_cell_create(2, 1, 1, &cell));
    assert_ok(pv_cell_set_lattice(cell, (const double[3][3]){{5, 0, 0}, {0, 5, 0}, {0, 0, 5}}));
    strcpy(cell->species_name[0], "Si");
    cell->count_of[0] = 2;
    cell->fractional[1][0] = 0.5;
    cell->movable[1][2] = 1;
    assert_ok(pv_supercell_create(cell, (const int[3]){1, 2, 1}, &supercell));
    for (int a = 0; a < 4; a++) assert_int_equal(supercell->movable[a][2], a / 2);
    pv_cell_destroy(supercell);
    pv_cell *untouched = NULL;
    assert_fails(PV_ERR_ARGUMENT, pv_supercell_create(cell, (const int[3]){0, 1, 1}, &untouched));
    assert_fails(PV_ERR_ARGUMENT, pv_supercell_create(cell, (const int[3]){1000, 1000, 1000}, &untouched));
    assert_null(untouched);
    pv_cell_destroy(cell);
}

PV_TEST_MAIN(PV_TEST(crystal_stays_the_same), PV_TEST(flags_are_repeated))
