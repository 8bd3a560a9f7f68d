// SPDX-License-Identifier: Apache-2.0
#include "dft/model/symmetry_kpoints.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "dft/model/units.h"

enum { POINT_GROUP_MOST = 48 };

// The different rotations of a symmetry, by the operation that has each.
typedef struct turns {
    int count;
    int operation[POINT_GROUP_MOST];
} turns;

typedef struct place {
    int64_t key;
    int index;
} place;

static pv_status find_turns(const pv_symmetry *symmetry, turns *found)
{
    found->count = 0;
    for (int o = 0; o < symmetry->count; o++) {
        const int (*r)[3] = (const int (*)[3])symmetry->operation[o].rotation;
        int t = 0;
        while (t < found->count
               && memcmp(symmetry->operation[found->operation[t]].rotation, r, sizeof(int[3][3])) != 0)
            t++;
        if (t < found->count) continue;
        PV_REQUIRE(t < POINT_GROUP_MOST, PV_ERR_INTERNAL, "more than %d rotations; a point group has no more",
                   POINT_GROUP_MOST);
        found->operation[found->count++] = o;
    }
    return PV_OK;
}

static void turn(const pv_operation *operation, const double k[3], double turned[3])
{
    for (int i = 0; i < 3; i++) {
        turned[i] = 0.0;
        for (int j = 0; j < 3; j++) turned[i] += operation->reciprocal[i][j] * k[j];
    }
}

static int by_key(const void *a, const void *b)
{
    const place *p = a, *q = b;
    if (p->key != q->key) return p->key < q->key ? -1 : 1;
    return p->index - q->index;
}

// Points of positive weight, sorted by where they are.
static pv_status sort_points(const pv_kpoints *full, place **places_p, int *count_p)
{
    place *places;
    int count = 0;
    PV_TRY(PV_ALLOC(full->count, &places));
    for (int k = 0; k < full->count; k++)
        if (full->weight[k] > 0.0) places[count++] = (place){pv_kpoints_key(full->fractional[k], 1.0), k};
    qsort(places, (size_t)count, sizeof *places, by_key);
    *places_p = places;
    *count_p = count;
    return PV_OK;
}

// The first of the places with a key; `count` when there is none.
static int find_place(const place *places, int count, int64_t key)
{
    int low = 0, high = count;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (places[middle].key < key) low = middle + 1;
        else high = middle;
    }
    return low < count && places[low].key == key ? low : count;
}

static void set_image(const double from[3], const double to[3], const pv_operation *operation, pv_kpoint_image *image)
{
    double turned[3];
    turn(operation, from, turned);
    for (int i = 0; i < 3; i++) image->umklapp[i] = (int)lround(to[i] - (image->reversed ? -1.0 : 1.0) * turned[i]);
}

// Marks every point of the star of k; images[].from holds the index in the full set so far.
static void take_star(const pv_symmetry *symmetry, const turns *turns, const pv_kpoints *full, const place *places,
                      int count, int k, pv_kpoint_image *images)
{
    for (int reversed = 0; reversed <= symmetry->time_reversal; reversed++)
        for (int t = 0; t < turns->count; t++) {
            const pv_operation *operation = &symmetry->operation[turns->operation[t]];
            double turned[3];
            turn(operation, full->fractional[k], turned);
            const int64_t key = pv_kpoints_key(turned, reversed ? -1.0 : 1.0);
            for (int i = find_place(places, count, key); i < count && places[i].key == key; i++) {
                pv_kpoint_image *image = &images[places[i].index];
                if (image->from >= 0) continue;
                *image = (pv_kpoint_image){.from = k, .operation = turns->operation[t], .reversed = reversed};
                set_image(full->fractional[k], full->fractional[places[i].index], operation, image);
            }
        }
}

static pv_status find_images(const pv_symmetry *symmetry, const pv_kpoints *full, pv_kpoint_image *images)
{
    turns turns;
    PV_TRY(find_turns(symmetry, &turns));
    place *places = NULL;
    int count = 0;
    if (!full->is_path) PV_TRY(sort_points(full, &places, &count));
    for (int k = 0; k < full->count; k++) images[k].from = -1;
    for (int k = 0; k < full->count; k++) {
        if (images[k].from >= 0) continue;
        if (!full->is_path && full->weight[k] > 0.0) take_star(symmetry, &turns, full, places, count, k, images);
        else images[k] = (pv_kpoint_image){.from = k};
    }
    pv_mem_free(places);
    return PV_OK;
}

