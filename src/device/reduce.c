// SPDX-License-Identifier: Apache-2.0
#include "device/reduce.h"

#include "base/check.h"
#include "base/mem.h"

pv_status pv_reduction_run(pv_stream *stream, const pv_reduction *reduction, int64_t count, const void *arguments,
                           pv_buffer *parts, double *result)
{
    const int values = reduction->values;
    const size_t bytes = sizeof(double) * PV_REDUCE_PARTS * (size_t)values;
    for (int v = 0; v < values; v++) result[v] = 0.0;
    if (count == 0) return PV_OK;
    PV_REQUIRE(pv_buffer_bytes(parts) >= bytes, PV_ERR_ARGUMENT, "%s: %zu bytes for parts, %zu are needed",
               reduction->kernel.name, pv_buffer_bytes(parts), bytes);
    double *host;
    PV_TRY(PV_ALLOC(PV_REDUCE_PARTS * values, &host));
    pv_status status = pv_kernel_launch(stream, &reduction->kernel, count, arguments);
    if (status == PV_OK) status = pv_stream_wait(stream);
    if (status == PV_OK) status = pv_buffer_read(parts, 0, host, bytes);
    for (int p = 0; status == PV_OK && p < PV_REDUCE_PARTS; p++)
        for (int v = 0; v < values; v++) {
            const double part = host[p * values + v];
            result[v] = reduction->is_max ? PV_REDUCE_MAX(result[v], part) : PV_REDUCE_ADD(result[v], part);
        }
    pv_mem_free(host);
    return status;
}
