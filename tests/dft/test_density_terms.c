// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2 3
// Functionals of the density: Hartree energy, exchange and correlation, fields of atoms.
#include "dft/terms/hartree.h"

#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "dft/model/units.h"
#include "dft/terms/atoms.h"
#include "dft/terms/xc.h"
#include "fixture.h"
#include "strained.h"

static const int64_t shape[3] = {24, 25, 27};

static pv_grid *make_grid(const fixture *f, const pv_cell *cell, double reach)
{
    pv_grid *grid;
    assert_ok(pv_grid_create(f->comm, cell, shape, reach * reach, "auto", &grid));
    return grid;
}

// Smooth and positive, from a few random long waves; the same for any number of ranks.
static void smooth_density(const pv_grid *grid, uint64_t seed, double _Complex *density)
{
    for (int64_t i = 0; i < grid->waves; i++) {
        const int32_t *n = grid->miller[i];
        const int small = abs(n[0]) <= 2 && abs(n[1]) <= 2 && n[2] <= 2;
        density[i] = i == grid->zero ? 0.05 : 0.0;
        // Of a pair G, -G in the plane n_z = 0 both are listed: they must be conjugates.
        const int negative = n[2] == 0 && (n[0] < 0 || (n[0] == 0 && n[1] < 0));
        if (!small || i == grid->zero) continue;
        const int64_t x = negative ? -n[0] : n[0], y = negative ? -n[1] : n[1];
        double pair[2];
        pv_rng_normal(seed, 0, (uint64_t)((x + 2) * 25 + (y + 2) * 5 + n[2]), pair);
        density[i] = 4e-4 * CMPLX(pair[0], negative ? -pair[1] : pair[1]);
    }
}

static void waves_and_points_agree(void **state)
{
    (void)state;
    fixture f = fixture_open();
    const double at[1][3] = {{0.0, 0.0, 0.0}};
    pv_cell *cell = make_cell(skewed_lattice, "He", 1, at);
    pv_grid *grid = make_grid(&f, cell, 7.0);
    double _Complex *waves = calloc((size_t)(2 * grid->waves + 1), sizeof *waves), *back = waves + grid->waves;
    double *field = calloc((size_t)(grid->local_points + 1), sizeof *field), by_points, by_waves, electrons;
    smooth_density(grid, 3, waves);
    assert_ok(pv_grid_to_points(grid, waves, field));
    assert_ok(pv_grid_to_waves(grid, field, back));
    for (int64_t i = 0; i < grid->waves; i++) assert_near(cabs(back[i] - waves[i]), 0.0, 1e-16);
    assert_ok(pv_grid_integral(grid, field, field, &by_points));
    assert_ok(pv_grid_dot(grid, waves, waves, &by_waves));
    assert_near(by_waves * cell->volume_bohr3, by_points, 1e-12);
    assert_ok(pv_grid_integral(grid, field, NULL, &electrons));
    assert_near(electrons, 0.05 * cell->volume_bohr3, 1e-12);
    free(waves), free(field);
    pv_grid_destroy(grid);
    pv_cell_destroy(cell);
    fixture_close(&f);
}

// A Gaussian of charge 1 and exponent a in a box: its own energy sqrt(a / pi) less what the lattice and the background
// add, which for a cube of side L and a narrow Gaussian is 2.837297479 / 2 L - pi / a L^3 (M. Leslie and M. J.
// Gillan, J. Phys. C 18, 973 (1985)).
static void gaussian_has_its_energy(void **state)
{
    (void)state;
    fixture f = fixture_open();
    const double side = 9.0, exponent = 1.3, at[1][3] = {{0.0, 0.0, 0.0}};
    const double cube[3][3] = {{side, 0.0, 0.0}, {0.0, side, 0.0}, {0.0, 0.0, side}};
    pv_cell *cell = make_cell(cube, "He", 1, at);
    pv_grid *grid = make_grid(&f, cell, 8.0);
    double _Complex *density = calloc((size_t)(grid->waves + 1), sizeof *density);
    for (int64_t i = 0; i < grid->waves; i++)
        density[i] =
            exp(-grid->g2[i] / (4.0 * exponent)) / cell->volume_bohr3 * CMPLX(cos(grid->g[i][0]), sin(grid->g[i][0]));
    double energy;
    assert_ok(pv_hartree(grid, density, NULL, &energy));
    const double expected = sqrt(exponent / (2.0 * PV_PI)) - 2.837297479480619 / (2.0 * side)
                            + PV_PI / (exponent * pow(side, 3));
    assert_near(energy, expected, 1e-6);
    free(density);
    pv_grid_destroy(grid);
    pv_cell_destroy(cell);
    fixture_close(&f);
}

