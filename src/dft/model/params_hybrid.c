// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stddef.h>

#include "base/check.h"
#include "base/log.h"
#include "dft/model/params_read.h"
#include "dft/model/units.h"

// ---- Functional --------------------------------------------------------------------------------------------------

static const pv_params_word kinds[] = {{"PE", PV_FUNCTIONAL_PBE}, {"PBE", PV_FUNCTIONAL_PBE},
                                       {"PS", PV_FUNCTIONAL_PBESOL}, {"CA", PV_FUNCTIONAL_LDA},
                                       {"PZ", PV_FUNCTIONAL_LDA}, {"--", PV_FUNCTIONAL_PBE}, {NULL, 0}};

static pv_status read_share(pv_incar *incar, const pv_dft_params *params, const char *tag, double *share)
{
    const double before = *share;
    PV_TRY(pv_params_read_real(incar, tag, -10.0, 10.0, share));
    PV_REQUIRE(params->fock.on || *share == before, PV_ERR_UNSUPPORTED,
               "%s: found %s = %g without LHFCALC = .TRUE.; only %g is accepted", pv_incar_name(incar), tag, *share,
               before);
    return PV_OK;
}

static pv_status read_functional(pv_incar *incar, pv_dft_params *params)
{
    int kind = PV_FUNCTIONAL_PBE;
    PV_TRY(pv_params_read_word(incar, "GGA", kinds, &kind));
    PV_TRY(pv_params_read_real(incar, "AEXX", 0.0, 1.0, &params->fock.fraction));
    double screening = 0.0;
    PV_TRY(pv_params_read_real(incar, "HFSCREEN", 0.0, 100.0, &screening));
    params->fock.screening_bohr = screening * PV_BOHR_ANGSTROM;
    pv_functional *functional = &params->functional;
    *functional = params->fock.on ? pv_functional_hybrid_of((pv_functional_kind)kind, params->fock.fraction,
                                                            params->fock.screening_bohr)
                                  : pv_functional_of((pv_functional_kind)kind);
    PV_TRY(read_share(incar, params, "ALDAX", &functional->lda_exchange));
    PV_TRY(read_share(incar, params, "AGGAX", &functional->gradient_exchange));
    PV_TRY(read_share(incar, params, "ALDAC", &functional->lda_correlation));
    return read_share(incar, params, "AGGAC", &functional->gradient_correlation);
}

// ---- Exact exchange ----------------------------------------------------------------------------------------------

static pv_status read_reduction(pv_incar *incar, pv_dft_params *params)
{
    static const char *const each[] = {"NKREDX", "NKREDY", "NKREDZ"};
    int all = 1;
    PV_TRY(pv_params_read_int(incar, "NKRED", 1, 100, &all));
    for (int i = 0; i < 3; i++) {
        params->fock.reduction[i] = all;
        PV_TRY(pv_params_read_int(incar, each[i], 1, 100, &params->fock.reduction[i]));
    }
    return PV_OK;
}

// Without PAW spheres nothing but the grid sets Low apart from Fast; Medium takes the grid of the orbitals. Single is
// Normal, in single precision.
static pv_status read_grid(pv_incar *incar, pv_dft_params *params)
{
    enum { SINGLE = 100 };
    const int as_orbitals = params->precision == PV_PRECISION_ACCURATE ? PV_PRECISION_ACCURATE : PV_PRECISION_NORMAL;
    const pv_params_word words[] = {{"FAST", PV_PRECISION_LOW},          {"NORMAL", PV_PRECISION_NORMAL},
                                    {"ACCURATE", PV_PRECISION_ACCURATE}, {"LOW", PV_PRECISION_LOW},
                                    {"MEDIUM", as_orbitals},             {"SINGLE", SINGLE},
                                    {NULL, 0}};
    int precision = params->fock.precision;
    double cutoff_ev = -1.0;
    PV_TRY(pv_params_read_word(incar, "PRECFOCK", words, &precision));
    PV_TRY(pv_params_read_real(incar, "ENCUTFOCK", 0.0, 1e6, &cutoff_ev));
    params->fock.single = precision == SINGLE;
    if (params->fock.single) precision = PV_PRECISION_NORMAL;
    params->fock.precision = (pv_dft_precision)(cutoff_ev == 0.0 ? PV_PRECISION_LOW : precision);
    params->fock.cutoff_ha = fmax(cutoff_ev, 0.0) / PV_HARTREE_EV;
    return PV_OK;
}

static pv_status read_divergence(pv_incar *incar, pv_dft_params *params)
{
    double radius = 0.0;
    PV_TRY(pv_params_read_real(incar, "HFRCUT", -1.0, 1e4, &radius));
    PV_REQUIRE(radius >= 0.0 || radius == -1.0, PV_ERR_INPUT,
               "%s: found HFRCUT = %g; 0 (a probe charge), -1 (a sphere as large as the supercell of the k-mesh) and "
               "a radius in Angstrom are accepted",
               pv_incar_name(incar), radius);
    params->fock.divergence = radius == 0.0 ? PV_FOCK_PROBE_CHARGE : PV_FOCK_SPHERE;
    params->fock.radius_bohr = fmax(radius, 0.0) / PV_BOHR_ANGSTROM;
    return PV_OK;
}

static void tell(const pv_incar *incar, const pv_dft_params *params)
{
    static const char *const tags[] = {"AEXX", "HFSCREEN", "PRECFOCK", "ENCUTFOCK", "HFRCUT",
                                       "NKRED", "NKREDX", "NKREDY", "NKREDZ", "LFOCKACE", "LFOCKCHECK", "LXCFLAT"};
    for (size_t i = 0; !params->fock.on && i < sizeof tags / sizeof *tags; i++)
        if (pv_incar_has(incar, tags[i]))
            pv_log(PV_LOG_WARN, "%s: %s does nothing without LHFCALC = .TRUE.", pv_incar_name(incar), tags[i]);
    if (params->fock.on && params->fock.screening_bohr > 0.0 && params->fock.divergence != PV_FOCK_PROBE_CHARGE)
        pv_log(PV_LOG_WARN, "%s: HFRCUT does nothing with HFSCREEN = %g: screened exchange has no divergence",
               pv_incar_name(incar), params->fock.screening_bohr / PV_BOHR_ANGSTROM);
}

pv_status pv_params_read_hybrid(pv_incar *incar, pv_dft_params *params)
{
    PV_TRY(pv_incar_logical(incar, "LHFCALC", &params->fock.on));
    PV_TRY(pv_incar_logical(incar, "LFOCKACE", &params->fock.compressed));
    PV_TRY(pv_incar_logical(incar, "LFOCKCHECK", &params->fock.compares));
    PV_TRY(read_functional(incar, params));
    PV_TRY(pv_incar_logical(incar, "LXCFLAT", &params->functional.flat_counts));
    PV_TRY(read_reduction(incar, params));
    PV_TRY(read_grid(incar, params));
    PV_TRY(read_divergence(incar, params));
    if (params->fock.on && !pv_incar_has(incar, "ISYM")) params->symmetry = 3;
    tell(incar, params);
    return PV_OK;
}
