// SPDX-License-Identifier: Apache-2.0
#include "base/check.h"
#include "dft/model/grid.h"
#include "dft/model/grid_kernels.h"

// ---- Points and waves --------------------------------------------------------------------------------------------

static pv_status move(const pv_grid *grid, const pv_kernel *kernel, int axis, const double _Complex *waves)
{
    const grid_waves_arguments arguments = {grid->there.offset, (const double (*)[3])grid->there.g, axis,
                                            (double *)waves, (double *)grid->spectrum};
    return pv_kernel_launch(grid->stream, kernel, grid->waves, &arguments);
}

static pv_status inverse(pv_grid *grid, const pv_kernel *put, int axis, const double _Complex *waves, double *field)
{
    PV_TRY(pv_stream_zero(grid->stream, grid->spectrum, (size_t)grid->spectrum_count * sizeof *grid->spectrum));
    PV_TRY(move(grid, put, axis, waves));
    return pv_fft_inverse(grid->plan, grid->spectrum, field);
}

pv_status pv_grid_to_waves(pv_grid *grid, const double *field, double _Complex *waves)
{
    PV_TRY(pv_fft_forward(grid->plan, field, grid->spectrum));
    return move(grid, &grid_take, 0, waves);
}

pv_status pv_grid_to_points(pv_grid *grid, const double _Complex *waves, double *field)
{
    return inverse(grid, &grid_put, 0, waves, field);
}

pv_status pv_grid_slope_to_points(pv_grid *grid, const double _Complex *waves, int axis, double *field)
{
    return inverse(grid, &grid_put_slope, axis, waves, field);
}

pv_status pv_grid_add_slope_to_waves(pv_grid *grid, const double *field, int axis, double _Complex *waves)
{
    PV_TRY(pv_fft_forward(grid->plan, field, grid->spectrum));
    return move(grid, &grid_add_slope, axis, waves);
}

pv_status pv_grid_gather(const pv_grid *grid, const double *field, double *whole)
{
    if (pv_comm_size(grid->comm) > 1)
        PV_TRY(pv_stream_zero(grid->stream, whole, (size_t)grid->points * sizeof *whole));
    PV_TRY(pv_stream_copy(grid->stream, whole + grid->first_point, field, (size_t)grid->local_points * sizeof *whole));
    return pv_comm_sum_on(grid->comm, grid->stream, grid->points, whole);
}

// ---- Sums --------------------------------------------------------------------------------------------------------

pv_status pv_grid_reduce(const pv_grid *grid, const pv_reduction *reduction, int64_t count, const void *arguments,
                         double *values)
{
    PV_TRY(pv_reduction_run(grid->stream, reduction, count, arguments, grid->parts, values));
    return pv_comm_reduce_f64(grid->comm, PV_SUM, reduction->values, values);
}

pv_status pv_grid_dot(const pv_grid *grid, const double _Complex *a, const double _Complex *b, double *sum_p)
{
    const grid_dot_arguments arguments = {pv_buffer_data(grid->parts), grid->there.weight, (const double *)a,
                                          (const double *)b};
    return pv_grid_reduce(grid, &grid_dot, grid->waves, &arguments, sum_p);
}

pv_status pv_grid_integral(const pv_grid *grid, const double *a, const double *b, double *integral_p)
{
    const grid_integral_arguments arguments = {pv_buffer_data(grid->parts), a, b};
    PV_TRY(pv_grid_reduce(grid, b ? &grid_overlap : &grid_integral, grid->local_points, &arguments, integral_p));
    *integral_p *= grid->spacing_volume;
    return PV_OK;
}
