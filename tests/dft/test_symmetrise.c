// SPDX-License-Identifier: Apache-2.0
// labels: cuda
#include "dft/model/symmetrise.h"

#include <stdlib.h>

#include "base/rng.h"
#include "crystals.h"
#include "device/array.h"
#include "device/over_devices.h"

static double _Complex value_at(int64_t waves, const int32_t (*miller)[3], const double _Complex *field, int half,
                                const double at[3])
{
    double _Complex sum = 0.0;
    for (int64_t i = 0; i < waves; i++) {
        const int is_zero = miller[i][0] == 0 && miller[i][1] == 0 && miller[i][2] == 0;
        const double phase = 2.0 * PV_PI * (miller[i][0] * at[0] + miller[i][1] * at[1] + miller[i][2] * at[2]);
        const double _Complex wave = field[i] * cexp(I * phase);
        sum += half && !is_zero ? 2.0 * creal(wave) : wave;
    }
    return sum;
}

static void random_field(int64_t waves, const int32_t (*miller)[3], int half, double _Complex *field)
{
    for (int64_t i = 0; i < waves; i++) {
        double pair[2];
        pv_rng_normal(3, 0, (uint64_t)i, pair);
        field[i] = CMPLX(pair[0], pair[1]);
        if (miller[i][0] == 0 && miller[i][1] == 0 && miller[i][2] == 0) field[i] = pair[0];
    }
    for (int64_t i = 0; i < waves && !half; i++) // a real field
        for (int64_t j = 0; j < i; j++)
            if (miller[j][0] == -miller[i][0] && miller[j][1] == -miller[i][1] && miller[j][2] == -miller[i][2])
                field[i] = conj(field[j]);
}

// Both on the host.
static void apply(pv_device *device, const pv_symmetriser *symmetriser, int64_t waves, const double _Complex *from,
                  double _Complex *to)
{
    const size_t bytes = (size_t)waves * sizeof *from;
    double _Complex *there, *mean;
    assert_ok(PV_ARRAY(device, "a field", waves, &there));
    assert_ok(PV_ARRAY(device, "a field", waves, &mean));
    assert_ok(pv_array_write(device, there, from, bytes));
    assert_ok(pv_symmetriser_apply(symmetriser, pv_device_stream(device), there, mean));
    assert_ok(pv_array_read(device, mean, to, bytes));
    pv_array_destroy(device, there);
    pv_array_destroy(device, mean);
}

// The symmetrised field at a point and at all its images is the mean of the field over these.
static void fields_become_invariant(pv_device *device)
{
    const crystal *const crystals[] = {&silicon, &magnesia, &hafnia, &magnesium, &rutile, &silicon_cubic};
    for (int c = 0; c < 12; c++) {
        const int half = c % 2;
        pv_cell *cell = cell_of(crystals[c / 2]);
        pv_symmetry *symmetry;
        pv_symmetriser *symmetriser;
        assert_ok(pv_symmetry_create(cell, NULL, 2, 1e-5, &symmetry));
        double moved;
        assert_ok(pv_symmetry_refine_cell(symmetry, cell, &moved));
        int32_t (*miller)[3];
        const int64_t waves = waves_of(cell, 3.3, half, &miller);
        assert_in_range(waves, 20, 5000);
        assert_ok(pv_symmetriser_create(device, symmetry, waves, (const int32_t (*)[3])miller, &symmetriser));
        double _Complex *field = calloc((size_t)waves, sizeof *field), *mean = calloc((size_t)waves, sizeof *mean);
        random_field(waves, (const int32_t (*)[3])miller, half, field);
        apply(device, symmetriser, waves, field, mean);
        const double place[3] = {0.137, 0.291, 0.713};
        double _Complex sum = 0.0;
        for (int o = 0; o < symmetry->count; o++) {
            double at[3];
            for (int i = 0; i < 3; i++) {
                at[i] = symmetry->operation[o].translation[i];
                for (int j = 0; j < 3; j++) at[i] += symmetry->operation[o].rotation[i][j] * place[j];
            }
            sum += value_at(waves, (const int32_t (*)[3])miller, field, half, at);
            const double _Complex here = value_at(waves, (const int32_t (*)[3])miller, mean, half, at);
            const double _Complex there = value_at(waves, (const int32_t (*)[3])miller, mean, half, place);
            assert_near(cabs(here - there), 0.0, 1e-10);
        }
        assert_near(cabs(sum / symmetry->count - value_at(waves, (const int32_t (*)[3])miller, mean, half, place)), 0.0,
                    1e-10);
        apply(device, symmetriser, waves, mean, field);
        for (int64_t i = 0; i < waves; i++) assert_near(cabs(field[i] - mean[i]), 0.0, 1e-13);
        free(field);
        free(mean);
        free(miller);
        pv_symmetriser_destroy(symmetriser);
        pv_symmetry_destroy(symmetry);
        pv_cell_destroy(cell);
    }
}

