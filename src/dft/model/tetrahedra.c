// SPDX-License-Identifier: Apache-2.0
#include "dft/model/tetrahedra.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"

// ---- Tetrahedra of a mesh ----------------------------------------------------------------------------------------

// Corner c of a cell of the mesh lies at bits of c along the axes; the diagonal from `start` to its opposite is shared
// by six tetrahedra, one for each order in which the three axes are walked.
static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

static int shortest_diagonal(const pv_cell *cell, const int mesh[3])
{
    int best = 0;
    double least = INFINITY;
    for (int start = 0; start < 4; start++) {
        double square = 0.0;
        for (int d = 0; d < 3; d++) {
            double along = 0.0;
            for (int i = 0; i < 3; i++) along += (start >> i & 1 ? -1.0 : 1.0) * cell->reciprocal[i][d] / mesh[i];
            square += along * along;
        }
        if (square < 0.999999 * least) {
            least = square;
            best = start;
        }
    }
    return best;
}

typedef struct quadruple {
    int corner[4];
} quadruple;

static int compare_ints(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static int compare_quadruples(const void *a, const void *b)
{
    const int *p = ((const quadruple *)a)->corner, *q = ((const quadruple *)b)->corner;
    for (int i = 0; i < 4; i++)
        if (p[i] != q[i]) return p[i] - q[i];
    return 0;
}

// Point of the mesh at corner `bits` of the cell whose lowest corner is point `k`; first axis fastest.
static int point_at(const int mesh[3], int k, int bits)
{
    const int n[3] = {k % mesh[0], k / mesh[0] % mesh[1], k / mesh[0] / mesh[1]};
    int m[3];
    for (int i = 0; i < 3; i++) m[i] = (n[i] + (bits >> i & 1)) % mesh[i];
    return m[0] + mesh[0] * (m[1] + mesh[1] * m[2]);
}

static void list_all(const pv_kpoints *full, const pv_kpoint_image *images, int start, quadruple *all)
{
    for (int k = 0; k < full->count; k++)
        for (int o = 0; o < 6; o++) {
            quadruple *q = &all[6 * k + o];
            int bits = start;
            for (int i = 0; i < 4; i++) {
                q->corner[i] = images[point_at(full->mesh, k, bits)].from;
                if (i < 3) bits ^= 1 << orders[o][i];
            }
            qsort(q->corner, 4, sizeof q->corner[0], compare_ints);
        }
    qsort(all, 6 * (size_t)full->count, sizeof *all, compare_quadruples);
}

static int count_different(const quadruple *all, int count)
{
    int different = count > 0;
    for (int i = 1; i < count; i++) different += compare_quadruples(&all[i - 1], &all[i]) != 0;
    return different;
}

static void join_equal(const quadruple *all, int count, pv_tetrahedra *tetrahedra)
{
    int last = -1;
    for (int i = 0; i < count; i++) {
        if (i == 0 || compare_quadruples(&all[i - 1], &all[i]) != 0)
            memcpy(tetrahedra->corner[++last], all[i].corner, sizeof all[i].corner);
        tetrahedra->weight[last] += 1.0 / count;
    }
}

pv_status pv_tetrahedra_create(const pv_cell *cell, const pv_kpoints *full, const pv_kpoint_image *images, int kpoints,
                               pv_tetrahedra **tetrahedra_p)
{
    PV_REQUIRE(full->is_mesh, PV_ERR_INPUT,
               "ISMEAR = -4 and -5 (tetrahedra) need a regular mesh of k-points; KPOINTS has %s",
               full->is_path ? "lines" : "a list");
    const int count = 6 * full->count;
    quadruple *all;
    pv_tetrahedra *tetrahedra = NULL;
    pv_status status;
    PV_TRY(PV_ALLOC(count, &all));
    list_all(full, images, shortest_diagonal(cell, full->mesh), all);
    PV_TRY_GOTO(PV_ALLOC(1, &tetrahedra), status, done);
    tetrahedra->count = count_different(all, count);
    tetrahedra->kpoints = kpoints;
    PV_TRY_GOTO(PV_ALLOC(tetrahedra->count, &tetrahedra->corner), status, done);
    PV_TRY_GOTO(PV_ALLOC(tetrahedra->count, &tetrahedra->weight), status, done);
    join_equal(all, count, tetrahedra);
    *tetrahedra_p = tetrahedra;
    tetrahedra = NULL;
done:
    pv_tetrahedra_destroy(tetrahedra);
    pv_mem_free(all);
    return status;
}

void pv_tetrahedra_destroy(pv_tetrahedra *tetrahedra)
{
    if (!tetrahedra) return;
    pv_mem_free(tetrahedra->corner);
    pv_mem_free(tetrahedra->weight);
    pv_mem_free(tetrahedra);
}

// ---- Integrals inside one ----------------------------------------------------------------------------------------

typedef struct sorted {
    double e[4];
    int from[4];               // which corner
} sorted;

static sorted sort_corners(const int corner[4], const double *eigenvalues, int stride)
{
    sorted s;
    for (int i = 0; i < 4; i++) {
        const double e = eigenvalues[(size_t)corner[i] * (size_t)stride];
        int at = i;
        for (; at > 0 && s.e[at - 1] > e; at--) {
            s.e[at] = s.e[at - 1];
            s.from[at] = s.from[at - 1];
        }
        s.e[at] = e;
        s.from[at] = i;
    }
    return s;
}

// Share of the tetrahedron below E.
static double below(const double e[4], double E)
{
    if (E <= e[0]) return 0.0;
    if (E >= e[3]) return 1.0;
    if (E < e[1]) return pow(E - e[0], 3.0) / ((e[1] - e[0]) * (e[2] - e[0]) * (e[3] - e[0]));
    if (E >= e[2]) return 1.0 - pow(e[3] - E, 3.0) / ((e[3] - e[0]) * (e[3] - e[1]) * (e[3] - e[2]));
    const double a = e[1] - e[0], x = E - e[1], e31 = e[2] - e[0], e41 = e[3] - e[0], e32 = e[2] - e[1];
    const double e42 = e[3] - e[1];
    return (a * a + 3.0 * a * x + 3.0 * x * x - (e31 + e42) * x * x * x / (e32 * e42)) / (e31 * e41);
}

// Its derivative by E.
static double density(const double e[4], double E)
{
    if (E <= e[0] || E >= e[3]) return 0.0;
    if (E < e[1]) return 3.0 * pow(E - e[0], 2.0) / ((e[1] - e[0]) * (e[2] - e[0]) * (e[3] - e[0]));
    if (E >= e[2]) return 3.0 * pow(e[3] - E, 2.0) / ((e[3] - e[0]) * (e[3] - e[1]) * (e[3] - e[2]));
    const double a = e[1] - e[0], x = E - e[1], e31 = e[2] - e[0], e41 = e[3] - e[0], e32 = e[2] - e[1];
    const double e42 = e[3] - e[1];
    return (3.0 * a + 6.0 * x - 3.0 * (e31 + e42) * x * x / (e32 * e42)) / (e31 * e41);
}

// Equations B7 to B17 of the paper, without the volume.
static void corner_weights(const double e[4], double E, double w[4])
{
    for (int i = 0; i < 4; i++) w[i] = E <= e[0] ? 0.0 : 0.25;
    if (E <= e[0] || E >= e[3]) return;
    if (E < e[1]) {
        const double c = 0.25 * below(e, E);
        w[0] = 4.0 * c;
        for (int i = 1; i < 4; i++) {
            w[i] = c * (E - e[0]) / (e[i] - e[0]);
            w[0] -= w[i];
        }
    } else if (E >= e[2]) {
        const double c = 0.25 * (1.0 - below(e, E));
        w[3] = 0.25 - 4.0 * c;
        for (int i = 0; i < 3; i++) {
            const double part = c * (e[3] - E) / (e[3] - e[i]);
            w[i] = 0.25 - part;
            w[3] += part;
        }
    } else {
        const double e31 = e[2] - e[0], e41 = e[3] - e[0], e32 = e[2] - e[1], e42 = e[3] - e[1];
        const double c1 = 0.25 * (E - e[0]) * (E - e[0]) / (e41 * e31);
        const double c2 = 0.25 * (E - e[0]) * (E - e[1]) * (e[2] - E) / (e41 * e32 * e31);
        const double c3 = 0.25 * (E - e[1]) * (E - e[1]) * (e[3] - E) / (e42 * e32 * e41);
        w[0] = c1 + (c1 + c2) * (e[2] - E) / e31 + (c1 + c2 + c3) * (e[3] - E) / e41;
        w[1] = c1 + c2 + c3 + (c2 + c3) * (e[2] - E) / e32 + c3 * (e[3] - E) / e42;
        w[2] = (c1 + c2) * (E - e[0]) / e31 + (c2 + c3) * (E - e[1]) / e32;
        w[3] = (c1 + c2 + c3) * (E - e[0]) / e41 + c3 * (E - e[1]) / e42;
    }
}

double pv_tetrahedra_below(const pv_tetrahedra *tetrahedra, const double *eigenvalues_ha, int stride, double energy_ha)
{
    double sum = 0.0;
    for (int t = 0; t < tetrahedra->count; t++) {
        const sorted s = sort_corners(tetrahedra->corner[t], eigenvalues_ha, stride);
        sum += tetrahedra->weight[t] * below(s.e, energy_ha);
    }
    return sum;
}

void pv_tetrahedra_weights(const pv_tetrahedra *tetrahedra, const double *eigenvalues_ha, int stride, double energy_ha,
                           int corrected, double *weight)
{
    for (int k = 0; k < tetrahedra->kpoints; k++) weight[k] = 0.0;
    for (int t = 0; t < tetrahedra->count; t++) {
        const sorted s = sort_corners(tetrahedra->corner[t], eigenvalues_ha, stride);
        const double sum = s.e[0] + s.e[1] + s.e[2] + s.e[3];
        const double slope = corrected ? density(s.e, energy_ha) / 40.0 : 0.0;
        double w[4];
        corner_weights(s.e, energy_ha, w);
        for (int i = 0; i < 4; i++)
            weight[tetrahedra->corner[t][s.from[i]]] += tetrahedra->weight[t] * (w[i] + slope * (sum - 4.0 * s.e[i]));
    }
}
