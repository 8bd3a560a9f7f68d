// SPDX-License-Identifier: Apache-2.0
#include "dft/model/kpoints.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/mem.h"
#include "dft/model/units.h"

enum {
    MOST_POINTS = 1000000,
    // Points are equal when they round to the same multiple of 1/STEPS: divisible by the usual mesh numbers, so that
    // these lie in the middle of a step.
    STEPS = 100800
};

// A point modulo the reciprocal lattice as one number.
typedef struct place {
    int64_t key;
    int index;
} place;

pv_status pv_kpoints_create(int count, pv_kpoints **kpoints_p)
{
    PV_REQUIRE(count > 0 && count <= MOST_POINTS, PV_ERR_ARGUMENT, "asked for %d k-points; 1 to %d are accepted", count,
               MOST_POINTS);
    pv_kpoints *kpoints;
    PV_TRY(PV_ALLOC(1, &kpoints));
    pv_status status;
    PV_TRY_GOTO(PV_ALLOC(count, &kpoints->fractional), status, failed);
    PV_TRY_GOTO(PV_ALLOC(count, &kpoints->weight), status, failed);
    PV_TRY_GOTO(PV_ALLOC(count, &kpoints->first_of), status, failed);
    for (int k = 0; k < count; k++) kpoints->first_of[k] = k;
    kpoints->count = count;
    *kpoints_p = kpoints;
    return PV_OK;
failed:
    pv_kpoints_destroy(kpoints);
    return status;
}

void pv_kpoints_destroy(pv_kpoints *kpoints)
{
    if (!kpoints) return;
    pv_mem_free(kpoints->fractional);
    pv_mem_free(kpoints->weight);
    pv_mem_free(kpoints->first_of);
    pv_mem_free(kpoints->label);
    pv_mem_free(kpoints);
}

pv_status pv_kpoints_create_mesh(const int mesh[3], const double shift[3], pv_kpoints **kpoints_p)
{
    int64_t count = 1;
    for (int i = 0; i < 3; i++) {
        PV_REQUIRE(
            mesh[i] > 0 && mesh[i] <= MOST_POINTS && isfinite(shift[i]), PV_ERR_INPUT,
            "a k-point mesh of %d x %d x %d shifted by %g %g %g; positive numbers and a finite shift are accepted",
            mesh[0], mesh[1], mesh[2], shift[0], shift[1], shift[2]);
        count *= mesh[i];
        PV_REQUIRE(count <= MOST_POINTS, PV_ERR_INPUT, "a k-point mesh of %d x %d x %d; at most %d points are accepted",
                   mesh[0], mesh[1], mesh[2], MOST_POINTS);
    }
    pv_kpoints *kpoints;
    PV_TRY(pv_kpoints_create((int)count, &kpoints));
    for (int k = 0; k < kpoints->count; k++) {
        const int n[3] = {k % mesh[0], k / mesh[0] % mesh[1], k / mesh[0] / mesh[1]};
        for (int i = 0; i < 3; i++) {
            double x = (n[i] + shift[i]) / mesh[i];
            kpoints->fractional[k][i] = x - ceil(x - 0.5 - 1e-12);
        }
        kpoints->weight[k] = 1.0 / (double)count;
    }
    kpoints->is_mesh = 1;
    for (int i = 0; i < 3; i++) {
        kpoints->mesh[i] = mesh[i];
        kpoints->shift[i] = shift[i];
    }
    *kpoints_p = kpoints;
    return PV_OK;
}

pv_status pv_kpoints_create_spacing(const pv_cell *cell, double spacing, int gamma_centred, pv_kpoints **kpoints_p)
{
    PV_REQUIRE(spacing > 0.0 && isfinite(spacing), PV_ERR_INPUT,
               "KSPACING = %g 1/Angstrom; a positive number is accepted", spacing);
    int mesh[3];
    double shift[3];
    for (int i = 0; i < 3; i++) {
        const double *b = cell->reciprocal[i];
        double length = sqrt(b[0] * b[0] + b[1] * b[1] + b[2] * b[2]) / PV_BOHR_ANGSTROM;
        // 1e-9: a spacing that divides the length exactly must not gain a point by rounding.
        double wanted = ceil(length / spacing - 1e-9);
        mesh[i] = wanted < 1.0 ? 1 : wanted > MOST_POINTS ? MOST_POINTS + 1 : (int)wanted;
        shift[i] = gamma_centred ? 0.0 : 0.5 * (1 - mesh[i]);
    }
    return pv_kpoints_create_mesh(mesh, shift, kpoints_p);
}

int pv_kpoints_weightless(const pv_kpoints *kpoints)
{
    int count = 0;
    for (int k = 0; k < kpoints->count; k++) count += kpoints->weight[k] == 0.0;
    return count;
}

int64_t pv_kpoints_key(const double k[3], double sign)
{
    int64_t key = 0;
    for (int i = 0; i < 3; i++) {
        double wrapped = sign * k[i] - floor(sign * k[i]);
        key = key * STEPS + llround(wrapped * STEPS) % STEPS;
    }
    return key;
}

static int by_key(const void *a, const void *b)
{
    const place *p = a, *q = b;
    if (p->key != q->key) return p->key < q->key ? -1 : 1;
    return p->index - q->index;
}

pv_status pv_kpoints_mark_equal(pv_kpoints *kpoints)
{
    place *places;
    PV_TRY(PV_ALLOC(kpoints->count, &places));
    for (int k = 0; k < kpoints->count; k++) places[k] = (place){pv_kpoints_key(kpoints->fractional[k], 1.0), k};
    qsort(places, (size_t)kpoints->count, sizeof *places, by_key);
    for (int i = 0, first = 0; i < kpoints->count; i++) {
        if (places[i].key != places[first].key) first = i;
        kpoints->first_of[places[i].index] = places[first].index;
    }
    pv_mem_free(places);
    return PV_OK;
}

pv_status pv_kpoints_append(const pv_kpoints *full, const pv_kpoints *path, pv_kpoints **both_p)
{
    pv_kpoints *both;
    PV_TRY(pv_kpoints_create(full->count + path->count, &both));
    for (int k = 0; k < both->count; k++) {
        const double *from = k < full->count ? full->fractional[k] : path->fractional[k - full->count];
        for (int i = 0; i < 3; i++) both->fractional[k][i] = from[i];
        both->weight[k] = k < full->count ? full->weight[k] : 0.0;
    }
    both->is_mesh = full->is_mesh;
    for (int i = 0; i < 3; i++) {
        both->mesh[i] = full->mesh[i];
        both->shift[i] = full->shift[i];
    }
    const pv_status status = pv_kpoints_mark_equal(both);
    if (status == PV_OK) *both_p = both;
    else pv_kpoints_destroy(both);
    return status;
}
