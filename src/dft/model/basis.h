// SPDX-License-Identifier: Apache-2.0
// The plane waves of one k-point, |k + G|^2 / 2 <= cutoff, their order, and which rank keeps which.
// Where 2 k is a reciprocal lattice vector (all coordinates integers or half-integers: Gamma and the corners and
// centres of faces and edges of the zone) time reversal lets all orbitals, and projectors, be real functions of r.
// There half of the sphere suffices (fft/sphere/sphere.h says how it is stored), and inner products are real.
#ifndef PV_DFT_BASIS_H
#define PV_DFT_BASIS_H

#include <parseval/comm.h>

#include "dft/model/cell.h"
#include "fft/sphere/sphere.h"
#include "linalg/dense_ops.h"

typedef struct pv_basis {
    pv_comm *comm;
    double k_fractional[3];
    pv_scalar scalar;                  // of inner products
    int twice_k[3];                    // where they are real; the partner of plane wave n is -n - twice_k
    int64_t count;                     // plane waves of all ranks
    int32_t (*miller)[3];              // [count], sorted by x, y, z; of a half sphere one of each pair
    int64_t single;                    // the plane wave of a half sphere without a partner, k + G = 0; -1: none
    int64_t lower, upper;              // this rank keeps lower <= i < upper of every orbital
    int64_t local;                     // upper - lower
    int64_t length;                    // scalars a rank keeps of an orbital: local, or 2 local reals
    double (*q)[3];                    // [local], k + G, Cartesian, 1/bohr
    double *kinetic_ha;                // [local], |k + G|^2 / 2
    double *device_kinetic_ha;         // the same on comm's device: the same arrays where that is the host
    double (*device_q)[3];
    pv_sphere *sphere;                 // of whole orbitals, or shared by some ranks; NULL where no grid was asked for
} pv_basis;

// Whether 2 k is a reciprocal lattice vector. Pure.
int pv_basis_can_be_real(const double k_fractional[3]);

// Plane waves of the whole sphere: as many independent orbitals there are, real or complex; beyond `enough` it may be
// fewer than all, but never less than `enough`. Pure.
int64_t pv_basis_count_waves(const pv_cell *cell, const double k_fractional[3], double cutoff_ha, int64_t enough);

// k within 1e-9 of a point with real orbitals is that point. may_be_real = 0: the whole sphere and complex orbitals at
// any k. grid_shape: of the transforms of whole orbitals, NULL for none; engine: theirs. comm is kept. Collective.
pv_status pv_basis_create(pv_comm *comm, const pv_cell *cell, const double k_fractional[3], double cutoff_ha,
                          const int64_t grid_shape[3], int may_be_real, const char *engine, pv_basis **basis_p);
void pv_basis_destroy(pv_basis *basis);
// Its transforms, each by all ranks of team: neighbours in basis->comm, as many in every team of it. Collective on
// basis->comm.
pv_status pv_basis_share_sphere(pv_basis *basis, pv_comm *team, const int64_t grid_shape[3], const char *engine);

// Factor of coefficient `local index` i where the isometric half sphere stores sqrt(2) c(G): sqrt(2), 1 for the single
// wave and for whole spheres.
double pv_basis_fold(const pv_basis *basis, int64_t i);

#endif
