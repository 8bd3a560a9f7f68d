// SPDX-License-Identifier: Apache-2.0
// A system from its files: what every rank reads, alike.
#ifndef PV_DFT_SYSTEM_READ_H
#define PV_DFT_SYSTEM_READ_H

#include "dft/model/system.h"

// Cell, parameters, symmetry, k-points and potentials, checked against each other. poscar: a file in the place of the
// folder's POSCAR, or NULL. What was read before a failure stays. Local.
pv_status pv_system_read_files(pv_system *system, const char *directory, const char *poscar,
                               const char *pseudo_directory);

#endif
