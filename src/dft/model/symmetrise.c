// SPDX-License-Identifier: Apache-2.0
#include "dft/model/symmetrise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "dft/model/units.h"

// A wave of a star and an operation that takes the star's first wave there, or to its negative (conjugate).
typedef struct member {
    int32_t wave, operation;
    int32_t conjugate;
} member;

struct pv_symmetriser {
    const pv_symmetry *symmetry;
    int64_t waves;
    const int32_t (*miller)[3]; // only while it is created
    int32_t reach[3];          // |miller[d]| <= reach[d]
    int32_t *where;            // [box of 2 reach + 1]: 1 + wave; minus that where only -G is there; 0: nothing
    int64_t stars;
    int64_t *star;             // [stars + 1], into member
    member *member;            // [waves], the first of each star first
    int32_t (*first)[3];       // [stars], Miller indices
    int phases[3];             // different translations along each axis
    int *phase_of;             // [operations][3]: row of phase
    double _Complex *phase[3]; // [phases][2 reach + 1]: exp(-2 pi i n t)
};

// ---- Where a wave is ---------------------------------------------------------------------------------------------

static int64_t box_size(const pv_symmetriser *s)
{
    return (int64_t)(2 * s->reach[0] + 1) * (2 * s->reach[1] + 1) * (2 * s->reach[2] + 1);
}

static int64_t box_index(const pv_symmetriser *s, const int32_t g[3])
{
    int64_t index = 0;
    for (int d = 0; d < 3; d++) index = index * (2 * s->reach[d] + 1) + g[d] + s->reach[d];
    return index;
}

static int32_t find_wave(const pv_symmetriser *s, const int32_t g[3])
{
    for (int d = 0; d < 3; d++)
        if (abs(g[d]) > s->reach[d]) return 0;
    return s->where[box_index(s, g)];
}

static void negate(const int32_t g[3], int32_t negative[3])
{
    for (int d = 0; d < 3; d++) negative[d] = -g[d];
}

static pv_status fill_box(pv_symmetriser *s)
{
    for (int64_t i = 0; i < s->waves; i++)
        for (int d = 0; d < 3; d++)
            if (abs(s->miller[i][d]) > s->reach[d]) s->reach[d] = abs(s->miller[i][d]);
    PV_TRY(PV_ALLOC(box_size(s), &s->where));
    for (int64_t i = 0; i < s->waves; i++) s->where[box_index(s, s->miller[i])] = (int32_t)i + 1;
    for (int64_t i = 0; i < s->waves; i++) {
        int32_t negative[3];
        negate(s->miller[i], negative);
        const int64_t at = box_index(s, negative);
        if (s->where[at] == 0) s->where[at] = -(int32_t)i - 1;
    }
    return PV_OK;
}

// ---- Phases ------------------------------------------------------------------------------------------------------

static int is_equal(double a, double b) { return fabs(a - b - round(a - b)) < 1e-13; }

static pv_status make_phases(pv_symmetriser *s)
{
    const pv_symmetry *symmetry = s->symmetry;
    double *value;
    PV_TRY(PV_ALLOC(3 * symmetry->count, &s->phase_of));
    PV_TRY(PV_ALLOC(symmetry->count, &value));
    pv_status status = PV_OK;
    for (int d = 0; d < 3 && status == PV_OK; d++) {
        int rows = 0;
        for (int o = 0; o < symmetry->count; o++) {
            int row = 0;
            while (row < rows && !is_equal(value[row], symmetry->operation[o].translation[d])) row++;
            if (row == rows) value[rows++] = symmetry->operation[o].translation[d];
            s->phase_of[3 * o + d] = row;
        }
        s->phases[d] = rows;
        const int32_t reach = s->reach[d];
        status = PV_ALLOC((int64_t)rows * (2 * reach + 1), &s->phase[d]);
        for (int row = 0; row < rows && status == PV_OK; row++)
            for (int32_t n = -reach; n <= reach; n++)
                s->phase[d][(int64_t)row * (2 * reach + 1) + reach + n] = cexp(-2.0 * PV_PI * I * (n * value[row]));
    }
    pv_mem_free(value);
    return status;
}

