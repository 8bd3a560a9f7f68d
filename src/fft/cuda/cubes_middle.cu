// SPDX-License-Identifier: Apache-2.0
#include "fft/cubes/shapes.h"
#include "fft/cuda/cubes.cuh"

#define ENTRY(...) PV_CUBES_KERNEL(__VA_ARGS__),
extern const pv_cubes_kernel pv_cubes_kernels_middle[] = {PV_CUBES_MIDDLE_CLUSTERS(ENTRY){}};
