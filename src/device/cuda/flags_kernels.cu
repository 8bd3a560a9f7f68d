// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/flags_device.cuh"

enum { THREADS = 32 };

static __device__ void post_all(const pv_flag_arguments &a)
{
    for (int i = threadIdx.x; i < a.count; i += THREADS)
        if (pv_flag_is_named(a, a.first + i)) pv_flag_post(a, a.first + i);
}

static __device__ void wait_all(const pv_flag_arguments &a)
{
    for (int i = threadIdx.x; i < a.count; i += THREADS)
        if (pv_flag_is_named(a, a.first + i)) pv_flag_wait(a, a.first + i);
}

static __global__ void post(pv_flag_arguments a)
{
    post_all(a);
}

static __global__ void await(pv_flag_arguments a)
{
    wait_all(a);
}

static __global__ void meet(pv_flag_arguments posted, pv_flag_arguments awaited)
{
    post_all(posted);
    wait_all(awaited);
}

cudaError_t pv_flags_launch_post(cudaStream_t stream, pv_flag_arguments arguments)
{
    post<<<1, THREADS, 0, stream>>>(arguments);
    return cudaGetLastError();
}

cudaError_t pv_flags_launch_wait(cudaStream_t stream, pv_flag_arguments arguments)
{
    await<<<1, THREADS, 0, stream>>>(arguments);
    return cudaGetLastError();
}

cudaError_t pv_flags_launch_meet(cudaStream_t stream, pv_flag_arguments posted, pv_flag_arguments awaited)
{
    meet<<<1, THREADS, 0, stream>>>(posted, awaited);
    return cudaGetLastError();
}

cudaError_t pv_flags_load(void)
{
    cudaFuncAttributes attributes;
    cudaError_t error = cudaFuncGetAttributes(&attributes, post);
    if (error == cudaSuccess) error = cudaFuncGetAttributes(&attributes, await);
    if (error == cudaSuccess) error = cudaFuncGetAttributes(&attributes, meet);
    return error;
}
