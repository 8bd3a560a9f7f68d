// SPDX-License-Identifier: Apache-2.0
// The only list of runners.
#include "fft/program/runner.h"

const pv_runner *pv_runner_of(const pv_device *device)
{
#if PV_HAVE_CUDA
    if (!pv_device_is_host(device)) return &pv_runner_cuda;
#endif
    (void)device;
    return &pv_runner_cpu;
}
