// SPDX-License-Identifier: Apache-2.0
#include "fft/cuda/cubes.cuh"

// Shape, blocks a box, of them on a multiprocessor, and Shape's TWICE: by measurement on an H200.
extern const pv_cubes_kernel pv_cubes_kernels_small[] = {
    PV_CUBES_KERNEL(32, 32, 32, 2, 1, true),
    PV_CUBES_KERNEL(36, 36, 36, 9, 4, true),
    PV_CUBES_KERNEL(40, 40, 40, 8, 2, false),
    PV_CUBES_KERNEL(42, 42, 42, 14, 4, false),
    PV_CUBES_KERNEL(45, 45, 45, 15, 3, false),
    {},
};
