// SPDX-License-Identifier: Apache-2.0
#include "dft/solve/occupation.h"

#include <math.h>

#include "dft/solve/smearing.h"
#include "harness.h"

enum { K = 3, BANDS = 6 };
static const double weight[K] = {0.5, 0.25, 0.25};
static const double metal[K * BANDS] = {-0.50, -0.20, 0.00, 0.02, 0.30, 0.60, -0.40, -0.22, -0.01,
                                        0.05,  0.20,  0.50, -0.45, -0.10, 0.01, 0.03, 0.25, 0.70};

static pv_dft_params params_of(pv_dft_smearing smearing, int order, double width, double electrons, int spins)
{
    pv_dft_params params;
    pv_dft_params_defaults(&params);
    params.smearing = smearing;
    params.smearing_order = order;
    params.smearing_ha = width;
    params.electrons = electrons;
    params.bands = BANDS;
    params.spins = spins;
    return params;
}

static double count(const double *filling)
{
    double sum = 0.0;
    for (int i = 0; i < K * BANDS; i++) sum += weight[i / BANDS] * filling[i];
    return sum;
}

static void every_smearing_counts_the_electrons(void **state)
{
    (void)state;
    for (int kind = -2; kind <= 3; kind++) {
        const pv_dft_smearing smearing = kind == -2  ? PV_SMEARING_COLD
                                         : kind < 0  ? PV_SMEARING_FERMI
                                         : kind == 0 ? PV_SMEARING_GAUSSIAN
                                                     : PV_SMEARING_METHFESSEL;
        pv_dft_params params = params_of(smearing, kind > 0 ? kind : 0, 0.02, 5.3, 1);
        double filling[K * BANDS];
        pv_occupation occupation;
        assert_ok(pv_occupation_fill(&params, K, weight, NULL, metal, filling, &occupation));
        assert_near(count(filling), 5.3, 1e-11);
        assert_true(occupation.partly_filled > 0);
        // With fillings f(mu - e), d(E - TS)/dN = mu: the free energy is consistent with the fillings.
        double energies[2], step = 1e-4;
        for (int side = 0; side < 2; side++) {
            params.electrons = 5.3 + (side ? step : -step);
            pv_occupation shifted;
            double f[K * BANDS];
            assert_ok(pv_occupation_fill(&params, K, weight, NULL, metal, f, &shifted));
            energies[side] = shifted.smearing_energy_ha;
            for (int i = 0; i < K * BANDS; i++) energies[side] += weight[i / BANDS] * f[i] * metal[i];
        }
        assert_near((energies[1] - energies[0]) / (2.0 * step), occupation.fermi_ha, 1e-6);
        pv_dft_params_release(&params);
    }
}

static void insulators_fill_whole_bands(void **state)
{
    (void)state;
    double energies[K * BANDS], filling[K * BANDS];
    for (int i = 0; i < K * BANDS; i++) energies[i] = i % BANDS < 2 ? -0.5 + 0.01 * i : 0.5 + 0.01 * i;
    pv_dft_params params = params_of(PV_SMEARING_GAUSSIAN, 0, 0.001, 4.0, 1);
    pv_occupation occupation;
    assert_ok(pv_occupation_fill(&params, K, weight, NULL, energies, filling, &occupation));
    for (int i = 0; i < K * BANDS; i++) assert_near(filling[i], i % BANDS < 2 ? 2.0 : 0.0, 1e-12);
    assert_int_equal(occupation.partly_filled, 0);
    assert_near(occupation.smearing_energy_ha, 0.0, 1e-12);
    assert_near(occupation.fermi_ha, 0.5 * (energies[2 * BANDS + 1] + energies[2]), 1e-12);
    params.electrons = 2.0 * BANDS; // no band is empty
    assert_ok(pv_occupation_fill(&params, K, weight, NULL, energies, filling, &occupation));
    assert_near(occupation.fermi_ha, energies[K * BANDS - 1], 1e-12);
    pv_dft_params_release(&params);
}

