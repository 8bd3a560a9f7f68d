// SPDX-License-Identifier: Apache-2.0
// A pointwise kernel is written once, as a function of its arguments and an index, in a header (vector_kernels.h
// shows one):
//
//     typedef struct scale_arguments { double factor; double *x; } scale_arguments;
//     PV_KERNEL_FUNCTION void scale_at(scale_arguments a, int64_t i) { a.x[i] *= a.factor; }
//     PV_KERNEL(scale, scale_arguments, scale_at)
//
// Exactly one .c file and one .cu file include that header. In C, PV_KERNEL makes an OpenMP SIMD loop and the const
// table `scale`, for pv_kernel_launch; in CUDA, a grid-stride kernel and its launcher. Indices run in any order and
// at once, so a kernel writes nothing that another index reads.
#ifndef PV_DEVICE_KERNEL_H
#define PV_DEVICE_KERNEL_H

#include <stdint.h>

#ifdef __CUDACC__

#define PV_KERNEL_FUNCTION static __device__ __forceinline__

#define PV_KERNEL_BLOCK 256
#define PV_KERNEL_MOST_BLOCKS 65536

// Returns a cudaError_t, so that this side needs none of Parseval's headers; `stream` is a cudaStream_t.
#define PV_KERNEL(kernel, arguments_type, at)                                                                     \
    static __global__ void kernel##_grid(int64_t count, arguments_type arguments)                                 \
    {                                                                                                             \
        const int64_t step = (int64_t)gridDim.x * blockDim.x;                                                     \
        for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) at(arguments, i);  \
    }                                                                                                             \
    extern "C" int pv_##kernel##_on_cuda(void *stream, int64_t count, const void *arguments)                      \
    {                                                                                                             \
        const int64_t needed = (count + PV_KERNEL_BLOCK - 1) / PV_KERNEL_BLOCK;                                   \
        const int64_t blocks = needed < PV_KERNEL_MOST_BLOCKS ? needed : PV_KERNEL_MOST_BLOCKS;                   \
        kernel##_grid<<<(unsigned)blocks, PV_KERNEL_BLOCK, 0, (cudaStream_t)stream>>>(                            \
            count, *(const arguments_type *)arguments);                                                           \
        return (int)cudaGetLastError();                                                                           \
    }

#else

#include <parseval/device.h>

typedef struct pv_kernel {
    const char *name;
    size_t argument_bytes;     // for devices that keep them until the kernel runs
    void (*on_cpu)(int threads, int64_t count, const void *arguments);
    int (*on_cuda)(void *stream, int64_t count, const void *arguments);    // NULL when CUDA is not built in
} pv_kernel;

// Runs the kernel for i in [0, count) in the order of `stream`. Its arguments are copied; what they point to lies on
// the stream's device.
pv_status pv_kernel_launch(pv_stream *stream, const pv_kernel *kernel, int64_t count, const void *arguments);

#define PV_KERNEL_FUNCTION static inline __attribute__((always_inline))

#if PV_HAVE_CUDA
#define PV_KERNEL_DECLARE_CUDA(kernel) extern int pv_##kernel##_on_cuda(void *, int64_t, const void *);
#define PV_KERNEL_ON_CUDA(kernel) pv_##kernel##_on_cuda
#else
#define PV_KERNEL_DECLARE_CUDA(kernel)
#define PV_KERNEL_ON_CUDA(kernel) 0
#endif

// Below this many indices, waking threads costs more than the work.
#define PV_KERNEL_SERIAL_BELOW 16384

// firstprivate: a thread's own copy stays in registers, since no store of the kernel can alias it.
#define PV_KERNEL(kernel, arguments_type, at)                                                                     \
    static void kernel##_on_cpu(int threads, int64_t count, const void *arguments)                                \
    {                                                                                                             \
        const int team = count < PV_KERNEL_SERIAL_BELOW ? 1 : threads;                                            \
        const arguments_type given = *(const arguments_type *)arguments;                                          \
        _Pragma("omp parallel for simd schedule(static) num_threads(team) firstprivate(given)")                   \
        for (int64_t i = 0; i < count; i++) at(given, i);                                                         \
    }                                                                                                             \
    PV_KERNEL_DECLARE_CUDA(kernel)                                                                                \
    static const pv_kernel kernel = {.name = #kernel,                                                             \
                                     .argument_bytes = sizeof(arguments_type),                                    \
                                     .on_cpu = kernel##_on_cpu,                                                   \
                                     .on_cuda = PV_KERNEL_ON_CUDA(kernel)};

#endif
#endif
