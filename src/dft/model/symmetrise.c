// SPDX-License-Identifier: Apache-2.0
#include "dft/model/symmetrise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "device/array.h"
#include "dft/model/symmetrise_kernels.h"
#include "dft/model/units.h"

enum { LISTS = 9 };

struct pv_symmetriser {
    pv_device *device;
    const pv_symmetry *symmetry;
    int64_t waves, stars;
    const int32_t (*miller)[3]; // only while it is created
    int32_t reach[3];
    // On the host, as in symmetrise_arguments; kept where that is the device.
    int32_t *where;            // 0: nothing
    int64_t *star;
    symmetrise_member *member;
    int32_t (*first)[3];
    int32_t (*turns)[9];       // [2][operations]: back, and there
    int32_t (*row)[3];
    int phases[3];             // different translations along each axis
    double _Complex *phase[3];
    symmetrise_arguments there;
    void *copies[LISTS];       // of lists on the device
    int copied;
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
    PV_TRY(PV_ALLOC(symmetry->count, &s->row));
    PV_TRY(PV_ALLOC(symmetry->count, &value));
    pv_status status = PV_OK;
    for (int d = 0; d < 3 && status == PV_OK; d++) {
        int rows = 0;
        for (int o = 0; o < symmetry->count; o++) {
            int row = 0;
            while (row < rows && !is_equal(value[row], symmetry->operation[o].translation[d])) row++;
            if (row == rows) value[rows++] = symmetry->operation[o].translation[d];
            s->row[o][d] = row;
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

// ---- Stars -------------------------------------------------------------------------------------------------------

// What brings a wave back is the transpose of the rotation.
static pv_status list_turns(pv_symmetriser *s)
{
    const int count = s->symmetry->count;
    PV_TRY(PV_ALLOC(2 * count, &s->turns));
    for (int o = 0; o < count; o++)
        for (int i = 0; i < 9; i++) {
            s->turns[o][i] = s->symmetry->operation[o].rotation[i % 3][i / 3];
            s->turns[count + o][i] = s->symmetry->operation[o].reciprocal[i / 3][i % 3];
        }
    return PV_OK;
}

static pv_status take_star(pv_symmetriser *s, int64_t i, unsigned char *seen, int64_t *members)
{
    memcpy(s->first[s->stars], s->miller[i], sizeof s->miller[i]);
    s->star[s->stars++] = *members;
    for (int o = 0; o < s->symmetry->count; o++) {
        int32_t g[3];
        symmetrise_turn(s->turns[s->symmetry->count + o], s->miller[i], g);
        for (int negative = 0; negative < 2; negative++) {
            const int32_t found = find_wave(s, g);
            PV_REQUIRE(found, PV_ERR_INPUT,
                       "a symmetry operation takes the plane wave (%d %d %d) to (%d %d %d), which is not among the "
                       "%lld given: the lattice has the symmetry only roughly, or the cutoff is not a sphere",
                       s->miller[i][0], s->miller[i][1], s->miller[i][2], g[0], g[1], g[2], (long long)s->waves);
            const int32_t wave = abs(found) - 1;
            if (!seen[wave]) s->member[(*members)++] = (symmetrise_member){wave, o, (found < 0) ^ negative};
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

// ---- Where kernels want it -----------------------------------------------------------------------------------------

static pv_status bring(pv_symmetriser *s, const void *list, int64_t count, size_t bytes, const void **there_p)
{
    void **copy = &s->copies[s->copied];
    *there_p = list;
    if (pv_device_is_host(s->device)) return PV_OK;
    PV_TRY(pv_array_create(s->device, "symmetry", count, bytes, copy));
    s->copied++;
    *there_p = *copy;
    return pv_array_write(s->device, *copy, list, (size_t)count * bytes);
}

#define BRING(s, list, count, there_p) bring(s, list, count, sizeof *(list), (const void **)(there_p))

static void free_lists(pv_symmetriser *s)
{
    void *lists[LISTS] = {s->where, s->star,     s->member,   s->first,   s->turns,
                          s->row,   s->phase[0], s->phase[1], s->phase[2]};
    for (int i = 0; i < LISTS; i++) pv_mem_free(lists[i]);
    s->where = NULL, s->star = NULL, s->member = NULL, s->first = NULL, s->turns = NULL, s->row = NULL;
    for (int d = 0; d < 3; d++) s->phase[d] = NULL;
}

static pv_status bring_lists(pv_symmetriser *s)
{
    const int64_t operations = s->symmetry->count;
    symmetrise_arguments *a = &s->there;
    a->operations = operations;
    memcpy(a->reach, s->reach, sizeof a->reach);
    PV_TRY(BRING(s, s->star, s->stars + 1, &a->star));
    PV_TRY(BRING(s, s->member, s->waves, &a->member));
    PV_TRY(BRING(s, s->first, s->stars, &a->first));
    PV_TRY(BRING(s, s->where, box_size(s), &a->where));
    PV_TRY(BRING(s, s->turns, 2 * operations, &a->back));
    a->turn = a->back + operations;
    PV_TRY(BRING(s, s->row, operations, &a->row));
    for (int d = 0; d < 3; d++)
        PV_TRY(BRING(s, s->phase[d], (int64_t)s->phases[d] * (2 * s->reach[d] + 1), &a->phase[d]));
    if (!pv_device_is_host(s->device)) free_lists(s);
    return PV_OK;
}

pv_status pv_symmetriser_create(pv_device *device, const pv_symmetry *symmetry, int64_t waves,
                                const int32_t (*miller)[3], pv_symmetriser **symmetriser_p)
{
    PV_REQUIRE(waves >= 0 && waves < INT32_MAX, PV_ERR_ARGUMENT, "%lld plane waves; 0 to %d are accepted",
               (long long)waves, INT32_MAX - 1);
    pv_symmetriser *s;
    PV_TRY(PV_ALLOC(1, &s));
    s->device = device;
    s->symmetry = symmetry;
    s->waves = waves;
    s->miller = miller;
    pv_status status;
    PV_TRY_GOTO(fill_box(s), status, failed);
    PV_TRY_GOTO(make_phases(s), status, failed);
    PV_TRY_GOTO(list_turns(s), status, failed);
    PV_TRY_GOTO(find_stars(s), status, failed);
    PV_TRY_GOTO(bring_lists(s), status, failed);
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
    for (int i = 0; i < s->copied; i++) pv_array_destroy(s->device, s->copies[i]);
    free_lists(s);
    pv_mem_free(s);
}

pv_status pv_symmetriser_apply(const pv_symmetriser *s, pv_stream *stream, const double _Complex *from,
                               double _Complex *to)
{
    symmetrise_arguments arguments = s->there;
    arguments.from = (const double *)from;
    arguments.to = (double *)to;
    return pv_kernel_launch(stream, &symmetrise_star, s->stars, &arguments);
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