static double _Complex phase_at(const pv_symmetriser *s, int operation, const int32_t g[3])
{
    double _Complex product = 1.0;
    for (int d = 0; d < 3; d++) {
        const int64_t row = s->phase_of[3 * operation + d];
        product *= s->phase[d][row * (2 * s->reach[d] + 1) + s->reach[d] + g[d]];
    }
    return product;
}

// ---- Stars -------------------------------------------------------------------------------------------------------

static void turn(const pv_operation *operation, const int32_t g[3], int32_t turned[3])
{
    for (int i = 0; i < 3; i++)
        turned[i] = operation->reciprocal[i][0] * g[0] + operation->reciprocal[i][1] * g[1]
                    + operation->reciprocal[i][2] * g[2];
}

// Where the operation brings a wave from: the transpose of the rotation.
static void turn_back(const pv_operation *operation, const int32_t g[3], int32_t turned[3])
{
    for (int i = 0; i < 3; i++)
        turned[i] = operation->rotation[0][i] * g[0] + operation->rotation[1][i] * g[1]
                    + operation->rotation[2][i] * g[2];
}

static pv_status take_star(pv_symmetriser *s, int64_t i, unsigned char *seen, int64_t *members)
{
    memcpy(s->first[s->stars], s->miller[i], sizeof s->miller[i]);
    s->star[s->stars++] = *members;
    for (int o = 0; o < s->symmetry->count; o++) {
        int32_t g[3];
        turn(&s->symmetry->operation[o], s->miller[i], g);
        for (int negative = 0; negative < 2; negative++) {
            const int32_t found = find_wave(s, g);
            PV_REQUIRE(found, PV_ERR_INPUT,
                       "a symmetry operation takes the plane wave (%d %d %d) to (%d %d %d), which is not among the "
                       "%lld given: the lattice has the symmetry only roughly, or the cutoff is not a sphere",
                       s->miller[i][0], s->miller[i][1], s->miller[i][2], g[0], g[1], g[2], (long long)s->waves);
            const int32_t wave = abs(found) - 1;
            if (!seen[wave]) s->member[(*members)++] = (member){wave, o, (found < 0) ^ negative};
            seen[wave] = 1;
            negate(g, g);
        }
    }
    return PV_OK;
}

static pv_status find_stars(pv_symmetriser *s)
{
    unsigned char *seen;
    PV_TRY(PV_ALLOC(s->waves, &s->member));
    PV_TRY(PV_ALLOC(s->waves, &s->first));
    PV_TRY(PV_ALLOC(s->waves + 1, &s->star));
    PV_TRY(PV_ALLOC(s->waves, &seen));
    pv_status status = PV_OK;
    int64_t members = 0;
    for (int64_t i = 0; i < s->waves && status == PV_OK; i++)
        if (!seen[i]) status = take_star(s, i, seen, &members);
    if (status == PV_OK) s->star[s->stars] = members;
    pv_mem_free(seen);
    return status;
}

pv_status pv_symmetriser_create(const pv_symmetry *symmetry, int64_t waves, const int32_t (*miller)[3],
                                pv_symmetriser **symmetriser_p)
{
    PV_REQUIRE(waves >= 0 && waves < INT32_MAX, PV_ERR_ARGUMENT, "%lld plane waves; 0 to %d are accepted",
               (long long)waves, INT32_MAX - 1);
    pv_symmetriser *s;
    PV_TRY(PV_ALLOC(1, &s));
    s->symmetry = symmetry;
    s->waves = waves;
    s->miller = miller;
    pv_status status;
    PV_TRY_GOTO(fill_box(s), status, failed);
    PV_TRY_GOTO(make_phases(s), status, failed);
    PV_TRY_GOTO(find_stars(s), status, failed);
    s->miller = NULL;
    *symmetriser_p = s;
    return PV_OK;
failed:
    pv_symmetriser_destroy(s);
    return status;
}

