// SPDX-License-Identifier: Apache-2.0
#include "dft/model/symmetry.h"

#include <stdlib.h>

#include "base/rng.h"
#include "crystals.h"

static const double tolerance = 1e-5;

// Every operation takes the crystal into itself, the products of two are among them, each once.
static void assert_group(const pv_symmetry *symmetry, const pv_cell *cell, double miss)
{
    for (int o = 0; o < symmetry->count; o++) {
        const pv_operation *p = &symmetry->operation[o];
        for (int a = 0; a < cell->atoms; a++) {
            const int image = symmetry->image[o * cell->atoms + a];
            assert_int_equal(cell->species_of[image], cell->species_of[a]);
            for (int i = 0; i < 3; i++) {
                double x = p->translation[i] - cell->fractional[image][i];
                for (int j = 0; j < 3; j++) x += p->rotation[i][j] * cell->fractional[a][j];
                assert_near(x - round(x), 0.0, miss);
            }
        }
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                int product = 0;
                for (int k = 0; k < 3; k++) product += p->reciprocal[k][i] * p->rotation[k][j];
                assert_int_equal(product, i == j);
            }
    }
    for (int o = 0; o < symmetry->count; o++)
        for (int q = 0; q < symmetry->count; q++) {
            int found = 0;
            for (int r = 0; r < symmetry->count; r++) {
                int same = 1;
                for (int i = 0; i < 3; i++) {
                    double t = symmetry->operation[o].translation[i] - symmetry->operation[r].translation[i];
                    for (int j = 0; j < 3; j++) {
                        int product = 0;
                        for (int k = 0; k < 3; k++)
                            product += symmetry->operation[o].rotation[i][k] * symmetry->operation[q].rotation[k][j];
                        same = same && product == symmetry->operation[r].rotation[i][j];
                        t += symmetry->operation[o].rotation[i][j] * symmetry->operation[q].translation[j];
                    }
                    same = same && fabs(t - round(t)) < 1e-12;
                }
                found += same;
            }
            assert_int_equal(found, 1);
        }
}

static void known_space_groups(void **state)
{
    (void)state;
    const crystal *const crystals[] = {&silicon, &magnesia, &hafnia, &magnesium, &rutile, &silicon_cubic};
    const char *const symbols[] = {"Fd-3m", "Fm-3m", "P2_1/c", "P6_3/mmc", "P4_2/mnm", "Fd-3m"};
    for (size_t c = 0; c < sizeof crystals / sizeof *crystals; c++) {
        pv_cell *cell = cell_of(crystals[c]);
        pv_symmetry *symmetry;
        assert_ok(pv_symmetry_create(cell, NULL, 2, tolerance, &symmetry));
        assert_int_equal(symmetry->number, crystals[c]->number);
        assert_string_equal(symmetry->symbol, symbols[c]);
        assert_int_equal(symmetry->count, crystals[c]->operations);
        assert_int_equal(symmetry->rotations, crystals[c] == &silicon_cubic ? 48 : crystals[c]->operations);
        assert_int_equal(symmetry->time_reversal, 1);
        assert_group(symmetry, cell, 1e-9);
        pv_symmetry_destroy(symmetry);
        pv_cell_destroy(cell);
    }
}

static void left_handed_lattice(void **state)
{
    (void)state;
    crystal left = hafnia;
    for (int c = 0; c < 3; c++) {
        left.lattice[0][c] = hafnia.lattice[2][c];
        left.lattice[2][c] = hafnia.lattice[0][c];
    }
    for (int a = 0; a < 12; a++) {
        left.atom[a].at[0] = hafnia.atom[a].at[2];
        left.atom[a].at[2] = hafnia.atom[a].at[0];
    }
    pv_cell *cell = cell_of(&left);
    pv_symmetry *symmetry;
    assert_ok(pv_symmetry_create(cell, NULL, 2, tolerance, &symmetry));
    assert_int_equal(symmetry->count, 4);
    assert_group(symmetry, cell, 1e-9);
    pv_symmetry_destroy(symmetry);
    pv_cell_destroy(cell);
}

