// SPDX-License-Identifier: Apache-2.0
// A cluster of blocks: who one is, meeting, and where shared memory of another block is. arrive() makes what was written
// there seen by those who wait().
#pragma once
#include <stdint.h>

namespace cluster
{

__device__ __forceinline__ uint32_t rank_in_cluster()
{
    uint32_t r;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(r));
    return r;
}
__device__ __forceinline__ void arrive()
{
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
}
__device__ __forceinline__ void wait()
{
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}
__device__ __forceinline__ uint32_t in_block(uint32_t address, uint32_t rank)
{
    uint32_t there;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(rank));
    return there;
}

} // namespace cluster
