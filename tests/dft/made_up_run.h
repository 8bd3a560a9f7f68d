// SPDX-License-Identifier: Apache-2.0
// A run that was never computed, with numbers that tell every place apart.
#ifndef PV_TESTS_DFT_MADE_UP_RUN_H
#define PV_TESTS_DFT_MADE_UP_RUN_H

#include <math.h>
#include <string.h>

#include "dft/files/poscar.h"
#include "dft/files/run.h"
#include "dft/model/units.h"
#include "harness.h"

enum { MADE_ATOMS = 4, MADE_KPOINTS = 3, MADE_BANDS = 5, MADE_POINTS = 4 * 3 * 5, MADE_DOS = 7, MADE_STEPS = 3 };

typedef struct made_up_run {
    pv_run run;
    pv_cell *cell;
    pv_incar *incar;
    pv_kpoints *kpoints;
    pv_dft_params params;
    pv_results results;
    pv_run_step step[MADE_STEPS];
    double eigenvalue[2 * MADE_KPOINTS * MADE_BANDS], occupation[2 * MADE_KPOINTS * MADE_BANDS];
    double force[MADE_ATOMS][3], stress[3][3];
    double density[2 * MADE_POINTS];
    double dos_energy[MADE_DOS], dos[2 * MADE_DOS], dos_integral[2 * MADE_DOS];
    int64_t plane_waves[MADE_KPOINTS];
} made_up_run;

// Hf, O, Hf again: three groups of two species, some of them fixed; the lattice is oblique.
static const char made_up_poscar[] =
    "made up & <odd>\n1.1\n 4.1 0.2 -0.3\n 0.1 5.3 0.4\n -0.9 0.05 6.2\nHf O Hf\n1 2 1\nSelective\nDirect\n"
    "0.1 0.2 0.3 T T T\n0.4 0.55 0.6 F F F\n0.75 0.8 0.9 T F T\n0.6 0.1 0.95 T T T\n";
static const char made_up_incar[] =
    "SYSTEM = made up & <odd>\nENCUT = 400.5 eV\nALGO = F\nISMEAR = 0\nSIGMA = 0.05\nMAGMOM = 2*1.5 0 -1\n"
    "LWAVE = .FALSE.\nEDIFF = 1E-7\nNELM = 40\n";

static inline void made_up_bands(made_up_run *made, int spins)
{
    for (int i = 0; i < spins * MADE_KPOINTS * MADE_BANDS; i++) {
        const int spin = i / (MADE_KPOINTS * MADE_BANDS), k = i / MADE_BANDS % MADE_KPOINTS, band = i % MADE_BANDS;
        made->eigenvalue[i] = -12.5 + 3.25 * band + 0.125 * k + 0.03 * spin - (band == 0 ? 200.0 : 0.0);
        made->occupation[i] = (band < 3 - spin ? 1.0 : band == 3 - spin ? 0.25 : 0.0) * (spins == 2 ? 1.0 : 2.0);
    }
    made->plane_waves[0] = 123;
    made->plane_waves[1] = 118;
    made->plane_waves[2] = 131;
}

static inline void made_up_fields(made_up_run *made)
{
    for (int i = 0; i < 2 * MADE_POINTS; i++) made->density[i] = i < MADE_POINTS ? 0.01 * (i + 1) : 0.5 - 0.02 * i;
    for (int i = 0; i < MADE_DOS; i++) made->dos_energy[i] = -15.0 + 5.0 * i;
    for (int i = 0; i < 2 * MADE_DOS; i++) {
        made->dos[i] = 0.5 + 0.25 * i;
        made->dos_integral[i] = 1.25 * i;
    }
    for (int i = 0; i < 3 * MADE_ATOMS; i++) made->force[i / 3][i % 3] = 0.1 * i - 0.55;
    for (int i = 0; i < 9; i++) made->stress[i / 3][i % 3] = 10.0 * (1 + i / 3 + i % 3) + (i % 4 == 0 ? 100.0 : -7.5);
    for (int i = 0; i < MADE_STEPS; i++)
        made->step[i] = (pv_run_step){.energy_ev = -100.0 - i, .change_ev = i ? -1.0 : -100.0, .sigma0_ev = -99.875 - i,
                                      .smearing_ev = -0.25, .band_change_ev = 0.5 - i, .applications = 40 + i,
                                      .residual = 1e-3 / (1 + i), .density_residual = i ? 0.02 / i : NAN,
                                      .seconds = 1.5 + i, .cpu_seconds = 2.5 + i, .solver_s = 1.0,
                                      .fock_s = i ? 0.5 : 0.0, .way_s = i ? 0.25 : 0.0, .waited_s = i ? 0.0625 : 0.0};
}

