// SPDX-License-Identifier: Apache-2.0
#include "dft/terms/fock_energy.h"

#include "base/check.h"
#include "dft/terms/fock_energy_kernel.h"

static pv_status sum(pv_stream *stream, int64_t bands, int64_t local, const double *weight, pv_buffer *weights,
                     pv_buffer *parts, const double _Complex *u, const double _Complex *v, double *sum_p)
{
    PV_TRY(pv_buffer_write(weights, 0, weight, (size_t)bands * sizeof *weight));
    const fock_energy_arguments a = {.parts = pv_buffer_data(parts),
                                     .length = 2 * local,
                                     .weight = pv_buffer_data(weights),
                                     .u = (const double *)u,
                                     .v = (const double *)v};
    return pv_reduction_run(stream, &fock_energy_sum, 2 * bands * local, &a, parts, sum_p);
}

pv_status pv_fock_energy(pv_stream *stream, pv_device *device, int64_t bands, int64_t local, const double *weight,
                         const double _Complex *u, const double _Complex *v, double *sum_p)
{
    pv_buffer *weights = NULL, *parts = NULL;
    *sum_p = 0.0;
    pv_status status = pv_buffer_create(device, (size_t)bands * sizeof *weight, &weights);
    if (status == PV_OK) status = pv_buffer_create(device, PV_REDUCE_PARTS * sizeof(double), &parts);
    if (status == PV_OK) status = sum(stream, bands, local, weight, weights, parts, u, v, sum_p);
    pv_buffer_destroy(weights);
    pv_buffer_destroy(parts);
    return status;
}
