// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2 3
// Where orbitals can be real, half spheres of plane waves give what whole ones with complex orbitals give.
#include <math.h>

#include "base/mem.h"
#include "case.h"
#include "dft/solve/energy.h"
#include "dft/solve/forces.h"
#include "dft/solve/scf.h"
#include "dft/solve/stress.h"

// Fractional fillings, so that pairs of bands weigh differently in the density.
static const char incar[] = "ENCUT = 130\nEDIFF = 1E-10\nNBANDS = 7\nISMEAR = 0; SIGMA = 0.8\nISYM = 0\nNELM = 60\n";
static const char mesh[] = "mesh\n0\nGamma\n2 2 2\n0 0 0\n";

typedef struct solved {
    pv_system *system;
    pv_scf *scf;
    pv_dft_energies energies;
    double forces[2][3], stress[3][3];
} solved;

static void be_complex(pv_system *system)
{
    for (int k = 0; k < system->kpoints->count; k++) {
        const int64_t before = system->basis[k]->count;
        pv_basis_destroy(system->basis[k]);
        system->basis[k] = NULL;
        assert_ok(pv_basis_create(system->group_comm, system->cell, system->kpoints->fractional[k],
                                  system->params.cutoff_ha, system->grid->shape, 0, system->engine,
                                  &system->basis[k]));
        assert_true(system->basis[k]->count >= 2 * before - 1);
    }
}

static void open_case(const fixture *f, const char *folder, int real, solved *s)
{
    assert_ok(pv_system_create(f->comm, folder, NULL, "auto", &s->system));
    for (int k = 0; k < s->system->kpoints->count; k++)
        assert_int_equal(s->system->basis[k]->scalar, PV_SCALAR_REAL);
    if (!real) be_complex(s->system);
    assert_ok(pv_scf_create(s->system, &s->scf));
    assert_ok(pv_scf_run(s->scf, NULL, NULL));
    assert_true(s->scf->converged);
}

static void finish(solved *s)
{
    pv_scf *scf = s->scf;
    assert_ok(pv_energy_parts(scf->electrons, scf->potential, scf->out, NULL, scf->ewald_ha, &s->energies));
    assert_ok(pv_forces(scf->electrons, scf->potential, scf->out, s->forces));
    assert_ok(pv_stress(scf->electrons, scf->potential, scf->out, s->stress));
}

static void close_case(solved *s)
{
    pv_scf_destroy(s->scf);
    pv_system_destroy(s->system);
}

// Eigenvalues and density in one and the same potential.
static void compare_in_potential(const pv_potential *potential, pv_electrons *a, pv_electrons *b)
{
    const int64_t waves = a->system->grid->waves, states = (int64_t)a->states * a->system->params.bands;
    double _Complex *density[2];
    pv_electrons *const both[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        pv_eigen_report report;
        assert_ok(PV_ALLOC(waves, &density[i]));
        for (int pass = 0; pass < 2; pass++)
            assert_ok(pv_electrons_solve(both[i], potential, 1e-8, 1e-8, 60, &report));
        assert_ok(pv_electrons_density(both[i], density[i]));
    }
    for (int64_t s = 0; s < states; s++) assert_near(a->eigenvalues_ha[s], b->eigenvalues_ha[s], 1e-10);
    for (int64_t g = 0; g < waves; g++) assert_near(cabs(density[0][g] - density[1][g]), 0.0, 1e-9);
    for (int i = 0; i < 2; i++) pv_mem_free(density[i]);
}

static void results_are_those_of_complex_orbitals(void **state)
{
    (void)state;
    fixture f = fixture_open();
    char folder[64];
    solved real, whole;
    make_case(&f, SILICON("0.27 0.24 0.25"), incar, mesh, folder);
    open_case(&f, folder, 1, &real);
    open_case(&f, folder, 0, &whole);
    finish(&real);
    finish(&whole);
    assert_near(real.energies.free_ha, whole.energies.free_ha, 1e-10);
    assert_near(real.energies.kinetic_ha, whole.energies.kinetic_ha, 1e-6);
    assert_near(real.energies.nonlocal_ha, whole.energies.nonlocal_ha, 1e-6);
    for (int d = 0; d < 3; d++) assert_near(real.forces[1][d], whole.forces[1][d], 1e-7);
    for (int i = 0; i < 9; i++) assert_near(real.stress[i / 3][i % 3], whole.stress[i / 3][i % 3], 1e-8);
    compare_in_potential(real.scf->potential, real.scf->electrons, whole.scf->electrons);
    close_case(&real);
    close_case(&whole);
    remove_case(&f, folder);
    fixture_close(&f);
}

PV_TEST_MAIN(PV_TEST(results_are_those_of_complex_orbitals))