static void an_odd_electron_fills_half_a_state(void **state)
{
    (void)state;
    const double one = 1.0, levels[BANDS] = {-0.5, -0.2, 0.0, 0.3, 0.4, 0.5};
    double filling[BANDS];
    pv_dft_params params = params_of(PV_SMEARING_GAUSSIAN, 0, 1e-3, 5.0, 1);
    pv_occupation occupation;
    assert_ok(pv_occupation_fill(&params, 1, &one, NULL, levels, filling, &occupation));
    for (int i = 0; i < BANDS; i++) assert_near(filling[i], i < 2 ? 2.0 : i == 2 ? 1.0 : 0.0, 1e-10);
    assert_near(occupation.fermi_ha, 0.0, 1e-10);
    assert_int_equal(occupation.partly_filled, 1);
    pv_dft_params_release(&params);
}

static void a_fixed_difference_fills_each_spin(void **state)
{
    (void)state;
    double energies[2 * K * BANDS], filling[2 * K * BANDS];
    for (int i = 0; i < 2 * K * BANDS; i++) energies[i] = metal[i % (K * BANDS)];
    pv_dft_params params = params_of(PV_SMEARING_GAUSSIAN, 0, 0.02, 5.3, 2);
    params.spin_difference = 1.2;
    pv_occupation occupation;
    assert_ok(pv_occupation_fill(&params, K, weight, NULL, energies, filling, &occupation));
    assert_near(count(filling), 3.25, 1e-11);
    assert_near(count(filling + K * BANDS), 2.05, 1e-11);
    params.spin_difference = -1.0;
    assert_ok(pv_occupation_fill(&params, K, weight, NULL, energies, filling, &occupation));
    assert_near(count(filling), 2.65, 1e-11);
    pv_dft_params_release(&params);
}

// Of N(E) = E + E^2: the free energy misses the energy without smearing by a term that the extrapolation takes off.
static void energies_extrapolate_to_no_smearing(void **state)
{
    (void)state;
    enum { LEVELS = 4001 };
    static const struct {
        pv_dft_smearing smearing;
        int order;
        double left; // of the error, in sigma^3
    } cases[] = {{PV_SMEARING_FERMI, 0, 0.5},      {PV_SMEARING_GAUSSIAN, 0, 0.5}, {PV_SMEARING_METHFESSEL, 1, 0.1},
                 {PV_SMEARING_METHFESSEL, 2, 0.1}, {PV_SMEARING_COLD, 0, 0.5}};
    static double level[LEVELS], filling[LEVELS];
    const double one = 1.0, spacing = 1.0 / (LEVELS - 1);
    for (int i = 0; i < LEVELS; i++) level[i] = 0.5 * (sqrt(1.0 + 8.0 * i * spacing) - 1.0);
    double exact = 0.0;
    for (int i = 0; i < LEVELS / 4; i++) exact += 2.0 * level[i];
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const double width = 0.02;
        pv_dft_params params = params_of(cases[c].smearing, cases[c].order, width, 2.0 * (LEVELS / 4), 1);
        params.bands = LEVELS;
        pv_occupation occupation;
        assert_ok(pv_occupation_fill(&params, 1, &one, NULL, level, filling, &occupation));
        double free = occupation.smearing_energy_ha;
        for (int i = 0; i < LEVELS; i++) free += filling[i] * level[i];
        const double sigma0 = free - pv_smearing_beyond_sigma0(&params, occupation.smearing_energy_ha);
        assert_near((sigma0 - exact) * spacing, 0.0, cases[c].left * width * width * width + 2e-7);
        pv_dft_params_release(&params);
    }
}

// Where functions overshoot, the potential inside the gap's edge is found and not one further off.
static void overshooting_functions_stay_near_the_gaussian(void **state)
{
    (void)state;
    const double one = 1.0, levels[BANDS] = {-0.30, -0.29, -0.28, 0.10, 0.11, 0.12};
    for (int kind = 0; kind < 2; kind++) {
        pv_dft_params params =
            params_of(kind ? PV_SMEARING_COLD : PV_SMEARING_METHFESSEL, kind ? 0 : 1, 0.05, 6.0, 1);
        double filling[BANDS];
        pv_occupation occupation;
        assert_ok(pv_occupation_fill(&params, 1, &one, NULL, levels, filling, &occupation));
        double sum = 0.0;
        for (int i = 0; i < BANDS; i++) sum += filling[i];
        assert_near(sum, 6.0, 1e-11);
        assert_true(occupation.fermi_ha > -0.28 && occupation.fermi_ha < 0.10);
        params.smearing_ha = 0.01; // the gap is wide for it
        assert_ok(pv_occupation_fill(&params, 1, &one, NULL, levels, filling, &occupation));
        for (int i = 0; i < BANDS; i++) assert_near(filling[i], i < 3 ? 2.0 : 0.0, 1e-12);
        assert_near(occupation.smearing_energy_ha, 0.0, 1e-12);
        pv_dft_params_release(&params);
    }
}

