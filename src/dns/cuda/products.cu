// SPDX-License-Identifier: Apache-2.0
#include "dns/cuda/products.h"

#include "device/reduce.h"
#include "fft/cuda/rows_lengths.h"
#include "fft/cuda/rows_line.cuh"

#define DNS_REAL  double
#define DNS(name) dns_##name##_fp64
#include "dns/step/product_body.h"
#undef DNS_REAL
#undef DNS

#define DNS_REAL  float
#define DNS(name) dns_##name##_fp32
#include "dns/step/product_body.h"
#undef DNS_REAL
#undef DNS

namespace {

template <typename T> __device__ __forceinline__ T largest_of_warp(T most)
{
    for (int apart = 16; apart > 0; apart /= 2) {
        const T other = __shfl_down_sync(0xffffffff, most, apart);
        most = PV_REDUCE_MAX(most, other);
    }
    return most;
}
// Numbers that are not negative are in the order of their bits, a NaN behind all others.
template <> __device__ __forceinline__ float largest_of_warp<float>(float most)
{
    return __uint_as_float(__reduce_max_sync(0xffffffff, __float_as_uint(most)));
}

__device__ __forceinline__ void speed_of(const double *per_dx, const double *v, double *term)
{
    dns_speed_of_fp64(per_dx, v, term);
}
__device__ __forceinline__ void speed_of(const double *per_dx, const float *v, float *term)
{
    dns_speed_of_fp32(per_dx, v, term);
}
__device__ __forceinline__ void cross_of(double *v) { dns_cross_of_fp64(v); }
__device__ __forceinline__ void cross_of(float *v) { dns_cross_of_fp32(v); }
__device__ __forceinline__ void products_of(double *v) { dns_products_of_fp64(v); }
__device__ __forceinline__ void products_of(float *v) { dns_products_of_fp32(v); }
__device__ __forceinline__ void fluxes_of(double *v) { dns_fluxes_of_fp64(v); }
__device__ __forceinline__ void fluxes_of(float *v) { dns_fluxes_of_fp32(v); }

// The largest speeds: of a thread's points, then of a warp's, then, as bits once more, of a part.
template <typename T> struct Speeds {
    dns_product given;
    T most[2] = {};
    explicit Speeds(const dns_product &product) : given(product) {}
    __device__ __forceinline__ void take(const T *v)
    {
        T term[2];
        speed_of(given.per_dx, v, term);
        for (int i = 0; i < 2; i++) most[i] = PV_REDUCE_MAX(most[i], term[i]);
    }
    __device__ __forceinline__ void finish()
    {
        for (int i = 0; i < 2; i++) {
            const double largest = (double)largest_of_warp(most[i]);
            if (threadIdx.x % 32 == 0)
                atomicMax((unsigned long long *)given.parts + 2 * (blockIdx.x % PV_REDUCE_PARTS) + i,
                          (unsigned long long)__double_as_longlong(largest));
        }
    }
};

template <typename T> struct Cross : Speeds<T> {
    static constexpr int INPUTS = 6, FIRST = 3, OUTPUTS = 3;
    using Speeds<T>::Speeds;
    __device__ __forceinline__ void at(T v[6])
    {
        this->take(v);
        cross_of(v);
    }
};

template <typename T> struct Products : Speeds<T> {
    static constexpr int INPUTS = 3, FIRST = 0, OUTPUTS = 5;
    using Speeds<T>::Speeds;
    __device__ __forceinline__ void at(T v[6])
    {
        this->take(v);
        products_of(v);
    }
};

template <typename T> struct Fluxes : Speeds<T> {
    static constexpr int INPUTS = 4, FIRST = 3, OUTPUTS = 3;
    using Speeds<T>::Speeds;
    __device__ __forceinline__ void at(T v[6])
    {
        this->take(v);
        fluxes_of(v);
    }
};

template <typename T, int... SHAPE> int launch(const dns_rows_call *asked, cudaStream_t stream)
{
    RowsCall call = {{}, asked->pitch, asked->count, (int)asked->kept};
    for (int f = 0; f < 6; f++) call.fields[f] = asked->fields[f];
    switch (asked->made) {
    case DNS_MAKE_CROSS:
        return rows_product_launch<T, Cross<T>, SHAPE...>(&call, Cross<T>(asked->product), asked->roots, stream);
    case DNS_MAKE_PRODUCTS:
        return rows_product_launch<T, Products<T>, SHAPE...>(&call, Products<T>(asked->product), asked->roots, stream);
    default:
        return rows_product_launch<T, Fluxes<T>, SHAPE...>(&call, Fluxes<T>(asked->product), asked->roots, stream);
    }
}

}

extern "C" int pv_dns_products_on_cuda(const dns_rows_call *call, void *stream)
{
#define DNS_LAUNCH_FP64(length, ...) \
    if (call->n == length && call->fp64) return launch<double, length, __VA_ARGS__>(call, (cudaStream_t)stream);
#define DNS_LAUNCH_FP32(length, ...) \
    if (call->n == length && !call->fp64) return launch<float, length, __VA_ARGS__>(call, (cudaStream_t)stream);
    PV_ROWS_LENGTHS_FP64(DNS_LAUNCH_FP64)
    PV_ROWS_LENGTHS_FP32(DNS_LAUNCH_FP32)
    return -1;
}
