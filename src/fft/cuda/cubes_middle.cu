// SPDX-License-Identifier: Apache-2.0
#include "fft/cuda/cubes.cuh"

// Shape, blocks a box, of them on a multiprocessor, and Shape's TWICE: by measurement on an H200.
extern const pv_cubes_kernel pv_cubes_kernels_middle[] = {
    PV_CUBES_KERNEL(45, 48, 48, 15, 3, false),
    PV_CUBES_KERNEL(48, 48, 48, 16, 3, false),
    PV_CUBES_KERNEL(48, 48, 50, 16, 3, false),
    PV_CUBES_KERNEL(50, 50, 50, 8, 1, true),
    PV_CUBES_KERNEL(54, 54, 54, 8, 1, true),
    PV_CUBES_KERNEL(54, 54, 56, 8, 1, true),
    PV_CUBES_KERNEL(56, 56, 56, 8, 1, true),
    {},
};
