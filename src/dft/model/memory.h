// SPDX-License-Identifier: Apache-2.0
// What a run holds on a rank at its peak, forecast from its description before any of it is made.
#ifndef PV_DFT_MEMORY_H
#define PV_DFT_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include <parseval/status.h>

#include "linalg/dense_ops.h"

enum { PV_MEMORY_COMPARED = 16 }; // vectors by which grids of exchange are compared, at most

// Exact exchange on a grid; points = 0: none.
typedef struct pv_exchange_size {
    int points, momenta;               // of the whole mesh; wave vectors between them
    int is_real;                       // all orbitals are
    int is_single;                     // pairs in single precision, too
    int64_t grid[3];
    double reach, height;              // of products' spheres, as those of the orbitals in pv_run_size
    double pair_waves;                 // in one of them
    int filled;                        // bands of a state that hold electrons
} pv_exchange_size;

// What the forecast needs to know. The rank is the first of its group, which keeps the most.
typedef struct pv_run_size {
    int ranks, group_ranks, threads;
    int band_ranks;                    // of a group's, that share a transform
    int spins, bands, atoms;
    double filled;                     // bands of a spin that hold electrons
    int history;                       // densities that the mixer remembers
    int is_symmetric;                  // more operations than the identity
    int has_gradients, has_core, has_stress, writes_density;
    int64_t projectors;                // functions of all atoms, m counted
    int64_t projectors_of_atom;        // at most
    int64_t grid[3];
    double reach;                      // of the orbitals' sphere: the largest Miller index along the first axis,
    double height;                     // and along the third where the first two are 0
    double density_reach;              // of the density's: the largest along the third axis
    double density_waves;              // of all ranks, one of each pair
    int kpoints;
    const double *waves;               // [kpoints], of all ranks
    const pv_scalar *scalar;           // [kpoints]
    const unsigned char *is_owned;     // [kpoints]: by the rank's group
    pv_exchange_size exchange;
    pv_exchange_size compared;         // with which it is compared in the end (solve/grid_error.h)
    int on_gpu;                        // exchange in tiles of states, projectors of one k-point at a time
    double held_bytes;                 // already: potentials and what was read
} pv_run_size;

typedef enum pv_memory_part {
    PV_MEMORY_INPUT,                   // potentials and what was read
    PV_MEMORY_ORBITALS,
    PV_MEMORY_EIGENSOLVER,             // search space, and what the Hamiltonian makes of it
    PV_MEMORY_PROJECTORS,
    PV_MEMORY_TRANSFORMS,              // plane waves, and orbitals on their way to the grid and between ranks
    PV_MEMORY_GRIDS,                   // density, potentials, functional, mixing
    PV_MEMORY_EXCHANGE,                // orbitals and sums on its grid, compressed operators, transforms
    PV_MEMORY_FORCES,                  // what forces, stress and files need beyond all that
    PV_MEMORY_PARTS
} pv_memory_part;

typedef struct pv_memory {
    double bytes[PV_MEMORY_PARTS];
    double comparison_bytes;           // of grids of exchange, in the end; where they are not free it is left out
    // Of builds of exchange on a GPU, which take more than the above where it is free: fields and sums of a state.
    int states, others;                // the rank's, spins counted; whether those of others come by
    double state_bytes, least_bytes;   // of one; of what is in bytes and goes when tiles come
} pv_memory;

pv_memory pv_memory_forecast(const pv_run_size *size);  // pure
double pv_memory_total(const pv_memory *memory);        // pure
// How many of its states a rank on a GPU with so much memory has as fields at once, and what the run then holds;
// 0: there are none, or no tiles. Pure.
int pv_memory_tile(const pv_memory *memory, double limit_bytes, double *held_bytes_p);
const char *pv_memory_part_name(pv_memory_part part);   // "orbitals"

// PV_ERR_MEMORY when total_bytes on each of node_ranks do not fit free_bytes (0: unknown, fits); says what was asked,
// what was found, and `help`, what would make it smaller. Local.
pv_status pv_memory_check(double total_bytes, int node_ranks, double free_bytes, const char *help);

#endif
