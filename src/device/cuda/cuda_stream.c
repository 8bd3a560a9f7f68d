// SPDX-License-Identifier: Apache-2.0
// Streams and events. An event that one stream records for another is kept by the stream.
#include <parseval/device_cuda.h>

#include <sched.h>

#include "base/clock.h"
#include "base/mem.h"
#include "device/cuda/cuda_check.h"
#include "device/cuda/cuda_device.h"

enum { LOOKS_BEFORE_YIELD = 2000 };

typedef struct cuda_stream {
    cudaStream_t stream;
    cudaEvent_t mark;
    int is_adopted;
} cuda_stream;

static cuda_stream *of(const pv_stream *stream)
{
    return stream->state;
}

static pv_status fill(const pv_stream *stream, cuda_stream *state)
{
    PV_TRY(pv_cuda_use(stream->device));
    PV_CUDA_TRY(cudaEventCreateWithFlags(&state->mark, cudaEventDisableTiming));
    if (state->is_adopted) return PV_OK;
    const int priority = stream->is_urgent ? pv_cuda_of(stream->device)->urgent : 0;
    // The legacy default stream would hold up whatever it meets.
    PV_CUDA_TRY(cudaStreamCreateWithPriority(&state->stream, cudaStreamNonBlocking, priority));
    return PV_OK;
}

static pv_status create(pv_stream *stream, cuda_stream wanted)
{
    cuda_stream *state;
    PV_TRY(PV_ALLOC(1, &state));
    *state = wanted;
    const pv_status status = fill(stream, state);
    if (status != PV_OK) {
        if (state->mark) (void)cudaEventDestroy(state->mark);
        pv_mem_free(state);
        return status;
    }
    stream->state = state;
    return PV_OK;
}

pv_status pv_cuda_stream_create(pv_stream *stream)
{
    return create(stream, (cuda_stream){0});
}

static pv_guard *find_late(const pv_device *device, double waited_s)
{
    pv_guard *guard = device->guards;
    while (guard && !(guard->release && waited_s > guard->limit_s)) guard = guard->next;
    return guard;
}

static const char *find_fault(const pv_device *device, pv_guard **guard_p)
{
    for (pv_guard *guard = device->guards; guard; guard = guard->next) {
        const char *fault = guard->find_fault ? guard->find_fault(guard->context) : NULL;
        *guard_p = guard;
        if (fault) return fault;
    }
    return NULL;
}

static void release(const pv_stream *stream, const pv_guard *guard)
{
    if (guard->release) guard->release(guard->context);
    (void)cudaStreamSynchronize(of(stream)->stream);
}

// Looks until the stream is done. What it may wait for goes on, and is told to end when it is late or in vain.
static pv_status wait_guarded(pv_stream *stream)
{
    const double begin_s = pv_clock_s();
    cudaError_t found;
    for (int look = 0; (found = cudaStreamQuery(of(stream)->stream)) == cudaErrorNotReady; look++) {
        for (pv_guard *guard = stream->device->guards; guard; guard = guard->next)
            if (guard->progress) guard->progress(guard->context);
        if (look < LOOKS_BEFORE_YIELD) continue;
        sched_yield();
        pv_guard *guard;
        const char *fault = find_fault(stream->device, &guard);
        if (fault) {
            release(stream, guard);
            PV_FAIL(PV_ERR_COMM, "%s; communication on device %s has been ended", fault, stream->device->name);
        }
        pv_guard *late = find_late(stream->device, pv_clock_s() - begin_s);
        if (!late) continue;
        release(stream, late);
        PV_FAIL(PV_ERR_TIMEOUT, "a stream of device %s was not done after %g s: communication on it has been ended",
                stream->device->name, late->limit_s);
    }
    PV_CUDA_TRY(found);
    return PV_OK;
}

void pv_cuda_stream_destroy(pv_stream *stream)
{
    cuda_stream *state = of(stream);
    if (pv_cuda_use(stream->device) == PV_OK) {
        // What it waits for may have gone.
        if (stream->device->guards) (void)wait_guarded(stream);
        (void)cudaStreamSynchronize(state->stream);
        (void)cudaEventDestroy(state->mark);
        if (!state->is_adopted) (void)cudaStreamDestroy(state->stream);
    }
    pv_mem_free(state);
}

