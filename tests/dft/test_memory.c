// SPDX-License-Identifier: Apache-2.0
#include "dft/model/memory.h"

#include <string.h>

#include "harness.h"

static const double waves[3] = {500.0, 1000.0, 1000.0};
static const pv_scalar scalar[3] = {PV_SCALAR_REAL, PV_SCALAR_COMPLEX, PV_SCALAR_COMPLEX};
static const unsigned char all_owned[3] = {1, 1, 1}, one_owned[3] = {0, 1, 0};

static pv_run_size size_of(void)
{
    return (pv_run_size){.ranks = 1, .group_ranks = 1, .band_ranks = 1, .threads = 1, .spins = 1, .bands = 20,
                         .atoms = 8, .history = 10, .is_symmetric = 1, .has_gradients = 1, .has_stress = 1,
                         .projectors = 64, .projectors_of_atom = 8, .grid = {40, 40, 40}, .reach = 10.0, .height = 10.0,
                         .density_reach = 20.0, .density_waves = 16000.0, .kpoints = 3, .waves = waves,
                         .scalar = scalar, .is_owned = all_owned};
}

static void parts_follow_what_they_are_made_of(void **state)
{
    (void)state;
    pv_run_size size = size_of();
    const pv_memory plain = pv_memory_forecast(&size);
    assert_near(plain.bytes[PV_MEMORY_ORBITALS], 16.0 * 20.0 * 2500.0, 0.0);
    size.spins = 2;
    assert_near(pv_memory_forecast(&size).bytes[PV_MEMORY_ORBITALS], 2.0 * plain.bytes[PV_MEMORY_ORBITALS], 0.0);
    size = size_of();
    size.is_owned = one_owned;
    const pv_memory part = pv_memory_forecast(&size);
    assert_near(part.bytes[PV_MEMORY_ORBITALS], 16.0 * 20.0 * 1000.0, 0.0);
    assert_near(part.bytes[PV_MEMORY_EIGENSOLVER], plain.bytes[PV_MEMORY_EIGENSOLVER], 0.0);
    assert_true(part.bytes[PV_MEMORY_PROJECTORS] < plain.bytes[PV_MEMORY_PROJECTORS]);
    size = size_of();
    size.ranks = size.group_ranks = 4;
    const pv_memory shared = pv_memory_forecast(&size);
    assert_near(shared.bytes[PV_MEMORY_ORBITALS], 0.25 * plain.bytes[PV_MEMORY_ORBITALS], 0.0);
    assert_true(shared.bytes[PV_MEMORY_GRIDS] < plain.bytes[PV_MEMORY_GRIDS]);
    assert_true(pv_memory_total(&shared) < pv_memory_total(&plain));
    double sum = 0.0;
    for (int p = 0; p < PV_MEMORY_PARTS; p++) {
        sum += plain.bytes[p];
        assert_true(plain.bytes[p] >= 0.0 && strlen(pv_memory_part_name(p)) > 0);
    }
    assert_near(pv_memory_total(&plain), sum, 1e-6);
}

static void too_much_is_refused_with_what_would_help(void **state)
{
    (void)state;
    assert_ok(pv_memory_check(4e9, 2, 9e9, "-"));
    assert_ok(pv_memory_check(4e9, 2, 0.0, "-"));
    assert_fails(PV_ERR_MEMORY, pv_memory_check(5e9, 2, 9e9, "Fewer bands would help."));
    pv_test_mute(0);
    assert_non_null(strstr(pv_last_error(), "5 GB on each of 2 ranks of a node, 10 GB in all; 9 GB are free"));
    assert_non_null(strstr(pv_last_error(), "Fewer bands would help."));
}

PV_TEST_MAIN(PV_TEST(parts_follow_what_they_are_made_of), PV_TEST(too_much_is_refused_with_what_would_help))
