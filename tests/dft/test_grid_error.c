// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2 3
// devices: cuda
// What a run says of its grid of exchange is what a run on the full grid finds, as far as first order reaches. Where it
// says nothing, it says why, and is what it was.
#include <math.h>

#include "../capture.h"
#include "dft/solve/grid_error.h"
#include "dft/solve/scf.h"
#include "solved.h"
#include "test_device.h"

#define COMMON "EDIFF = 1E-9\nNELM = 60\nLCHARG = F\nISMEAR = 0\nSIGMA = 0.02\nLHFCALC = T; HFSCREEN = 0.2\n"
#define ENCUT "ENCUT = 163.3\n"
#define FULL "ENCUTFOCK = 653.2\n"

typedef struct found {
    double energy, gap;
    pv_dft_grid_error error;
} found;

// Of all k-points.
static double gap_of(const pv_dft_summary *s)
{
    double top = -INFINITY, bottom = INFINITY;
    for (int i = 0; i < s->spins * s->kpoints * s->bands; i++)
        if (s->filling[i] * s->spins > 1.0)
            top = fmax(top, s->eigenvalues_ha[i]);
        else
            bottom = fmin(bottom, s->eigenvalues_ha[i]);
    return bottom - top;
}

static found solve(const fixture *f, pv_comm *orbital_comm, const char *poscar, const char *incar, const char *kpoints)
{
    char folder[64];
    pv_dft_summary s;
    pv_dft *dft = solve_in(f, orbital_comm, poscar, incar, kpoints, NULL, folder, &s);
    const found found = {s.energies.free_ha, gap_of(&s), s.grid_error};
    pv_dft_destroy(dft);
    remove_case(f, folder);
    return found;
}

// sums: as many as there are filled bands say all, fewer a few percent less. Energies in Ha.
static void compare(const char *poscar, const char *incar, const char *full_incar, const char *kpoints, double share,
                    double gap)
{
    fixture f = fixture_open();
    pv_device *device = test_device_open("cpu:1");
    pv_comm *comm;
    assert_ok(pv_comm_open_mpi(MPI_COMM_WORLD, device, NULL, &comm));
    const found reduced = solve(&f, comm, poscar, incar, kpoints), full = solve(&f, comm, poscar, full_incar, kpoints);
    const double energy = reduced.energy - full.energy;
    assert_true(reduced.error.known && !full.error.known);
    assert_true(reduced.error.grid[0] < reduced.error.full[0]);
    assert_true(energy > 1e-7);
    assert_near(reduced.error.energy_ha, energy, share * energy + 2e-9);
    assert_near(reduced.error.gap_ha, reduced.gap - full.gap, gap);
    pv_comm_close(comm);
    pv_device_close(device);
    fixture_close(&f);
}

#define PAIR(more, fast) COMMON ENCUT more fast, COMMON ENCUT more FULL

static void energies_are_those_of_a_full_grid(void **state)
{
    (void)state;
    static const char gamma_only[] = "mesh\n0\nGamma\n1 1 1\n0 0 0\n";
    compare(SILICON("0.27 0.24 0.25"), PAIR("NBANDS = 8\n", "PRECFOCK = Fast\n"), gamma_only, 0.01, 1e-6);
    compare(SILICON("0.27 0.24 0.25"), PAIR("NBANDS = 8\nNCORE = 2\n", "PRECFOCK = Fast\n"), gamma_only, 0.01, 1e-6);
    compare(SILICON("0.27 0.24 0.25"), PAIR("NBANDS = 8\n", ""), "mesh\n0\nGamma\n2 2 1\n0 0 0\n", 0.1, 1e-6);
    compare(SILICON("0.27 0.24 0.25"), PAIR("NBANDS = 7\n", "PRECFOCK = Single\n"),
            "mesh\n0\nMonkhorst\n3 1 1\n0 0 0\n", 0.1, 1e-6);
}

static void spins_are_seen(void **state)
{
    (void)state;
    static const char atom[] = "hydrogen\n1.0\n3.0 0 0\n0.1 3.1 0\n0 0.2 3.2\nH\n1\nDirect\n0 0 0\n";
    compare(atom, PAIR("NBANDS = 4\nISPIN = 2\nMAGMOM = 1\nNUPDOWN = 1\n", "PRECFOCK = Fast\n"),
            "mesh\n0\nGamma\n2 1 1\n0 0 0\n", 0.1, 1e-5);
}