static void given_fillings_are_kept(void **state)
{
    (void)state;
    pv_dft_params params = params_of(PV_SMEARING_FIXED, 0, 0.02, 5.0, 1);
    double once[BANDS] = {1.0, 1.0, 0.0, 0.5, 0.0, 0.0}, down[K * BANDS], filling[2 * K * BANDS];
    double energies[2 * K * BANDS];
    params.fixed_filling[0] = once;
    params.fixed_count[0] = BANDS;
    pv_occupation occupation;
    assert_ok(pv_occupation_fill(&params, K, weight, NULL, metal, filling, &occupation));
    for (int i = 0; i < K * BANDS; i++) assert_near(filling[i], 2.0 * once[i % BANDS], 0.0);
    assert_int_equal(occupation.partly_filled, K);
    assert_near(occupation.smearing_energy_ha, 0.0, 0.0);
    assert_near(occupation.fermi_ha, 0.05, 0.0); // the highest state that holds anything
    params.spins = 2;
    params.fixed_filling[1] = down;
    params.fixed_count[1] = K * BANDS;
    for (int i = 0; i < 2 * K * BANDS; i++) energies[i] = metal[i % (K * BANDS)];
    for (int i = 0; i < K * BANDS; i++) down[i] = i % BANDS < 1 + i / BANDS ? 1.0 : 0.0;
    assert_ok(pv_occupation_fill(&params, K, weight, NULL, energies, filling, &occupation));
    for (int i = 0; i < K * BANDS; i++) {
        assert_near(filling[i], once[i % BANDS], 0.0);
        assert_near(filling[K * BANDS + i], down[i], 0.0);
    }
}

// Points of weight 0 are filled like the others and change nothing; a potential from elsewhere is kept.
static void points_of_weight_0_follow(void **state)
{
    (void)state;
    const double with[K + 1] = {0.5, 0.25, 0.25, 0.0};
    double energies[(K + 1) * BANDS], filling[(K + 1) * BANDS], alone[K * BANDS];
    pv_dft_params params = params_of(PV_SMEARING_GAUSSIAN, 0, 0.001, 4.0, 1);
    pv_occupation occupation, without;
    for (int i = 0; i < K * BANDS; i++) energies[i] = metal[i] + (i % BANDS < 2 ? -1.0 : 1.0);
    for (int b = 0; b < BANDS; b++) energies[K * BANDS + b] = 0.0; // not solved yet
    assert_ok(pv_occupation_fill(&params, K, weight, NULL, energies, alone, &without));
    assert_ok(pv_occupation_fill(&params, K + 1, with, NULL, energies, filling, &occupation));
    assert_memory_equal(filling, alone, sizeof alone);
    assert_near(occupation.fermi_ha, without.fermi_ha, 0.0);
    assert_int_equal(occupation.partly_filled, 0);
    pv_occupation_hold(&params, K + 1, with, energies, -1.3, filling, &occupation);
    assert_near(occupation.fermi_ha, -1.3, 0.0);
    assert_near(filling[0], 2.0, 1e-12);
    assert_near(filling[1], 0.0, 1e-12);
    assert_near(filling[K * BANDS], 0.0, 1e-12);
    pv_dft_params_release(&params);
}

static void too_few_bands_are_refused(void **state)
{
    (void)state;
    pv_dft_params params = params_of(PV_SMEARING_GAUSSIAN, 0, 0.01, 12.5, 1);
    double filling[K * BANDS];
    pv_occupation occupation;
    assert_fails(PV_ERR_INPUT, pv_occupation_fill(&params, K, weight, NULL, metal, filling, &occupation));
    pv_dft_params_release(&params);
}

PV_TEST_MAIN(PV_TEST(every_smearing_counts_the_electrons), PV_TEST(insulators_fill_whole_bands),
             PV_TEST(an_odd_electron_fills_half_a_state), PV_TEST(a_fixed_difference_fills_each_spin),
             PV_TEST(too_few_bands_are_refused), PV_TEST(points_of_weight_0_follow),
             PV_TEST(energies_extrapolate_to_no_smearing), PV_TEST(overshooting_functions_stay_near_the_gaussian),
             PV_TEST(given_fillings_are_kept))