// dE = sum over spins of the integral of v times the change of the density.
static void check_xc_slope(const fixture *f, pv_functional functional, int spins)
{
    const double at[1][3] = {{0.0, 0.0, 0.0}}, step = 1e-3;
    pv_cell *cell = make_cell(skewed_lattice, "He", 1, at);
    pv_grid *grid = make_grid(f, cell, 7.0);
    const size_t waves = (size_t)grid->waves + 1, points = (size_t)grid->local_points + 1;
    double _Complex *density = calloc(2 * waves, sizeof *density), *change = calloc(2 * waves, sizeof *change);
    double _Complex *shifted = calloc(2 * waves, sizeof *shifted), *core = calloc(waves, sizeof *core);
    double *potential = calloc(2 * points, sizeof *potential), *other = calloc(2 * points, sizeof *other);
    for (int s = 0; s < spins; s++) {
        smooth_density(grid, 10 + (uint64_t)s, density + s * grid->waves);
        smooth_density(grid, 20 + (uint64_t)s, change + s * grid->waves);
    }
    smooth_density(grid, 30, core);
    pv_xc *xc;
    assert_ok(pv_xc_create(grid, &functional, spins, &xc));
    double energies[2], slope = 0.0, energy;
    for (int side = 0; side < 2; side++) {
        for (int64_t i = 0; i < spins * grid->waves; i++)
            shifted[i] = density[i] + (side ? step : -step) * change[i];
        assert_ok(pv_xc_evaluate(xc, shifted, core, potential, &energies[side], NULL));
    }
    assert_ok(pv_xc_evaluate(xc, density, core, potential, &energy, NULL));
    for (int s = 0; s < spins; s++) {
        double part;
        assert_ok(pv_grid_to_points(grid, change + s * grid->waves, other));
        assert_ok(pv_grid_integral(grid, potential + s * grid->local_points, other, &part));
        slope += part;
    }
    assert_near((energies[1] - energies[0]) / (2.0 * step), slope, 1e-6 * fabs(slope));
    pv_xc_destroy(xc);
    free(density), free(change), free(shifted), free(core), free(potential), free(other);
    pv_grid_destroy(grid);
    pv_cell_destroy(cell);
}

static void xc_potential_is_the_slope_of_the_energy(void **state)
{
    (void)state;
    fixture f = fixture_open();
    for (int spins = 1; spins <= 2; spins++) {
        check_xc_slope(&f, pv_functional_of(PV_FUNCTIONAL_LDA), spins);
        check_xc_slope(&f, pv_functional_of(PV_FUNCTIONAL_PBE), spins);
        check_xc_slope(&f, pv_functional_hybrid_of(PV_FUNCTIONAL_PBESOL, 0.4, 0.0), spins);
        check_xc_slope(&f, pv_functional_hybrid_of(PV_FUNCTIONAL_PBE, 0.25, 0.106), spins);
    }
    fixture_close(&f);
}

static void equal_spins_are_no_spin(void **state)
{
    (void)state;
    fixture f = fixture_open();
    const double at[1][3] = {{0.0, 0.0, 0.0}};
    pv_cell *cell = make_cell(skewed_lattice, "He", 1, at);
    pv_grid *grid = make_grid(&f, cell, 7.0);
    double _Complex *density = calloc((size_t)(2 * grid->waves + 1), sizeof *density);
    double *one = calloc((size_t)(grid->local_points + 1), sizeof *one),
           *two = calloc((size_t)(2 * grid->local_points + 1), sizeof *two);
    double energy_one, energy_two;
    const pv_functional pbe = pv_functional_of(PV_FUNCTIONAL_PBE);
    pv_xc *xc;
    smooth_density(grid, 4, density);
    assert_ok(pv_xc_create(grid, &pbe, 1, &xc));
    assert_ok(pv_xc_evaluate(xc, density, NULL, one, &energy_one, NULL));
    pv_xc_destroy(xc);
    for (int64_t i = 0; i < grid->waves; i++) density[i] = density[grid->waves + i] = 0.5 * density[i];
    assert_ok(pv_xc_create(grid, &pbe, 2, &xc));
    assert_ok(pv_xc_evaluate(xc, density, NULL, two, &energy_two, NULL));
    pv_xc_destroy(xc);
    assert_near(energy_two, energy_one, 1e-10);
    for (int64_t i = 0; i < grid->local_points; i++) {
        assert_near(two[i], one[i], 1e-10);
        assert_near(two[grid->local_points + i], one[i], 1e-10);
    }
    free(density), free(one), free(two);
    pv_grid_destroy(grid);
    pv_cell_destroy(cell);
    fixture_close(&f);
}

