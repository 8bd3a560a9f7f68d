// SPDX-License-Identifier: Apache-2.0
// GPUs of NVIDIA: memory, and the table of the device.
#include "device/cuda/cuda_device.h"

#include <parseval/device_cuda.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/free_memory.h"
#include "base/mem.h"
#include "device/cuda/cuda_check.h"
#include "device/cuda/nvml.h"
#include "device/kernel.h"

static pv_status count(int *count_p)
{
    int driver = 0, gpus = 0;
    (void)cudaDriverGetVersion(&driver);
    PV_REQUIRE(driver > 0, PV_ERR_DEVICE,
               "device cuda needs a CUDA driver, and this machine has none; device cpu does without");
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    const cudaError_t error = cudaGetDeviceCount(&gpus);
    PV_REQUIRE(error != cudaErrorNoDevice || !visible, PV_ERR_DEVICE,
               "no GPU: CUDA_VISIBLE_DEVICES is \"%s\", which names none of this machine", visible);
    if (error != cudaSuccess) return pv_cuda_fail(error, __func__, "counting GPUs: cudaGetDeviceCount");
    *count_p = gpus;
    return PV_OK;
}

static pv_status read_pci(int number, char *pci, int size)
{
    PV_CUDA_TRY(cudaDeviceGetPCIBusId(pci, size, number));
    for (char *at = pci; *at; at++) *at = (char)tolower((unsigned char)*at);
    return PV_OK;
}

static pv_status describe(int number, pv_device_facts *facts_p)
{
    struct cudaDeviceProp properties;
    pv_device_facts facts = {.links = -1};
    PV_CUDA_TRY(cudaGetDeviceProperties(&properties, number));
    PV_TRY(read_pci(number, facts.pci, sizeof facts.pci));
    snprintf(facts.name, sizeof facts.name, "%.90s", properties.name);
    facts.memory_bytes = properties.totalGlobalMem;
    facts.major = properties.major;
    facts.minor = properties.minor;
    facts.links = pv_nvml_link_count(facts.pci);
    *facts_p = facts;
    return PV_OK;
}

static pv_status find_link(int number, int other, pv_device_link *link_p)
{
    char pci[16], other_pci[16];
    int can_access = 0;
    PV_CUDA_TRY(cudaDeviceCanAccessPeer(&can_access, number, other));
    PV_TRY(read_pci(number, pci, sizeof pci));
    PV_TRY(read_pci(other, other_pci, sizeof other_pci));
    if (!can_access) *link_p = PV_DEVICE_LINK_NONE;
    else *link_p = pv_nvml_are_linked(pci, other_pci) == 1 ? PV_DEVICE_LINK_NVLINK : PV_DEVICE_LINK_PCI;
    return PV_OK;
}

// Multicast objects of NVLink can put the GPUs of a host out of service for everybody on it; libraries make them as
// soon as they find them possible. Both read these before their first call.
static void forbid_multicast(void)
{
    (void)setenv("NCCL_NVLS_ENABLE", "0", 1);
    (void)setenv("NVSHMEM_DISABLE_NVLS", "1", 1);
}

pv_status pv_cuda_use(const pv_device *device)
{
    PV_CUDA_TRY(cudaSetDevice(pv_cuda_of(device)->gpu));
    return PV_OK;
}

static pv_status start(pv_cuda_device *state)
{
    int least;
    PV_CUDA_TRY(cudaSetDevice(state->gpu));
    PV_CUDA_TRY(cudaDeviceGetStreamPriorityRange(&least, &state->urgent));
    PV_CUDA_TRY(pv_flags_load());
    PV_CUDA_TRY(cudaMalloc((void **)&state->claimed, sizeof *state->claimed));
    PV_CUDA_TRY(cudaMemset(state->claimed, 0, sizeof *state->claimed));
    PV_CUDA_TRY(cudaHostAlloc((void **)&state->failure, sizeof *state->failure, cudaHostAllocPortable));
    *state->failure = (pv_flag_failure){0};
    return PV_OK;
}

static void end(pv_cuda_device *state)
{
    (void)cudaFree(state->claimed);
    (void)cudaFreeHost(state->failure);
    pv_mem_free(state);
}

static pv_status open(pv_device *device, int number)
{
    int gpus = 0;
    forbid_multicast();
    PV_TRY(count(&gpus));
    PV_REQUIRE(number < gpus, PV_ERR_ARGUMENT, "device \"%s\": GPUs 0 to %d are there", device->name, gpus - 1);
    pv_cuda_device *state;
    PV_TRY(PV_ALLOC(1, &state));
    state->gpu = number < 0 ? 0 : number;
    const pv_status status = start(state);
    if (status != PV_OK) {
        end(state);
        return status;
    }
    device->threads = 1;
    device->state = state;
    return PV_OK;
}

static void close(pv_device *device)
{
    end(pv_cuda_of(device));
}

static pv_status settle(pv_device *device)
{
    PV_TRY(pv_cuda_use(device));
    PV_CUDA_TRY(cudaDeviceSynchronize());
    return PV_OK;
}

