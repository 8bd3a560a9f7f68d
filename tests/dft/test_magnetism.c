// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2
// The start from atomic moments, and what becomes of it.
#include <parseval/dft.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "case.h"
#include "dft/solve/start_density.h"

// Hydrogen atoms 3.5 Angstrom apart in all directions.
static const char poscar[] = "H\n1.0\n3.5 0 0\n0 3.5 0\n0 0 7\nH\n2\nDirect\n0 0 0\n0 0 0.5\n";
static const char common[] = "ENCUT = 200\nEDIFF = 1E-8\nNBANDS = 4\nISMEAR = 0; SIGMA = 0.05\n";
static void make_pair(const fixture *f, const char *tags, char folder[64])
{
    char incar[512];
    snprintf(incar, sizeof incar, "%s\n%s", tags, common); // the first of two tags counts
    make_case(f, poscar, incar, "mesh\n0\nGamma\n1 1 1\n", folder);
}

// Electrons and moment of the cell, and of the lower half of it, around the first atom.
typedef struct moments {
    double electrons, all, first, lowest;
} moments;

static moments start_moments(const fixture *f, const char *tags)
{
    char folder[64];
    pv_system *system;
    make_pair(f, tags, folder);
    assert_ok(pv_system_create(f->comm, folder, NULL, "auto", &system));
    remove_case(f, folder);
    pv_grid *grid = system->grid;
    const int64_t n = grid->local_points;
    double _Complex *density = calloc((size_t)(2 * grid->waves + 1), sizeof *density);
    double *points = calloc((size_t)(2 * n + 1), sizeof *points);
    assert_ok(pv_start_density(system, density));
    for (int s = 0; s < 2; s++) assert_ok(pv_grid_to_points(grid, density + s * grid->waves, points + s * n));
    moments m = {0};
    for (int64_t i = 0; i < n; i++) {
        const double moment = points[i] - points[n + i];
        const int64_t z = (grid->first_point + i) % grid->shape[2];
        m.electrons += (points[i] + points[n + i]) * grid->spacing_volume;
        m.all += moment * grid->spacing_volume;
        m.lowest = fmin(m.lowest, fmin(points[i], points[n + i]));
        if (4 * z < grid->shape[2] || 4 * z > 3 * grid->shape[2]) m.first += moment * grid->spacing_volume;
    }
    assert_ok(pv_comm_reduce_f64(f->comm, PV_SUM, 3, &m.electrons));
    free(points), free(density);
    pv_system_destroy(system);
    return m;
}

static void atoms_start_with_their_moments(void **state)
{
    (void)state;
    static const struct {
        const char *tags;
        double all, first;     // moments of both atoms and of the first
    } cases[] = {
        {"ISPIN = 2; MAGMOM = 0.6 -0.6", 0.0, 0.6}, {"ISPIN = 2; MAGMOM = -0.6 0.6", 0.0, -0.6},
        {"ISPIN = 2; MAGMOM = 0.5 0.25", 0.75, 0.5}, {"ISPIN = 2", 2.0, 1.0},
        {"ISPIN = 2; NUPDOWN = 0.5", 0.5, 0.25},     {"ISPIN = 2; MAGMOM = 5 -9", 0.0, 1.0},
    };
    fixture f = fixture_open();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const moments m = start_moments(&f, cases[i].tags);
        assert_near(m.electrons, 2.0, 1e-10);
        assert_near(m.all, cases[i].all, 1e-6);
        assert_near(m.first, cases[i].first, 0.1); // tails reach into the other half
        assert_near(fmin(m.lowest, 0.0), 0.0, 2e-3); // the cutoff makes the atoms ring
    }
    fixture_close(&f);
}

typedef struct outcome {
    int steps;
    double energy, fermi, up[4], down[4];
} outcome;

// Solves what is in the folder, and removes it.
static outcome solve_case(const fixture *f, char folder[64])
{
    pv_dft_options options = pv_dft_options_defaults();
    pv_dft *dft;
    pv_dft_summary s;
    options.directory = folder;
    assert_ok(pv_dft_create(f->comm, &options, &dft));
    assert_ok(pv_dft_solve(dft));
    pv_dft_summarise(dft, &s);
    assert_true(s.converged);
    outcome o = {.steps = s.steps, .energy = s.energies.free_ha, .fermi = s.fermi_ha};
    memcpy(o.up, s.eigenvalues_ha, sizeof o.up);
    memcpy(o.down, s.eigenvalues_ha + (s.spins == 2 ? s.bands : 0), sizeof o.down);
    pv_dft_destroy(dft);
    remove_case(f, folder);
    return o;
}

static outcome solve(const fixture *f, const char *tags)
{
    char folder[64];
    make_pair(f, tags, folder);
    return solve_case(f, folder);
}

static void antiferromagnets_stay_so(void **state)
{
    (void)state;
    fixture f = fixture_open();
    const outcome plain = solve(&f, "ISPIN = 1"), anti = solve(&f, "ISPIN = 2; MAGMOM = 1 -1");
    const outcome other = solve(&f, "ISPIN = 2; MAGMOM = -1 1");
    assert_true(anti.energy < plain.energy - 0.01);
    assert_near(other.energy, anti.energy, 1e-8);
    assert_near(anti.up[0], anti.down[0], 1e-3); // of first order in what is left of the density
    assert_true(anti.up[1] - anti.up[0] > plain.up[1] - plain.up[0] + 0.01); // a gap opens
    fixture_close(&f);
}

static void given_fillings_make_a_triplet(void **state)
{
    (void)state;
    fixture f = fixture_open();
    const outcome fixed = solve(&f, "ISPIN = 2; ISMEAR = -2; FERWE = 1 1 0 0; FERDO = 4*0");
    const outcome free = solve(&f, "ISPIN = 2; NUPDOWN = 2");
    assert_near(fixed.energy, free.energy, 1e-7);
    fixture_close(&f);
}

// Where the moment is about to vanish, and where one spin has no electrons.
static void hydrogen_converges_where_its_moment_changes(void **state)
{
    (void)state;
    static const char tags[] = "ENCUT = 150\nEDIFF = 1E-7\nISMEAR = 0; SIGMA = 0.3\nISPIN = 2\nNBANDS = 4\n";
    static const struct {
        const char *poscar, *kpoints;
    } inputs[] = {
        {"H\n2.2\n1 0 0\n0 1 0\n0 0 1\nH\n1\nDirect\n0 0 0\n", "mesh\n0\nGamma\n4 4 4\n"},
        {"H\n2.4\n1 0 0\n0 1 0\n0 0 1\nH\n1\nDirect\n0 0 0\n", "mesh\n0\nGamma\n4 4 4\n"},
        {"H\n1\n4 0 0\n0 4 0\n0 0 2.4\nH\n1\nDirect\n0 0 0\n", "mesh\n0\nGamma\n1 1 8\n"},
    };
    fixture f = fixture_open();
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        char folder[64];
        make_case(&f, inputs[i].poscar, tags, inputs[i].kpoints, folder);
        assert_true(solve_case(&f, folder).steps <= 40);
    }
    fixture_close(&f);
}

PV_TEST_MAIN(PV_TEST(atoms_start_with_their_moments), PV_TEST(antiferromagnets_stay_so),
             PV_TEST(given_fillings_make_a_triplet), PV_TEST(hydrogen_converges_where_its_moment_changes))
