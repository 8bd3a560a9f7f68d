// SPDX-License-Identifier: Apache-2.0
// Boxes in clusters of blocks: finds the kernel of a shape and starts as many clusters as the GPU holds.
#include <stdio.h>
#include <string.h>

#include <parseval/device_cuda.h>

#include "base/check.h"
#include "fft/cubes/ops.h"
#include "fft/cubes/shapes.h"
#include "fft/cuda/cubes_device.h"
#include "fft/cuda/fft_check.h"

static const pv_cubes_kernel *kernel_of(const int64_t shape[3])
{
    const pv_cubes_kernel *const tables[] = {pv_cubes_kernels_small, pv_cubes_kernels_middle, pv_cubes_kernels_large};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (const pv_cubes_kernel *kernel = tables[i]; kernel->blocks > 0; kernel++)
            if (memcmp(shape, kernel->shape, sizeof kernel->shape) == 0) return kernel;
    return NULL;
}

#define NAMED(n0, n1, n2, ...) " " #n0 "x" #n1 "x" #n2

static void supports(const pv_device *device, const int64_t shape[3], pv_precision precision, const char **why_p)
{
    int major = 0;
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, pv_device_cuda_gpu(device));
    *why_p = NULL;
    if (precision != PV_FP32)
        *why_p = "FP32";
    else if (!kernel_of(shape))
        *why_p = "a shape that has a kernel:" PV_CUBES_CLUSTERS(NAMED);
    else if (major < 9)
        *why_p = "a GPU of compute capability 9.0 or later";
}

static void configure(const pv_cubes_kernel *kernel, unsigned clusters, cudaStream_t stream,
                      cudaLaunchAttribute *attribute, cudaLaunchConfig_t *config)
{
    memset(attribute, 0, sizeof *attribute);
    attribute->id = cudaLaunchAttributeClusterDimension;
    attribute->val.clusterDim.x = (unsigned)kernel->blocks;
    attribute->val.clusterDim.y = attribute->val.clusterDim.z = 1;
    memset(config, 0, sizeof *config);
    config->gridDim.x = clusters * (unsigned)kernel->blocks;
    config->blockDim.x = (unsigned)kernel->threads;
    config->gridDim.y = config->gridDim.z = config->blockDim.y = config->blockDim.z = 1;
    config->dynamicSmemBytes = (size_t)kernel->bytes;
    config->stream = stream;
    config->attrs = attribute;
    config->numAttrs = 1;
}

static pv_status use(const pv_device *device)
{
    PV_FFT_CUDA(cudaSetDevice(pv_device_cuda_gpu(device)), "choosing the GPU of a convolution");
    return PV_OK;
}

// Clusters alone on their multiprocessors keep in step and all want the same at once, unless they begin apart. That
// costs a round in the end, so it takes many to be worth it. The GPU does about 44 points of boxes a cycle.
static int64_t stagger_of(const pv_cubes *cubes, const pv_cubes_kernel *kernel, int64_t boxes)
{
    enum { ROUNDS = 16, POINTS_A_CYCLE = 44 };
    return kernel->resident == 1 && boxes >= ROUNDS * cubes->batch ? cubes->points / POINTS_A_CYCLE : 0;
}

// The clusters that fit the GPU at once are kept in batch, which this method does not need.
static pv_status create(pv_cubes *cubes)
{
    const pv_cubes_kernel *kernel = kernel_of(cubes->shape);
    cudaLaunchAttribute attribute;
    cudaLaunchConfig_t config;
    int clusters = 0;
    PV_TRY(use(cubes->device));
    PV_FFT_CUDA(cudaFuncSetAttribute(kernel->kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kernel->bytes),
                "asking for shared memory of a cluster");
    PV_FFT_CUDA(cudaFuncSetAttribute(kernel->kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
                "asking for a large cluster");
    configure(kernel, 1, NULL, &attribute, &config);
    PV_FFT_CUDA(cudaOccupancyMaxActiveClusters(&clusters, kernel->kernel, &config),
                "counting the clusters of this GPU");
    PV_REQUIRE(clusters > 0, PV_ERR_DEVICE,
               "a cluster of %d blocks with %d bytes of shared memory each does not fit device %s", kernel->blocks,
               kernel->bytes, pv_device_name(cubes->device));
    cubes->batch = clusters;
    cubes->state = (void *)kernel;
    snprintf(cubes->text, sizeof cubes->text, "cluster of %d blocks of %d threads, %d at once", kernel->blocks,
             kernel->threads, clusters);
    return PV_OK;
}

static void destroy(pv_cubes *cubes)
{
    (void)cubes;
}

static pv_status run(pv_cubes *cubes, pv_stream *stream, pv_cubes_ends *ends)
{
    const pv_cubes_kernel *kernel = cubes->state;
    cudaLaunchAttribute attribute;
    cudaLaunchConfig_t config;
    void *arguments[] = {ends};
    ends->stagger = stagger_of(cubes, kernel, ends->items);
    PV_TRY(use(cubes->device));
    configure(kernel, (unsigned)(ends->items < cubes->batch ? ends->items : cubes->batch), pv_stream_cuda(stream),
              &attribute, &config);
    PV_FFT_CUDA(cudaLaunchKernelExC(&config, kernel->kernel, arguments), "starting convolutions in clusters");
    return PV_OK;
}

static pv_status convolve(pv_cubes *cubes, pv_stream *stream, const void *factor, int64_t count, const void *in,
                          void *out)
{
    pv_cubes_ends ends = {.kind = PV_CUBES_PLAIN, .items = count, .in = in, .out = out, .factor = factor};
    return run(cubes, stream, &ends);
}

static pv_status run_pairs(pv_cubes *cubes, pv_stream *stream, const void *factor, const pv_cubes_pairs *pairs)
{
    pv_cubes_ends ends = {.kind = pairs->is_real ? PV_CUBES_REAL_PAIRS : PV_CUBES_COMPLEX_PAIRS,
                          .items = pairs->count,
                          .list = pairs->list,
                          .phase = {pairs->phase[0], pairs->phase[1], pairs->phase[2]},
                          .factor = factor};
    return run(cubes, stream, &ends);
}

const pv_cubes_ops pv_cubes_cluster = {
    .name = "cluster",
    .on_gpu = 1,
    .supports = supports,
    .create = create,
    .destroy = destroy,
    .convolve = convolve,
    .run_pairs = run_pairs,
};
