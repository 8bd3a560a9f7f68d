// SPDX-License-Identifier: Apache-2.0
// A few neighbouring reals that are loaded, stored and added to memory at once.
#pragma once
#include <cuda_runtime.h>

template <typename T, int N> struct Reals;

template <> struct Reals<float, 1> {
    float v[1];
    __device__ __forceinline__ void take(const float *from) { v[0] = __ldg(from); }
    __device__ __forceinline__ void put(float *to) const { *to = v[0]; }
    __device__ __forceinline__ void add_to(float *to) const
    {
        asm volatile("red.relaxed.gpu.global.add.f32 [%0], %1;" ::"l"(to), "f"(v[0]) : "memory");
    }
};

template <> struct Reals<float, 2> {
    float v[2];
    __device__ __forceinline__ void take(const float *from)
    {
        const float2 a = __ldg((const float2 *)from);
        v[0] = a.x, v[1] = a.y;
    }
    __device__ __forceinline__ void put(float *to) const { *(float2 *)to = make_float2(v[0], v[1]); }
    __device__ __forceinline__ void add_to(float *to) const
    {
        asm volatile("red.relaxed.gpu.global.add.v2.f32 [%0], {%1, %2};" ::"l"(to), "f"(v[0]), "f"(v[1]) : "memory");
    }
};

template <> struct Reals<float, 4> {
    float v[4];
    __device__ __forceinline__ void take(const float *from)
    {
        const float4 a = __ldg((const float4 *)from);
        v[0] = a.x, v[1] = a.y, v[2] = a.z, v[3] = a.w;
    }
    __device__ __forceinline__ void put(float *to) const { *(float4 *)to = make_float4(v[0], v[1], v[2], v[3]); }
    __device__ __forceinline__ void add_to(float *to) const
    {
        asm volatile("red.relaxed.gpu.global.add.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(to), "f"(v[0]), "f"(v[1]),
                     "f"(v[2]), "f"(v[3])
                     : "memory");
    }
};

template <> struct Reals<double, 1> {
    double v[1];
    __device__ __forceinline__ void take(const double *from) { v[0] = __ldg(from); }
    __device__ __forceinline__ void put(double *to) const { *to = v[0]; }
    __device__ __forceinline__ void add_to(double *to) const { atomicAdd(to, v[0]); }
};

template <> struct Reals<double, 2> {
    double v[2];
    __device__ __forceinline__ void take(const double *from)
    {
        const double2 a = __ldg((const double2 *)from);
        v[0] = a.x, v[1] = a.y;
    }
    __device__ __forceinline__ void put(double *to) const { *(double2 *)to = make_double2(v[0], v[1]); }
    __device__ __forceinline__ void add_to(double *to) const
    {
        atomicAdd(to, v[0]);
        atomicAdd(to + 1, v[1]);
    }
};
