// SPDX-License-Identifier: Apache-2.0
#include "dns/cuda/products.h"

#include "device/reduce.h"
#include "fft/cuda/rows_line.cuh"

#define DNS_REAL  double
#define DNS(name) dns_##name##_fp64
#include "dns/product_body.h"
#undef DNS_REAL
#undef DNS

#define DNS_REAL  float
#define DNS(name) dns_##name##_fp32
#include "dns/product_body.h"
#undef DNS_REAL
#undef DNS

namespace {

// The largest speeds: of a thread's points, then of a warp's, then, as the bits of numbers that are not negative, of a
// part.
struct Speeds {
    dns_product given;
    double most[2];
    __device__ __forceinline__ void take(const double term[2])
    {
        for (int i = 0; i < 2; i++) most[i] = PV_REDUCE_MAX(most[i], term[i]);
    }
    __device__ __forceinline__ void finish()
    {
        for (int i = 0; i < 2; i++) {
            for (int apart = 16; apart > 0; apart /= 2) {
                const double other = __shfl_down_sync(0xffffffff, most[i], apart);
                most[i] = PV_REDUCE_MAX(most[i], other);
            }
            if (threadIdx.x % 32 == 0)
                atomicMax((unsigned long long *)given.parts + 2 * (blockIdx.x % PV_REDUCE_PARTS) + i,
                          (unsigned long long)__double_as_longlong(most[i]));
        }
    }
};

template <typename T> __device__ __forceinline__ void speed_of(const double per_dx[3], const T *v, double term[2]);
template <> __device__ __forceinline__ void speed_of<double>(const double per_dx[3], const double *v, double term[2])
{
    dns_speed_of_fp64(per_dx, v, term);
}
template <> __device__ __forceinline__ void speed_of<float>(const double per_dx[3], const float *v, double term[2])
{
    dns_speed_of_fp32(per_dx, v, term);
}
__device__ __forceinline__ void cross_of(double *v) { dns_cross_of_fp64(v); }
__device__ __forceinline__ void cross_of(float *v) { dns_cross_of_fp32(v); }
__device__ __forceinline__ void products_of(double *v) { dns_products_of_fp64(v); }
__device__ __forceinline__ void products_of(float *v) { dns_products_of_fp32(v); }

template <typename T> struct Cross : Speeds {
    static constexpr int INPUTS = 6, FIRST = 3, OUTPUTS = 3;
    __device__ __forceinline__ void at(T v[6])
    {
        double term[2];
        speed_of<T>(given.per_dx, v, term);
        take(term);
        cross_of(v);
    }
};

template <typename T> struct Products : Speeds {
    static constexpr int INPUTS = 3, FIRST = 0, OUTPUTS = 5;
    __device__ __forceinline__ void at(T v[6])
    {
        double term[2];
        speed_of<T>(given.per_dx, v, term);
        take(term);
        products_of(v);
    }
};

template <typename T, int N, int E, int ROWS, int BLOCKS, int... R>
int launch(const dns_rows_call *asked, cudaStream_t stream)
{
    RowsCall call = {{}, asked->pitch, asked->count, (int)asked->kept};
    for (int f = 0; f < 6; f++) call.fields[f] = asked->fields[f];
    if (asked->is_cross) {
        Cross<T> cross;
        cross.given = asked->product;
        cross.most[0] = cross.most[1] = 0.0;
        return rows_product_launch<T, Cross<T>, N, E, ROWS, BLOCKS, R...>(&call, cross, asked->roots, stream);
    }
    Products<T> products;
    products.given = asked->product;
    products.most[0] = products.most[1] = 0.0;
    return rows_product_launch<T, Products<T>, N, E, ROWS, BLOCKS, R...>(&call, products, asked->roots, stream);
}

}

// Length, points a thread, rows a block, blocks a multiprocessor at least, radices: the first is the last too.
#define DNS_ROWS_FP64(X)              \
    X(64, 8, 16, 3, 8, 8)             \
    X(128, 8, 8, 3, 4, 8, 4)          \
    X(256, 8, 4, 3, 8, 4, 8)          \
    X(512, 8, 2, 3, 8, 8, 8)          \
    X(768, 12, 2, 2, 4, 4, 12, 4)     \
    X(1024, 8, 1, 3, 8, 2, 8, 8)      \
    X(1536, 12, 1, 2, 4, 4, 6, 4, 4)
#define DNS_ROWS_FP32(X)              \
    X(64, 8, 16, 4, 8, 8)             \
    X(128, 8, 8, 4, 4, 8, 4)          \
    X(256, 8, 4, 4, 8, 4, 8)          \
    X(512, 8, 2, 4, 8, 8, 8)          \
    X(768, 12, 2, 3, 4, 4, 12, 4)     \
    X(1024, 16, 2, 3, 16, 4, 16)      \
    X(1536, 12, 1, 3, 4, 4, 6, 4, 4)

extern "C" int pv_dns_products_on_cuda(const dns_rows_call *call, void *stream)
{
#define DNS_LAUNCH_FP64(length, ...) \
    if (call->n == length && call->fp64) return launch<double, length, __VA_ARGS__>(call, (cudaStream_t)stream);
#define DNS_LAUNCH_FP32(length, ...) \
    if (call->n == length && !call->fp64) return launch<float, length, __VA_ARGS__>(call, (cudaStream_t)stream);
    DNS_ROWS_FP64(DNS_LAUNCH_FP64)
    DNS_ROWS_FP32(DNS_LAUNCH_FP32)
    return -1;
}
