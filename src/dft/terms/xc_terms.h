// SPDX-License-Identifier: Apache-2.0
// The functionals of libxc that a density functional is a sum of, each with its weight.
#ifndef PV_DFT_XC_TERMS_H
#define PV_DFT_XC_TERMS_H

#include <xc.h>

#include <parseval/status.h>

#include "dft/model/functional.h"

#define PV_XC_TERMS 6

typedef struct pv_xc_terms {
    int count, gradients;              // whether any term takes gradients
    struct {
        xc_func_type functional;
        double weight;
        int gradients, exchange;       // takes gradients; is exchange, else correlation
    } term[PV_XC_TERMS];
} pv_xc_terms;

// The semilocal part: everything but exact exchange. Energies vanish where the density is below density_floor.
pv_status pv_xc_terms_open(const pv_functional *functional, int spins, double density_floor, pv_xc_terms *terms_p);
void pv_xc_terms_close(pv_xc_terms *terms);

#endif
