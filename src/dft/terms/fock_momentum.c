// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "dft/model/units.h"
#include "dft/terms/fock_parts.h"

const pv_fock_point *pv_fock_point_at(const pv_fock *fock, int source)
{
    return source < fock->kpoints ? &fock->home[source] : &fock->image[source - fock->kpoints];
}

// ---- One momentum ------------------------------------------------------------------------------------------------

static double square_of(const pv_cell *cell, const double kappa[3], const int32_t g[3])
{
    double square = 0.0;
    for (int d = 0; d < 3; d++) {
        double q = 0.0;
        for (int i = 0; i < 3; i++) q += (kappa[i] + g[i]) * cell->reciprocal[i][d];
        square += q * q;
    }
    return square;
}

// g fits the grid; where fields are real so must its partner -g - 2 kappa, or potentials would not be real.
static int fits(const pv_fock *fock, const double kappa[3], const int32_t g[3])
{
    for (int d = 0; d < 3; d++) {
        const int64_t n = fock->shape[d];
        const int32_t other = -g[d] - (int32_t)lround(2.0 * kappa[d]);
        if (n > 1 ? 2 * labs(g[d]) >= n : g[d] != 0) return 0;
        if (fock->real && (n > 1 ? 2 * labs(other) >= n : other != 0)) return 0;
    }
    return 1;
}

static int64_t list_waves(const pv_fock *fock, const double kappa[3], int32_t (*points)[3], double *kernel)
{
    const pv_cell *cell = fock->system->cell;
    int32_t bound[3], g[3];
    int64_t count = 0;
    for (int d = 0; d < 3; d++) bound[d] = (int32_t)(fock->shape[d] / 2);
    for (g[0] = -bound[0]; g[0] <= bound[0]; g[0]++)
        for (g[1] = -bound[1]; g[1] <= bound[1]; g[1]++)
            for (g[2] = -bound[2]; g[2] <= bound[2]; g[2]++) {
                if (!fits(fock, kappa, g)) continue;
                const double square = square_of(cell, kappa, g);
                if (square > fock->pair_reach * fock->pair_reach) continue;
                if (points) {
                    memcpy(points[count], g, sizeof g);
                    kernel[count] = pv_coulomb_at(&fock->coulomb, square) / cell->volume_bohr3;
                }
                count++;
            }
    return count;
}

static pv_status make_momentum(pv_fock *fock, pv_fock_momentum *momentum)
{
    const int64_t count = list_waves(fock, momentum->kappa, NULL, NULL);
    int32_t(*points)[3] = NULL;
    double *kernel = NULL;
    momentum->waves = count;
    pv_status status = PV_ALLOC(count, &points);
    if (status == PV_OK) status = PV_ALLOC(count, &kernel);
    if (status == PV_OK) {
        list_waves(fock, momentum->kappa, points, kernel);
        status = fock->ops->make_momentum(fock, momentum, count, (const int32_t(*)[3])points, kernel);
    }
    pv_mem_free(points);
    pv_mem_free(kernel);
    return status;
}

// ---- All ---------------------------------------------------------------------------------------------------------

// k - q = kappa + a reciprocal lattice vector, kappa in (-1/2, 1/2].
static void difference(const double k[3], const double q[3], double kappa[3])
{
    for (int d = 0; d < 3; d++) {
        const double whole = k[d] - q[d];
        kappa[d] = whole - ceil(whole - 0.5 - 1e-9);
        if (fabs(kappa[d]) < 1e-12) kappa[d] = 0.0;
    }
}

// With NKRED only every so many-th point of the mesh, counted from the target, takes part: from the one at or below it
// where the target (of weight 0) lies between points.
static int is_left_out(const pv_fock *fock, const double kappa[3])
{
    const int *reduction = fock->system->params.fock.reduction, *mesh = fock->system->full_kpoints->mesh;
    for (int d = 0; d < 3; d++) {
        if (reduction[d] <= 1) continue;
        const long steps = (long)floor(kappa[d] * mesh[d] + 1e-6);
        if (steps % reduction[d] != 0) return 1;
    }
    return 0;
}

static int find_or_add(pv_fock *fock, const double kappa[3])
{
    for (int m = 0; m < fock->momenta; m++) {
        const double *known = fock->momentum[m].kappa;
        if (fabs(known[0] - kappa[0]) + fabs(known[1] - kappa[1]) + fabs(known[2] - kappa[2]) < 1e-9) return m;
    }
    memcpy(fock->momentum[fock->momenta].kappa, kappa, sizeof(double[3]));
    return fock->momenta++;
}

int64_t pv_fock_list_ball(const pv_fock *fock, double reach, int32_t (*points)[3])
{
    static const double none[3];
    int32_t bound[3], g[3];
    int64_t count = 0;
    for (int d = 0; d < 3; d++) bound[d] = (int32_t)((fock->shape[d] - 1) / 2);
    for (g[0] = -bound[0]; g[0] <= bound[0]; g[0]++)
        for (g[1] = -bound[1]; g[1] <= bound[1]; g[1]++)
            for (g[2] = -bound[2]; g[2] <= bound[2]; g[2]++) {
                if (square_of(fock->system->cell, none, g) > reach * reach) continue;
                if (points) memcpy(points[count], g, sizeof g);
                count++;
            }
    return count;
}

double pv_fock_longest_momentum(const pv_fock *fock)
{
    static const int32_t zero[3];
    double longest = 0.0;
    for (int m = 0; m < fock->momenta; m++)
        longest = fmax(longest, square_of(fock->system->cell, fock->momentum[m].kappa, zero));
    return sqrt(longest);
}

pv_status pv_fock_make_momenta(pv_fock *fock)
{
    const int sources = fock->kpoints + fock->images;
    PV_TRY(PV_ALLOC(fock->kpoints * sources, &fock->momentum_of));
    PV_TRY(PV_ALLOC(fock->kpoints * sources, &fock->momentum));
    for (int k = 0; k < fock->kpoints; k++)
        for (int s = 0; s < sources; s++) {
            const pv_fock_point *point = pv_fock_point_at(fock, s);
            double kappa[3];
            difference(fock->home[k].k, point->k, kappa);
            const int out = point->weight == 0.0 || is_left_out(fock, kappa);
            fock->momentum_of[k * sources + s] = out ? -1 : find_or_add(fock, kappa);
        }
    PV_TRY(fock->ops->create(fock));
    for (int m = 0; m < fock->momenta; m++) PV_TRY(make_momentum(fock, &fock->momentum[m]));
    return PV_OK;
}

void pv_fock_free_momenta(pv_fock *fock)
{
    for (int m = 0; fock->momentum && m < fock->momenta; m++) fock->ops->free_momentum(&fock->momentum[m]);
    fock->ops->destroy(fock);
    pv_mem_free(fock->momentum);
    pv_mem_free(fock->momentum_of);
}

// Products of periodic parts have the waves (k - q) + g, those of the momentum kappa + g. Products of real fields need
// no shift: they are made periodic by kappa itself.
pv_fock_meeting pv_fock_meet(const pv_fock *fock, int target, int source)
{
    pv_fock_meeting meeting = {.momentum = NULL};
    const int m = fock->momentum_of[target * (fock->kpoints + fock->images) + source];
    if (m < 0) return meeting;
    const double *k = fock->home[target].k, *q = pv_fock_point_at(fock, source)->k;
    meeting.momentum = &fock->momentum[m];
    for (int d = 0; d < 3 && !fock->real; d++)
        meeting.shift[d] = (int)lround(meeting.momentum->kappa[d] - (k[d] - q[d]));
    return meeting;
}
