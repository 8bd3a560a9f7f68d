// SPDX-License-Identifier: Apache-2.0
#include "fft/cubes/shapes.h"
#include "fft/cuda/planes_fixed.cuh"

namespace
{

template <class S> int prepare()
{
    return (int)fixed_planes::prepare<S>();
}

template <class S> int run(void *stream, const pv_cubes_planes *planes)
{
    return (int)fixed_planes::run<S>((cudaStream_t)stream, planes);
}

#define SHAPE(...) fixed_planes::Shape<__VA_ARGS__>
#define ENTRY(real, nx, ny, nz, ...)                                                                                   \
    {{nx, ny, nz}, sizeof(real) == 8, prepare<SHAPE(real, nx, ny, nz, __VA_ARGS__)>,                                   \
     run<SHAPE(real, nx, ny, nz, __VA_ARGS__)>},

} // namespace

extern "C" const pv_planes_fixed pv_planes_fixed_table[] = {PV_CUBES_FIXED_PLANES(ENTRY){}};
