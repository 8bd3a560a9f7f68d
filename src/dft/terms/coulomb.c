// SPDX-License-Identifier: Apache-2.0
#include "dft/terms/coulomb.h"

#include <math.h>

#include "dft/model/units.h"

pv_coulomb pv_coulomb_screened(double omega_bohr)
{
    return (pv_coulomb){
        .kind = PV_COULOMB_SCREENED, .omega_bohr = omega_bohr, .zero = PV_PI / (omega_bohr * omega_bohr)};
}

static double supercell_volume(const pv_cell *cell, const int mesh[3])
{
    return cell->volume_bohr3 * mesh[0] * mesh[1] * mesh[2];
}

// sum over all vectors Q != 0 of the supercell's reciprocal lattice of 4 pi exp(-alpha Q^2) / Q^2.
static double gaussian_sum(const pv_cell *cell, const int mesh[3], double alpha)
{
    const double square_most = 42.0 / alpha;
    int bound[3];
    for (int d = 0; d < 3; d++) {
        const double *a = cell->lattice_bohr[d];
        const double length = mesh[d] * sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
        bound[d] = (int)(sqrt(square_most) * length / (2.0 * PV_PI)) + 1;
    }
    double sum = 0.0;
    for (int i = -bound[0]; i <= bound[0]; i++)
        for (int j = -bound[1]; j <= bound[1]; j++)
            for (int k = -bound[2]; k <= bound[2]; k++) {
                const double n[3] = {(double)i / mesh[0], (double)j / mesh[1], (double)k / mesh[2]};
                double square = 0.0;
                for (int d = 0; d < 3; d++) {
                    double q = 0.0;
                    for (int c = 0; c < 3; c++) q += n[c] * cell->reciprocal[c][d];
                    square += q * q;
                }
                if ((i || j || k) && square < square_most) sum += 4.0 * PV_PI * exp(-alpha * square) / square;
            }
    return sum;
}

// A function with the same singularity, whose integral is known, is summed like the exchange itself: the difference
// between integral and sum is what the value at zero must make up for.
pv_coulomb pv_coulomb_auxiliary(const pv_cell *cell, const int mesh[3], double cutoff_ha)
{
    const double alpha = 5.0 / cutoff_ha, volume = supercell_volume(cell, mesh);
    const double integral = volume / sqrt(PV_PI * alpha);
    return (pv_coulomb){.kind = PV_COULOMB_AUXILIARY,
                        .zero = integral - gaussian_sum(cell, mesh, alpha) + 4.0 * PV_PI * alpha};
}

pv_coulomb pv_coulomb_truncated(const pv_cell *cell, const int mesh[3], double radius_bohr)
{
    const double radius = radius_bohr > 0.0 ? radius_bohr : cbrt(0.75 / PV_PI * supercell_volume(cell, mesh));
    return (pv_coulomb){.kind = PV_COULOMB_TRUNCATED, .radius_bohr = radius, .zero = 2.0 * PV_PI * radius * radius};
}

double pv_coulomb_at(const pv_coulomb *coulomb, double square)
{
    if (square < 1e-12) return coulomb->zero;
    const double bare = 4.0 * PV_PI / square;
    if (coulomb->kind == PV_COULOMB_SCREENED)
        return -bare * expm1(-0.25 * square / (coulomb->omega_bohr * coulomb->omega_bohr));
    if (coulomb->kind == PV_COULOMB_TRUNCATED) return bare * (1.0 - cos(sqrt(square) * coulomb->radius_bohr));
    return bare;
}
