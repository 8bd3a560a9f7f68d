// SPDX-License-Identifier: Apache-2.0
#include "dft/model/params_kpoints.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/check.h"
#include "base/log.h"

static pv_status check_reduction(const pv_dft_params *params, const pv_kpoints *kpoints)
{
    static const char *const tags[] = {"NKREDX", "NKREDY", "NKREDZ"};
    const int *reduction = params->fock.reduction;
    if (!params->fock.on) return PV_OK;
    PV_REQUIRE(kpoints->is_mesh || (reduction[0] == 1 && reduction[1] == 1 && reduction[2] == 1), PV_ERR_INPUT,
               "NKRED.. = %d %d %d with k-points that are no regular mesh; a mesh, or 1, is accepted", reduction[0],
               reduction[1], reduction[2]);
    for (int i = 0; kpoints->is_mesh && i < 3; i++)
        PV_REQUIRE(kpoints->mesh[i] % reduction[i] == 0, PV_ERR_INPUT,
                   "%s (or NKRED) = %d for a mesh of %d x %d x %d k-points; a divisor of %d is accepted", tags[i],
                   reduction[i], kpoints->mesh[0], kpoints->mesh[1], kpoints->mesh[2], kpoints->mesh[i]);
    return PV_OK;
}

static pv_status check_fixed(const pv_dft_params *params, const pv_kpoints *kpoints)
{
    static const char *const tags[] = {"FERWE", "FERDO"};
    const int bands = params->bands;
    const int64_t all = (int64_t)bands * kpoints->count;
    const int64_t weighted = all - (int64_t)bands * pv_kpoints_weightless(kpoints);
    double electrons = 0.0;
    if (params->smearing != PV_SMEARING_FIXED) return PV_OK;
    for (int s = 0; s < params->spins; s++) {
        const int count = params->fixed_count[s];
        PV_REQUIRE(count == bands || count == weighted || count == all, PV_ERR_INPUT,
                   "%s lists %d fillings for %d bands at %d k-points (of different energies); %" PRId64
                   ", or %d for all "
                   "points, are accepted",
                   tags[s], count, bands, kpoints->count, weighted, bands);
        for (int64_t i = 0; i < all; i++)
            electrons += pv_dft_params_full(params) * kpoints->weight[i / bands]
                         * params->fixed_filling[s][i % count];
    }
    PV_REQUIRE(
        fabs(electrons - params->electrons) < 1e-6, PV_ERR_INPUT,
        "the fillings of ISMEAR = -2 hold %.8g electrons where NELECT is %.8g; the same number is needed (NELECT "
        "in the INCAR makes a charged cell)",
        electrons, params->electrons);
    return PV_OK;
}

static int is_whole(double number) { return fabs(number - round(number)) < 1e-6; }

// Whether Gamma alone makes the density.
static int is_gamma_alone(const pv_kpoints *kpoints)
{
    for (int k = 0; k < kpoints->count; k++)
        for (int d = 0; d < 3; d++)
            if (kpoints->weight[k] > 0.0 && fabs(kpoints->fractional[k][d]) > 1e-9) return 0;
    return 1;
}

// Electrons that no pairs of spins, or no two whole spins of the wanted difference, can be made of: on a mesh a metal
// shares them out, at Gamma alone a state would be filled by half in each spin.
static pv_status check_parity(const pv_dft_params *params, const pv_kpoints *kpoints)
{
    const double electrons = params->electrons, difference = params->spins == 2 ? params->spin_difference : 0.0;
    char text[160];
    if (params->smearing == PV_SMEARING_FIXED || params->start_density >= 10 || difference < 0.0) return PV_OK;
    if (!is_whole(electrons) || !is_whole(difference) || is_whole(0.5 * (electrons - difference))) return PV_OK;
    if (params->spins == 1)
        snprintf(text, sizeof text, "NELECT = %g is odd and ISPIN = 1 fills a state by half in each spin", electrons);
    else
        snprintf(text, sizeof text, "NUPDOWN = %g with NELECT = %g fills a state by half in each spin", difference,
                 electrons);
    const char *accepted = params->spins == 1 ? "ISPIN = 2 or an even NELECT" : "a NUPDOWN of the parity of NELECT";
    PV_REQUIRE(!is_gamma_alone(kpoints), PV_ERR_INPUT, "%s where Gamma is the only k-point; %s is accepted", text,
               accepted);
    pv_log(PV_LOG_WARN, "%s, which suits a metal alone; else take %s", text, accepted);
    return PV_OK;
}

pv_status pv_dft_params_check_kpoints(const pv_dft_params *params, const pv_kpoints *kpoints)
{
    PV_TRY(check_reduction(params, kpoints));
    PV_TRY(check_fixed(params, kpoints));
    return check_parity(params, kpoints);
}
