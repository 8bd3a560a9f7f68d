// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2 3
#include "dft/model/grid_symmetry.h"

#include <mpi.h>
#include <stdlib.h>

#include <parseval/comm_mpi.h>

#include "base/rng.h"
#include "crystals.h"

// A field that has one value for each place of the crystal's grid becomes invariant on the grid, for any ranks; Si's
// translations by a quarter fall onto a grid of 12 points.
static void fields_on_the_grid(void **state)
{
    (void)state;
    pv_device *device;
    pv_comm *comm;
    assert_ok(pv_device_open("cpu", &device));
    assert_ok(pv_comm_open_mpi(MPI_COMM_WORLD, device, NULL, &comm));
    pv_cell *cell = cell_of(&silicon);
    pv_symmetry *symmetry;
    pv_grid *grid;
    pv_grid_symmetry *turner;
    assert_ok(pv_symmetry_create(cell, NULL, 2, 1e-5, &symmetry));
    const int64_t shape[3] = {12, 12, 12};
    assert_ok(pv_grid_create(comm, cell, shape, 4.6 * 4.6, "auto", &grid));
    assert_ok(pv_grid_symmetry_create(grid, symmetry, &turner));
    double _Complex *waves = calloc((size_t)grid->waves + 1, sizeof *waves);
    double *field = calloc((size_t)grid->local_points + 1, sizeof *field), *whole = calloc(1728, sizeof *whole);
    for (int64_t i = 0; i < grid->local_points; i++)
        field[i] = pv_rng_uniform(11, 0, (uint64_t)(grid->first_point + i));
    assert_ok(pv_grid_to_waves(grid, field, waves));
    double before, after;
    assert_ok(pv_grid_to_points(grid, waves, field));
    assert_ok(pv_grid_integral(grid, field, NULL, &before));
    assert_ok(pv_grid_symmetry_apply(turner, waves));
    assert_ok(pv_grid_to_points(grid, waves, field));
    assert_ok(pv_grid_integral(grid, field, NULL, &after));
    assert_near(after, before, 1e-10);
    assert_ok(pv_grid_gather(grid, field, whole));
    double variance = 0.0;
    for (int o = 0; o < symmetry->count; o++)
        for (int n = 0; n < 1728; n++) {
            const int at[3] = {n / 144, n / 12 % 12, n % 12};
            int image = 0;
            for (int i = 0; i < 3; i++) {
                int to = (int)lround(12.0 * symmetry->operation[o].translation[i]);
                for (int j = 0; j < 3; j++) to += symmetry->operation[o].rotation[i][j] * at[j];
                image = image * 12 + (to % 12 + 12) % 12;
            }
            assert_near(whole[image], whole[n], 1e-13);
            variance += (whole[n] - whole[0]) * (whole[n] - whole[0]);
        }
    assert_true(variance > 1e-3);
    free(waves);
    free(field);
    free(whole);
    pv_grid_symmetry_destroy(turner);
    pv_grid_symmetry_destroy(NULL);
    pv_grid_destroy(grid);
    pv_symmetry_destroy(symmetry);
    pv_cell_destroy(cell);
    pv_comm_close(comm);
    pv_device_close(device);
}

PV_TEST_MAIN(PV_TEST(fields_on_the_grid))
