// SPDX-License-Identifier: Apache-2.0
// The derivative of an energy by the strain of the cell, against differences.
#ifndef PV_TESTS_DFT_STRAINED_H
#define PV_TESTS_DFT_STRAINED_H

#include <math.h>

#include "fixture.h"

// Adds the derivative to strain unless that is NULL.
typedef double strained_energy(const void *context, const double lattice[3][3], double (*strain)[3]);

static inline double energy_at_strain(strained_energy *energy_of, const void *context, int i, int j, double by)
{
    double lattice[3][3];
    for (int a = 0; a < 3; a++)
        for (int d = 0; d < 3; d++)
            lattice[a][d] = skewed_lattice[a][d] + (d == i ? by * skewed_lattice[a][j] : 0.0);
    return energy_of(context, lattice, NULL);
}

static inline void assert_strain_is_a_slope(strained_energy *energy_of, const void *context)
{
    const double step = 2e-4;
    double strain[3][3] = {{0.0}};
    const double energy = energy_of(context, skewed_lattice, strain);
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++) {
            const double below = energy_at_strain(energy_of, context, i, j, -step);
            const double above = energy_at_strain(energy_of, context, i, j, step);
            assert_near(strain[i][j], (above - below) / (2.0 * step), 2e-6 * fabs(energy));
        }
}

#endif
