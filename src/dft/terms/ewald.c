// SPDX-License-Identifier: Apache-2.0
#include "dft/terms/ewald.h"

#include <complex.h>
#include <math.h>
#include <string.h>

#include "base/check.h"
#include "dft/model/units.h"

// erfc(7) and exp(-49) are below 1e-21.
#define REACH 7.0

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void combine(const double rows[3][3], const double n[3], double v[3])
{
    for (int d = 0; d < 3; d++) v[d] = n[0] * rows[0][d] + n[1] * rows[1][d] + n[2] * rows[2][d];
}

// Largest |n_i| of a lattice vector n not longer than `reach`: |n_i| <= reach |dual_i| / 2 pi.
static void bounds_of(const double dual[3][3], double reach, int bound[3])
{
    for (int i = 0; i < 3; i++) bound[i] = (int)(reach * sqrt(dot(dual[i], dual[i])) / (2.0 * PV_PI)) + 1;
}

// What one sum has found; outputs that are not wanted are NULL.
typedef struct sums {
    double energy;
    double (*forces)[3], (*strain)[3];
} sums;

static void add_product(double (*strain)[3], double factor, const double v[3])
{
    for (int i = 0; strain && i < 3; i++)
        for (int j = 0; j < 3; j++) strain[i][j] += factor * v[i] * v[j];
}

// Charges of product `product` at distance r, r + all lattice vectors, without the point itself: product times
// sum erfc(eta |r|) / |r|; force[3] on the first.
static double real_pair(const pv_cell *cell, const double fractional[3], double eta, double product,
                        double (*strain)[3], double force[3])
{
    int bound[3];
    bounds_of(cell->reciprocal, REACH / eta, bound);
    double sum = 0.0, wrapped[3];
    for (int d = 0; d < 3; d++) wrapped[d] = fractional[d] - rint(fractional[d]), force[d] = 0.0;
    for (int i = -bound[0]; i <= bound[0]; i++)
        for (int j = -bound[1]; j <= bound[1]; j++)
            for (int k = -bound[2]; k <= bound[2]; k++) {
                const double n[3] = {wrapped[0] + i, wrapped[1] + j, wrapped[2] + k};
                double r[3];
                combine(cell->lattice_bohr, n, r);
                const double distance = sqrt(dot(r, r));
                if (distance < 1e-10 || distance * eta > REACH) continue;
                const double value = erfc(eta * distance) / distance;
                const double slope = (value + 2.0 * eta / sqrt(PV_PI) * exp(-eta * eta * distance * distance))
                                     / (distance * distance);
                sum += value;
                for (int d = 0; d < 3; d++) force[d] += product * slope * r[d];
                add_product(strain, -product * slope, r);
            }
    return product * sum;
}

static void real_part(const pv_cell *cell, const double *charge, double eta, sums *out)
{
    for (int a = 0; a < cell->atoms; a++)
        for (int b = a; b < cell->atoms; b++) {
            double difference[3], force[3];
            for (int d = 0; d < 3; d++) difference[d] = cell->fractional[a][d] - cell->fractional[b][d];
            const double product = (a == b ? 0.5 : 1.0) * charge[a] * charge[b];
            out->energy += real_pair(cell, difference, eta, product, out->strain, force);
            for (int d = 0; out->forces && a != b && d < 3; d++) {
                out->forces[a][d] += force[d];
                out->forces[b][d] -= force[d];
            }
        }
}

static void reciprocal_vector(const pv_cell *cell, const double *charge, double eta, const double n[3], sums *out)
{
    double g[3];
    combine(cell->reciprocal, n, g);
    const double g2 = dot(g, g);
    if (g2 == 0.0 || g2 > 4.0 * eta * eta * REACH * REACH) return;
    double _Complex structure = 0.0;
    for (int a = 0; a < cell->atoms; a++)
        structure += charge[a] * cexp(I * 2.0 * PV_PI * dot(n, cell->fractional[a]));
    const double kernel = 4.0 * PV_PI / cell->volume_bohr3 * exp(-g2 / (4.0 * eta * eta)) / g2;
    for (int a = 0; out->forces && a < cell->atoms; a++) {
        const double _Complex phase = cexp(I * 2.0 * PV_PI * dot(n, cell->fractional[a]));
        const double factor = kernel * charge[a] * cimag(phase * conj(structure));
        for (int d = 0; d < 3; d++) out->forces[a][d] += factor * g[d];
    }
    const double energy = 0.5 * kernel * (creal(structure) * creal(structure) + cimag(structure) * cimag(structure));
    out->energy += energy;
    for (int d = 0; out->strain && d < 3; d++) out->strain[d][d] -= energy;
    add_product(out->strain, energy * (2.0 / g2 + 0.5 / (eta * eta)), g);
}

static void reciprocal_part(const pv_cell *cell, const double *charge, double eta, sums *out)
{
    int bound[3];
    bounds_of(cell->lattice_bohr, 2.0 * eta * REACH, bound);
    for (int i = -bound[0]; i <= bound[0]; i++)
        for (int j = -bound[1]; j <= bound[1]; j++)
            for (int k = -bound[2]; k <= bound[2]; k++) {
                const double n[3] = {i, j, k};
                reciprocal_vector(cell, charge, eta, n, out);
            }
}

pv_status pv_ewald(const pv_cell *cell, const double *charge, double splitting, double *energy_ha_p,
                   double (*forces_ha_bohr)[3], double (*strain_ha)[3])
{
    PV_REQUIRE(splitting >= 0.0, PV_ERR_ARGUMENT, "Ewald splitting %g 1/bohr, must be positive, or 0 to choose",
               splitting);
    // Both sums reach equally far in their lattices here; a pair in real space costs more than a vector.
    const double eta = splitting > 0.0 ? splitting : sqrt(PV_PI) / cbrt(cell->volume_bohr3) * cbrt(sqrt(cell->atoms));
    double total = 0.0, squares = 0.0;
    for (int a = 0; a < cell->atoms; a++) {
        total += charge[a];
        squares += charge[a] * charge[a];
        for (int d = 0; forces_ha_bohr && d < 3; d++) forces_ha_bohr[a][d] = 0.0;
    }
    if (strain_ha) memset(strain_ha, 0, 3 * sizeof *strain_ha);
    sums out = {0.0, forces_ha_bohr, strain_ha};
    real_part(cell, charge, eta, &out);
    reciprocal_part(cell, charge, eta, &out);
    const double background = -PV_PI * total * total / (2.0 * cell->volume_bohr3 * eta * eta);
    for (int d = 0; strain_ha && d < 3; d++) strain_ha[d][d] -= background;
    *energy_ha_p = out.energy - eta / sqrt(PV_PI) * squares + background;
    return PV_OK;
}
