// SPDX-License-Identifier: Apache-2.0
#include "fft/batch/batch.h"

#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "fft/batch/ops.h"

// Indices of points in kernels have 32 bits.
enum { MOST_GRIDS = 256 };

static pv_batch *opened; // all of this process

static pv_batch *find(const pv_device *device, const int64_t shape[3], pv_precision precision)
{
    for (pv_batch *batch = opened; batch; batch = batch->next)
        if (batch->device == device && batch->precision == precision &&
            memcmp(batch->shape, shape, sizeof batch->shape) == 0)
            return batch;
    return NULL;
}

static pv_status fill(pv_batch *batch)
{
    PV_TRY(pv_buffer_create(batch->device, (size_t)(batch->most * batch->grid_bytes), &batch->memory));
    return batch->ops->create(batch);
}

static void destroy(pv_batch *batch)
{
    batch->ops->destroy(batch);
    pv_buffer_destroy(batch->memory);
    pv_mem_free(batch);
}

static const pv_batch_ops *ops_of(const pv_device *device)
{
#if PV_HAVE_CUDA
    if (!pv_device_is_host(device)) return &pv_batch_cufft;
#endif
    (void)device;
    return &pv_batch_plan;
}

pv_status pv_batch_open(pv_device *device, const int64_t shape[3], pv_precision precision, size_t bytes,
                        pv_batch **batch_p)
{
    pv_batch *batch = find(device, shape, precision);
    if (batch) {
        batch->users++;
        *batch_p = batch;
        return PV_OK;
    }
    const int64_t points = shape[0] * shape[1] * shape[2];
    PV_REQUIRE(points < INT32_MAX, PV_ERR_SHAPE, "grids of %lld points; below 2^31 are accepted", (long long)points);
    PV_TRY(PV_ALLOC(1, &batch));
    *batch = (pv_batch){.ops = ops_of(device), .device = device, .precision = precision, .users = 1};
    memcpy(batch->shape, shape, sizeof batch->shape);
    batch->grid_bytes = points * (precision == PV_FP32 ? 8 : 16);
    batch->most = (int64_t)bytes / batch->grid_bytes;
    if (batch->most > MOST_GRIDS) batch->most = MOST_GRIDS;
    if (batch->most > UINT32_MAX / points) batch->most = UINT32_MAX / points;
    if (batch->most < 1) batch->most = 1;
    const pv_status status = fill(batch);
    if (status != PV_OK) {
        destroy(batch);
        return status;
    }
    batch->next = opened;
    opened = batch;
    *batch_p = batch;
    return PV_OK;
}

void pv_batch_close(pv_batch *batch)
{
    if (!batch || --batch->users > 0) return;
    pv_batch **at = &opened;
    while (*at != batch) at = &(*at)->next;
    *at = batch->next;
    destroy(batch);
}

void *pv_batch_memory(const pv_batch *batch)
{
    return pv_buffer_data(batch->memory);
}

size_t pv_batch_bytes(const pv_batch *batch)
{
    return pv_buffer_bytes(batch->memory);
}

int64_t pv_batch_most(const pv_batch *batch)
{
    return batch->most;
}

pv_status pv_batch_run(const pv_batch *batch, pv_stream *stream, pv_direction direction, int64_t count, const void *in,
                       void *out)
{
    return batch->ops->run(batch, stream, direction, count, in, out);
}
