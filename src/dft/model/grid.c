// SPDX-License-Identifier: Apache-2.0
#include "dft/model/grid.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "device/array.h"
#include "device/reduce.h"
#include "dft/model/units.h"

static int is_smooth(int64_t n)
{
    for (int p = 2; p <= 7; p++)
        while (n % p == 0) n /= p;
    return n == 1;
}

static int64_t smooth_from(int64_t least, int multiple)
{
    int64_t n = least;
    while (n % multiple != 0 || !is_smooth(n)) n++;
    return n;
}

void pv_grid_choose_shape(const pv_cell *cell, double reach, const int multiple[3], int64_t shape[3])
{
    for (int d = 0; d < 3; d++) {
        const double *a = cell->lattice_bohr[d];
        const double length = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
        const int64_t largest = (int64_t)floor(reach * length / (2.0 * PV_PI) + 1e-9); // |G . a| <= |G| |a|
        shape[d] = smooth_from(2 * largest + 1, 1);
        const int64_t fitting = multiple ? smooth_from(shape[d], multiple[d]) : shape[d];
        if (3 * fitting <= 4 * shape[d]) shape[d] = fitting;
    }
}

// ---- Plane waves -------------------------------------------------------------------------------------------------

static void cartesian_of(const pv_cell *cell, const int32_t n[3], double g[3])
{
    for (int d = 0; d < 3; d++)
        g[d] = n[0] * cell->reciprocal[0][d] + n[1] * cell->reciprocal[1][d] + n[2] * cell->reciprocal[2][d];
}

static int32_t unwrap(int64_t index, int64_t n) { return (int32_t)(2 * index > n ? index - n : index); }

// Counts, and with `fill` lists, the plane waves of this rank's part of the spectrum.
static int64_t list_waves(pv_grid *grid, const pv_cell *cell, double g2_max, int fill)
{
    const pv_layout *layout = pv_fft_plan_spectrum(grid->plan);
    const int rank = pv_comm_rank(grid->comm);
    const pv_box *box = &layout->boxes[rank];
    int64_t count = 0, at[3];
    for (at[0] = box->lower[0]; at[0] < box->upper[0]; at[0]++)
        for (at[1] = box->lower[1]; at[1] < box->upper[1]; at[1]++)
            for (at[2] = box->lower[2]; at[2] < box->upper[2]; at[2]++) {
                const int32_t n[3] = {unwrap(at[0], grid->shape[0]), unwrap(at[1], grid->shape[1]), (int32_t)at[2]};
                double g[3];
                cartesian_of(cell, n, g);
                const double g2 = g[0] * g[0] + g[1] * g[1] + g[2] * g[2];
                if (g2 > g2_max) continue;
                if (fill) {
                    memcpy(grid->miller[count], n, sizeof n);
                    memcpy(grid->g[count], g, sizeof g);
                    grid->g2[count] = g2;
                    grid->weight[count] = n[2] == 0 ? 1.0 : 2.0;
                    grid->offset[count] = pv_layout_offset(layout, rank, at);
                    if (n[0] == 0 && n[1] == 0 && n[2] == 0) grid->zero = count;
                }
                count++;
            }
    return count;
}

static pv_status make_waves(pv_grid *grid, const pv_cell *cell, double g2_max)
{
    grid->waves = list_waves(grid, cell, g2_max, 0);
    PV_TRY(PV_ALLOC(grid->waves, &grid->miller));
    PV_TRY(PV_ALLOC(grid->waves, &grid->g));
    PV_TRY(PV_ALLOC(grid->waves, &grid->g2));
    PV_TRY(PV_ALLOC(grid->waves, &grid->weight));
    PV_TRY(PV_ALLOC(grid->waves, &grid->offset));
    grid->zero = -1;
    list_waves(grid, cell, g2_max, 1);
    grid->spectrum_count = pv_layout_count(pv_fft_plan_spectrum(grid->plan), pv_comm_rank(grid->comm));
    return PV_OK;
}

static pv_status copy(const pv_grid *grid, const char *what, const void *list, size_t wave_bytes, void **there_p)
{
    PV_TRY(pv_array_create(grid->device, what, grid->waves, wave_bytes, there_p));
    return pv_array_write(grid->device, *there_p, list, (size_t)grid->waves * wave_bytes);
}

