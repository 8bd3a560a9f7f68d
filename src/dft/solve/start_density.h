// SPDX-License-Identifier: Apache-2.0
// The density that self-consistency starts from: atoms side by side, each with its own moment.
#ifndef PV_DFT_START_DENSITY_H
#define PV_DFT_START_DENSITY_H

#include "dft/model/system.h"

// density: [spins][waves]. The atoms' densities, scaled to the electrons there are; with spin each is split so that up
// exceeds down by its MAGMOM, at most by all of its electrons. Collective.
pv_status pv_start_density(const pv_system *system, double _Complex *density);

#endif
