// SPDX-License-Identifier: Apache-2.0
// A device and a communicator over the ranks of the test, and small cells.
#ifndef PV_TESTS_DFT_FIXTURE_H
#define PV_TESTS_DFT_FIXTURE_H

#include <mpi.h>
#include <string.h>

#include <parseval/comm_mpi.h>

#include "dft/model/cell.h"
#include "harness.h"

typedef struct fixture {
    pv_device *device;
    pv_comm *comm;
} fixture;

static inline fixture fixture_open(void)
{
    fixture f;
    assert_ok(pv_device_open("cpu:1", &f.device));
    assert_ok(pv_comm_open_mpi(MPI_COMM_WORLD, f.device, NULL, &f.comm));
    return f;
}

static inline void fixture_close(fixture *f)
{
    pv_comm_close(f->comm);
    pv_device_close(f->device);
}

// Atoms of one species in a cell with rows `lattice`, bohr.
static inline pv_cell *make_cell(const double lattice[3][3], const char *element, int atoms,
                                 const double (*fractional)[3])
{
    pv_cell *cell;
    assert_ok(pv_cell_create(atoms, 1, 0, &cell));
    assert_ok(pv_cell_set_lattice(cell, lattice));
    strcpy(cell->species_name[0], element);
    cell->count_of[0] = atoms;
    memcpy(cell->fractional, fractional, (size_t)atoms * sizeof *fractional);
    return cell;
}

static const double skewed_lattice[3][3] = {{7.0, 0.3, 0.0}, {-1.0, 8.0, 0.5}, {0.2, -2.0, 6.5}};

#endif