static pv_status make_there(pv_grid *grid)
{
    const char *what = "the density's grid";
    PV_TRY(PV_ARRAY(grid->device, what, grid->spectrum_count, &grid->spectrum));
    PV_TRY(pv_buffer_create(grid->device, sizeof(double) * PV_REDUCE_PARTS * PV_GRID_SUMS, &grid->parts));
    if (pv_device_is_host(grid->device)) {
        grid->there.g = grid->g;
        grid->there.g2 = grid->g2;
        grid->there.weight = grid->weight;
        grid->there.offset = grid->offset;
        return PV_OK;
    }
    PV_TRY(copy(grid, what, grid->g, sizeof *grid->g, (void **)&grid->there.g));
    PV_TRY(copy(grid, what, grid->g2, sizeof *grid->g2, (void **)&grid->there.g2));
    PV_TRY(copy(grid, what, grid->weight, sizeof *grid->weight, (void **)&grid->there.weight));
    return copy(grid, what, grid->offset, sizeof *grid->offset, (void **)&grid->there.offset);
}

static pv_status check_fits(const pv_cell *cell, const int64_t shape[3], double g2_max)
{
    for (int d = 0; d < 3; d++) {
        const double *a = cell->lattice_bohr[d];
        const double length = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
        const int64_t largest = (int64_t)floor(sqrt(g2_max) * length / (2.0 * PV_PI) + 1e-9);
        PV_REQUIRE(2 * largest < shape[d], PV_ERR_INPUT,
                   "a grid of %" PRId64 " x %" PRId64 " x %" PRId64 " points is too small along axis %d for plane "
                   "waves up to |G| = %.4g 1/bohr, which need at least %" PRId64,
                   shape[0], shape[1], shape[2], d + 1, sqrt(g2_max), 2 * largest + 1);
    }
    return PV_OK;
}

pv_status pv_grid_create(pv_comm *comm, const pv_cell *cell, const int64_t shape[3], double g2_max,
                         const char *engine, pv_grid **grid_p)
{
    PV_TRY(check_fits(cell, shape, g2_max));
    pv_grid *grid;
    PV_TRY(PV_ALLOC(1, &grid));
    grid->comm = comm;
    grid->device = pv_comm_device(comm);
    grid->stream = pv_device_stream(grid->device);
    grid->volume_bohr3 = cell->volume_bohr3;
    memcpy(grid->shape, shape, sizeof grid->shape);
    grid->points = shape[0] * shape[1] * shape[2];
    grid->spacing_volume = grid->volume_bohr3 / (double)grid->points;
    pv_layout *slabs = NULL;
    pv_status status;
    PV_TRY_GOTO(pv_layout_slab(shape, pv_comm_size(comm), 0, &slabs), status, failed);
    pv_fft_options options = pv_fft_options_defaults();
    options.space = slabs;
    options.output = PV_OUTPUT_TRANSPOSED_OWNER;
    options.engine = engine;
    options.scale_forward = 1.0 / (double)grid->points;
    PV_TRY_GOTO(pv_fft_plan_create(comm, shape, PV_R2C, PV_FP64, &options, &grid->plan), status, failed);
    const pv_box *box = &slabs->boxes[pv_comm_rank(comm)];
    grid->local_points = pv_box_count(box);
    grid->first_point = grid->local_points > 0 ? box->lower[0] * shape[1] * shape[2] : 0;
    status = make_waves(grid, cell, g2_max);
    if (status == PV_OK) status = make_there(grid);
    PV_TRY_GOTO(pv_comm_agree(comm, status), status, failed);
    pv_layout_destroy(slabs);
    *grid_p = grid;
    return PV_OK;
failed:
    pv_layout_destroy(slabs);
    pv_grid_destroy(grid);
    return status;
}

void pv_grid_destroy(pv_grid *grid)
{
    if (!grid) return;
    pv_fft_plan_destroy(grid->plan);
    if (!pv_device_is_host(grid->device)) {
        pv_array_destroy(grid->device, grid->there.g);
        pv_array_destroy(grid->device, grid->there.g2);
        pv_array_destroy(grid->device, grid->there.weight);
        pv_array_destroy(grid->device, grid->there.offset);
    }
    pv_array_destroy(grid->device, grid->spectrum);
    pv_buffer_destroy(grid->parts);
    pv_mem_free(grid->miller);
    pv_mem_free(grid->g);
    pv_mem_free(grid->g2);
    pv_mem_free(grid->weight);
    pv_mem_free(grid->offset);
    pv_mem_free(grid);
}
