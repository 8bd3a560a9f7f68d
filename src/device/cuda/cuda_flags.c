// SPDX-License-Identifier: Apache-2.0
#include <parseval/device_cuda.h>

#include "device/cuda/cuda_check.h"
#include "device/cuda/cuda_device.h"

static pv_flag_arguments arguments_of(const pv_stream *stream, const pv_flag_set *set, uint64_t value, double limit_s)
{
    return (pv_flag_arguments){.flags = set->flags,
                               .last = set->last,
                               .first = set->first,
                               .count = set->count,
                               .skip = set->skip,
                               .number = set->number,
                               .value = value,
                               .base = set->base,
                               .limit_s = limit_s,
                               .failure = pv_cuda_of(stream->device)->failure,
                               .claimed = pv_cuda_of(stream->device)->claimed};
}

static pv_status post(pv_stream *stream, const pv_flag_set *set, uint64_t value)
{
    PV_TRY(pv_cuda_use(stream->device));
    PV_CUDA_TRY(pv_flags_launch_post(pv_stream_cuda(stream), arguments_of(stream, set, value, 0)));
    return PV_OK;
}

static pv_status wait(pv_stream *stream, const pv_flag_set *set, uint64_t value, double limit_s)
{
    PV_TRY(pv_cuda_use(stream->device));
    PV_CUDA_TRY(pv_flags_launch_wait(pv_stream_cuda(stream), arguments_of(stream, set, value, limit_s)));
    return PV_OK;
}

static pv_status meet(pv_stream *stream, const pv_flag_set *posted, const pv_flag_set *awaited, uint64_t value,
                      double limit_s)
{
    PV_TRY(pv_cuda_use(stream->device));
    PV_CUDA_TRY(pv_flags_launch_meet(pv_stream_cuda(stream), arguments_of(stream, posted, value, 0),
                                     arguments_of(stream, awaited, value, limit_s)));
    return PV_OK;
}

pv_status pv_cuda_flags_check(pv_device *device)
{
    pv_flag_failure *failure = pv_cuda_of(device)->failure;
    PV_REQUIRE(!pv_cuda_of(device)->is_abandoned, PV_ERR_COMM,
               "device %s waits for no other rank any more, since the process of one has ended", device->name);
    const uint32_t written = __atomic_load_n(&failure->written, __ATOMIC_ACQUIRE);
    if (written == failure->told) return PV_OK;
    const pv_flag_failure told = *failure;
    __atomic_store_n(&failure->told, written, __ATOMIC_RELEASE);
    PV_FAIL(PV_ERR_TIMEOUT, "device %s waited %g s for counter %d from rank %d to reach %llu; it is %llu", device->name,
            told.limit_s, told.number, told.entry, (unsigned long long)told.expected, (unsigned long long)told.found);
}

// Never told, so that later waits end at once, too.
static void abandon(pv_device *device)
{
    pv_cuda_device *state = pv_cuda_of(device);
    if (state->is_abandoned) return;
    state->is_abandoned = 1;
    __atomic_store_n(&state->failure->written, state->failure->told + 1, __ATOMIC_RELEASE);
}

static int is_recorded(const pv_stream *stream)
{
    enum cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    (void)cudaStreamIsCapturing(pv_stream_cuda(stream), &status);
    return status != cudaStreamCaptureStatusNone;
}

const pv_flag_ops pv_cuda_flags = {
    .post = post, .wait = wait, .meet = meet, .abandon = abandon, .is_recorded = is_recorded};
