// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/flags_kernels.h"

// Reading the failure goes over the bus, so it is looked at now and then.
enum { THREADS = 32, LOOKS_PER_CHECK = 512 };

static __device__ __forceinline__ void store_release(uint64_t *address, uint64_t value)
{
    asm volatile("st.release.sys.global.u64 [%0], %1;" ::"l"(address), "l"(value) : "memory");
}

static __device__ __forceinline__ uint64_t load_acquire(const uint64_t *address)
{
    uint64_t value;
    asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(value) : "l"(address) : "memory");
    return value;
}

static __device__ __forceinline__ uint64_t now_ns()
{
    uint64_t ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
    return ns;
}

static __device__ uint64_t next_value(const pv_flag_arguments &a, int entry)
{
    const uint64_t value = a.value == UINT64_MAX ? a.last[entry] + 1 : a.value;
    a.last[entry] = value;
    return value;
}

static __device__ bool is_named(const pv_flag_arguments &a, int entry)
{
    return entry != a.skip && a.flags[entry];
}

static __global__ void post_each(pv_flag_arguments a)
{
    for (int i = threadIdx.x; i < a.count; i += THREADS) {
        const int entry = a.first + i;
        if (!is_named(a, entry)) continue;
        __threadfence_system();
        store_release(a.flags[entry], next_value(a, entry));
    }
}

static __device__ void fail(const pv_flag_arguments &a, int entry, uint64_t expected, uint64_t found)
{
    pv_flag_failure *failure = a.failure;
    if (atomicCAS_system(&failure->state, 0, 1) != 0) return;
    failure->entry = entry;
    failure->number = a.number;
    failure->limit_s = a.limit_s;
    failure->expected = expected;
    failure->found = found;
    __threadfence_system();
    atomicExch_system(&failure->state, 2);
}

static __device__ void wait_for(const pv_flag_arguments &a, int entry, uint64_t value)
{
    const uint64_t begin = now_ns();
    const uint64_t limit_ns = (uint64_t)(a.limit_s * 1e9);
    for (int look = 1;; look++) {
        const uint64_t found = load_acquire(a.flags[entry]);
        if (found >= value) return;
        if (look % LOOKS_PER_CHECK) continue;
        if (*(volatile int *)&a.failure->state != 0) return;
        if (now_ns() - begin < limit_ns) continue;
        fail(a, entry, value, found);
        return;
    }
}

static __global__ void wait_each(pv_flag_arguments a)
{
    for (int i = threadIdx.x; i < a.count; i += THREADS) {
        const int entry = a.first + i;
        if (is_named(a, entry)) wait_for(a, entry, next_value(a, entry));
    }
}

cudaError_t pv_flags_launch_post(cudaStream_t stream, pv_flag_arguments arguments)
{
    post_each<<<1, THREADS, 0, stream>>>(arguments);
    return cudaGetLastError();
}

cudaError_t pv_flags_launch_wait(cudaStream_t stream, pv_flag_arguments arguments)
{
    wait_each<<<1, THREADS, 0, stream>>>(arguments);
    return cudaGetLastError();
}

cudaError_t pv_flags_load(void)
{
    cudaFuncAttributes attributes;
    const cudaError_t error = cudaFuncGetAttributes(&attributes, post_each);
    return error != cudaSuccess ? error : cudaFuncGetAttributes(&attributes, wait_each);
}