pv_status pv_cuda_stream_wait(pv_stream *stream)
{
    PV_TRY(pv_cuda_use(stream->device));
    if (stream->device->guards) PV_TRY(wait_guarded(stream));
    else PV_CUDA_TRY(cudaStreamSynchronize(of(stream)->stream));
    return pv_cuda_flags_check(stream->device);
}

pv_status pv_cuda_stream_follow(pv_stream *later, pv_stream *earlier)
{
    PV_TRY(pv_cuda_use(later->device));
    PV_CUDA_TRY(cudaEventRecord(of(earlier)->mark, of(earlier)->stream));
    PV_CUDA_TRY(cudaStreamWaitEvent(of(later)->stream, of(earlier)->mark, 0));
    return PV_OK;
}

static pv_status event_create(pv_event *event)
{
    cudaEvent_t made;
    PV_TRY(pv_cuda_use(event->device));
    PV_CUDA_TRY(cudaEventCreate(&made));
    event->state = made;
    return PV_OK;
}

static void event_destroy(pv_event *event)
{
    (void)cudaEventDestroy(event->state);
}

static pv_status event_record(pv_event *event, pv_stream *stream)
{
    PV_TRY(pv_cuda_use(event->device));
    PV_CUDA_TRY(cudaEventRecord(event->state, of(stream)->stream));
    return PV_OK;
}

static pv_status event_follow(pv_stream *later, pv_event *event)
{
    PV_TRY(pv_cuda_use(event->device));
    PV_CUDA_TRY(cudaStreamWaitEvent(of(later)->stream, event->state, 0));
    return PV_OK;
}

static pv_status event_test(pv_event *event, int *done)
{
    PV_TRY(pv_cuda_use(event->device));
    const cudaError_t found = cudaEventQuery(event->state);
    if (found != cudaErrorNotReady) PV_CUDA_TRY(found);
    *done = found == cudaSuccess;
    return PV_OK;
}

static pv_status event_seconds(pv_event *begin, pv_event *end, double *seconds_p)
{
    float milliseconds;
    PV_TRY(pv_cuda_use(begin->device));
    PV_CUDA_TRY(cudaEventSynchronize(begin->state));
    PV_CUDA_TRY(cudaEventSynchronize(end->state));
    PV_CUDA_TRY(cudaEventElapsedTime(&milliseconds, begin->state, end->state));
    *seconds_p = 1e-3 * milliseconds;
    return PV_OK;
}

const pv_event_ops pv_cuda_events = {
    .create = event_create,
    .destroy = event_destroy,
    .record = event_record,
    .follow = event_follow,
    .test = event_test,
    .seconds = event_seconds,
};

pv_status pv_stream_adopt_cuda(pv_device *device, cudaStream_t cuda_stream_, pv_stream **stream_p)
{
    PV_REQUIRE_GIVEN(device);
    PV_REQUIRE_GIVEN(stream_p);
    PV_REQUIRE(device->ops == &pv_device_cuda, PV_ERR_ARGUMENT, "a CUDA stream for device %s; a GPU is accepted",
               device->name);
    PV_REQUIRE(cuda_stream_ != NULL && cuda_stream_ != cudaStreamLegacy, PV_ERR_ARGUMENT,
               "the legacy default stream; one of cudaStreamCreate is accepted");
    pv_stream *stream;
    PV_TRY(PV_ALLOC(1, &stream));
    stream->device = device;
    const pv_status status = create(stream, (cuda_stream){.stream = cuda_stream_, .is_adopted = 1});
    if (status != PV_OK) {
        pv_mem_free(stream);
        return status;
    }
    *stream_p = stream;
    return PV_OK;
}

cudaStream_t pv_stream_cuda(const pv_stream *stream)
{
    return stream->device->ops == &pv_device_cuda ? of(stream)->stream : NULL;
}

int pv_device_cuda_gpu(const pv_device *device)
{
    return device->ops == &pv_device_cuda ? pv_cuda_of(device)->gpu : -1;
}
