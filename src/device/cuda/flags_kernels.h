// SPDX-License-Identifier: Apache-2.0
// The kernels that post and await counters, for both compilers.
#ifndef PV_DEVICE_CUDA_FLAGS_KERNELS_H
#define PV_DEVICE_CUDA_FLAGS_KERNELS_H

#include <cuda_runtime_api.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// What a late wait leaves behind, in memory of the host: there is something while `written`, which kernels count, is
// ahead of `told`, which the host counts. Atomics do not reach over the bus: see pv_flag_fail.
typedef struct pv_flag_failure {
    uint32_t told, written;
    int entry, number;
    double limit_s;
    uint64_t expected, found;
} pv_flag_failure;

// The fields of pv_flag_set, and those of a call.
typedef struct pv_flag_arguments {
    uint64_t *const *flags;
    uint64_t *last;
    int first, count, skip, number;
    uint64_t value;
    const uint64_t *base;
    double limit_s;
    pv_flag_failure *failure;
    uint32_t *claimed;            // memory of the device: failures that a thread has taken upon itself to write
} pv_flag_arguments;

cudaError_t pv_flags_launch_post(cudaStream_t stream, pv_flag_arguments arguments);
cudaError_t pv_flags_launch_wait(cudaStream_t stream, pv_flag_arguments arguments);
cudaError_t pv_flags_launch_meet(cudaStream_t stream, pv_flag_arguments posted, pv_flag_arguments awaited);
// Loads them, so that the first launch does not have to wait for work that waits.
cudaError_t pv_flags_load(void);

#ifdef __cplusplus
}
#endif
#endif
