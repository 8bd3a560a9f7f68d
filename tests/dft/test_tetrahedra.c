// SPDX-License-Identifier: Apache-2.0
#include "dft/model/tetrahedra.h"

#include <math.h>
#include <string.h>

#include "dft/model/symmetry.h"
#include "dft/model/units.h"
#include "dft/solve/occupation.h"
#include "harness.h"

enum { MOST = 4096 };

typedef struct mesh {
    pv_cell *cell;
    pv_symmetry *symmetry;
    pv_kpoints *full, *reduced;
    pv_tetrahedra *tetrahedra;
} mesh;

// One atom in a cell of rows `lattice`.
static mesh make_mesh(const double lattice[3][3], int n, double shift, int level)
{
    static pv_kpoint_image images[MOST];
    mesh m;
    const int each[3] = {n, n, n};
    const double shifts[3] = {shift, shift, shift};
    assert_ok(pv_cell_create(1, 1, 0, &m.cell));
    assert_ok(pv_cell_set_lattice(m.cell, lattice));
    strcpy(m.cell->species_name[0], "Al");
    m.cell->count_of[0] = 1;
    assert_ok(pv_symmetry_create(m.cell, NULL, level, 1e-5, &m.symmetry));
    assert_ok(pv_kpoints_create_mesh(each, shifts, &m.full));
    assert_ok(pv_symmetry_reduce_kpoints(m.symmetry, m.full, images, &m.reduced));
    assert_ok(pv_tetrahedra_create(m.cell, m.full, images, m.reduced->count, &m.tetrahedra));
    return m;
}

static void destroy_mesh(mesh *m)
{
    pv_tetrahedra_destroy(m->tetrahedra);
    pv_kpoints_destroy(m->reduced);
    pv_kpoints_destroy(m->full);
    pv_symmetry_destroy(m->symmetry);
    pv_cell_destroy(m->cell);
}

// -cos - cos - cos of the components along the axes of a simple cubic lattice.
static void cosine_band(const pv_kpoints *kpoints, double *energies)
{
    for (int k = 0; k < kpoints->count; k++) {
        energies[k] = 0.0;
        for (int i = 0; i < 3; i++) energies[k] -= cos(2.0 * PV_PI * kpoints->fractional[k][i]);
    }
}

static const double cubic[3][3] = {{5.0, 0.0, 0.0}, {0.0, 5.0, 0.0}, {0.0, 0.0, 5.0}};
static const double centred[3][3] = {{0.0, 3.8, 3.8}, {3.8, 0.0, 3.8}, {3.8, 3.8, 0.0}};
static const double skewed[3][3] = {{5.0, 0.2, 0.0}, {-1.0, 6.0, 0.4}, {0.3, 0.1, 7.0}};

static void tetrahedra_fill_the_zone(void **state)
{
    (void)state;
    const double(*const lattices[])[3] = {cubic, centred, skewed};
    for (int l = 0; l < 3; l++)
        for (int level = -1; level <= 2; level++) {
            mesh m = make_mesh(lattices[l], 4, 0.0, level);
            double sum = 0.0;
            for (int t = 0; t < m.tetrahedra->count; t++) sum += m.tetrahedra->weight[t];
            assert_near(sum, 1.0, 1e-13);
            // Corners carry the weights of the points.
            double share[MOST] = {0.0};
            for (int t = 0; t < m.tetrahedra->count; t++)
                for (int i = 0; i < 4; i++) share[m.tetrahedra->corner[t][i]] += 0.25 * m.tetrahedra->weight[t];
            for (int k = 0; k < m.reduced->count; k++) assert_near(share[k], m.reduced->weight[k], 1e-13);
            destroy_mesh(&m);
        }
}

static void weights_sum_to_the_share_below(void **state)
{
    (void)state;
    mesh m = make_mesh(skewed, 4, 0.0, -1);
    double energies[MOST], weight[MOST];
    for (int k = 0; k < m.reduced->count; k++) energies[k] = sin(12.9898 * k + 1.0) + (k % 3 == 0 ? 0.0 : 0.1 * k);
    energies[5] = energies[6] = energies[7] = energies[9]; // flat tetrahedra too
    double before = 0.0;
    for (double e = -1.5; e < 8.0; e += 0.0371) {
        const double below = pv_tetrahedra_below(m.tetrahedra, energies, 1, e);
        assert_true(below >= before - 1e-14);
        before = below;
        for (int corrected = 0; corrected <= 1; corrected++) {
            double sum = 0.0;
            pv_tetrahedra_weights(m.tetrahedra, energies, 1, e, corrected, weight);
            for (int k = 0; k < m.reduced->count; k++) sum += weight[k];
            assert_near(sum, below, 1e-13);
        }
    }
    assert_near(before, 1.0, 1e-13);
    destroy_mesh(&m);
}

