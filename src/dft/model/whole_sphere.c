// SPDX-License-Identifier: Apache-2.0
#include "dft/model/whole_sphere.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"

typedef struct wave {
    int32_t miller[3];
    unsigned char conjugate;
    int64_t from;
} wave;

static int compare(const int32_t a[3], const int32_t b[3])
{
    for (int d = 0; d < 3; d++)
        if (a[d] != b[d]) return a[d] < b[d] ? -1 : 1;
    return 0;
}

static int by_miller(const void *a, const void *b)
{
    return compare(((const wave *)a)->miller, ((const wave *)b)->miller);
}

int64_t pv_miller_find(int64_t count, const int32_t (*miller)[3], const int32_t wanted[3])
{
    int64_t low = 0, high = count;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (compare(miller[middle], wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && compare(miller[low], wanted) == 0 ? low : -1;
}

void pv_miller_partner(const pv_basis *basis, const int32_t miller[3], int32_t partner[3])
{
    for (int d = 0; d < 3; d++) partner[d] = -miller[d] - (int32_t)lround(2.0 * basis->k_fractional[d]);
}

static int64_t list(const pv_basis *basis, wave *waves)
{
    int64_t count = 0;
    for (int64_t i = 0; i < basis->count; i++) {
        wave *w = &waves[count++];
        *w = (wave){.from = i};
        memcpy(w->miller, basis->miller[i], sizeof w->miller);
        if (basis->scalar != PV_SCALAR_REAL) continue;
        wave partner = {.from = i, .conjugate = 1};
        pv_miller_partner(basis, w->miller, partner.miller);
        if (compare(partner.miller, w->miller) != 0) waves[count++] = partner;
    }
    qsort(waves, (size_t)count, sizeof *waves, by_miller);
    return count;
}

static pv_status fill(const wave *waves, int64_t count, pv_whole_sphere *sphere)
{
    PV_TRY(PV_ALLOC(count, &sphere->miller));
    PV_TRY(PV_ALLOC(count, &sphere->from));
    PV_TRY(PV_ALLOC(count, &sphere->conjugate));
    sphere->count = count;
    for (int64_t i = 0; i < count; i++) {
        memcpy(sphere->miller[i], waves[i].miller, sizeof waves[i].miller);
        sphere->from[i] = waves[i].from;
        sphere->conjugate[i] = waves[i].conjugate;
    }
    return PV_OK;
}

pv_status pv_whole_sphere_create(const pv_basis *basis, pv_whole_sphere **sphere_p)
{
    wave *waves = NULL;
    pv_whole_sphere *sphere = NULL;
    pv_status status = PV_ALLOC(1, &sphere);
    if (status == PV_OK) status = PV_ALLOC(2 * basis->count, &waves);
    if (status == PV_OK) status = fill(waves, list(basis, waves), sphere);
    pv_mem_free(waves);
    if (status == PV_OK)
        *sphere_p = sphere;
    else
        pv_whole_sphere_destroy(sphere);
    return status;
}

void pv_whole_sphere_destroy(pv_whole_sphere *sphere)
{
    if (!sphere) return;
    pv_mem_free(sphere->miller);
    pv_mem_free(sphere->from);
    pv_mem_free(sphere->conjugate);
    pv_mem_free(sphere);
}
