// SPDX-License-Identifier: Apache-2.0
// Form factors of a radial potential, on a uniform mesh in q with interpolation between its points. Private to
// pseudo.c and pseudo_form.c.
#ifndef PV_DFT_PSEUDO_TABLES_H
#define PV_DFT_PSEUDO_TABLES_H

#include "dft/model/pseudo.h"

typedef enum pv_pseudo_quantity {
    PV_PSEUDO_LOCAL,           // the short-ranged part 4 pi int r (r V + Z erf r) j_0(qr) dr
    PV_PSEUDO_CORE,
    PV_PSEUDO_DENSITY,
    PV_PSEUDO_PROJECTOR        // + i
} pv_pseudo_quantity;

pv_status pv_pseudo_tables_create(const pv_pseudo *pseudo, struct pv_pseudo_tables **tables_p);
void pv_pseudo_tables_destroy(struct pv_pseudo_tables *tables);

// 0 for a quantity that the potential does not have.
double pv_pseudo_tables_value(const pv_pseudo *pseudo, int quantity, double q);
// 4 pi int r (r V + Z) dr.
double pv_pseudo_tables_alpha(const pv_pseudo *pseudo);

#endif