static void identity_changes_nothing(pv_device *device)
{
    pv_cell *cell = cell_of(&hafnia);
    pv_symmetry *symmetry;
    pv_symmetriser *symmetriser;
    assert_ok(pv_symmetry_create(cell, NULL, 0, 1e-5, &symmetry));
    int32_t (*miller)[3];
    const int64_t waves = waves_of(cell, 2.5, 1, &miller);
    assert_ok(pv_symmetriser_create(device, symmetry, waves, (const int32_t (*)[3])miller, &symmetriser));
    double _Complex *field = calloc((size_t)waves, sizeof *field), *mean = calloc((size_t)waves, sizeof *mean);
    random_field(waves, (const int32_t (*)[3])miller, 1, field);
    apply(device, symmetriser, waves, field, mean);
    assert_memory_equal(field, mean, (size_t)waves * sizeof *field);
    free(field);
    free(mean);
    free(miller);
    pv_symmetriser_destroy(symmetriser);
    pv_symmetry_destroy(symmetry);
    pv_cell_destroy(cell);
}

OVER_DEVICES(fields_become_invariant)
OVER_DEVICES(identity_changes_nothing)

static void open_sets_are_refused(void **state)
{
    (void)state;
    pv_device *device;
    assert_ok(pv_device_open("cpu", &device));
    pv_cell *cell = cell_of(&magnesia);
    pv_symmetry *symmetry;
    pv_symmetriser *untouched = NULL;
    assert_ok(pv_symmetry_create(cell, NULL, 2, 1e-5, &symmetry));
    static const int32_t miller[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    assert_fails(PV_ERR_INPUT, pv_symmetriser_create(device, symmetry, 3, miller, &untouched));
    assert_null(untouched);
    pv_symmetriser_destroy(NULL);
    pv_symmetry_destroy(symmetry);
    pv_cell_destroy(cell);
    pv_device_close(device);
}

static void forces_become_invariant(void **state)
{
    (void)state;
    pv_cell *cell = cell_of(&hafnia);
    pv_symmetry *symmetry;
    assert_ok(pv_symmetry_create(cell, NULL, 2, 1e-5, &symmetry));
    double forces[12][3], once[12][3];
    for (int i = 0; i < 36; i++) forces[i / 3][i % 3] = pv_rng_uniform(5, 0, (uint64_t)i) - 0.5;
    assert_ok(pv_symmetrise_forces(symmetry, cell, forces));
    memcpy(once, forces, sizeof once);
    assert_ok(pv_symmetrise_forces(symmetry, cell, forces));
    for (int i = 0; i < 36; i++) assert_near(forces[i / 3][i % 3], once[i / 3][i % 3], 1e-14);
    // Inversion takes atom 1 to 3 (Hf), the screw axis along b atom 1 to 2.
    for (int d = 0; d < 3; d++) {
        assert_near(once[2][d], -once[0][d], 1e-14);
        assert_near(once[1][d], d == 1 ? once[0][d] : -once[0][d], 1e-14);
    }
    pv_symmetry_destroy(symmetry);
    pv_cell_destroy(cell);

    cell = cell_of(&silicon);
    assert_ok(pv_symmetry_create(cell, NULL, 2, 1e-5, &symmetry));
    double pair[2][3] = {{0.1, 0.2, 0.3}, {-0.1, 0.5, 0.2}};
    assert_ok(pv_symmetrise_forces(symmetry, cell, pair));
    for (int i = 0; i < 6; i++) assert_near(pair[i / 3][i % 3], 0.0, 1e-15);
    pv_symmetry_destroy(symmetry);
    pv_cell_destroy(cell);
}

static void tensors_become_invariant(void **state)
{
    (void)state;
    const double given[3][3] = {{1.0, 0.2, 0.3}, {0.2, 3.0, -0.5}, {0.3, -0.5, 8.0}};
    static const struct { const crystal *crystal; double expected[3][3]; } tensors[] = {
        {&silicon, {{4, 0, 0}, {0, 4, 0}, {0, 0, 4}}},
        {&magnesium, {{2, 0, 0}, {0, 2, 0}, {0, 0, 8}}},
        {&rutile, {{2, 0, 0}, {0, 2, 0}, {0, 0, 8}}},
        {&hafnia, {{1, 0, 0.3}, {0, 3, 0}, {0.3, 0, 8}}}};
    for (size_t t = 0; t < sizeof tensors / sizeof *tensors; t++) {
        pv_cell *cell = cell_of(tensors[t].crystal);
        pv_symmetry *symmetry;
        assert_ok(pv_symmetry_create(cell, NULL, 2, 1e-5, &symmetry));
        double tensor[3][3];
        memcpy(tensor, given, sizeof tensor);
        pv_symmetrise_tensor(symmetry, cell, tensor);
        for (int i = 0; i < 9; i++) assert_near(tensor[i / 3][i % 3], tensors[t].expected[i / 3][i % 3], 1e-13);
        pv_symmetry_destroy(symmetry);
        pv_cell_destroy(cell);
    }
}

PV_TEST_MAIN(OVER_DEVICES_TEST(fields_become_invariant), OVER_DEVICES_TEST(identity_changes_nothing),
             PV_TEST(open_sets_are_refused), PV_TEST(forces_become_invariant), PV_TEST(tensors_become_invariant))
