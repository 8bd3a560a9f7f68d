// SPDX-License-Identifier: Apache-2.0
#include "dft/model/grid_symmetry.h"

#include "base/check.h"
#include "base/mem.h"
#include "device/array.h"

// Every rank holds all waves in turn, on the grid's device; a density is small beside the orbitals.
struct pv_grid_symmetry {
    const pv_grid *grid;
    int64_t total, lower;              // waves of all ranks, and where this rank's begin
    double _Complex *whole, *mean;     // [total]; whole is NULL on one rank, which has it
    pv_symmetriser *symmetriser;       // NULL: the identity alone
};

static pv_status place_waves(pv_grid_symmetry *turner)
{
    const int ranks = pv_comm_size(turner->grid->comm), rank = pv_comm_rank(turner->grid->comm);
    double *count;
    PV_TRY(pv_comm_agree(turner->grid->comm, PV_ALLOC(ranks, &count)));
    count[rank] = (double)turner->grid->waves;
    const pv_status status = pv_comm_reduce_f64(turner->grid->comm, PV_SUM, ranks, count);
    for (int r = 0; r < ranks; r++) {
        turner->total += (int64_t)count[r];
        if (r < rank) turner->lower += (int64_t)count[r];
    }
    pv_mem_free(count);
    return status;
}

// Miller indices travel as numbers.
static pv_status gather_miller(const pv_grid_symmetry *turner, int32_t (*miller)[3])
{
    const pv_grid *grid = turner->grid;
    double *numbers;
    PV_TRY(pv_comm_agree(grid->comm, PV_ALLOC(3 * turner->total, &numbers)));
    for (int64_t i = 0; i < grid->waves; i++)
        for (int d = 0; d < 3; d++) numbers[3 * (turner->lower + i) + d] = grid->miller[i][d];
    const pv_status status = pv_comm_reduce_f64(grid->comm, PV_SUM, 3 * turner->total, numbers);
    for (int64_t i = 0; i < turner->total; i++)
        for (int d = 0; d < 3; d++) miller[i][d] = (int32_t)numbers[3 * i + d];
    pv_mem_free(numbers);
    return status;
}

static pv_status prepare(pv_grid_symmetry *turner, const pv_symmetry *symmetry)
{
    pv_comm *comm = turner->grid->comm;
    pv_device *device = turner->grid->device;
    PV_TRY(place_waves(turner));
    int32_t (*miller)[3] = NULL;
    const int64_t gathered = pv_comm_size(comm) > 1 ? turner->total : 0;
    pv_status status = PV_ARRAY(device, "symmetry", gathered, &turner->whole);
    if (status == PV_OK) status = PV_ARRAY(device, "symmetry", turner->total, &turner->mean);
    if (status == PV_OK) status = PV_ALLOC(turner->total, &miller);
    status = pv_comm_agree(comm, status);
    if (status == PV_OK) status = gather_miller(turner, miller);
    if (status == PV_OK)
        status = pv_comm_agree(comm, pv_symmetriser_create(device, symmetry, turner->total,
                                                           (const int32_t (*)[3])miller, &turner->symmetriser));
    pv_mem_free(miller);
    return status;
}

pv_status pv_grid_symmetry_create(const pv_grid *grid, const pv_symmetry *symmetry, pv_grid_symmetry **turner_p)
{
    pv_grid_symmetry *turner = NULL;
    PV_TRY(pv_comm_agree(grid->comm, PV_ALLOC(1, &turner)));
    turner->grid = grid;
    const pv_status status = symmetry->count > 1 ? prepare(turner, symmetry) : PV_OK;
    if (status == PV_OK) *turner_p = turner;
    else pv_grid_symmetry_destroy(turner);
    return status;
}

void pv_grid_symmetry_destroy(pv_grid_symmetry *turner)
{
    if (!turner) return;
    pv_symmetriser_destroy(turner->symmetriser);
    pv_array_destroy(turner->grid->device, turner->whole);
    pv_array_destroy(turner->grid->device, turner->mean);
    pv_mem_free(turner);
}

pv_status pv_grid_symmetry_apply(pv_grid_symmetry *turner, double _Complex *field)
{
    if (!turner->symmetriser) return PV_OK;
    const pv_grid *grid = turner->grid;
    const size_t mine = (size_t)grid->waves * sizeof *field;
    const double _Complex *whole = field;
    if (turner->whole) {
        PV_TRY(pv_stream_zero(grid->stream, turner->whole, (size_t)turner->total * sizeof *turner->whole));
        PV_TRY(pv_stream_copy(grid->stream, turner->whole + turner->lower, field, mine));
        PV_TRY(pv_comm_sum_on(grid->comm, grid->stream, 2 * turner->total, (double *)turner->whole));
        whole = turner->whole;
    }
    PV_TRY(pv_symmetriser_apply(turner->symmetriser, grid->stream, whole, turner->mean));
    return pv_stream_copy(grid->stream, field, turner->mean + turner->lower, mine);
}