static void nobody_asks(void **state)
{
    (void)state;
    fixture f = fixture_open();
    const found off = solve(&f, NULL, SILICON("0.27 0.24 0.25"),
                            COMMON ENCUT "NBANDS = 6\nPRECFOCK = Fast\nLFOCKCHECK = F\n",
                            "mesh\n0\nGamma\n1 1 1\n0 0 0\n");
    assert_false(off.error.known);
    fixture_close(&f);
}

static void few_vectors_for_long_ones(void **state)
{
    (void)state;
    assert_int_equal(pv_grid_error_vectors(1.0, 1e6, 0.0), 16);
    assert_int_equal(pv_grid_error_vectors(1.0, 150.0, 0.0), 7);
    assert_int_equal(pv_grid_error_vectors(1.0, 25.0, 0.0), 4);
    assert_int_equal(pv_grid_error_vectors(1.0, 19.0, 0.0), 0);
    assert_int_equal(pv_grid_error_vectors(1.0, 19.0, 10.0), 10);
}

#define REDUCED COMMON ENCUT "NBANDS = 6\nPRECFOCK = Fast\n"
static const char one_point[] = "mesh\n0\nGamma\n1 1 1\n0 0 0\n";

// The memory that it would take is set by hand, to what nobody has.
static void without_room_it_is_left_out(void **state)
{
    (void)state;
    fixture f = fixture_open();
    char folder[64];
    pv_system *system;
    pv_scf *scf;
    pv_grid_error error;
    make_case(&f, SILICON("0.27 0.24 0.25"), REDUCED, one_point, folder);
    assert_ok(pv_system_create(f.comm, folder, NULL, "auto", &system));
    assert_ok(pv_scf_create(system, &scf));
    assert_ok(pv_scf_run(scf, NULL, NULL));
    const double wanted = system->memory.comparison_bytes, exchange_ha = scf->hybrid->energy_ha;
    system->memory.comparison_bytes = 4e18;
    assert_ok(pv_grid_error_find(scf->hybrid, &error));
    assert_true(error.is_wanted && !error.answer.known);
    assert_non_null(strstr(error.why_not, "it wants 4e+09 GB a rank, of "));
    system->memory.comparison_bytes = wanted;
    assert_ok(pv_grid_error_find(scf->hybrid, &error));
    assert_true(error.answer.known && error.why_not[0] == '\0');
    assert_near(scf->hybrid->energy_ha, exchange_ha, 0.0);
    pv_scf_destroy(scf);
    pv_system_destroy(system);
    remove_case(&f, folder);
    fixture_close(&f);
}

// Fields of the full grid are made of transforms by an engine whose name a run keeps: once it has begun to step, it
// makes no others.
static void spoil_engine(void *engine, const char *line)
{
    if (strncmp(line, "   1 ", 5) == 0) strcpy(engine, "none");
}

// On rank 0; the others follow.
static void a_failure_is_a_warning(void **state)
{
    (void)state;
    fixture f = fixture_open();
    char folder[64], engine[8] = "auto", text[2048];
    pv_dft *dft;
    pv_dft_summary s;
    const found whole = solve(&f, NULL, SILICON("0.27 0.24 0.25"), REDUCED, one_point);
    make_case(&f, SILICON("0.27 0.24 0.25"), REDUCED, one_point, folder);
    pv_dft_options options = pv_dft_options_defaults();
    options.directory = folder;
    options.engine = engine;
    options.say = spoil_engine;
    options.say_context = engine;
    assert_ok(pv_dft_create(f.comm, &options, &dft));
    capture c = begin_capture();
    const pv_status status = pv_dft_solve(dft);
    const int warnings = end_capture(&c, "the grid of exact exchange was not compared with the full one (", text,
                                     sizeof text);
    assert_ok(status);
    assert_int_equal(warnings, pv_test_rank() == 0);
    if (pv_test_rank() == 0) assert_non_null(strstr(text, "none"));
    pv_dft_summarise(dft, &s);
    assert_true(s.converged && !s.grid_error.known && whole.error.known);
    assert_near(s.energies.free_ha, whole.energy, 1e-10);
    pv_dft_destroy(dft);
    remove_case(&f, folder);
    fixture_close(&f);
}

PV_TEST_MAIN(PV_TEST(few_vectors_for_long_ones), PV_TEST(energies_are_those_of_a_full_grid),
             PV_TEST(spins_are_seen), PV_TEST(nobody_asks), PV_TEST(without_room_it_is_left_out),
             PV_TEST(a_failure_is_a_warning))