static pv_status free_bytes(const pv_device *device, size_t *bytes_p)
{
    size_t total_bytes;
    PV_TRY(pv_cuda_use(device));
    PV_CUDA_TRY(cudaMemGetInfo(bytes_p, &total_bytes));
    return PV_OK;
}

// How much there is, and who holds the rest.
static pv_status refuse_memory(const pv_device *device, size_t bytes, cudaError_t error)
{
    pv_cuda_device *state = pv_cuda_of(device);
    size_t free_bytes = 0, total_bytes = 0;
    char pci[16], holders[512] = "";
    (void)cudaGetLastError();
    (void)cudaMemGetInfo(&free_bytes, &total_bytes);
    if (read_pci(state->gpu, pci, sizeof pci) == PV_OK) pv_nvml_print_holders(pci, holders, sizeof holders);
    PV_FAIL(PV_ERR_MEMORY,
            "asked for %zu bytes of device %s: cudaMalloc: %s; %zu of its %zu bytes are free, this process holds %zu "
            "through Parseval%s%s",
            bytes, device->name, cudaGetErrorName(error), free_bytes, total_bytes, atomic_load(&state->held_bytes),
            holders[0] ? "; on it are " : "", holders);
}

static pv_status alloc(pv_device *device, size_t bytes, void **data_p)
{
    pv_cuda_device *state = pv_cuda_of(device);
    void *data;
    PV_TRY(pv_cuda_use(device));
    const cudaError_t error = cudaMalloc(&data, bytes);
    if (error == cudaErrorMemoryAllocation || error == cudaErrorInvalidValue)
        return refuse_memory(device, bytes, error);
    if (error != cudaSuccess) return pv_cuda_fail(error, __func__, "cudaMalloc");
    pv_mem_account(bytes, 0);
    atomic_fetch_add(&state->held_bytes, bytes);
    *data_p = data;
    return PV_OK;
}

static void release(pv_device *device, void *data, size_t bytes)
{
    if (pv_cuda_use(device) == PV_OK) (void)cudaFree(data);
    pv_mem_account(0, bytes);
    atomic_fetch_sub(&pv_cuda_of(device)->held_bytes, bytes);
}

static pv_status host_alloc(pv_device *device, size_t bytes, void **data_p)
{
    void *data;
    PV_TRY(pv_cuda_use(device));
    const cudaError_t error = cudaHostAlloc(&data, bytes, cudaHostAllocPortable);
    PV_REQUIRE(error != cudaErrorMemoryAllocation, PV_ERR_MEMORY,
               "asked for %zu bytes of pinned memory of the host: cudaHostAlloc: %s; %lld bytes of the host are free",
               bytes, cudaGetErrorName(error), (long long)pv_free_memory_bytes());
    if (error != cudaSuccess) return pv_cuda_fail(error, __func__, "cudaHostAlloc");
    pv_mem_account(bytes, 0);
    *data_p = data;
    return PV_OK;
}

static void host_release(pv_device *device, void *data, size_t bytes)
{
    if (pv_cuda_use(device) == PV_OK) (void)cudaFreeHost(data);
    pv_mem_account(0, bytes);
}

static pv_status copy(pv_device *device, pv_stream *stream, void *to, const void *from, size_t bytes)
{
    pv_stream *on = stream ? stream : device->stream;
    PV_TRY(pv_cuda_use(device));
    PV_CUDA_TRY(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, pv_stream_cuda(on)));
    return stream ? PV_OK : pv_cuda_stream_wait(on);
}

static pv_status zero(pv_stream *stream, void *data, size_t bytes)
{
    PV_TRY(pv_cuda_use(stream->device));
    PV_CUDA_TRY(cudaMemsetAsync(data, 0, bytes, pv_stream_cuda(stream)));
    return PV_OK;
}

static pv_status launch(pv_stream *stream, const pv_kernel *kernel, int64_t count_, const void *arguments)
{
    PV_REQUIRE(kernel->on_cuda, PV_ERR_NOT_BUILT, "kernel %s has no form for device %s", kernel->name,
               stream->device->name);
    PV_TRY(pv_cuda_use(stream->device));
    const cudaError_t error = (cudaError_t)kernel->on_cuda(pv_stream_cuda(stream), count_, arguments);
    if (error != cudaSuccess) return pv_cuda_fail(error, __func__, kernel->name);
    return PV_OK;
}

const pv_device_ops pv_device_cuda = {
    .name = "cuda",
    .is_host = 0,
    .events = &pv_cuda_events,
    .flags = &pv_cuda_flags,
    .count = count,
    .describe = describe,
    .find_link = find_link,
    .open = open,
    .close = close,
    .settle = settle,
    .free_bytes = free_bytes,
    .alloc = alloc,
    .free = release,
    .host_alloc = host_alloc,
    .host_free = host_release,
    .copy = copy,
    .zero = zero,
    .stream_create = pv_cuda_stream_create,
    .stream_destroy = pv_cuda_stream_destroy,
    .stream_wait = pv_cuda_stream_wait,
    .stream_follow = pv_cuda_stream_follow,
    .launch = launch,
};
