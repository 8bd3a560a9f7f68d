// SPDX-License-Identifier: Apache-2.0
#include "dft/model/sites.h"

#include <math.h>

#include "base/check.h"
#include "base/mem.h"

enum { BINS_MOST = 64 }; // along an axis

// Atoms sorted into bins of the cell, about one a bin.
struct pv_sites {
    const pv_cell *cell;
    const int *label;
    int bins;                  // along each axis
    int *first;                // [bins^3 + 1], into atom
    int *atom;                 // [atoms]
};

static int bin_along(const pv_sites *sites, double x)
{
    const int bin = (int)((x - floor(x)) * sites->bins);
    return bin < sites->bins ? bin : 0;
}

static int bin_of(const pv_sites *sites, const double x[3])
{
    int bin = 0;
    for (int d = 0; d < 3; d++) bin = bin * sites->bins + bin_along(sites, x[d]);
    return bin;
}

static void sort_atoms(pv_sites *sites)
{
    const pv_cell *cell = sites->cell;
    const int bins = sites->bins * sites->bins * sites->bins;
    for (int a = 0; a < cell->atoms; a++) sites->first[bin_of(sites, cell->fractional[a]) + 1]++;
    for (int b = 0; b < bins; b++) sites->first[b + 1] += sites->first[b];
    for (int a = cell->atoms - 1; a >= 0; a--) { // from the back: `first` of a bin moves down to its start
        const int bin = bin_of(sites, cell->fractional[a]);
        sites->atom[--sites->first[bin + 1]] = a;
    }
    for (int b = 0; b < bins; b++) sites->first[b] = sites->first[b + 1];
    sites->first[bins] = cell->atoms;
}

pv_status pv_sites_create(const pv_cell *cell, const int *label, pv_sites **sites_p)
{
    pv_sites *sites;
    PV_TRY(PV_ALLOC(1, &sites));
    sites->cell = cell;
    sites->label = label;
    sites->bins = (int)fmin(ceil(cbrt(cell->atoms)), BINS_MOST);
    pv_status status = PV_ALLOC(sites->bins * sites->bins * sites->bins + 1, &sites->first);
    if (status == PV_OK) status = PV_ALLOC(cell->atoms, &sites->atom);
    if (status != PV_OK) {
        pv_sites_destroy(sites);
        return status;
    }
    sort_atoms(sites);
    *sites_p = sites;
    return PV_OK;
}

void pv_sites_destroy(pv_sites *sites)
{
    if (!sites) return;
    pv_mem_free(sites->first);
    pv_mem_free(sites->atom);
    pv_mem_free(sites);
}

static double distance(const pv_cell *cell, int atom, const double place[3])
{
    double nearest[3], way[3];
    for (int d = 0; d < 3; d++) {
        const double difference = cell->fractional[atom][d] - place[d];
        nearest[d] = difference - round(difference);
    }
    pv_cell_to_cartesian(cell, nearest, way);
    return sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
}

int pv_sites_find(const pv_sites *sites, int label, const double fractional[3], double reach_bohr)
{
    const int n = sites->bins;
    int found = -1;
    for (int step = 0; step < 27; step++) {
        const int move[3] = {step / 9 - 1, step / 3 % 3 - 1, step % 3 - 1};
        int bin = 0;
        for (int d = 0; d < 3; d++) bin = bin * n + (bin_along(sites, fractional[d]) + move[d] + n) % n;
        for (int i = sites->first[bin]; i < sites->first[bin + 1]; i++) {
            const int atom = sites->atom[i];
            if (sites->label[atom] != label) continue;
            const double d = distance(sites->cell, atom, fractional);
            if (d > reach_bohr) continue;
            reach_bohr = d;
            found = atom;
        }
    }
    return found;
}
