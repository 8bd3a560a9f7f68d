// SPDX-License-Identifier: Apache-2.0
#include "device/kernel.h"

#include "base/check.h"
#include "device/device_ops.h"

pv_status pv_kernel_launch(pv_stream *stream, const pv_kernel *kernel, int64_t count, const void *arguments)
{
    PV_REQUIRE(count >= 0, PV_ERR_ARGUMENT, "kernel %s for %lld indices; 0 or more are accepted", kernel->name,
               (long long)count);
    if (count == 0) return PV_OK;
    return stream->device->ops->launch(stream, kernel, count, arguments);
}
