// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2
// Whole calculations with each way of filling states.
#include <parseval/dft.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "case.h"

static const char silicon[] = "Si\n1.0\n0.0 2.7 2.7\n2.7 0.0 2.7\n2.7 2.7 0.0\nSi\n2\nDirect\n0 0 0\n0.25 0.25 0.25\n";
static const char aluminium[] = "Al\n1.0\n0.0 2.02 2.02\n2.02 0.0 2.02\n2.02 2.02 0.0\nAl\n1\nDirect\n0 0 0\n";
// The energies of a run on a Gamma-centred mesh of n x n x n points.
static pv_dft_energies energies_of(const fixture *f, const char *poscar, int n, const char *tags)
{
    char folder[64], incar[256], kpoints[64];
    snprintf(kpoints, sizeof kpoints, "mesh\n0\nGamma\n%d %d %d\n", n, n, n);
    snprintf(incar, sizeof incar, "ENCUT = 120\nEDIFF = 1E-8\nNBANDS = 8\nLWAVE = F; LCHARG = F\n%s\n", tags);
    make_case(f, poscar, incar, kpoints, folder);
    pv_dft_options options = pv_dft_options_defaults();
    options.directory = folder;
    pv_dft *dft;
    pv_dft_summary s;
    assert_ok(pv_dft_create(f->comm, &options, &dft));
    assert_ok(pv_dft_solve(dft));
    pv_dft_summarise(dft, &s);
    assert_true(s.converged);
    const pv_dft_energies energies = s.energies;
    pv_dft_destroy(dft);
    remove_case(f, folder);
    return energies;
}

static void insulators_do_not_mind(void **state)
{
    (void)state;
    fixture f = fixture_open();
    const double plain = energies_of(&f, silicon, 4, "ISMEAR = 0; SIGMA = 0.01").free_ha;
    static const char *const others[] = {"ISMEAR = -5", "ISMEAR = -4", "ISMEAR = -6; SIGMA = 0.01",
                                         "ISMEAR = -2; FERWE = 4*1 4*0"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_near(energies_of(&f, silicon, 4, others[i]).free_ha, plain, 1e-8);
    fixture_close(&f);
}

// All mean the same energy without smearing, and tetrahedra come near it from a coarse mesh.
static void metals_agree_without_smearing(void **state)
{
    (void)state;
    fixture f = fixture_open();
    const pv_dft_energies gauss = energies_of(&f, aluminium, 6, "ISMEAR = 0; SIGMA = 0.6");
    const pv_dft_energies cold = energies_of(&f, aluminium, 6, "ISMEAR = -6; SIGMA = 0.6");
    const pv_dft_energies bloechl = energies_of(&f, aluminium, 6, "ISMEAR = -5");
    assert_true(gauss.smearing_ha < -1e-3);
    assert_near(gauss.sigma0_ha, gauss.free_ha - 0.5 * gauss.smearing_ha, 1e-12);
    assert_near(cold.sigma0_ha, cold.free_ha - cold.smearing_ha / 3.0, 1e-12);
    assert_near(cold.sigma0_ha, gauss.sigma0_ha, 3e-3);
    assert_near(bloechl.free_ha, gauss.sigma0_ha, 5e-3);
    assert_near(bloechl.smearing_ha, 0.0, 0.0);
    fixture_close(&f);
}

PV_TEST_MAIN(PV_TEST(insulators_do_not_mind), PV_TEST(metals_agree_without_smearing))