static void levels_of_isym(void **state)
{
    (void)state;
    pv_cell *cell = cell_of(&silicon);
    for (int level = -1; level <= 3; level++) {
        pv_symmetry *symmetry;
        assert_ok(pv_symmetry_create(cell, NULL, level, tolerance, &symmetry));
        assert_int_equal(symmetry->count, level >= 1 ? 48 : 1);
        assert_int_equal(symmetry->time_reversal, level >= 0);
        assert_int_equal(symmetry->image[1], 1);
        pv_symmetry_destroy(symmetry);
    }
    pv_symmetry *untouched = NULL;
    assert_fails(PV_ERR_ARGUMENT, pv_symmetry_create(cell, NULL, 4, tolerance, &untouched));
    assert_fails(PV_ERR_ARGUMENT, pv_symmetry_create(cell, NULL, 2, 0.0, &untouched));
    assert_null(untouched);
    pv_symmetry_destroy(NULL);
    pv_cell_destroy(cell);
}

static void moments_tell_atoms_apart(void **state)
{
    (void)state;
    pv_cell *cell = cell_of(&silicon);
    const struct { double moments[2]; int operations; } cases[] = {{{1, 1}, 48}, {{1, -1}, 24}, {{0.5, 2}, 24}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        pv_symmetry *symmetry;
        assert_ok(pv_symmetry_create(cell, cases[c].moments, 2, tolerance, &symmetry));
        assert_int_equal(symmetry->count, cases[c].operations); // 24: zinc blende
        pv_symmetry_destroy(symmetry);
    }
    pv_cell_destroy(cell);
}

static void crystal_without_symmetry(void **state)
{
    (void)state;
    pv_cell *cell = cell_of(&hafnia);
    for (int a = 0; a < cell->atoms; a++)
        for (int d = 0; d < 3; d++) cell->fractional[a][d] += 0.01 * pv_rng_uniform(7, 0, (uint64_t)(3 * a + d));
    pv_symmetry *symmetry;
    assert_ok(pv_symmetry_create(cell, NULL, 2, tolerance, &symmetry));
    assert_int_equal(symmetry->count, 1);
    assert_int_equal(symmetry->number, 1);
    double moved = 1.0;
    assert_ok(pv_symmetry_refine_cell(symmetry, cell, &moved));
    assert_near(moved, 0.0, 0.0);
    pv_symmetry_destroy(symmetry);
    pv_cell_destroy(cell);
}

// 3 x 2 x 1 cells: the fourfold axes are gone, the translations are there.
static void supercell_that_breaks_the_group(void **state)
{
    (void)state;
    crystal wide = {"MgO", 225, 0, {{12.63, 0, 0}, {0, 8.42, 0}, {0, 0, 4.21}}, 0, {{0}}};
    pv_cell *cell;
    assert_ok(pv_cell_create(48, 2, 0, &cell));
    double lattice[3][3];
    for (int i = 0; i < 9; i++) lattice[i / 3][i % 3] = wide.lattice[i / 3][i % 3] / PV_BOHR_ANGSTROM;
    assert_ok(pv_cell_set_lattice(cell, (const double (*)[3])lattice));
    int atom = 0;
    for (int n = 0; n < 6 * 4 * 2; n++) { // the rock-salt lattice of half the cube's edge
        const int x = n / 8, y = n / 2 % 4, z = n % 2;
        cell->species_of[atom] = (x + y + z) % 2;
        const double at[3] = {x / 6.0, y / 4.0, z / 2.0};
        memcpy(cell->fractional[atom++], at, sizeof at);
    }
    pv_symmetry *symmetry;
    assert_ok(pv_symmetry_create(cell, NULL, 2, tolerance, &symmetry));
    assert_int_equal(symmetry->rotations, 8);
    assert_int_equal(symmetry->count, 8 * 24);
    assert_group(symmetry, cell, 1e-9);
    pv_symmetry_destroy(symmetry);
    pv_cell_destroy(cell);
}

static void part_of_a_group(void **state)
{
    (void)state;
    pv_cell *cell = cell_of(&magnesia);
    pv_symmetry *symmetry, *part, *untouched = NULL;
    assert_ok(pv_symmetry_create(cell, NULL, 2, tolerance, &symmetry));
    unsigned char keep[48];
    for (int o = 0; o < 48; o++) { // those that leave the first axis' wave where it is
        const int (*s)[3] = (const int (*)[3])symmetry->operation[o].reciprocal;
        keep[o] = s[0][0] == 1 && s[1][0] == 0 && s[2][0] == 0;
    }
    assert_ok(pv_symmetry_create_part(symmetry, keep, &part));
    assert_int_equal(part->count, 6); // b1 is an axis of order three in planes of mirrors
    assert_int_equal(part->number, 0);
    assert_group(part, cell, 1e-9);
    keep[0] = 0;
    assert_fails(PV_ERR_ARGUMENT, pv_symmetry_create_part(symmetry, keep, &untouched));
    assert_null(untouched);
    pv_symmetry_destroy(part);
    pv_symmetry_destroy(symmetry);
    pv_cell_destroy(cell);
}

