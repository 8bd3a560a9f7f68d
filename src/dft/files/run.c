// SPDX-License-Identifier: Apache-2.0
#include "dft/files/run.h"

#include <math.h>

pv_run_group pv_run_group_at(const pv_cell *cell, int first)
{
    pv_run_group group = {.first = first};
    if (first >= cell->atoms) return group;
    group.species = cell->species_of[first];
    while (first + group.count < cell->atoms && cell->species_of[first + group.count] == group.species) group.count++;
    return group;
}

int pv_run_groups(const pv_cell *cell)
{
    int groups = 0;
    for (int a = 0; a < cell->atoms; groups++) a += pv_run_group_at(cell, a).count;
    return groups;
}

double pv_run_filling(const pv_run *run, int spin, int k, int band)
{
    const pv_results *results = run->results;
    const double filling = results->occupation[((int64_t)spin * results->kpoints + k) * results->bands + band];
    return results->spins == 2 ? filling : 0.5 * filling;
}

double pv_run_electrons(const pv_run *run, int spin)
{
    const pv_results *results = run->results;
    const double *filling = results->occupation + (int64_t)spin * results->kpoints * results->bands;
    double sum = 0.0;
    for (int k = 0; k < results->kpoints; k++)
        for (int b = 0; b < results->bands; b++) sum += results->weight[k] * *filling++;
    return sum;
}

double pv_run_magnetisation(const pv_run *run)
{
    return run->results->spins == 2 ? pv_run_electrons(run, 0) - pv_run_electrons(run, 1) : 0.0;
}

double pv_run_shown(double value, int decimals)
{
    return fabs(value) < 0.5 * pow(10.0, -decimals) ? 0.0 : value;
}
