// SPDX-License-Identifier: Apache-2.0
#include "dft/model/pseudo_form.h"

#include <math.h>

#include "dft/model/gth.h"
#include "dft/model/pseudo_tables.h"
#include "dft/model/units.h"

// Radial tables hold V + Z erf(r)/r, which ends where the potential turns into -Z/r; the rest is known in closed form.
double pv_pseudo_local_form(const pv_pseudo *pseudo, double q)
{
    if (pseudo->gth) return pv_gth_local_form(pseudo->gth, q);
    if (q == 0.0) return pv_pseudo_tables_alpha(pseudo);
    return pv_pseudo_tables_value(pseudo, PV_PSEUDO_LOCAL, q) -
           4.0 * PV_PI * pseudo->valence * exp(-0.25 * q * q) / (q * q);
}

// Projectors of an analytic potential are listed by l, then in the order of the table.
static double gth_projector_form(const pv_pseudo *pseudo, int i, double q)
{
    int first = i;
    while (first > 0 && pseudo->l[first - 1] == pseudo->l[i]) first--;
    return pv_gth_projector_form(pseudo->gth, pseudo->l[i], i - first, q);
}

double pv_pseudo_projector_form(const pv_pseudo *pseudo, int i, double q)
{
    return pseudo->gth ? gth_projector_form(pseudo, i, q) : pv_pseudo_tables_value(pseudo, PV_PSEUDO_PROJECTOR + i, q);
}

double pv_pseudo_core_form(const pv_pseudo *pseudo, double q)
{
    return pseudo->has_core ? pv_pseudo_tables_value(pseudo, PV_PSEUDO_CORE, q) : 0.0;
}

double pv_pseudo_density_form(const pv_pseudo *pseudo, double q)
{
    if (pseudo->radial && pseudo->radial->density) return pv_pseudo_tables_value(pseudo, PV_PSEUDO_DENSITY, q);
    return pv_atom_density_form(&pseudo->model, q);
}
