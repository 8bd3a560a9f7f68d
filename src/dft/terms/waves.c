// SPDX-License-Identifier: Apache-2.0
#include "dft/terms/waves.h"

#include "dft/terms/waves_kernels.h"

pv_status pv_waves_add_kinetic(pv_stream *stream, int64_t bands, int64_t local, const double *kinetic_ha,
                               const double _Complex *in, double _Complex *out)
{
    const add_kinetic_arguments arguments = {local, kinetic_ha, (const double *)in, (double *)out};
    return pv_kernel_launch(stream, &add_kinetic, bands, &arguments);
}

pv_status pv_waves_add(pv_stream *stream, int64_t local, const double *a, const double *b, double constant, double *out)
{
    const add_diagonals_arguments arguments = {a, b, constant, out};
    return pv_kernel_launch(stream, &add_diagonals, local, &arguments);
}

pv_status pv_waves_squares(pv_stream *stream, int64_t bands, int64_t reals, const double *block, double *sums)
{
    const wave_squares_arguments arguments = {sums, reals, block};
    return pv_kernel_launch(stream, &wave_squares, bands, &arguments);
}

pv_status pv_waves_divide_by_norms(pv_stream *stream, int64_t bands, int64_t local, const double *squares,
                                   double _Complex *block)
{
    const divide_by_norms_arguments arguments = {2 * local, squares, (double *)block};
    return pv_kernel_launch(stream, &divide_by_norms, bands, &arguments);
}

pv_status pv_waves_precondition(pv_stream *stream, int64_t bands, int64_t local, const double *diagonal_ha,
                                const double *energy_ha, const int64_t *from, const double _Complex *in,
                                double _Complex *out)
{
    const precondition_arguments arguments = {local, diagonal_ha, energy_ha, from, (const double *)in, (double *)out};
    return pv_kernel_launch(stream, &precondition, bands, &arguments);
}

pv_status pv_waves_differentiate(pv_stream *stream, int64_t bands, int64_t local, const double (*q)[3], int axis,
                                 const double _Complex *in, double _Complex *out)
{
    const differentiate_arguments arguments = {local, axis, &q[0][0], (const double *)in, (double *)out};
    return pv_kernel_launch(stream, &differentiate_waves, bands, &arguments);
}

pv_status pv_waves_weigh(pv_stream *stream, int64_t bands, int64_t local, const double *weights,
                         const double _Complex *block, double *sums)
{
    const weigh_arguments arguments = {bands, local, weights, (const double *)block, sums};
    return pv_kernel_launch(stream, &weigh_waves, local, &arguments);
}
