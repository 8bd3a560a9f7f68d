// SPDX-License-Identifier: Apache-2.0
// What a run is about: cell, parameters, potentials, k-points, and the grids and bases that follow from them.
#ifndef PV_DFT_SYSTEM_H
#define PV_DFT_SYSTEM_H

#include "dft/model/basis.h"
#include "dft/model/grid.h"
#include "dft/model/grid_symmetry.h"
#include "dft/model/kpoint_groups.h"
#include "dft/model/kpoints.h"
#include "dft/model/memory.h"
#include "dft/model/params.h"
#include "dft/model/pseudo_form.h"
#include "dft/model/symmetry_kpoints.h"
#include "dft/model/tetrahedra.h"
#include "linalg/dense.h"

typedef struct pv_system {
    pv_comm *comm;
    pv_dense *dense;
    pv_cell *cell;
    pv_dft_params params;
    pv_pseudo **pseudo;                // [species]
    pv_symmetry *symmetry;             // that k-points have in common
    pv_symmetry *crystal_symmetry;     // the crystal's, where exact exchange leaves the k-points less; else NULL
    pv_kpoints *kpoints;               // one of each star of the symmetry
    pv_kpoints *full_kpoints;          // all that the input asks for
    pv_kpoint_image *image;            // [full_kpoints->count]: how they come from the former
    pv_tetrahedra *tetrahedra;         // between them; NULL but for ISMEAR = -4 and -5
    pv_kpoint_groups groups;           // which ranks of comm work on which k-points
    int group;                         // this rank's
    pv_comm *group_comm;               // of its ranks, in their order; comm itself where there is one group
    pv_comm *all_orbital_comm;         // the ranks of comm where orbitals live; comm itself where that is the host
    pv_comm *orbital_comm;             // those of group_comm on it
    pv_comm *team_comm;                // those of them that share transforms with this rank; NULL: it has whole ones
    pv_device *device;                 // it
    pv_dense *group_dense;             // algebra over orbital_comm
    double held_bytes;                 // by a rank before the groups were made
    pv_memory memory;                  // forecast, of the rank that holds the most
    int64_t shape[3];                  // of the grid
    int grid_multiple[3];              // that a grid should divide by for the crystal's translations, whatever ISYM
    pv_grid *grid;                     // over all ranks
    pv_grid *device_grid;              // the same where orbitals live, for potentials; grid itself on the host
    pv_grid_symmetry *symmetriser;     // of fields on device_grid
    pv_basis **basis;                  // [kpoints], sliced over group_comm; the sphere only where this group owns k
    double density_reach;              // |G| of the density's plane waves, 1/bohr; 2 G_cut unless the grid is smaller
    const char *engine;                // of the transforms
} pv_system;

// Reads POSCAR, INCAR and KPOINTS in `directory`; potentials from pseudo_directory, or built-in ones when it is NULL.
// engine: "auto" or a name of fft/engine.h. comm, on the host, is kept. Collective.
pv_status pv_system_create(pv_comm *comm, const char *directory, const char *pseudo_directory, const char *engine,
                           pv_system **system_p);
// The same with orbitals, and what acts on them, where orbital_comm is: the ranks of comm, in their order; NULL: comm.
// It is kept.
pv_status pv_system_create_on(pv_comm *comm, pv_comm *orbital_comm, const char *directory,
                              const char *pseudo_directory, const char *engine, pv_system **system_p);
// The reading stage of it alone: all files are read and checked against each other; grids and bases stay NULL.
// Collective.
pv_status pv_system_read(pv_comm *comm, const char *directory, const char *pseudo_directory, pv_system **system_p);
// That and the grid's shape, for what is to be known of a run that is not made. poscar: a file in the place of the
// folder's POSCAR, or NULL. Collective.
pv_status pv_system_read_for_plan(pv_comm *comm, const char *directory, const char *poscar,
                                  const char *pseudo_directory, pv_system **system_p);
void pv_system_destroy(pv_system *system);

// Densities [spins][waves] live where device_grid does. On the host, for pv_array_release(); and from there. Local.
pv_status pv_system_fetch_density(const pv_system *system, const double _Complex *density,
                                  const double _Complex **here_p);
pv_status pv_system_put_density(const pv_system *system, const double _Complex *here, double _Complex *density);

// Of the density, forces and stress. Pure.
static inline const pv_symmetry *pv_system_crystal_symmetry(const pv_system *system)
{
    return system->crystal_symmetry ? system->crystal_symmetry : system->symmetry;
}

// Whether this rank's group works on a k-point. Pure.
static inline int pv_system_owns(const pv_system *system, int k) { return system->groups.group_of[k] == system->group; }
// A sphere of this rank, for the order in which all of them pack fields on the grid. Pure.
const pv_sphere *pv_system_sphere(const pv_system *system);

#endif
