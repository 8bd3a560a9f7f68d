// SPDX-License-Identifier: Apache-2.0
#include "dft/terms/density.h"

#include "base/check.h"

pv_status pv_density_add(const pv_basis *basis, pv_band_split *split, int64_t bands, const double *weight,
                         const double _Complex *orbitals, double *packed)
{
    if (bands == 0) return PV_OK;
    const double _Complex *mine;
    PV_TRY(pv_band_split_gather(split, bands, orbitals, &mine));
    int64_t lower, upper;
    pv_band_split_range(split, bands, &lower, &upper);
    return pv_sphere_add_squares(basis->sphere, upper - lower, weight + lower, mine, pv_band_split_count(split),
                                 packed);
}
