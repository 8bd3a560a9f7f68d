// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2 3
// Hybrid calculations, small, through the public interface: what must agree with what. More than two ranks show that
// they give what one gives; that different ways to one answer agree is then shown by one and two.
#include <parseval/dft.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "case.h"

// On a grid of exchange that holds products whole, where nothing depends on how they are placed.
#define COMMON "ENCUT = 163.3\nEDIFF = 1E-9\nISMEAR = 0; SIGMA = 0.02\nNELM = 60\nENCUTFOCK = 653.2\n"
#define HSE "LHFCALC = T; HFSCREEN = 0.2\n"

static const char gamma_only[] = "mesh\n0\nGamma\n1 1 1\n0 0 0\n";

typedef struct outcome {
    double energy, exchange;
    double eigenvalues[8]; // of the first k-point
    double forces[8][3];
} outcome;

static outcome solve(pv_comm *comm, const char *poscar, const char *incar, const char *kpoints)
{
    const fixture f = {.comm = comm};
    char folder[64];
    make_case(&f, poscar, incar, kpoints, folder);
    pv_dft_options options = pv_dft_options_defaults();
    options.directory = folder;
    pv_dft *dft;
    assert_ok(pv_dft_create(comm, &options, &dft));
    assert_ok(pv_dft_solve(dft));
    pv_dft_summary s;
    pv_dft_summarise(dft, &s);
    assert_true(s.converged);
    outcome o = {.energy = s.energies.free_ha, .exchange = s.energies.fock_ha};
    memcpy(o.forces, s.forces_ha_bohr, (size_t)s.atoms * sizeof *o.forces);
    for (int b = 0; b < s.bands && b < 8; b++) o.eigenvalues[b] = s.eigenvalues_ha[b];
    pv_dft_destroy(dft);
    remove_case(&f, folder);
    return o;
}

static int are_many(void) { return pv_test_size() > 2; }

// Real and complex orbitals, points that symmetry adds, pairs shared out over ranks: every way through exact exchange
// must not depend on how many work on it.
static void ranks_do_not_matter(void **state)
{
    (void)state;
    static const char *const meshes[] = {gamma_only, "mesh\n0\nGamma\n2 2 1\n0 0 0\n",
                                         "mesh\n0\nMonkhorst\n3 1 1\n0 0 0\n"};
    fixture f = fixture_open();
    for (size_t m = 0; m < sizeof meshes / sizeof *meshes; m++) {
        const char incar[] = COMMON HSE "NBANDS = 7\n";
        const outcome together = solve(f.comm, SILICON("0.27 0.24 0.25"), incar, meshes[m]);
        pv_comm *alone;
        outcome single = together;
        assert_ok(pv_comm_split(f.comm, pv_test_rank(), 0, &alone));
        if (pv_test_rank() == 0) single = solve(alone, SILICON("0.27 0.24 0.25"), incar, meshes[m]);
        pv_comm_close(alone);
        assert_ok(pv_comm_broadcast(f.comm, 0, sizeof single, &single));
        assert_near(together.energy, single.energy, 1e-9);
        assert_near(together.exchange, single.exchange, 1e-7);
        for (int b = 0; b < 6; b++) assert_near(together.eigenvalues[b], single.eigenvalues[b], 2e-6);
        for (int d = 0; d < 3; d++) assert_near(together.forces[0][d], single.forces[0][d], 1e-6);
    }
    fixture_close(&f);
}

// With several threads sums have parts of their own; alone is enough.
static void threads_do_not_matter(void **state)
{
    (void)state;
    static const char *const meshes[] = {gamma_only, "mesh\n0\nMonkhorst\n3 1 1\n0 0 0\n"};
    fixture f = fixture_open();
    for (int m = 0; m < 2 && pv_comm_size(f.comm) == 1; m++) {
        const char incar[] = COMMON HSE "NBANDS = 7\n";
        const outcome one = solve(f.comm, SILICON("0.27 0.24 0.25"), incar, meshes[m]);
        pv_device *device;
        pv_comm *comm;
        assert_ok(pv_device_open("cpu:3", &device));
        assert_ok(pv_comm_open_self(device, &comm));
        const outcome three = solve(comm, SILICON("0.27 0.24 0.25"), incar, meshes[m]);
        assert_near(three.energy, one.energy, 1e-9);
        assert_near(three.exchange, one.exchange, 1e-7);
        pv_comm_close(comm);
        pv_device_close(device);
    }
    fixture_close(&f);
}

// Two cells at Gamma are one cell on a mesh of two, hybrids too; and without symmetry on all points.
static void folded_points_agree(void **state)
{
    (void)state;
    if (are_many()) return;
    fixture f = fixture_open();
    const char one[] = COMMON HSE "NBANDS = 6\nNGX = 20; NGY = 20; NGZ = 20\n";
    const char off[] = COMMON HSE "NBANDS = 6\nNGX = 20; NGY = 20; NGZ = 20\nISYM = -1\n";
    const char two[] = COMMON HSE "NBANDS = 11\nNGX = 40; NGY = 20; NGZ = 20\n";
    const outcome pair = solve(f.comm, SILICON("0.27 0.24 0.25"), one, "mesh\n0\nGamma\n2 1 1\n0 0 0\n");
    const outcome doubled = solve(f.comm,
                                  "doubled\n1.0\n0.0 5.4 5.4\n2.7 0.0 2.7\n2.7 2.7 0.0\nSi\n4\nDirect\n0 0 0\n"
                                  "0.135 0.24 0.25\n0.5 0 0\n0.635 0.24 0.25\n",
                                  two, gamma_only);
    assert_near(doubled.energy, 2.0 * pair.energy, 4e-7);
    const char shifted[] = "mesh\n0\nMonkhorst\n3 1 1\n0 0 0\n";
    const outcome reduced = solve(f.comm, SILICON("0.28 0.24 0.24"), one, shifted); // stretched along b1: 12 operations
    const outcome all = solve(f.comm, SILICON("0.28 0.24 0.24"), off, shifted);
    assert_near(reduced.energy, all.energy, 1e-8);
    assert_near(reduced.exchange, all.exchange, 1e-6);
    fixture_close(&f);
}

