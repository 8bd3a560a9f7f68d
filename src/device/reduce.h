// SPDX-License-Identifier: Apache-2.0
// Sums and maxima over an index, written once as kernels are (device/kernel.h):
//
//     typedef struct square_arguments { double *parts; const double *x; } square_arguments;
//     PV_KERNEL_FUNCTION void square_at(square_arguments a, int64_t i, double term[1]) { term[0] = a.x[i] * a.x[i]; }
//     PV_REDUCTION(square_sum, square_arguments, 1, PV_REDUCE_ADD, square_at)
//
// The arguments begin with `parts`, device memory of PV_REDUCE_PARTS * VALUES doubles. Which terms make a part, and the
// order inside it, depend on the count alone, so the same terms give the same bits every time on a device.
#ifndef PV_DEVICE_REDUCE_H
#define PV_DEVICE_REDUCE_H

#include "device/kernel.h"

#define PV_REDUCE_PARTS 1024
#define PV_REDUCE_ADD(a, b) ((a) + (b))
#define PV_REDUCE_MAX(a, b) ((a) > (b) || (a) != (a) ? (a) : (b)) // a NaN stays

#ifdef __CUDACC__

// A block a part: every thread strides over the terms, then the block folds in a tree.
#define PV_REDUCTION(kernel, arguments_type, VALUES, COMBINE, at)                                                 \
    static __global__ void kernel##_grid(int64_t count, arguments_type arguments)                                 \
    {                                                                                                             \
        __shared__ double shared[VALUES][PV_KERNEL_BLOCK];                                                        \
        const int64_t step = (int64_t)gridDim.x * blockDim.x;                                                     \
        double sum[VALUES] = {0.0}, term[VALUES];                                                                 \
        for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) {                  \
            at(arguments, i, term);                                                                               \
            for (int v = 0; v < VALUES; v++) sum[v] = COMBINE(sum[v], term[v]);                                   \
        }                                                                                                         \
        for (int v = 0; v < VALUES; v++) shared[v][threadIdx.x] = sum[v];                                         \
        for (unsigned half = PV_KERNEL_BLOCK / 2; half > 0; half /= 2) {                                          \
            __syncthreads();                                                                                      \
            if (threadIdx.x < half)                                                                               \
                for (int v = 0; v < VALUES; v++)                                                                  \
                    shared[v][threadIdx.x] = COMBINE(shared[v][threadIdx.x], shared[v][threadIdx.x + half]);      \
        }                                                                                                         \
        if (threadIdx.x == 0)                                                                                     \
            for (int v = 0; v < VALUES; v++) arguments.parts[(int64_t)blockIdx.x * VALUES + v] = shared[v][0];    \
    }                                                                                                             \
    extern "C" int pv_##kernel##_on_cuda(void *stream, int64_t count, const void *arguments)                      \
    {                                                                                                             \
        kernel##_grid<<<PV_REDUCE_PARTS, PV_KERNEL_BLOCK, 0, (cudaStream_t)stream>>>(                             \
            count, *(const arguments_type *)arguments);                                                           \
        return (int)cudaGetLastError();                                                                           \
    }

#else

typedef struct pv_reduction {
    pv_kernel kernel;
    int values, is_max;
} pv_reduction;

// Folds the terms of i in [0, count), 0 among them, into result[values], and waits for it. `arguments` as the kernel
// wants them; what its `parts` points to has room for PV_REDUCE_PARTS * values doubles on the stream's device.
pv_status pv_reduction_run(pv_stream *stream, const pv_reduction *reduction, int64_t count, const void *arguments,
                    pv_buffer *parts, double *result);

// Lanes side by side, so that the compiler may use vectors without changing the order of any sum.
#define PV_REDUCE_LANES 8

#define PV_REDUCTION(name_, arguments_type, VALUES, COMBINE, at)                                                  \
    static void name_##_part(arguments_type given, int64_t lower, int64_t upper, double *part)                    \
    {                                                                                                             \
        double lane[VALUES][PV_REDUCE_LANES] = {{0.0}}, term[VALUES];                                             \
        int64_t i = lower;                                                                                        \
        for (; i + PV_REDUCE_LANES <= upper; i += PV_REDUCE_LANES) {                                              \
            _Pragma("omp simd private(term)")                                                                     \
            for (int l = 0; l < PV_REDUCE_LANES; l++) {                                                           \
                at(given, i + l, term);                                                                           \
                for (int v = 0; v < VALUES; v++) lane[v][l] = COMBINE(lane[v][l], term[v]);                       \
            }                                                                                                     \
        }                                                                                                         \
        for (; i < upper; i++) {                                                                                  \
            at(given, i, term);                                                                                   \
            for (int v = 0; v < VALUES; v++) lane[v][0] = COMBINE(lane[v][0], term[v]);                           \
        }                                                                                                         \
        for (int v = 0; v < VALUES; v++) {                                                                        \
            part[v] = lane[v][0];                                                                                 \
            for (int l = 1; l < PV_REDUCE_LANES; l++) part[v] = COMBINE(part[v], lane[v][l]);                     \
        }                                                                                                         \
    }                                                                                                             \
    static void name_##_on_cpu(int threads, int64_t count, const void *arguments)                                 \
    {                                                                                                             \
        const arguments_type given = *(const arguments_type *)arguments;                                          \
        const int64_t chunk = (count + PV_REDUCE_PARTS - 1) / PV_REDUCE_PARTS;                                    \
        const int team = count < PV_KERNEL_SERIAL_BELOW ? 1 : threads;                                            \
        _Pragma("omp parallel for schedule(static) num_threads(team)")                                            \
        for (int p = 0; p < PV_REDUCE_PARTS; p++) {                                                               \
            const int64_t lower = p * chunk < count ? p * chunk : count;                                          \
            const int64_t upper = lower + chunk < count ? lower + chunk : count;                                  \
            name_##_part(given, lower, upper, given.parts + (int64_t)p * VALUES);                                 \
        }                                                                                                         \
    }                                                                                                             \
    PV_KERNEL_DECLARE_CUDA(name_)                                                                                 \
    static const pv_reduction name_ = {                                                                           \
        .kernel = {.name = #name_,                                                                                \
                   .argument_bytes = sizeof(arguments_type),                                                      \
                   .on_cpu = name_##_on_cpu,                                                                      \
                   .on_cuda = PV_KERNEL_ON_CUDA(name_)},                                                          \
        .values = VALUES,                                                                                         \
        .is_max = COMBINE(2, 2) == 2};

#endif
#endif
