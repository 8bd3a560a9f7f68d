// SPDX-License-Identifier: Apache-2.0
#include "fft/cuda/cubes.cuh"

// Shape, blocks a box, of them on a multiprocessor, and Shape's TWICE: by measurement on an H200.
extern const pv_cubes_kernel pv_cubes_kernels_large[] = {
    PV_CUBES_KERNEL(60, 60, 60, 15, 1, false),
    PV_CUBES_KERNEL(60, 60, 64, 15, 1, false),
    PV_CUBES_KERNEL(63, 63, 63, 16, 1, false),
    PV_CUBES_KERNEL(64, 64, 64, 16, 1, false),
    PV_CUBES_KERNEL(70, 70, 70, 14, 1, false),
    PV_CUBES_KERNEL(72, 72, 72, 15, 1, false),
    {},
};
