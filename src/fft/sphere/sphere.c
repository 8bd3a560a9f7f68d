// SPDX-License-Identifier: Apache-2.0
#include "fft/sphere/sphere.h"

#include "base/check.h"
#include "base/mem.h"
#include "fft/sphere/ops.h"

pv_status pv_sphere_create_as(const pv_sphere_ops *ops, pv_comm *comm, const int64_t shape[3], int64_t count,
                              const int32_t (*points)[3], const int *twice_k, pv_precision precision,
                              const char *engine, pv_rigor rigor, pv_sphere **sphere_p)
{
    pv_sphere *sphere;
    PV_TRY(PV_ALLOC(1, &sphere));
    sphere->ops = ops;
    sphere->device = pv_comm_device(comm);
    sphere->lines = (pv_line_set){.comm = comm, .engine = engine, .rigor = rigor, .precision = precision};
    sphere->threads = pv_device_threads(sphere->device);
    pv_status status =
        pv_comm_agree(comm, pv_sphere_shape_list(shape, count, points, twice_k, &sphere->shape, &sphere->fold));
    sphere->shape.precision = precision;
    if (status == PV_OK) status = ops->create(sphere, twice_k);
    if (status != PV_OK) {
        pv_sphere_destroy(sphere);
        return status;
    }
    *sphere_p = sphere;
    return PV_OK;
}

pv_status pv_sphere_create(pv_comm *comm, const int64_t shape[3], int64_t count, const int32_t (*points)[3],
                           const int *twice_k, pv_precision precision, const char *engine, pv_rigor rigor,
                           pv_sphere **sphere_p)
{
    const pv_sphere_ops *ops = pv_device_is_host(pv_comm_device(comm)) ? &pv_sphere_slices : &pv_sphere_grids;
    return pv_sphere_create_as(ops, comm, shape, count, points, twice_k, precision, engine, rigor, sphere_p);
}

void pv_sphere_destroy(pv_sphere *sphere)
{
    if (!sphere) return;
    sphere->ops->destroy(sphere);
    for (int d = 0; d < 3; d++) pv_mem_free(sphere->shape.phase[d]);
    pv_sphere_shape_free(&sphere->shape);
    pv_sphere_fold_free(&sphere->fold);
    pv_mem_free(sphere);
}

int64_t pv_sphere_count(const pv_sphere *sphere)
{
    return sphere->fold.count;
}

int pv_sphere_is_half(const pv_sphere *sphere)
{
    return sphere->fold.half;
}

int64_t pv_sphere_reals_count(const pv_sphere *sphere)
{
    return sphere->ops->reals_count(sphere);
}

pv_status pv_sphere_pack(const pv_sphere *sphere, const double *grid, double *packed)
{
    return sphere->ops->pack(sphere, grid, packed);
}

pv_status pv_sphere_unpack(const pv_sphere *sphere, const double *packed, double *grid)
{
    return sphere->ops->unpack(sphere, packed, grid);
}

pv_status pv_sphere_to_grid(const pv_sphere *sphere, int64_t fields, const double _Complex *coefficients,
                            int64_t stride, double _Complex *grids)
{
    PV_ASSERT(!sphere->team);
    return sphere->ops->to_grid(sphere, fields, coefficients, stride, grids);
}

pv_status pv_sphere_from_grid(const pv_sphere *sphere, int64_t fields, const double _Complex *grids,
                              double _Complex *coefficients, int64_t stride)
{
    PV_ASSERT(!sphere->team);
    return sphere->ops->from_grid(sphere, fields, grids, coefficients, stride);
}

pv_status pv_sphere_multiply(const pv_sphere *sphere, int64_t fields, const double *packed, const double _Complex *in,
                             int64_t in_stride, double _Complex *out, int64_t out_stride)
{
    PV_ASSERT(sphere->shape.precision == PV_FP64);
    return sphere->ops->multiply(sphere, fields, packed, in, in_stride, out, out_stride);
}

pv_status pv_sphere_add_squares(const pv_sphere *sphere, int64_t fields, const double *weights,
                                const double _Complex *coefficients, int64_t stride, double *packed)
{
    PV_ASSERT(sphere->shape.precision == PV_FP64);
    return sphere->ops->add_squares(sphere, fields, weights, coefficients, stride, packed);
}

pv_status pv_sphere_to_reals(const pv_sphere *sphere, int64_t fields, const double _Complex *coefficients,
                             int64_t stride, double *packed)
{
    PV_ASSERT(!sphere->team && sphere->fold.half && sphere->shape.precision == PV_FP64);
    return sphere->ops->to_reals(sphere, fields, coefficients, stride, packed);
}

pv_status pv_sphere_from_reals(const pv_sphere *sphere, int64_t fields, const double *packed,
                               double _Complex *coefficients, int64_t stride)
{
    PV_ASSERT(!sphere->team && sphere->fold.half && sphere->shape.precision == PV_FP64);
    return sphere->ops->from_reals(sphere, fields, packed, coefficients, stride);
}