static pv_status keep_firsts(const pv_kpoints *full, pv_kpoint_image *images, pv_kpoints **reduced_p)
{
    int count = 0;
    for (int k = 0; k < full->count; k++) count += images[k].from == k;
    pv_kpoints *reduced;
    PV_TRY(pv_kpoints_create(count, &reduced));
    reduced->is_mesh = full->is_mesh;
    reduced->is_path = full->is_path;
    reduced->line_points = full->line_points;
    memcpy(reduced->mesh, full->mesh, sizeof full->mesh);
    memcpy(reduced->shift, full->shift, sizeof full->shift);
    pv_status status = full->label ? PV_ALLOC(count, &reduced->label) : PV_OK;
    if (status != PV_OK) {
        pv_kpoints_destroy(reduced);
        return status;
    }
    for (int k = 0, kept = 0; k < full->count; k++) {
        const int first = images[k].from == k;
        const int to = images[k].from = first ? kept++ : images[images[k].from].from;
        reduced->weight[to] += full->weight[k];
        if (!first) continue;
        memcpy(reduced->fractional[to], full->fractional[k], sizeof full->fractional[k]);
        if (full->label) memcpy(reduced->label[to], full->label[k], sizeof full->label[k]);
    }
    status = pv_kpoints_mark_equal(reduced);
    if (status == PV_OK) *reduced_p = reduced;
    else pv_kpoints_destroy(reduced);
    return status;
}

pv_status pv_symmetry_reduce_kpoints(const pv_symmetry *symmetry, const pv_kpoints *full, pv_kpoint_image *images,
                                     pv_kpoints **reduced_p)
{
    pv_kpoint_image *own = NULL;
    if (!images) PV_TRY(PV_ALLOC(full->count, &own));
    if (!images) images = own;
    pv_status status = find_images(symmetry, full, images);
    if (status == PV_OK) status = keep_firsts(full, images, reduced_p);
    pv_mem_free(own);
    return status;
}

// Weights of points in the same place are one weight.
static double weight_at(const pv_kpoints *full, const place *places, int count, int64_t key)
{
    double sum = 0.0;
    for (int i = find_place(places, count, key); i < count && places[i].key == key; i++)
        sum += full->weight[places[i].index];
    return sum;
}

static int keeps(const pv_symmetry *symmetry, int o, const pv_kpoints *full, const place *places, int count)
{
    for (int i = 0; i < count; i++) {
        double turned[3];
        turn(&symmetry->operation[o], full->fractional[places[i].index], turned);
        const double here = weight_at(full, places, count, places[i].key);
        double there = weight_at(full, places, count, pv_kpoints_key(turned, 1.0));
        // Of a set that time reversal has halved, the other half counts too.
        if (there == 0.0 && symmetry->time_reversal)
            there = weight_at(full, places, count, pv_kpoints_key(turned, -1.0));
        if (fabs(here - there) > 1e-9) return 0;
    }
    return 1;
}

pv_status pv_symmetry_of_kpoints(const pv_symmetry *symmetry, const pv_kpoints *full, unsigned char *keep,
                                 int *kept_p)
{
    turns turns;
    PV_TRY(find_turns(symmetry, &turns));
    place *places;
    int count, kept = 0;
    PV_TRY(sort_points(full, &places, &count));
    memset(keep, 0, (size_t)symmetry->count);
    for (int t = 0; t < turns.count; t++) {
        if (!keeps(symmetry, turns.operation[t], full, places, count)) continue;
        const int (*r)[3] = (const int (*)[3])symmetry->operation[turns.operation[t]].rotation;
        for (int o = 0; o < symmetry->count; o++)
            if (memcmp(symmetry->operation[o].rotation, r, sizeof(int[3][3])) == 0) keep[o] = 1;
    }
    for (int o = 0; o < symmetry->count; o++) kept += keep[o];
    pv_mem_free(places);
    *kept_p = kept;
    return PV_OK;
}

double _Complex pv_symmetry_carry_wave(const pv_operation *operation, const pv_kpoint_image *image, const double k[3],
                                       const int32_t from[3], int32_t to[3])
{
    double turns = 0.0;
    for (int i = 0; i < 3; i++) {
        int32_t turned = 0;
        for (int j = 0; j < 3; j++) turned += operation->reciprocal[i][j] * from[j];
        to[i] = (image->reversed ? -turned : turned) - image->umklapp[i];
        turns += (k[i] + to[i]) * operation->translation[i];
    }
    return cexp(-2.0 * PV_PI * I * turns);
}