// E_x[n, 0] = E_x[2 n] / 2, screened too: what one spin does not hold does not disturb the other.
static void one_spin_alone_scales(void **state)
{
    (void)state;
    fixture f = fixture_open();
    const double at[1][3] = {{0.0, 0.0, 0.0}};
    pv_cell *cell = make_cell(skewed_lattice, "He", 1, at);
    pv_grid *grid = make_grid(&f, cell, 7.0);
    double _Complex *density = calloc((size_t)(2 * grid->waves + 1), sizeof *density);
    double *one = calloc((size_t)(grid->local_points + 1), sizeof *one),
           *two = calloc((size_t)(2 * grid->local_points + 1), sizeof *two);
    for (int screened = 0; screened <= 1; screened++) {
        pv_functional exchange = pv_functional_hybrid_of(PV_FUNCTIONAL_PBE, 0.25, 0.106 * screened);
        exchange.lda_correlation = exchange.gradient_correlation = 0.0;
        double energy_one, energy_two;
        pv_xc *xc;
        smooth_density(grid, 4, density);
        for (int64_t i = 0; i < grid->waves; i++) density[grid->waves + i] = 0.0;
        assert_ok(pv_xc_create(grid, &exchange, 2, &xc));
        assert_ok(pv_xc_evaluate(xc, density, NULL, two, &energy_two, NULL));
        pv_xc_destroy(xc);
        for (int64_t i = 0; i < grid->waves; i++) density[i] *= 2.0;
        assert_ok(pv_xc_create(grid, &exchange, 1, &xc));
        assert_ok(pv_xc_evaluate(xc, density, NULL, one, &energy_one, NULL));
        pv_xc_destroy(xc);
        assert_near(energy_two, 0.5 * energy_one, 1e-7); // libxc gives an empty spin a density of 1e-10
        for (int64_t i = 0; i < grid->local_points; i++) assert_near(two[i], one[i], 1e-7);
    }
    free(density), free(one), free(two);
    pv_grid_destroy(grid);
    pv_cell_destroy(cell);
    fixture_close(&f);
}

// Of the integral of a fixed field times the atoms' field.
static void forces_are_slopes(void **state)
{
    (void)state;
    fixture f = fixture_open();
    const double at[2][3] = {{0.1, 0.2, 0.3}, {0.55, 0.6, 0.9}}, step = 1e-4;
    pv_cell *cell = make_cell(skewed_lattice, "O", 2, at);
    pv_grid *grid = make_grid(&f, cell, 7.0);
    pv_pseudo *pseudo;
    assert_ok(pv_pseudo_open("O", NULL, &pseudo));
    double _Complex *fixed = calloc((size_t)(grid->waves + 1), sizeof *fixed),
                    *field = calloc((size_t)(grid->waves + 1), sizeof *field);
    double forces[2][3] = {{0.0}};
    smooth_density(grid, 8, fixed);
    assert_ok(pv_atoms_add_forces(grid, cell, &pseudo, pv_pseudo_local_form, fixed, forces));
    assert_ok(pv_comm_reduce_f64(f.comm, PV_SUM, 6, &forces[0][0]));
    for (int d = 0; d < 3; d++) {
        double moved[3] = {0.0, 0.0, 0.0}, shift[3], ends[2];
        moved[d] = step;
        pv_cell_to_fractional(cell, moved, shift);
        for (int side = 0; side < 2; side++) {
            for (int i = 0; i < 3; i++) cell->fractional[1][i] = at[1][i] + (side ? shift[i] : -shift[i]);
            assert_ok(pv_atoms_field(grid, cell, &pseudo, pv_pseudo_local_form, field));
            assert_ok(pv_grid_dot(grid, fixed, field, &ends[side]));
        }
        assert_near(forces[1][d], -(ends[1] - ends[0]) * cell->volume_bohr3 / (2.0 * step), 1e-7);
    }
    free(fixed), free(field);
    pv_pseudo_destroy(pseudo);
    pv_grid_destroy(grid);
    pv_cell_destroy(cell);
    fixture_close(&f);
}

typedef struct spins_of_fixture {
    const fixture *f;
    int spins;
} spins_of_fixture;