static void grids_that_translations_fit(void **state)
{
    (void)state;
    static const struct { const crystal *crystal; int multiple[3]; } cases[] = {
        {&magnesia, {1, 1, 1}}, {&hafnia, {1, 2, 2}}, {&rutile, {2, 2, 2}}, {&magnesium, {1, 1, 2}},
        {&silicon_cubic, {4, 4, 4}}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        pv_cell *cell = cell_of(cases[c].crystal);
        pv_symmetry *symmetry;
        int multiple[3];
        assert_ok(pv_symmetry_create(cell, NULL, 2, tolerance, &symmetry));
        pv_symmetry_grid_multiples(symmetry, multiple);
        for (int d = 0; d < 3; d++) assert_int_equal(multiple[d], cases[c].multiple[d]);
        // An origin at no particular place: translations are whatever they are, and no grid fits.
        for (int a = 0; a < cell->atoms; a++) cell->fractional[a][1] += 0.0173;
        pv_symmetry_destroy(symmetry);
        assert_ok(pv_symmetry_create(cell, NULL, 2, tolerance, &symmetry));
        pv_symmetry_grid_multiples(symmetry, multiple);
        assert_int_equal(multiple[1], 1);
        pv_symmetry_destroy(symmetry);
        pv_cell_destroy(cell);
    }
}

// A crystal whose numbers were rounded is made exact, and moves by less than the tolerance.
static void rounded_crystal_is_refined(void **state)
{
    (void)state;
    const crystal *const crystals[] = {&silicon, &hafnia, &magnesium, &rutile, &silicon_cubic};
    for (size_t c = 0; c < sizeof crystals / sizeof *crystals; c++) {
        pv_cell *cell = cell_of(crystals[c]);
        double lattice[3][3];
        for (int i = 0; i < 9; i++)
            lattice[i / 3][i % 3] =
                cell->lattice_bohr[i / 3][i % 3] + 4e-6 * (pv_rng_uniform(1, c, (uint64_t)i) - 0.5);
        assert_ok(pv_cell_set_lattice(cell, (const double (*)[3])lattice));
        for (int a = 0; a < cell->atoms; a++)
            for (int d = 0; d < 3; d++)
                cell->fractional[a][d] += 4e-7 * (pv_rng_uniform(2, c, (uint64_t)(3 * a + d)) - 0.5);
        pv_symmetry *symmetry;
        assert_ok(pv_symmetry_create(cell, NULL, 2, tolerance, &symmetry));
        assert_int_equal(symmetry->count, crystals[c]->operations);
        double moved = 0.0;
        assert_ok(pv_symmetry_refine_cell(symmetry, cell, &moved));
        assert_in_range(moved * 1e12, 1, tolerance / PV_BOHR_ANGSTROM * 1e12);
        assert_group(symmetry, cell, 1e-14);
        for (int o = 0; o < symmetry->count; o++) // lengths and angles are kept
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++) {
                    double before = 0.0, after = 0.0;
                    for (int x = 0; x < 3; x++) {
                        double a = 0.0, b = 0.0;
                        for (int k = 0; k < 3; k++) {
                            a += symmetry->operation[o].rotation[k][i] * cell->lattice_bohr[k][x];
                            b += symmetry->operation[o].rotation[k][j] * cell->lattice_bohr[k][x];
                        }
                        after += a * b;
                        before += cell->lattice_bohr[i][x] * cell->lattice_bohr[j][x];
                    }
                    assert_near(after, before, 1e-11);
                }
        pv_symmetry_destroy(symmetry);
        pv_cell_destroy(cell);
    }
}

PV_TEST_MAIN(PV_TEST(known_space_groups), PV_TEST(left_handed_lattice), PV_TEST(levels_of_isym),
             PV_TEST(moments_tell_atoms_apart), PV_TEST(crystal_without_symmetry),
             PV_TEST(supercell_that_breaks_the_group), PV_TEST(part_of_a_group), PV_TEST(grids_that_translations_fit),
             PV_TEST(rounded_crystal_is_refined))
