// SPDX-License-Identifier: Apache-2.0
#include "fft/cuda/planes_fixed.cuh"

namespace
{

#define SHAPE(...) fixed_planes::Shape<__VA_ARGS__>
#define ENTRY(is_double, nx, ny, nz, ...)                                                                              \
    {                                                                                                                  \
        {nx, ny, nz}, is_double, [] { return (int)fixed_planes::prepare<__VA_ARGS__>(); },                             \
            [](void *stream, const pv_cubes_planes *planes) {                                                          \
                return (int)fixed_planes::run<__VA_ARGS__>((cudaStream_t)stream, planes);                              \
            }                                                                                                          \
    }

} // namespace

// Shape; of a thread's points along z, of a block's threads, and of blocks on a multiprocessor, what was fastest on an
// H200.
extern "C" const pv_planes_fixed pv_planes_fixed_table[] = {
    ENTRY(0, 96, 96, 60, SHAPE(float, 96, 96, 60, 1, 256, 4, 4)),
    ENTRY(1, 96, 96, 60, SHAPE(double, 96, 96, 60, 1, 256, 2, 2)),
    ENTRY(1, 60, 60, 60, SHAPE(double, 60, 60, 60, 1, 192, 3, 3)),
    {},
};
