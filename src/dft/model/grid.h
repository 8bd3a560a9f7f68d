// SPDX-License-Identifier: Apache-2.0
// The grid of density and potentials: real-space points in slabs over the ranks, and the plane waves |G| <= 2 G_cut
// that the square of an orbital can hold, each rank with those of its part of the spectrum.
#ifndef PV_DFT_GRID_H
#define PV_DFT_GRID_H

#include <complex.h>

#include <parseval/fft.h>

#include "dft/model/cell.h"

#define PV_GRID_SUMS 4                 // values of a term, at most (pv_grid_reduce)

typedef struct pv_grid {
    pv_comm *comm;
    int64_t shape[3];
    double volume_bohr3;
    int64_t points;                    // of all ranks
    int64_t first_point, local_points; // this rank's, x planes: a contiguous part of [nx][ny][nz]
    double spacing_volume;             // volume / points

    // Plane waves of this rank: of each pair G, -G one (real fields).
    int64_t waves;
    int32_t (*miller)[3];              // [waves]
    double (*g)[3];                    // [waves], Cartesian, 1/bohr
    double *g2;                        // [waves]
    double *weight;                    // [waves]: 2, or 1 where -G is in the list too or G = 0
    int64_t zero;                      // index of G = 0; -1 on the other ranks

    pv_fft_plan *plan;
    int64_t *offset;                   // [waves], in the spectrum
    int64_t spectrum_count;

    // On the device, for kernels. On the host the lists are those above.
    pv_device *device;
    pv_stream *stream;                 // the device's own
    struct {
        double (*g)[3], *g2, *weight;
        int64_t *offset;
    } there;
    double _Complex *spectrum;         // room for one
    pv_buffer *parts;                  // of sums (device/reduce.h)
} pv_grid;

// The smallest grid of 2^a 3^b 5^c 7^d points that holds |G| <= reach without aliasing onto itself, and divides by
// `multiple` (such a number of points too; NULL: 1) along the axes where that costs no more than a third. Pure.
void pv_grid_choose_shape(const pv_cell *cell, double reach, const int multiple[3], int64_t shape[3]);

// Plane waves with |G|^2 <= g2_max. PV_ERR_INPUT when the grid is too small for them. comm is kept. Collective.
pv_status pv_grid_create(pv_comm *comm, const pv_cell *cell, const int64_t shape[3], double g2_max,
                         const char *engine, pv_grid **grid_p);
void pv_grid_destroy(pv_grid *grid);

// Of the host, for loops over its points and waves. Pure.
static inline int pv_grid_threads(const pv_grid *grid) { return pv_device_threads(pv_comm_device(grid->comm)); }

// Fields are memory of the device; calls return when the work is queued on its stream, those with a result on the host
// when it is there.

// u(G) = 1/points sum_r u(r) exp(-i G r), at this rank's plane waves; field is [local_points]. Collective.
pv_status pv_grid_to_waves(pv_grid *grid, const double *field, double _Complex *waves);
// u(r) = sum_G u(G) exp(i G r). Collective.
pv_status pv_grid_to_points(pv_grid *grid, const double _Complex *waves, double *field);
// The same of its derivative along an axis. Collective.
pv_status pv_grid_slope_to_points(pv_grid *grid, const double _Complex *waves, int axis, double *field);
// Adds the derivative of the field along an axis. Collective.
pv_status pv_grid_add_slope_to_waves(pv_grid *grid, const double *field, int axis, double _Complex *waves);

// The whole field, on the grid's device, on every rank from everybody's slab. Collective.
pv_status pv_grid_gather(const pv_grid *grid, const double *field, double *whole);

// sum over all plane waves of Re(conj a b). Collective.
pv_status pv_grid_dot(const pv_grid *grid, const double _Complex *a, const double _Complex *b, double *sum_p);
// Integral of a * b over the cell, b = NULL: of a. Collective.
pv_status pv_grid_integral(const pv_grid *grid, const double *a, const double *b, double *integral_p);

struct pv_reduction;
// Folds a kernel's terms of all ranks, values a term. `arguments` begin with parts, which is grid->parts. Collective.
pv_status pv_grid_reduce(const pv_grid *grid, const struct pv_reduction *reduction, int64_t count,
                         const void *arguments, double *values);

#endif
