// SPDX-License-Identifier: Apache-2.0
// What a form of sphere transforms fills in, and the object it works on.
#ifndef PV_FFT_SPHERE_OPS_H
#define PV_FFT_SPHERE_OPS_H

#include "fft/lines/lines.h"
#include "fft/sphere/sphere.h"
#include "fft/sphere/fold.h"
#include "fft/sphere/pass.h"

typedef struct pv_sphere_ops pv_sphere_ops;

struct pv_sphere {
    const pv_sphere_ops *ops;
    pv_device *device;
    pv_sphere_shape shape;
    pv_sphere_fold fold;
    pv_line_set lines; // comm, engine, rigor and precision in all forms
    int threads;
    pv_sphere_work *works;           // [threads], of slices
    struct pv_sphere_tables *tables; // of grids
    struct pv_sphere_team *team;     // of ranks that share fields; its coefficients are then this rank's
};

// As the calls of sphere.h, which say what is what.
struct pv_sphere_ops {
    // After shape and fold are listed. Collective.
    pv_status (*create)(pv_sphere *sphere, const int *twice_k);
    void (*destroy)(pv_sphere *sphere);
    int64_t (*reals_count)(const pv_sphere *sphere);
    pv_status (*pack)(const pv_sphere *sphere, const double *grid, double *packed);
    pv_status (*unpack)(const pv_sphere *sphere, const double *packed, double *grid);
    pv_status (*to_grid)(const pv_sphere *sphere, int64_t fields, const pv_c64 *coefficients, int64_t stride,
                         pv_c64 *grids);
    pv_status (*from_grid)(const pv_sphere *sphere, int64_t fields, const pv_c64 *grids, pv_c64 *coefficients,
                           int64_t stride);
    pv_status (*multiply)(const pv_sphere *sphere, int64_t fields, const double *packed, const pv_c64 *in,
                          int64_t in_stride, pv_c64 *out, int64_t out_stride);
    pv_status (*add_squares)(const pv_sphere *sphere, int64_t fields, const double *weights, const pv_c64 *coefficients,
                             int64_t stride, double *packed);
    pv_status (*to_reals)(const pv_sphere *sphere, int64_t fields, const pv_c64 *coefficients, int64_t stride,
                          double *packed);
    pv_status (*from_reals)(const pv_sphere *sphere, int64_t fields, const double *packed, pv_c64 *coefficients,
                            int64_t stride);
};

// Slices in cache, for the host; the same, shared by ranks; whole grids in memory of any device, by kernels and
// batches.
extern const pv_sphere_ops pv_sphere_slices, pv_sphere_shared, pv_sphere_grids;

// As pv_sphere_create, in this form. Collective.
pv_status pv_sphere_create_as(const pv_sphere_ops *ops, pv_comm *comm, const int64_t shape[3], int64_t count,
                              const int32_t (*points)[3], const int *twice_k, pv_precision precision,
                              const char *engine, pv_rigor rigor, pv_sphere **sphere_p);

// Parts of the forms with slices (slices.c): field `first` of `fields`, and its neighbour in a half sphere, to
// and from a work's columns,
void pv_sphere_to_columns(const pv_sphere *sphere, const pv_sphere_work *work, int64_t fields, int64_t first,
                          const pv_c64 *coefficients, int64_t stride);
void pv_sphere_from_columns(const pv_sphere *sphere, const pv_sphere_work *work, int64_t fields, int64_t first,
                            pv_c64 *coefficients, int64_t stride);
// and the squares of fields `start` to `end`, which are in the columns of `works`, one transform in each.
void pv_sphere_add_slices(const pv_sphere *sphere, const pv_sphere_shape *shape, const pv_sphere_work *works,
                          int64_t fields, int64_t start, int64_t end, const double *weights, double *packed);
int pv_sphere_thread(void);

// The fields of one transform: a field, and for a half sphere its neighbour if there is one.
static inline int64_t pv_sphere_fields_each(const pv_sphere *sphere)
{
    return sphere->fold.half ? 2 : 1;
}

#endif