// Energy of a half-filled and of a fuller cosine band: the plain method misses in the second order of the step, the
// corrected one less.
static double band_energy(int n, int corrected, int level, double electrons)
{
    mesh m = make_mesh(cubic, n, 0.0, level);
    double energies[MOST], filling[MOST], sum = 0.0;
    pv_dft_params params;
    pv_dft_params_defaults(&params);
    params.smearing = corrected ? PV_SMEARING_TETRAHEDRA_BLOECHL : PV_SMEARING_TETRAHEDRA;
    params.bands = 1;
    params.electrons = electrons;
    pv_occupation occupation;
    cosine_band(m.reduced, energies);
    assert_ok(pv_occupation_fill(&params, m.reduced->count, m.reduced->weight, m.tetrahedra, energies, filling,
                                 &occupation));
    double count = 0.0;
    for (int k = 0; k < m.reduced->count; k++) {
        count += m.reduced->weight[k] * filling[k];
        sum += m.reduced->weight[k] * filling[k] * energies[k];
    }
    assert_near(count, electrons, 1e-10);
    assert_true(occupation.partly_filled > 0);
    pv_dft_params_release(&params);
    destroy_mesh(&m);
    return sum;
}

static void corrected_energies_converge_fast(void **state)
{
    (void)state;
    const double electrons = 0.7;
    assert_near(band_energy(6, 1, 2, electrons), band_energy(6, 1, -1, electrons), 1e-10);
    const double best = band_energy(16, 1, 2, electrons);
    const double plain = fabs(band_energy(8, 0, 2, electrons) - best);
    const double corrected = fabs(band_energy(8, 1, 2, electrons) - best);
    assert_true(plain > 1e-3);
    assert_true(corrected < 0.15 * plain);
}

static void insulators_are_filled_whole(void **state)
{
    (void)state;
    mesh m = make_mesh(cubic, 4, 0.0, 2);
    double energies[2 * MOST], one[MOST], filling[2 * MOST];
    cosine_band(m.reduced, one);
    for (int k = 0; k < m.reduced->count; k++) {
        energies[2 * k] = one[k];
        energies[2 * k + 1] = one[k] + 7.0;
    }
    pv_dft_params params;
    pv_dft_params_defaults(&params);
    params.smearing = PV_SMEARING_TETRAHEDRA_BLOECHL;
    params.bands = 2;
    params.electrons = 2.0;
    pv_occupation occupation;
    assert_ok(pv_occupation_fill(&params, m.reduced->count, m.reduced->weight, m.tetrahedra, energies, filling,
                                 &occupation));
    for (int k = 0; k < m.reduced->count; k++) {
        assert_near(filling[2 * k], 2.0, 1e-12);
        assert_near(filling[2 * k + 1], 0.0, 1e-12);
    }
    assert_near(occupation.fermi_ha, 3.5, 1e-12);
    assert_near(occupation.smearing_energy_ha, 0.0, 0.0);
    pv_dft_params_release(&params);
    destroy_mesh(&m);
}

static void flat_states_cannot_be_filled_in_part(void **state)
{
    (void)state;
    mesh m = make_mesh(cubic, 1, 0.0, 2);
    const double energies[2] = {-0.5, 0.5};
    double filling[2];
    pv_dft_params params;
    pv_dft_params_defaults(&params);
    params.smearing = PV_SMEARING_TETRAHEDRA;
    params.bands = 2;
    params.electrons = 3.0;
    pv_occupation occupation;
    assert_fails(PV_ERR_INPUT, pv_occupation_fill(&params, 1, m.reduced->weight, m.tetrahedra, energies, filling,
                                                  &occupation));
    assert_non_null(strstr(pv_last_error(), "denser mesh"));
    pv_dft_params_release(&params);
    destroy_mesh(&m);
}

static void lists_have_no_tetrahedra(void **state)
{
    (void)state;
    mesh m = make_mesh(cubic, 2, 0.0, -1);
    pv_kpoint_image images[8] = {{0}};
    pv_tetrahedra *untouched = NULL;
    m.full->is_mesh = 0;
    assert_fails(PV_ERR_INPUT, pv_tetrahedra_create(m.cell, m.full, images, 8, &untouched));
    assert_null(untouched);
    destroy_mesh(&m);
}

PV_TEST_MAIN(PV_TEST(tetrahedra_fill_the_zone), PV_TEST(weights_sum_to_the_share_below),
             PV_TEST(corrected_energies_converge_fast), PV_TEST(insulators_are_filled_whole),
             PV_TEST(flat_states_cannot_be_filled_in_part), PV_TEST(lists_have_no_tetrahedra))
