// SPDX-License-Identifier: Apache-2.0
#include "dft/solve/dos.h"

#include <math.h>

#include "dft/model/units.h"
#include "harness.h"

enum { KPOINTS = 2, BANDS = 3 };
static const double weight[KPOINTS] = {0.25, 0.75};
static const double eigenvalues[2 * KPOINTS * BANDS] = {-0.5, -0.1, 0.2, -0.4, 0.0, 0.3, 
                                                         -0.45, -0.05, 0.25, -0.35, 0.05, 0.35};

static pv_dft_params params_of(int spins, pv_dft_smearing smearing, int order)
{
    pv_dft_params params;
    pv_dft_params_defaults(&params);
    params.spins = spins;
    params.bands = BANDS;
    params.smearing = smearing;
    params.smearing_order = order;
    params.smearing_ha = 0.01;
    return params;
}

// All states are there at the end, none at the start, and the integral is the sum of the density.
static void states_are_counted(void **state)
{
    (void)state;
    static const struct { int spins, order; pv_dft_smearing smearing; double leak; } cases[] = {
        {1, 0, PV_SMEARING_GAUSSIAN, 1e-12}, {2, 0, PV_SMEARING_GAUSSIAN, 1e-12}, {1, 2, PV_SMEARING_METHFESSEL, 1e-12},
        {1, 0, PV_SMEARING_FERMI, 1e-3}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        pv_dft_params params = params_of(cases[c].spins, cases[c].smearing, cases[c].order);
        pv_dos *dos;
        assert_ok(pv_dos_create(&params, KPOINTS, weight, NULL, eigenvalues, &dos));
        assert_int_equal(dos->points, 301);
        assert_int_equal(dos->spins, cases[c].spins);
        const double step = dos->energy_ha[1] - dos->energy_ha[0];
        for (int spin = 0; spin < dos->spins; spin++) {
            const double *integral = dos->integral + spin * dos->points, *density = dos->density + spin * dos->points;
            double sum = 0.0;
            for (int i = 0; i < dos->points; i++) {
                sum += density[i] * step;
                assert_near(sum, integral[i], cases[c].leak);
            }
            assert_near(integral[dos->points - 1], 2.0 * BANDS / dos->spins, cases[c].leak);
        }
        pv_dos_destroy(dos);
    }
}

static void width_and_place_of_a_level(void **state)
{
    (void)state;
    pv_dft_params params = params_of(1, PV_SMEARING_GAUSSIAN, 0);
    params.dos.points = 2001;
    params.dos.lowest_ha = -0.6;
    params.dos.highest_ha = -0.45;
    pv_dos *dos;
    assert_ok(pv_dos_create(&params, KPOINTS, weight, NULL, eigenvalues, &dos));
    assert_near(dos->energy_ha[0], -0.6, 0.0);
    assert_near(dos->energy_ha[2000], -0.45, 1e-15);
    const double step = 0.15 / 2000;
    int top = 0;
    for (int i = 1; i < 1400; i++)
        if (dos->density[i] > dos->density[top]) top = i;
    assert_near(dos->energy_ha[top], -0.5, step);
    assert_near(dos->density[top], 2.0 * weight[0] / (0.01 * sqrt(PV_PI)), 1e-3); // Gaussian of width sigma
    assert_near(dos->integral[top], weight[0], 2e-3);
    pv_dos_destroy(dos);
    pv_dos_destroy(NULL);
}

static void too_few_points(void **state)
{
    (void)state;
    pv_dft_params params = params_of(1, PV_SMEARING_GAUSSIAN, 0);
    params.dos.points = 1;
    pv_dos *untouched = NULL;
    assert_fails(PV_ERR_ARGUMENT, pv_dos_create(&params, KPOINTS, weight, NULL, eigenvalues, &untouched));
    assert_null(untouched);
}

static void tags_of_the_range(void **state)
{
    (void)state;
    static const char text[] = "NEDOS = 1001\nEMIN = -10\nEMAX = 5\n";
    pv_incar *incar;
    pv_dft_params params;
    assert_ok(pv_incar_parse(text, sizeof text - 1, "INCAR", &incar));
    assert_ok(pv_dft_params_read(incar, &params));
    assert_int_equal(params.dos.points, 1001);
    assert_near(params.dos.lowest_ha * PV_HARTREE_EV, -10.0, 1e-12);
    assert_near(params.dos.highest_ha * PV_HARTREE_EV, 5.0, 1e-12);
    pv_dft_params_release(&params);
    pv_incar_destroy(incar);
}

PV_TEST_MAIN(PV_TEST(states_are_counted), PV_TEST(width_and_place_of_a_level), PV_TEST(too_few_points),
             PV_TEST(tags_of_the_range))
