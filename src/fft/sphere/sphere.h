// SPDX-License-Identifier: Apache-2.0
// Fourier transform between plane waves inside a sphere and a grid: lines of zeros are never transformed (of a cube
// that just holds the square of a field about half the work), and what happens at the grid points happens while they
// are in cache. A rank transforms whole fields, or ranks of the host share each of them.
//
// With u(r) = sum_G c(G) exp(2 pi i G r / n), no factor: from_grid after to_grid is the identity.
//
// A half sphere describes real fields psi(r) = exp(i k r) u(r), where 2 k is a reciprocal lattice vector: Gamma, or
// half-integer k, whose fields change sign from cell to cell. There c(-G - 2k) is the conjugate of c(G): the sphere
// holds one of each such pair, and fields go through a transform two by two, as real and imaginary part. It stores
// sqrt(2) c(G), and c(-k) as it is where k is itself a reciprocal lattice vector, so that the dot product of two
// fields' coefficients as plain reals is the inner product of the fields (with a zero imaginary part of c(-k)).
#ifndef PV_FFT_SPHERE_H
#define PV_FFT_SPHERE_H

#include <complex.h>

#include "fft/engine/engine.h"

typedef struct pv_sphere pv_sphere;

// points[count]: integer vectors, |2 g_i| < shape_i; neighbours in (x, y) should be neighbours in the list. twice_k[3]
// makes a half sphere of it, in which no point may be there with its partner -G - 2k, and partners must fit the grid
// too; NULL: a whole sphere. precision: of the transforms (on GPUs PV_FP64); coefficients are double. engine: of the
// host's lines, a name or "auto"; ranks of comm agree on it, and threads are those of its device. Collective.
pv_status pv_sphere_create(pv_comm *comm, const int64_t shape[3], int64_t count, const int32_t (*points)[3],
                           const int *twice_k, pv_precision precision, const char *engine, pv_rigor rigor,
                           pv_sphere **sphere_p);
// The same in FP64 for fields that all ranks of comm share: each has the coefficients of neighbours in the list, and
// transforms columns of these and slices of the grid. Points of one (x, y) must be neighbours, and partners of one
// column be all in another. Of the calls below pack, unpack, multiply and add_squares are there. The latter two are
// collective on comm, for the same fields on all ranks, take pv_sphere_count() coefficients of each, and touch a rank's
// own slices alone of packed values. On the host, unless comm has one rank, whose sphere is whole. Collective.
pv_status pv_sphere_create_shared(pv_comm *comm, const int64_t shape[3], int64_t count, const int32_t (*points)[3],
                                  const int *twice_k, const char *engine, pv_rigor rigor, pv_sphere **sphere_p);
void pv_sphere_destroy(pv_sphere *sphere);
// How many ranks share each field, and which coefficients lower <= p < upper of the list one of them has. Pure.
int pv_sphere_ranks(const pv_sphere *sphere);
void pv_sphere_share(const pv_sphere *sphere, int rank, int64_t *lower_p, int64_t *upper_p);
// Coefficients of a field on this rank.
int64_t pv_sphere_count(const pv_sphere *sphere);
int pv_sphere_is_half(const pv_sphere *sphere);

// In all calls arrays are memory of the device, but for weights; on GPUs calls return when the work is queued on the
// device's own stream. Field f has its coefficients at coefficients + f * stride. grids: [transforms][n0][n1][n2]
// complex, where a half sphere has (fields + 1) / 2 transforms, of u_f + i u_(f + 1). Local.
pv_status pv_sphere_to_grid(const pv_sphere *sphere, int64_t fields, const double _Complex *coefficients,
                            int64_t stride, double _Complex *grids);
pv_status pv_sphere_from_grid(const pv_sphere *sphere, int64_t fields, const double _Complex *grids,
                              double _Complex *coefficients, int64_t stride);

// Real values on the grid, in the order that suits the transforms; the same order for all spheres of one shape,
// precision and device, that of the grid on GPUs. The precision is PV_FP64 in all calls with such values here. packed
// has pv_sphere_reals_count(), at least n0 n1 n2. Local.
int64_t pv_sphere_reals_count(const pv_sphere *sphere);
pv_status pv_sphere_pack(const pv_sphere *sphere, const double *grid, double *packed);
pv_status pv_sphere_unpack(const pv_sphere *sphere, const double *packed, double *grid);

// out = the part inside the sphere of f(r) u(r), with f packed. in == out is allowed. Local.
pv_status pv_sphere_multiply(const pv_sphere *sphere, int64_t fields, const double *packed, const double _Complex *in,
                             int64_t in_stride, double _Complex *out, int64_t out_stride);
// packed(r) += sum over fields of weights[f] |u_f(r)|^2, in the order of fields. Local.
pv_status pv_sphere_add_squares(const pv_sphere *sphere, int64_t fields, const double *weights,
                                const double _Complex *coefficients, int64_t stride, double *packed);

// Of a half sphere: the real values psi_f(r), field f packed at packed + f * pv_sphere_reals_count(), zero where that
// order has no grid point. Products of fields of any k are real, too: those of k and q belong to a half sphere of k + q
// or k - q. Local.
pv_status pv_sphere_to_reals(const pv_sphere *sphere, int64_t fields, const double _Complex *coefficients,
                             int64_t stride, double *packed);
// The part inside the sphere of real fields. from_reals after to_reals is the identity. Local.
pv_status pv_sphere_from_reals(const pv_sphere *sphere, int64_t fields, const double *packed,
                               double _Complex *coefficients, int64_t stride);

#endif