void pv_symmetriser_destroy(pv_symmetriser *s)
{
    if (!s) return;
    pv_mem_free(s->where);
    pv_mem_free(s->star);
    pv_mem_free(s->member);
    pv_mem_free(s->first);
    pv_mem_free(s->phase_of);
    for (int d = 0; d < 3; d++) pv_mem_free(s->phase[d]);
    pv_mem_free(s);
}

// The operation {R|t} takes u to u'(G) = u(R^T G) exp(-i G t).
static double _Complex mean_at(const pv_symmetriser *s, const int32_t g[3], const double _Complex *from)
{
    double _Complex sum = 0.0;
    for (int o = 0; o < s->symmetry->count; o++) {
        int32_t source[3];
        turn_back(&s->symmetry->operation[o], g, source);
        const int32_t found = find_wave(s, source);
        sum += (found > 0 ? from[found - 1] : conj(from[-found - 1])) * phase_at(s, o, g);
    }
    return sum / s->symmetry->count;
}

void pv_symmetriser_apply(const pv_symmetriser *s, const double _Complex *from, double _Complex *to)
{
#pragma omp parallel for schedule(static)
    for (int64_t star = 0; star < s->stars; star++) {
        const int32_t *first = s->first[star];
        const double _Complex mean = mean_at(s, first, from);
        for (int64_t i = s->star[star]; i < s->star[star + 1]; i++) {
            const member *m = &s->member[i];
            int32_t g[3];
            turn(&s->symmetry->operation[m->operation], first, g);
            const double _Complex value = mean * phase_at(s, m->operation, g);
            to[m->wave] = m->conjugate ? conj(value) : value;
        }
    }
}

// ---- Forces and stress -------------------------------------------------------------------------------------------

pv_status pv_symmetrise_forces(const pv_symmetry *symmetry, const pv_cell *cell, double (*forces)[3])
{
    double (*mean)[3];
    PV_TRY(PV_ALLOC(cell->atoms, &mean));
    for (int a = 0; a < cell->atoms; a++) {
        double along[3];
        pv_cell_to_fractional(cell, forces[a], along);
        for (int o = 0; o < symmetry->count; o++) {
            const int (*r)[3] = (const int (*)[3])symmetry->operation[o].rotation;
            double *sum = mean[symmetry->image[(size_t)o * (size_t)cell->atoms + (size_t)a]];
            for (int i = 0; i < 3; i++)
                sum[i] += (r[i][0] * along[0] + r[i][1] * along[1] + r[i][2] * along[2]) / symmetry->count;
        }
    }
    for (int a = 0; a < cell->atoms; a++) pv_cell_to_cartesian(cell, mean[a], forces[a]);
    pv_mem_free(mean);
    return PV_OK;
}

// to = left^T from right, 3 x 3.
static void sandwich(const double left[3][3], const double from[3][3], const double right[3][3], double to[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            to[i][j] = 0.0;
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++) to[i][j] += left[k][i] * from[k][l] * right[l][j];
        }
}

void pv_symmetrise_tensor(const pv_symmetry *symmetry, const pv_cell *cell, double tensor[3][3])
{
    // Components along the lattice vectors: T = sum_ij t_ij a_i a_j, and {R|t} takes t to R t R^T.
    double to_lattice[3][3], along[3][3], mean[3][3] = {{0.0}};
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < 3; c++) to_lattice[c][i] = cell->reciprocal[i][c] / (2.0 * PV_PI);
    sandwich((const double (*)[3])to_lattice, (const double (*)[3])tensor, (const double (*)[3])to_lattice, along);
    for (int o = 0; o < symmetry->count; o++) {
        double transposed[3][3], turned[3][3];
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) transposed[j][i] = symmetry->operation[o].rotation[i][j];
        sandwich((const double (*)[3])transposed, (const double (*)[3])along, (const double (*)[3])transposed, turned);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) mean[i][j] += turned[i][j] / symmetry->count;
    }
    const double (*lattice)[3] = (const double (*)[3])cell->lattice_bohr;
    sandwich(lattice, (const double (*)[3])mean, lattice, tensor);
}