// Energy of a density that moves along with a strained cell, in the field and with the core of two atoms; with `strain`
// also its derivative.
static double energy_of_terms(const void *context, const double lattice[3][3], double (*strain)[3])
{
    const spins_of_fixture *given = context;
    const fixture *f = given->f;
    const int spins = given->spins;
    const double at[2][3] = {{0.1, 0.2, 0.3}, {0.55, 0.6, 0.9}};
    pv_cell *cell = make_cell(lattice, "Si", 2, at), *relaxed = make_cell(skewed_lattice, "Si", 2, at);
    pv_grid *grid = make_grid(f, cell, 7.0);
    pv_pseudo *pseudo;
    pv_xc *xc;
    const pv_functional pbe = pv_functional_of(PV_FUNCTIONAL_PBE);
    assert_ok(pv_pseudo_open("Si", NULL, &pseudo));
    assert_ok(pv_xc_create(grid, &pbe, spins, &xc));
    const size_t waves = (size_t)grid->waves + 1;
    double _Complex *density = calloc(2 * waves, sizeof *density), *total = calloc(waves, sizeof *total);
    double _Complex *core = calloc(waves, sizeof *core), *local = calloc(waves, sizeof *local);
    double *v = calloc((size_t)(2 * grid->local_points + 1), sizeof *v), hartree, exchange, attraction;
    for (int s = 0; s < spins; s++) {
        smooth_density(grid, 40 + (uint64_t)s, density + s * grid->waves);
        for (int64_t i = 0; i < grid->waves; i++) {
            density[s * grid->waves + i] *= relaxed->volume_bohr3 / cell->volume_bohr3;
            total[i] += density[s * grid->waves + i];
        }
    }
    assert_ok(pv_atoms_field(grid, cell, &pseudo, pv_pseudo_density_form, core));
    assert_ok(pv_atoms_field(grid, cell, &pseudo, pv_pseudo_local_form, local));
    assert_ok(pv_hartree(grid, total, NULL, &hartree));
    assert_ok(pv_grid_dot(grid, local, total, &attraction));
    assert_ok(pv_xc_evaluate(xc, density, core, v, &exchange, strain));
    if (strain) {
        pv_hartree_add_strain(grid, total, strain);
        assert_ok(pv_atoms_add_strain(grid, cell, &pseudo, pv_pseudo_local_form, total, strain));
        for (int s = 0; s < spins; s++) {
            assert_ok(pv_grid_to_waves(grid, v + s * grid->local_points, local));
            for (int64_t i = 0; i < grid->waves; i++) {
                const double share =
                    grid->weight[i] * cell->volume_bohr3 * creal(conj(local[i]) * density[s * grid->waves + i]);
                for (int d = 0; d < 3; d++) strain[d][d] -= share;
                local[i] /= spins;
            }
            assert_ok(pv_atoms_add_strain(grid, cell, &pseudo, pv_pseudo_density_form, local, strain));
        }
        assert_ok(pv_comm_reduce_f64(f->comm, PV_SUM, 9, &strain[0][0]));
    }
    const double energy = hartree + exchange + attraction * cell->volume_bohr3;
    free(density), free(total), free(core), free(local), free(v);
    pv_xc_destroy(xc);
    pv_pseudo_destroy(pseudo);
    pv_grid_destroy(grid);
    pv_cell_destroy(cell);
    pv_cell_destroy(relaxed);
    return energy;
}

static void strain_is_a_slope(void **state)
{
    (void)state;
    fixture f = fixture_open();
    for (int spins = 1; spins <= 2; spins++)
        assert_strain_is_a_slope(energy_of_terms, &(spins_of_fixture){.f = &f, .spins = spins});
    fixture_close(&f);
}

static void a_grid_too_small_says_what_it_needs(void **state)
{
    (void)state;
    fixture f = fixture_open();
    const double at[1][3] = {{0.0, 0.0, 0.0}};
    pv_cell *cell = make_cell(skewed_lattice, "He", 1, at);
    pv_grid *grid = NULL;
    assert_fails(PV_ERR_INPUT, pv_grid_create(f.comm, cell, shape, 400.0, "auto", &grid));
    assert_non_null(strstr(pv_last_error(), "at least"));
    assert_null(grid);
    int64_t chosen[3];
    pv_grid_choose_shape(cell, 20.0, NULL, chosen);
    assert_ok(pv_grid_create(f.comm, cell, chosen, 400.0, "auto", &grid));
    pv_grid_destroy(grid);
    pv_cell_destroy(cell);
    fixture_close(&f);
}

PV_TEST_MAIN(PV_TEST(waves_and_points_agree), PV_TEST(gaussian_has_its_energy),
             PV_TEST(xc_potential_is_the_slope_of_the_energy), PV_TEST(equal_spins_are_no_spin),
             PV_TEST(one_spin_alone_scales),
             PV_TEST(forces_are_slopes), PV_TEST(strain_is_a_slope),
             PV_TEST(a_grid_too_small_says_what_it_needs))
