// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stddef.h>

#include "base/check.h"
#include "base/log.h"
#include "dft/model/params_read.h"

static const struct {
    int number;
    pv_dft_smearing smearing;
} kinds[] = {{-6, PV_SMEARING_COLD},  {-5, PV_SMEARING_TETRAHEDRA_BLOECHL}, {-4, PV_SMEARING_TETRAHEDRA},
             {-2, PV_SMEARING_FIXED}, {-1, PV_SMEARING_FERMI},              {0, PV_SMEARING_GAUSSIAN}};

enum { KINDS = sizeof kinds / sizeof *kinds };

double pv_dft_params_full(const pv_dft_params *params)
{
    return params->spins == 2 ? 1.0 : 2.0;
}

int pv_dft_params_ismear(const pv_dft_params *params)
{
    for (int i = 0; i < KINDS; i++)
        if (kinds[i].smearing == params->smearing) return kinds[i].number;
    return params->smearing_order;
}

static pv_status read_kind(pv_incar *incar, pv_dft_params *params)
{
    int number = pv_dft_params_ismear(params);
    PV_TRY(pv_incar_int(incar, "ISMEAR", &number));
    if (number >= 1 && number <= 10) {
        params->smearing = PV_SMEARING_METHFESSEL;
        params->smearing_order = number;
        return PV_OK;
    }
    params->smearing_order = 0;
    for (int i = 0; i < KINDS; i++)
        if (kinds[i].number == number) {
            params->smearing = kinds[i].smearing;
            return PV_OK;
        }
    PV_FAIL(PV_ERR_UNSUPPORTED,
            "%s: found ISMEAR = %d; 1 to 10 (Methfessel-Paxton), 0 (Gaussian), -1 (Fermi), -2 (fixed), -4 and -5 "
            "(tetrahedra, with Bloechl's correction) and -6 (cold smearing, Parseval's own number) are accepted",
            pv_incar_name(incar), number);
}

// FERWE or FERDO: shares of states that are filled.
static pv_status read_list(pv_incar *incar, const char *tag, double **list_p, int *count_p)
{
    PV_TRY(pv_incar_reals(incar, tag, list_p, count_p));
    PV_REQUIRE(*count_p > 0, PV_ERR_INPUT, "%s: ISMEAR = -2 without %s; the filling (0 to 1) of every band is needed",
               pv_incar_name(incar), tag);
    for (int i = 0; i < *count_p; i++)
        PV_REQUIRE((*list_p)[i] >= 0.0 && (*list_p)[i] <= 1.0, PV_ERR_INPUT,
                   "%s: found %g as number %d of %s; 0 to 1 is accepted, with and without spin", pv_incar_name(incar),
                   (*list_p)[i], i + 1, tag);
    return PV_OK;
}

pv_status pv_params_read_occupation(pv_incar *incar, pv_dft_params *params)
{
    static const char *const lists[] = {"FERWE", "FERDO"};
    PV_TRY(read_kind(incar, params));
    for (int s = 0; s < 2; s++) {
        if (params->smearing == PV_SMEARING_FIXED && s < params->spins)
            PV_TRY(read_list(incar, lists[s], &params->fixed_filling[s], &params->fixed_count[s]));
        else if (pv_incar_has(incar, lists[s]))
            pv_log(PV_LOG_WARN, "%s: %s does nothing without ISMEAR = -2%s", pv_incar_name(incar), lists[s],
                   s == 1 ? " and ISPIN = 2" : "");
    }
    return PV_OK;
}
