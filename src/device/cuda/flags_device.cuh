// SPDX-License-Identifier: Apache-2.0
// What a thread does with a counter: also for kernels that post and await in the course of other work.
#ifndef PV_DEVICE_CUDA_FLAGS_DEVICE_CUH
#define PV_DEVICE_CUDA_FLAGS_DEVICE_CUH

#include "device/cuda/flags_kernels.h"

// Reading the failure goes over the bus, so it is looked at now and then.
#define PV_FLAG_LOOKS_PER_CHECK 512

static __device__ __forceinline__ uint64_t pv_flag_now_ns()
{
    uint64_t ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
    return ns;
}

static __device__ __forceinline__ uint64_t pv_flag_look(const uint64_t *counter)
{
    uint64_t value;
    asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(value) : "l"(counter) : "memory");
    return value;
}

static __device__ __forceinline__ bool pv_flag_is_named(const pv_flag_arguments &a, int entry)
{
    return entry != a.skip && a.flags[entry];
}

static __device__ __forceinline__ uint64_t pv_flag_next(const pv_flag_arguments &a, int entry)
{
    const uint64_t value = a.value == UINT64_MAX ? a.last[entry] + 1 : a.value + (a.base ? *a.base : 0);
    a.last[entry] = value;
    return value;
}

// What this thread has stored, and what it knows others to have stored, is visible to whom sees the value.
static __device__ __forceinline__ void pv_flag_post(const pv_flag_arguments &a, int entry)
{
    const uint64_t value = pv_flag_next(a, entry);
    __threadfence_system();
    asm volatile("st.release.sys.global.u64 [%0], %1;" ::"l"(a.flags[entry]), "l"(value) : "memory");
}

static __device__ __forceinline__ bool pv_flag_has_failed(const volatile pv_flag_failure *failure)
{
    return failure->written != failure->told;
}

// The first to fail writes, until the host has told.
static __device__ __forceinline__ void pv_flag_fail(const pv_flag_arguments &a, int entry, uint64_t expected,
                                                    uint64_t found)
{
    volatile pv_flag_failure *failure = a.failure;
    const uint32_t told = failure->told;
    if (failure->written != told || atomicCAS(a.claimed, told, told + 1) != told) return;
    failure->entry = entry;
    failure->number = a.number;
    failure->limit_s = a.limit_s;
    failure->expected = expected;
    failure->found = found;
    __threadfence_system();
    failure->written = told + 1;
}

static __device__ __forceinline__ void pv_flag_wait(const pv_flag_arguments &a, int entry)
{
    const uint64_t value = pv_flag_next(a, entry), begin = pv_flag_now_ns();
    const uint64_t limit_ns = (uint64_t)(a.limit_s * 1e9);
    for (int look = 1;; look++) {
        const uint64_t found = pv_flag_look(a.flags[entry]);
        if (found >= value) return;
        if (look % PV_FLAG_LOOKS_PER_CHECK) continue;
        if (pv_flag_has_failed(a.failure)) return;
        if (pv_flag_now_ns() - begin < limit_ns) continue;
        pv_flag_fail(a, entry, value, found);
        return;
    }
}

#endif
