// SPDX-License-Identifier: Apache-2.0
#include "fft/cubes/shapes.h"

#include "fft/cubes/cubes.h"

static int is_shape(const int64_t shape[3], int64_t n0, int64_t n1, int64_t n2)
{
    return shape[0] == n0 && shape[1] == n1 && shape[2] == n2;
}

pv_cubes_kind pv_cubes_kind_of(const int64_t shape[3], pv_precision precision)
{
    const size_t real_bytes = precision == PV_FP32 ? sizeof(float) : sizeof(double);
#define CLUSTER(n0, n1, n2, ...) \
    if (precision == PV_FP32 && is_shape(shape, n0, n1, n2)) return PV_CUBES_IN_CLUSTERS;
#define PLANES(real, n0, n1, n2, ...) \
    if (real_bytes == sizeof(real) && is_shape(shape, n0, n1, n2)) return PV_CUBES_BY_OWN_PLANES;
    PV_CUBES_CLUSTERS(CLUSTER)
    PV_CUBES_FIXED_PLANES(PLANES)
    return PV_CUBES_BY_ANY;
}
