// SPDX-License-Identifier: Apache-2.0
#include "dft/model/pseudo_tables.h"

#include <math.h>

#include "base/check.h"
#include "base/mem.h"
#include "dft/model/bessel.h"
#include "dft/model/units.h"

// Eight-point interpolation: the error falls as (r * STEP)^8, so that what a potential holds up to r = 5 bohr is right
// to 1e-11 of it, and the tails of densities at 10 bohr to 1e-9 of the little that is there.
#define STEP 0.02
enum {
    POINTS = 1600,             // of the q mesh: to 32 / bohr
    STENCIL = 8,
    BEFORE = STENCIL / 2 - 1,  // of these lie below the interval
    STORED = BEFORE + POINTS + STENCIL / 2
};

struct pv_pseudo_tables {
    int quantities;
    int integrated;            // radial points of the longest integral
    double *weighted; // [quantities][integrated]: 4 pi, Simpson's weight and everything but the Bessel function
    double *value;             // [quantities][STORED]: at q = (index - BEFORE) * STEP
    double alpha;
};

static int l_of(const pv_pseudo *pseudo, int quantity)
{
    return quantity < PV_PSEUDO_PROJECTOR ? 0 : pseudo->l[quantity - PV_PSEUDO_PROJECTOR];
}

static int has(const pv_pseudo *pseudo, int quantity)
{
    if (quantity == PV_PSEUDO_CORE) return pseudo->radial->core != NULL;
    return quantity != PV_PSEUDO_DENSITY || pseudo->radial->density != NULL;
}

static int extent(const pv_pseudo *pseudo, int quantity)
{
    return quantity < PV_PSEUDO_PROJECTOR ? pseudo->radial->integrated : pseudo->radial->projector_integrated;
}

// Simpson's rule on an odd number of points.
static double simpson(const pv_pseudo_radial *radial, int count, int point)
{
    double weight = point == 0 || point == count - 1 ? 1.0 : point % 2 ? 4.0 : 2.0;
    return weight / 3.0 * radial->dr[point];
}

// What stands before j_l(qr) in the integral.
static double integrand(const pv_pseudo *pseudo, int quantity, int point)
{
    const pv_pseudo_radial *radial = pseudo->radial;
    const double r = radial->r[point];
    switch (quantity) {
    case PV_PSEUDO_LOCAL: return 4.0 * PV_PI * r * (r * radial->local_ha[point] + pseudo->valence * erf(r));
    case PV_PSEUDO_CORE: return 4.0 * PV_PI * r * r * radial->core[point];
    case PV_PSEUDO_DENSITY: return radial->density[point];
    default: break;
    }
    const double *projector = radial->projector + (size_t)(quantity - PV_PSEUDO_PROJECTOR) * (size_t)radial->points;
    return 4.0 * PV_PI * r * projector[point];
}

static void weigh(const pv_pseudo *pseudo, struct pv_pseudo_tables *tables)
{
    const pv_pseudo_radial *radial = pseudo->radial;
    for (int quantity = 0; quantity < tables->quantities; quantity++) {
        double *row = tables->weighted + (size_t)quantity * (size_t)tables->integrated;
        const int count = has(pseudo, quantity) ? extent(pseudo, quantity) : 0;
        for (int i = 0; i < count; i++) row[i] = simpson(radial, count, i) * integrand(pseudo, quantity, i);
    }
    for (int i = 0; i < radial->integrated; i++) {
        const double r = radial->r[i];
        const double short_ranged = r * (r * radial->local_ha[i] + pseudo->valence);
        tables->alpha += 4.0 * PV_PI * simpson(radial, radial->integrated, i) * short_ranged;
    }
}

