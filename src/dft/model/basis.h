// SPDX-License-Identifier: Apache-2.0
// The plane waves of one k-point, |k + G|^2 / 2 <= cutoff, their order, and which rank keeps which.
// At Gamma orbitals are real and half of the sphere suffices (fft/sphere.h says how it is stored).
#ifndef PV_DFT_BASIS_H
#define PV_DFT_BASIS_H

#include <parseval/comm.h>

#include "dft/model/cell.h"
#include "fft/sphere.h"
#include "linalg/dense_ops.h"

typedef struct pv_basis {
    pv_comm *comm;
    double k_fractional[3];
    pv_scalar scalar;                  // of inner products: real at Gamma
    int64_t count;                     // plane waves of all ranks
    int32_t (*miller)[3];              // [count], sorted by x, y, z; at Gamma first is 0
    int64_t lower, upper;              // this rank keeps lower <= i < upper of every orbital
    int64_t local;                     // upper - lower
    int64_t length;                    // scalars a rank keeps of an orbital: local, or 2 local reals at Gamma
    double (*q)[3];                    // [local], k + G, Cartesian, 1/bohr
    double *kinetic_ha;                // [local], |k + G|^2 / 2
    pv_sphere *sphere;
} pv_basis;

// k is Gamma when its fractional coordinates are exactly 0. engine: of the transforms. comm is kept. Collective.
pv_status pv_basis_create(pv_comm *comm, const pv_cell *cell, const double k_fractional[3], double cutoff_ha,
                          const int64_t grid_shape[3], const char *engine, pv_basis **basis_p);
void pv_basis_destroy(pv_basis *basis);

// Factor of coefficient `local index` i where the isometric half sphere stores sqrt(2) c(G): sqrt(2), 1 for G = 0 and
// for whole spheres.
double pv_basis_fold(const pv_basis *basis, int64_t i);

#endif