static void forces_are_slopes_of_the_energy(void **state)
{
    (void)state;
    if (are_many()) return;
    fixture f = fixture_open();
    const char incar[] = COMMON HSE "NBANDS = 6\n";
    const outcome middle = solve(f.comm, SILICON("0.27 0.24 0.25"), incar, gamma_only);
    const outcome less = solve(f.comm, SILICON("0.269 0.24 0.25"), incar, gamma_only);
    const outcome more = solve(f.comm, SILICON("0.271 0.24 0.25"), incar, gamma_only);
    const double step = 0.001 * 2.7 / 0.529177210903; // along a1 = (0, 2.7, 2.7) Angstrom
    const double force = middle.forces[1][1] + middle.forces[1][2];
    assert_near(force, -(more.energy - less.energy) / (2.0 * step), 2e-5);
    fixture_close(&f);
}

// The share of exact exchange is counted once: its energy is in proportion to it, all else being nearly equal.
static void any_share_of_exchange_is_taken_once(void **state)
{
    (void)state;
    if (are_many()) return;
    fixture f = fixture_open();
    const char mesh[] = "mesh\n0\nGamma\n2 2 2\n0 0 0\n";
    const outcome tenth = solve(f.comm, SILICON("0.27 0.24 0.25"), COMMON HSE "AEXX = 0.1\nNBANDS = 6\n", mesh);
    const outcome whole = solve(f.comm, SILICON("0.27 0.24 0.25"), COMMON HSE "AEXX = 1.0\nNBANDS = 6\n", mesh);
    assert_true(tenth.exchange < 0.0);
    assert_near(whole.exchange / tenth.exchange, 10.0, 0.5);
    assert_true(whole.eigenvalues[4] - whole.eigenvalues[3] > tenth.eigenvalues[4] - tenth.eigenvalues[3]);
    fixture_close(&f);
}

// A list with one of each star is the mesh, a point of weight zero among them is solved like the mesh's, and beside
// points with complex orbitals the real ones give the same exchange.
static void lists_are_meshes(void **state)
{
    (void)state;
    if (are_many()) return;
    fixture f = fixture_open();
    const char incar[] = COMMON HSE "NBANDS = 6\n";
    const outcome mesh = solve(f.comm, SILICON("0.25 0.25 0.25"), incar, "mesh\n0\nGamma\n2 2 2\n0 0 0\n");
    const outcome list = solve(f.comm, SILICON("0.25 0.25 0.25"), incar,
                               "list\n5\nReciprocal\n0 0 0 0\n0.25 0.25 0 0\n0 0 0 1\n0.5 0 0 4\n0.5 0.5 0 3\n");
    assert_near(list.energy, mesh.energy, 1e-8);
    assert_near(list.exchange, mesh.exchange, 1e-7);
    for (int b = 0; b < 4; b++) assert_near(list.eigenvalues[b], mesh.eigenvalues[b], 1e-6);
    fixture_close(&f);
}

// A shifted mesh in a face-centred cell has 12 of silicon's 48 operations: exchange sums over the mesh as it is, for
// each of its images alike, and density and forces are the crystal's.
static void meshes_of_less_symmetry_leave_the_crystal_its_own(void **state)
{
    (void)state;
    fixture f = fixture_open();
    const outcome o = solve(f.comm, SILICON("0.25 0.25 0.25"), COMMON HSE "NBANDS = 6\n",
                            "mesh\n0\nMonkhorst\n2 2 2\n0 0 0\n");
    for (int d = 0; d < 3; d++) assert_near(o.forces[1][d], 0.0, 1e-10);
    fixture_close(&f);
}

// Single precision ends in double precision.
static void single_precision_leaves_no_trace(void **state)
{
    (void)state;
    if (are_many()) return;
    fixture f = fixture_open();
    static const char *const meshes[] = {gamma_only, "mesh\n0\nMonkhorst\n3 1 1\n0 0 0\n"};
    for (int m = 0; m < 2; m++) {
        const outcome full = solve(f.comm, SILICON("0.27 0.24 0.25"), COMMON HSE "NBANDS = 7\n", meshes[m]);
        const outcome single =
            solve(f.comm, SILICON("0.27 0.24 0.25"), COMMON HSE "NBANDS = 7\nPRECFOCK = Single\n", meshes[m]);
        assert_near(single.energy, full.energy, 1e-9);
        assert_near(single.exchange, full.exchange, 1e-7);
        for (int b = 0; b < 6; b++) assert_near(single.eigenvalues[b], full.eigenvalues[b], 2e-6);
    }
    fixture_close(&f);
}

PV_TEST_MAIN(PV_TEST(single_precision_leaves_no_trace), PV_TEST(meshes_of_less_symmetry_leave_the_crystal_its_own),
             PV_TEST(lists_are_meshes), PV_TEST(ranks_do_not_matter),
             PV_TEST(threads_do_not_matter), PV_TEST(folded_points_agree), PV_TEST(forces_are_slopes_of_the_energy),
             PV_TEST(any_share_of_exchange_is_taken_once))