// Adds one radial point to every quantity at every q; sin and cos of q r follow from those one step before.
static void add_point(const pv_pseudo *pseudo, struct pv_pseudo_tables *tables, int point)
{
    const double r = pseudo->radial->r[point], turn_sine = sin(STEP * r), turn_cosine = cos(STEP * r);
    const int scalars = has(pseudo, PV_PSEUDO_DENSITY) ? 3 : has(pseudo, PV_PSEUDO_CORE) ? 2 : 1;
    const int quantities = point < pseudo->radial->projector_integrated ? tables->quantities : scalars;
    double sine = 0.0, cosine = 1.0;
    for (int k = BEFORE; k < STORED; k++) {
        const double x = (k - BEFORE) * STEP * r;
        double bessel[PV_PSEUDO_L_MAX + 1];
        for (int l = 0; l <= (quantities > scalars ? pseudo->l_max : 0); l++)
            bessel[l] = pv_bessel_from(l, x, sine, cosine);
        for (int quantity = 0; quantity < quantities; quantity++)
            tables->value[(size_t)quantity * STORED + (size_t)k] +=
                tables->weighted[(size_t)quantity * (size_t)tables->integrated + (size_t)point] *
                bessel[l_of(pseudo, quantity)];
        const double turned = sine * turn_cosine + cosine * turn_sine;
        cosine = cosine * turn_cosine - sine * turn_sine;
        sine = turned;
    }
}

// j_l(-x) = (-1)^l j_l(x) gives the points below q = 0 that the first intervals need.
static void mirror(const pv_pseudo *pseudo, struct pv_pseudo_tables *tables)
{
    for (int quantity = 0; quantity < tables->quantities; quantity++) {
        double *row = tables->value + (size_t)quantity * STORED;
        const double sign = l_of(pseudo, quantity) % 2 ? -1.0 : 1.0;
        for (int k = 1; k <= BEFORE; k++) row[BEFORE - k] = sign * row[BEFORE + k];
    }
}

pv_status pv_pseudo_tables_create(const pv_pseudo *pseudo, struct pv_pseudo_tables **tables_p)
{
    struct pv_pseudo_tables *tables;
    PV_TRY(PV_ALLOC(1, &tables));
    tables->quantities = PV_PSEUDO_PROJECTOR + pseudo->projectors;
    tables->integrated = pseudo->radial->integrated;
    pv_status status;
    PV_TRY_GOTO(PV_ALLOC((size_t)tables->quantities * (size_t)tables->integrated, &tables->weighted), status, failed);
    PV_TRY_GOTO(PV_ALLOC((size_t)tables->quantities * STORED, &tables->value), status, failed);
    weigh(pseudo, tables);
    for (int point = 0; point < tables->integrated; point++) add_point(pseudo, tables, point);
    mirror(pseudo, tables);
    *tables_p = tables;
    return PV_OK;
failed:
    pv_pseudo_tables_destroy(tables);
    return status;
}

void pv_pseudo_tables_destroy(struct pv_pseudo_tables *tables)
{
    if (!tables) return;
    pv_mem_free(tables->weighted);
    pv_mem_free(tables->value);
    pv_mem_free(tables);
}

// Lagrange's polynomial through STENCIL points; x is measured from the first of them.
static double interpolate(const double *value, double x)
{
    static const double inverse_factor[STENCIL] = {-1.0 / 5040, 1.0 / 720, -1.0 / 240, 1.0 / 144,
                                                   -1.0 / 144,  1.0 / 240, -1.0 / 720, 1.0 / 5040};
    double below[STENCIL], above = 1.0, sum = 0.0;
    below[0] = 1.0;
    for (int k = 1; k < STENCIL; k++) below[k] = below[k - 1] * (x - (k - 1));
    for (int k = STENCIL - 1; k >= 0; k--) {
        sum += value[k] * inverse_factor[k] * below[k] * above;
        above *= x - k;
    }
    return sum;
}

static double integrate(const pv_pseudo *pseudo, int quantity, double q)
{
    const struct pv_pseudo_tables *tables = pseudo->tables;
    const double *row = tables->weighted + (size_t)quantity * (size_t)tables->integrated;
    double sum = 0.0;
    for (int i = 0; i < extent(pseudo, quantity); i++)
        sum += row[i] * pv_bessel(l_of(pseudo, quantity), q * pseudo->radial->r[i]);
    return sum;
}

double pv_pseudo_tables_value(const pv_pseudo *pseudo, int quantity, double q)
{
    if (!has(pseudo, quantity)) return 0.0;
    const double steps = q / STEP;
    if (!(steps < POINTS)) return integrate(pseudo, quantity, q);
    const int interval = (int)steps;
    return interpolate(pseudo->tables->value + (size_t)quantity * STORED + interval, steps - interval + BEFORE);
}

double pv_pseudo_tables_alpha(const pv_pseudo *pseudo)
{
    return pseudo->tables->alpha;
}
