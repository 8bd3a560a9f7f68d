// SPDX-License-Identifier: Apache-2.0
// Atoms that stand too close to each other: on one site, or nearer than any bond.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/log.h"
#include "base/mem.h"
#include "dft/model/cell.h"
#include "dft/model/element.h"
#include "dft/model/units.h"

#define SHORT_SHARE 0.6 // of the sum of two covalent radii: no bond under any pressure that is computed for

// An atom by its first coordinate, wrapped into [0, 1).
typedef struct placed {
    double wrapped;
    int atom;
} placed;

// Of two atoms, or of one and its image: those with the least share of a bond's length between them.
typedef struct pair {
    int first, second;
    double distance_bohr, share;
} pair;

static int by_place(const void *a, const void *b)
{
    double difference = ((const placed *)a)->wrapped - ((const placed *)b)->wrapped;
    return (difference > 0.0) - (difference < 0.0);
}

static double length(const pv_cell *cell, const double fractional[3])
{
    double cartesian[3];
    pv_cell_to_cartesian(cell, fractional, cartesian);
    return sqrt(cartesian[0] * cartesian[0] + cartesian[1] * cartesian[1] + cartesian[2] * cartesian[2]);
}

static double distance(const pv_cell *cell, int a, int b)
{
    double fractional[3];
    for (int i = 0; i < 3; i++) {
        double difference = cell->fractional[a][i] - cell->fractional[b][i];
        fractional[i] = difference - round(difference);
    }
    return length(cell, fractional);
}

static double shortest_translation(const pv_cell *cell)
{
    double shortest = INFINITY;
    for (int n = 1; n < 27; n++) {
        const double step[3] = {(n % 3 + 1) % 3 - 1, (n / 3 % 3 + 1) % 3 - 1, (n / 9 + 1) % 3 - 1};
        shortest = fmin(shortest, length(cell, step));
    }
    return shortest;
}

static double bond_bohr(const pv_cell *cell, int a, int b)
{
    double sum = 0.0;
    for (int i = 0; i < 2; i++) {
        const double radius = pv_element_radius(pv_element_number(cell->species_name[cell->species_of[i ? b : a]]));
        sum += radius > 0.0 ? radius : 1.0;
    }
    return sum / PV_BOHR_ANGSTROM;
}

static void consider(const pv_cell *cell, int a, int b, double distance_bohr, pair *closest)
{
    const double bond = bond_bohr(cell, a, b), share = distance_bohr / bond;
    if (share < closest->share) *closest = (pair){a < b ? a : b, a < b ? b : a, distance_bohr, share};
}

static double longest_bond(const pv_cell *cell)
{
    double longest = 0.0;
    for (int s = 0; s < cell->species; s++)
        longest = fmax(longest, 2.0 * pv_element_radius(pv_element_number(cell->species_name[s])) / PV_BOHR_ANGSTROM);
    return longest;
}

// Atoms closer than `reach` differ by at most reach |b1| / 2 pi along a1, so sorting along a1 leaves few pairs.
static pv_status find_closest(const pv_cell *cell, double reach_bohr, pair *closest)
{
    placed *sorted;
    PV_TRY(PV_ALLOC(cell->atoms, &sorted));
    for (int a = 0; a < cell->atoms; a++) {
        double x = cell->fractional[a][0];
        sorted[a] = (placed){x - floor(x), a};
    }
    qsort(sorted, (size_t)cell->atoms, sizeof *sorted, by_place);
    const double *b1 = cell->reciprocal[0];
    const double reach = reach_bohr * sqrt(b1[0] * b1[0] + b1[1] * b1[1] + b1[2] * b1[2]) / (2.0 * PV_PI);
    for (int i = 0; i < cell->atoms; i++)
        for (int step = 1; step < cell->atoms; step++) {
            int j = (i + step) % cell->atoms;
            double ahead = sorted[j].wrapped - sorted[i].wrapped + (j < i ? 1.0 : 0.0);
            if (ahead > reach) break;
            consider(cell, sorted[i].atom, sorted[j].atom, distance(cell, sorted[i].atom, sorted[j].atom), closest);
        }
    pv_mem_free(sorted);
    const double translation = shortest_translation(cell);
    for (int a = 0; a < cell->atoms; a++) consider(cell, a, a, translation, closest);
    return PV_OK;
}

static pv_status report(const pv_cell *cell, const pair *closest, double closest_bohr)
{
    char other[32] = "its own image";
    const int a = closest->first, b = closest->second;
    const char *name = cell->species_name[cell->species_of[a]];
    const double found = closest->distance_bohr * PV_BOHR_ANGSTROM;
    if (a != b) snprintf(other, sizeof other, "atom %d (%s)", b + 1, cell->species_name[cell->species_of[b]]);
    PV_REQUIRE(closest->distance_bohr >= closest_bohr, PV_ERR_INPUT,
               "atom %d (%s) and %s are closer than %g Angstrom; each must have its own place", a + 1, name, other,
               closest_bohr * PV_BOHR_ANGSTROM);
    pv_log(PV_LOG_WARN,
           "atom %d (%s) and %s are %.3g Angstrom apart, where a bond has about %.2f: are the scale, and Direct or "
           "Cartesian, what was meant?",
           a + 1, name, other, found, found / closest->share);
    return PV_OK;
}

pv_status pv_cell_check_distances(const pv_cell *cell, double closest_bohr)
{
    pair closest = {.share = INFINITY, .distance_bohr = INFINITY};
    PV_TRY(find_closest(cell, fmax(closest_bohr, SHORT_SHARE * longest_bond(cell)), &closest));
    if (!(closest.share < SHORT_SHARE)) return PV_OK;
    return report(cell, &closest, closest_bohr);
}
