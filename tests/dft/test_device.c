// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2 3
// devices: cuda
// Whole calculations with orbitals on another device than the density: what the host alone finds. Without a GPU the
// device is the host once more, with a communicator of its own.
#include <math.h>

#include "solved.h"
#include "test_device.h"

#define COMMON "EDIFF = 1E-9\nNELM = 60\nLCHARG = F\n"

typedef struct calculation {
    const char *poscar, *incar, *kpoints;
} calculation;

// Real and complex orbitals; transforms that two ranks share on the host.
static const calculation silicon = {
    SILICON("0.27 0.24 0.25"), COMMON "ENCUT = 140\nNBANDS = 7\nISMEAR = 0\nSIGMA = 0.1\nKPAR = 1; NCORE = 2\n",
    "list\n3\nReciprocal\n0 0 0 1\n0.3 0.1 0 2\n0.5 0.5 0 1\n"};
// Spin and partly filled states.
static const calculation hydrogen = {
    "hydrogen\n1.0\n3.0 0 0\n0.1 3.1 0\n0 0.2 3.2\nH\n1\nDirect\n0 0 0\n",
    COMMON "ENCUT = 200\nNBANDS = 4\nISMEAR = 1\nSIGMA = 0.3\nISPIN = 2\nMAGMOM = 1\n",
    "list\n2\nReciprocal\n0 0 0 1\n0.3 0.1 0.2 2\n"};

// Hybrids: real orbitals; complex ones, on a mesh that symmetry unfolds. Products of both on a grid that holds them.
#define HYBRID "ENCUT = 120\nENCUTFOCK = 480\nNBANDS = 7\nISMEAR = 0\nSIGMA = 0.1\nLHFCALC = T; HFSCREEN = 0.2\n"
static const calculation real_hybrid = {SILICON("0.27 0.24 0.25"), COMMON HYBRID, "mesh\n0\nGamma\n2 1 1\n0 0 0\n"};
static const calculation complex_hybrid = {SILICON("0.27 0.24 0.25"), COMMON HYBRID "PRECFOCK = Single\n",
                                           "mesh\n0\nMonkhorst\n3 1 1\n0 0 0\n"};

// Orbitals of a hybrid know the exchange of single precision until the last build.
static void compare(const calculation *c, double forces)
{
    fixture f = fixture_open();
    pv_device *device = test_device_open("cpu:1");
    pv_comm *comm;
    assert_ok(pv_comm_open_mpi(MPI_COMM_WORLD, device, NULL, &comm));
    const outcome here = solve_case(&f, c->poscar, c->incar, c->kpoints, NULL);
    const outcome there = solve_case_on(&f, comm, c->poscar, c->incar, c->kpoints, NULL);
    assert_near(there.energy, here.energy, 1e-9);
    assert_near(there.exchange, here.exchange, 1e-7);
    for (int i = 0; i < 24; i++) assert_near(there.forces[i / 3][i % 3], here.forces[i / 3][i % 3], forces);
    for (int i = 0; i < 9; i++) assert_near(there.stress[i / 3][i % 3], here.stress[i / 3][i % 3], 1e-8);
    for (int b = 0; b < 4; b++) assert_near(there.eigenvalues[b], here.eigenvalues[b], 1e-6);
    pv_comm_close(comm);
    pv_device_close(device);
    fixture_close(&f);
}

static void semiconductors_are_the_same(void **state)
{
    (void)state;
    compare(&silicon, 1e-7);
}

static void magnets_are_the_same(void **state)
{
    (void)state;
    compare(&hydrogen, 1e-7);
}

static void hybrids_are_the_same(void **state)
{
    (void)state;
    compare(&real_hybrid, 1e-6);
    compare(&complex_hybrid, 1e-6);
}

PV_TEST_MAIN(PV_TEST(hybrids_are_the_same), PV_TEST(semiconductors_are_the_same), PV_TEST(magnets_are_the_same))
