// SPDX-License-Identifier: Apache-2.0
// Kernels over the columns and rows of a block, written once as those over an index are (device/kernel.h), and sums
// over the rows of each column:
//
//     typedef struct scale_arguments { int64_t rows; const double *factor; double *x; } scale_arguments;
//     PV_KERNEL_FUNCTION void scale_at(scale_arguments a, int64_t j, int64_t i) { a.x[j * a.rows + i] *= a.factor[j]; }
//     PV_COLUMNS(scale_columns, scale_arguments, scale_at)
//
//     typedef struct square_arguments { double *sums; int64_t rows; const double *x; } square_arguments;
//     PV_KERNEL_FUNCTION double square_at(square_arguments a, int64_t j, int64_t i)
//     {
//         return a.x[j * a.rows + i] * a.x[j * a.rows + i];
//     }
//     PV_COLUMN_SUMS(square_sums, square_arguments, square_at)
//
// The arguments have `rows`, and `sums`, one for each column, in memory of the device. pv_kernel_launch runs them, its
// count being that of the columns. The order of a sum depends on `rows` alone.
#ifndef PV_DEVICE_COLUMNS_H
#define PV_DEVICE_COLUMNS_H

#include "device/kernel.h"

#ifdef __CUDACC__

#define PV_COLUMN_BLOCK 512
#define PV_COLUMN_MOST 65535 // of a grid's second axis

#define PV_COLUMNS(kernel, arguments_type, at)                                                                    \
    static __global__ void kernel##_grid(int64_t count, arguments_type arguments)                                 \
    {                                                                                                             \
        const int64_t step = (int64_t)gridDim.x * blockDim.x;                                                     \
        for (int64_t j = blockIdx.y; j < count; j += gridDim.y)                                                   \
            for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < arguments.rows; i += step)       \
                at(arguments, j, i);                                                                              \
    }                                                                                                             \
    extern "C" int pv_##kernel##_on_cuda(void *stream, int64_t count, const void *arguments)                      \
    {                                                                                                             \
        const arguments_type given = *(const arguments_type *)arguments;                                          \
        const int64_t blocks = (given.rows + PV_KERNEL_BLOCK - 1) / PV_KERNEL_BLOCK;                              \
        if (blocks == 0) return 0;                                                                                \
        const dim3 grid((unsigned)(blocks < PV_KERNEL_MOST_BLOCKS ? blocks : PV_KERNEL_MOST_BLOCKS),              \
                        (unsigned)(count < PV_COLUMN_MOST ? count : PV_COLUMN_MOST));                             \
        kernel##_grid<<<grid, PV_KERNEL_BLOCK, 0, (cudaStream_t)stream>>>(count, given);                          \
        return (int)cudaGetLastError();                                                                           \
    }

// A block a column.
#define PV_COLUMN_SUMS(kernel, arguments_type, at)                                                                \
    static __global__ void kernel##_grid(int64_t count, arguments_type arguments)                                 \
    {                                                                                                             \
        __shared__ double shared[PV_COLUMN_BLOCK];                                                                \
        for (int64_t j = blockIdx.x; j < count; j += gridDim.x) {                                                 \
            double sum = 0.0;                                                                                     \
            for (int64_t i = threadIdx.x; i < arguments.rows; i += PV_COLUMN_BLOCK) sum += at(arguments, j, i);   \
            shared[threadIdx.x] = sum;                                                                            \
            for (unsigned half = PV_COLUMN_BLOCK / 2; half > 0; half /= 2) {                                      \
                __syncthreads();                                                                                  \
                if (threadIdx.x < half) shared[threadIdx.x] += shared[threadIdx.x + half];                        \
            }                                                                                                     \
            if (threadIdx.x == 0) arguments.sums[j] = shared[0];                                                  \
            __syncthreads();                                                                                      \
        }                                                                                                         \
    }                                                                                                             \
    extern "C" int pv_##kernel##_on_cuda(void *stream, int64_t count, const void *arguments)                      \
    {                                                                                                             \
        const int64_t blocks = count < PV_KERNEL_MOST_BLOCKS ? count : PV_KERNEL_MOST_BLOCKS;                     \
        kernel##_grid<<<(unsigned)blocks, PV_COLUMN_BLOCK, 0, (cudaStream_t)stream>>>(                            \
            count, *(const arguments_type *)arguments);                                                           \
        return (int)cudaGetLastError();                                                                           \
    }

#else

// Few long columns are shared out by rows.
#define PV_COLUMNS(kernel, arguments_type, at)                                                                    \
    static void kernel##_on_cpu(int threads, int64_t count, const void *arguments)                                \
    {                                                                                                             \
        const arguments_type given = *(const arguments_type *)arguments;                                          \
        const int team = count * given.rows < PV_KERNEL_SERIAL_BELOW ? 1 : threads;                               \
        _Pragma("omp parallel num_threads(team) firstprivate(given)")                                             \
        for (int64_t j = 0; j < count; j++) {                                                                     \
            _Pragma("omp for simd schedule(static) nowait")                                                       \
            for (int64_t i = 0; i < given.rows; i++) at(given, j, i);                                             \
        }                                                                                                         \
    }                                                                                                             \
    PV_KERNEL_DECLARE_CUDA(kernel)                                                                                \
    static const pv_kernel kernel = {.name = #kernel,                                                             \
                                     .argument_bytes = sizeof(arguments_type),                                    \
                                     .on_cpu = kernel##_on_cpu,                                                   \
                                     .on_cuda = PV_KERNEL_ON_CUDA(kernel)};

#define PV_COLUMN_SUMS(kernel, arguments_type, at)                                                                \
    static void kernel##_on_cpu(int threads, int64_t count, const void *arguments)                                \
    {                                                                                                             \
        const arguments_type given = *(const arguments_type *)arguments;                                          \
        const int team = count * given.rows < PV_KERNEL_SERIAL_BELOW ? 1 : threads;                               \
        _Pragma("omp parallel for schedule(static) num_threads(team)")                                            \
        for (int64_t j = 0; j < count; j++) {                                                                     \
            double sum = 0.0;                                                                                     \
            _Pragma("omp simd reduction(+ : sum)")                                                                \
            for (int64_t i = 0; i < given.rows; i++) sum += at(given, j, i);                                      \
            given.sums[j] = sum;                                                                                  \
        }                                                                                                         \
    }                                                                                                             \
    PV_KERNEL_DECLARE_CUDA(kernel)                                                                                \
    static const pv_kernel kernel = {.name = #kernel,                                                             \
                                     .argument_bytes = sizeof(arguments_type),                                    \
                                     .on_cpu = kernel##_on_cpu,                                                   \
                                     .on_cuda = PV_KERNEL_ON_CUDA(kernel)};

#endif
#endif