// The result points into itself: it stays where it is.
static inline void make_up_run(made_up_run *made, int spins)
{
    static const char *const titles[] = {"made-up q12", "made-up q6"};
    static const double valences[] = {12.0, 6.0};
    static const pv_results_entry energies[] = {{"hartree", 1.5}, {"ewald", -2.0}, {"smearing", -0.01}};
    static const int64_t shape[3] = {4, 3, 5};
    memset(made, 0, sizeof *made);
    assert_ok(pv_poscar_parse(made_up_poscar, sizeof made_up_poscar - 1, "POSCAR", &made->cell));
    assert_ok(pv_incar_parse(made_up_incar, sizeof made_up_incar - 1, "INCAR", &made->incar));
    assert_ok(pv_dft_params_read(made->incar, &made->params));
    made->params.electrons = 36.0;
    made->params.bands = MADE_BANDS;
    made->params.spins = spins;
    assert_ok(pv_kpoints_create_mesh((const int[3]){1, 1, MADE_KPOINTS}, (const double[3]){0, 0, 0}, &made->kpoints));
    made->kpoints->weight[0] = 0.5;
    made->kpoints->weight[1] = 0.25;
    made->kpoints->weight[2] = 0.25;
    made_up_bands(made, spins);
    made_up_fields(made);
    made->results = (pv_results){
        .converged = 1, .energy_ha = -102.0 / PV_HARTREE_EV, .energy_sigma0_ha = -101.875 / PV_HARTREE_EV,
        .atoms = MADE_ATOMS, .spins = spins, .kpoints = MADE_KPOINTS, .bands = MADE_BANDS,
        .kpoint = (const double (*)[3])made->kpoints->fractional, .weight = made->kpoints->weight,
        .eigenvalue_ev = made->eigenvalue, .occupation = made->occupation,
        .force_ev_angstrom = (const double (*)[3])made->force, .stress_kbar = (const double (*)[3])made->stress,
        .fermi_ev = -1.625, .energy = energies, .energies = 3, .iterations = MADE_STEPS};
    for (int i = 0; i < MADE_STEPS; i++)
        made->step[i].magnetisation = pv_run_magnetisation(&(pv_run){.results = &made->results});
    made->run = (pv_run){
        .version = "0.1.0", .date = "2026.01.31", .time = "12:34:56", .ranks = 2, .threads = 3, .groups = 2,
        .band_ranks = 1, .cell = made->cell, .params = &made->params, .incar = made->incar,
        .kpoints = made->kpoints, .plane_waves = made->plane_waves, .potential = titles, .valence = valences,
        .step = made->step, .steps = MADE_STEPS, .results = &made->results, .smearing_ev = -0.25,
        .drift_ev_angstrom = {0.01, -0.02, 0.03}, .density = made->density,
        .dos = {MADE_DOS, made->dos_energy, made->dos, made->dos_integral},
        .seconds = 8.5, .cpu_seconds = 12.25, .setup_s = 0.5, .forces_s = 0.25, .comm_s = 0.75, .nodes = 1, .gpus = 2,
        .transport = "mpi", .device = "cuda", .peak_bytes = 7 << 20};
    memcpy(made->run.grid, shape, sizeof shape);
    memcpy(made->run.orbital_grid, shape, sizeof shape);
}

static inline void release_run(made_up_run *made)
{
    pv_cell_destroy(made->cell);
    pv_incar_destroy(made->incar);
    pv_kpoints_destroy(made->kpoints);
    pv_dft_params_release(&made->params);
}

#endif
