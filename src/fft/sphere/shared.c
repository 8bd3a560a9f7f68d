// SPDX-License-Identifier: Apache-2.0
// The form of sphere transforms for ranks of the host that share each field: a rank has the coefficients of some
// columns and transforms these along z; columns change hands so that every rank has all of them in some slices, where
// what is done along y and x, and at the points, is what one rank does to all slices.
#include "base/check.h"
#include "base/mem.h"
#include "fft/layout/box.h"
#include "fft/plan/reshape.h"
#include "fft/sphere/ops.h"

typedef struct pv_sphere_team {
    int64_t *cut;            // [ranks + 1]: rank r has the coefficients cut[r] .. cut[r + 1] of the list
    pv_sphere_shape slab;    // all columns of the list, this rank's slices; lines and phases are those of the sphere
    int64_t first_real;      // of these slices in packed values
    pv_sphere_work *works;   // [threads]: columns and planes; the rest is the sphere's
    pv_reshape *out, *back;  // one field's columns: this rank's in all slices to all in its slices
    pv_workspace *workspace; // of both
} pv_sphere_team;

// ---- Who has what ------------------------------------------------------------------------------------------------

static int begins_column(const int32_t (*points)[3], int64_t p)
{
    return p == 0 || points[p][0] != points[p - 1][0] || points[p][1] != points[p - 1][1];
}

// Equally many columns to each rank; those of partners come along.
static void cut_list(int ranks, int64_t count, const int32_t (*points)[3], int64_t *cut)
{
    int64_t columns = 0, column = 0, lower = 0, upper = 0;
    int next = 0;
    for (int64_t p = 0; p < count; p++) columns += begins_column(points, p);
    for (int64_t p = 0; p < count; p++) {
        if (!begins_column(points, p)) continue;
        for (; next < ranks; next++) {
            pv_split(columns, ranks, next, &lower, &upper);
            if (lower > column) break;
            cut[next] = p;
        }
        column++;
    }
    for (; next <= ranks; next++) cut[next] = count;
}

// Column c of the shape to the place after all those of lower ranks, where the exchange puts it. owner: [columns], -1.
static pv_status place_columns(const pv_sphere_fold *fold, const int64_t *cut, int ranks, const int64_t *column_at,
                               int *owner, int64_t *next, pv_sphere_shape *shape)
{
    for (int r = 0; r < ranks; r++)
        for (int64_t p = cut[r]; p < cut[r + 1]; p++)
            for (int side = 0; side <= fold->half; side++) {
                const int64_t c = column_at[side ? fold->minus[p] : fold->plus[p]];
                PV_REQUIRE(owner[c] < 0 || owner[c] == r, PV_ERR_SHAPE,
                           "plane waves of column (%d, %d), or their partners, are apart in the list: ranks that share "
                           "a sphere need them side by side",
                           shape->columns[c].x, shape->columns[c].y);
                owner[c] = r;
            }
    for (int64_t c = 0; c < shape->column_count; c++) next[owner[c] + 1]++;
    for (int r = 0; r < ranks; r++) next[r + 1] += next[r];
    for (int64_t i = 0; i < shape->plane_count; i++) {
        pv_sphere_plane *plane = &shape->planes[i];
        for (int64_t c = plane->first_column; c < plane->last_column; c++)
            shape->column_of[i * shape->n[1] + shape->columns[c].y] = (int32_t)next[owner[c]]++;
        plane->first_column = 0;
        plane->last_column = shape->column_count;
    }
    return PV_OK;
}

// first[ranks + 1]: the first column of each rank.
static pv_status list_columns(const pv_sphere *sphere, int64_t count, const int32_t (*points)[3], const int *twice_k,
                              pv_sphere_team *team, int64_t *first)
{
    const int ranks = pv_comm_size(sphere->lines.comm);
    pv_sphere_shape *slab = &team->slab;
    pv_sphere_fold fold = {0};
    int64_t *column_at = NULL;
    int *owner = NULL;
    pv_status status = pv_sphere_shape_list(sphere->shape.n, count, points, twice_k, slab, &fold);
    if (status == PV_OK) status = PV_ALLOC(slab->full_count, &column_at);
    if (status == PV_OK) status = PV_ALLOC(slab->column_count, &owner);
    for (int64_t c = 0; status == PV_OK && c < slab->column_count; c++) {
        owner[c] = -1;
        for (int64_t p = slab->columns[c].first; p < slab->columns[c].last; p++) column_at[p] = c;
    }
    // Of each rank the place after its last: the first of the next.
    if (status == PV_OK) status = place_columns(&fold, team->cut, ranks, column_at, owner, first, slab);
    for (int r = ranks; status == PV_OK && r > 0; r--) first[r] = first[r - 1];
    first[0] = 0;
    pv_mem_free(column_at);
    pv_mem_free(owner);
    pv_sphere_fold_free(&fold);
    return status;
}

// ---- Making ------------------------------------------------------------------------------------------------------

// A grid of this rank's slices alone.
static void cut_slices(const pv_sphere *sphere, pv_sphere_team *team)
{
    const pv_sphere_shape *whole = &sphere->shape;
    pv_sphere_shape *slab = &team->slab;
    const pv_comm *comm = sphere->lines.comm;
    int64_t lower, upper;
    pv_split(whole->slices, pv_comm_size(comm), pv_comm_rank(comm), &lower, &upper);
    const int64_t first = lower * whole->lanes, last = upper * whole->lanes;
    slab->n[2] = (last < whole->n[2] ? last : whole->n[2]) - (first < whole->n[2] ? first : whole->n[2]);
    slab->lanes = whole->lanes;
    slab->slices = upper - lower;
    slab->precision = whole->precision;
    slab->ops = whole->ops;
    slab->slot_bytes = whole->slot_bytes;
    for (int d = 0; d < 3; d++) {
        slab->inverse[d] = whole->inverse[d];
        slab->forward[d] = whole->forward[d];
        slab->phase[d] = whole->phase[d];
    }
    if (slab->phase[2]) slab->phase[2] += first;
    team->first_real = lower * whole->n[1] * whole->n[0] * whole->lanes;
}

static pv_status make_works(const pv_sphere *sphere, pv_sphere_team *team)
{
    const pv_sphere_shape *slab = &team->slab;
    PV_TRY(PV_ALLOC(sphere->threads, &team->works));
    for (int t = 0; t < sphere->threads; t++) {
        pv_sphere_work *work = &team->works[t];
        PV_TRY(pv_mem_alloc((size_t)(slab->column_count * slab->slices), slab->slot_bytes, &work->columns));
        PV_TRY(pv_mem_alloc((size_t)(slab->plane_count * slab->n[1]), slab->slot_bytes, &work->planes));
        work->tile_a = sphere->works[t].tile_a;
        work->tile_b = sphere->works[t].tile_b;
        work->scratch = sphere->works[t].scratch;
    }
    return PV_OK;
}

// The layouts of {columns, slices, a slot's elements}: columns shared out, and slices.
static pv_status make_layouts(const pv_sphere *sphere, const pv_sphere_team *team, const int64_t *first,
                              pv_layout **columns_p, pv_layout **slices_p)
{
    const int ranks = pv_comm_size(sphere->lines.comm);
    const int64_t shape[3] = {team->slab.column_count, sphere->shape.slices,
                              (int64_t)(sphere->shape.slot_bytes / sizeof(pv_c64))};
    pv_box *boxes;
    PV_TRY(PV_ALLOC(ranks, &boxes));
    for (int r = 0; r < ranks; r++) boxes[r] = (pv_box){{first[r], 0, 0}, {first[r + 1], shape[1], shape[2]}};
    pv_status status = pv_layout_boxes(shape, ranks, boxes, columns_p);
    if (status == PV_OK) status = pv_layout_slab(shape, ranks, 1, slices_p);
    pv_mem_free(boxes);
    return status;
}

// Collective.
static pv_status make_reshapes(const pv_sphere *sphere, pv_sphere_team *team, const int64_t *first)
{
    pv_comm *comm = sphere->lines.comm;
    pv_layout *columns = NULL, *slices = NULL;
    pv_status status = pv_comm_agree(comm, make_layouts(sphere, team, first, &columns, &slices));
    if (status == PV_OK)
        status = pv_reshape_create_sharing(comm, columns, slices, sizeof(pv_c64), 1, &team->workspace, &team->out);
    if (status == PV_OK)
        status = pv_reshape_create_sharing(comm, slices, columns, sizeof(pv_c64), 1, &team->workspace, &team->back);
    pv_layout_destroy(columns);
    pv_layout_destroy(slices);
    return status;
}

// Collective.
static pv_status make_team(const pv_sphere *sphere, int64_t count, const int32_t (*points)[3], const int *twice_k,
                           pv_sphere_team *team)
{
    pv_comm *comm = sphere->lines.comm;
    int64_t *first = NULL;
    pv_status status = PV_ALLOC(pv_comm_size(comm) + 2, &first);
    if (status == PV_OK) status = list_columns(sphere, count, points, twice_k, team, first);
    if (status == PV_OK) cut_slices(sphere, team);
    if (status == PV_OK) status = make_works(sphere, team);
    status = pv_comm_agree(comm, status);
    if (status == PV_OK) status = make_reshapes(sphere, team, first);
    pv_mem_free(first);
    return status;
}

static pv_status list_cuts(int ranks, int64_t count, const int32_t (*points)[3], pv_sphere_team **team_p)
{
    PV_TRY(PV_ALLOC(1, team_p));
    PV_TRY(PV_ALLOC(ranks + 1, &(*team_p)->cut));
    cut_list(ranks, count, points, (*team_p)->cut);
    return PV_OK;
}

static void destroy_team(pv_sphere_team *team, int threads)
{
    if (!team) return;
    pv_reshape_destroy(team->out);
    pv_reshape_destroy(team->back);
    pv_workspace_destroy(team->workspace);
    for (int t = 0; team->works && t < threads; t++) {
        pv_mem_free(team->works[t].columns);
        pv_mem_free(team->works[t].planes);
    }
    pv_mem_free(team->works);
    pv_sphere_shape_free(&team->slab);
    pv_mem_free(team->cut);
    pv_mem_free(team);
}

pv_status pv_sphere_create_shared(pv_comm *comm, const int64_t shape[3], int64_t count, const int32_t (*points)[3],
                                  const int *twice_k, const char *engine, pv_rigor rigor, pv_sphere **sphere_p)
{
    const int ranks = pv_comm_size(comm), rank = pv_comm_rank(comm);
    if (ranks == 1) return pv_sphere_create(comm, shape, count, points, twice_k, PV_FP64, engine, rigor, sphere_p);
    PV_REQUIRE(pv_device_is_host(pv_comm_device(comm)), PV_ERR_UNSUPPORTED,
               "transforms shared by %d ranks on device %s; on the host ranks may share them", ranks,
               pv_device_name(pv_comm_device(comm)));
    pv_sphere_team *team = NULL;
    pv_sphere *sphere = NULL;
    pv_status status = pv_comm_agree(comm, list_cuts(ranks, count, points, &team));
    if (status == PV_OK)
        status = pv_sphere_create_as(&pv_sphere_shared, comm, shape, team->cut[rank + 1] - team->cut[rank],
                                     points + team->cut[rank], twice_k, PV_FP64, engine, rigor, &sphere);
    if (status != PV_OK) {
        destroy_team(team, 0);
        return status;
    }
    sphere->team = team;
    status = make_team(sphere, count, points, twice_k, team);
    if (status != PV_OK) {
        pv_sphere_destroy(sphere);
        return status;
    }
    *sphere_p = sphere;
    return PV_OK;
}

int pv_sphere_ranks(const pv_sphere *sphere)
{
    return sphere->team ? pv_comm_size(sphere->lines.comm) : 1;
}

void pv_sphere_share(const pv_sphere *sphere, int rank, int64_t *lower_p, int64_t *upper_p)
{
    *lower_p = sphere->team ? sphere->team->cut[rank] : 0;
    *upper_p = sphere->team ? sphere->team->cut[rank + 1] : sphere->fold.count;
}

static pv_status create(pv_sphere *sphere, const int *twice_k)
{
    return pv_sphere_slices.create(sphere, twice_k);
}

static void destroy(pv_sphere *sphere)
{
    destroy_team(sphere->team, sphere->threads);
    pv_sphere_slices.destroy(sphere);
}

// ---- The calls -----------------------------------------------------------------------------------------------------

static int64_t reals_count(const pv_sphere *sphere)
{
    return pv_sphere_slices.reals_count(sphere);
}

static pv_status pack(const pv_sphere *sphere, const double *grid, double *packed)
{
    return pv_sphere_slices.pack(sphere, grid, packed);
}

static pv_status unpack(const pv_sphere *sphere, const double *packed, double *grid)
{
    return pv_sphere_slices.unpack(sphere, packed, grid);
}

// Fields `start` to `end`, no more transforms than threads: one for each thread's columns.
static pv_status to_slices(const pv_sphere *sphere, int64_t fields, int64_t start, int64_t end,
                           const pv_c64 *coefficients, int64_t stride)
{
    const pv_sphere_team *team = sphere->team;
    const int64_t each = pv_sphere_fields_each(sphere), transforms = (end - start + each - 1) / each;
#pragma omp parallel for num_threads(sphere->threads) schedule(static, 1)
    for (int64_t t = 0; t < transforms; t++)
        pv_sphere_to_columns(sphere, &sphere->works[t], fields, start + t * each, coefficients, stride);
    for (int64_t t = 0; t < transforms; t++)
        PV_TRY(pv_reshape_execute(team->out, sphere->works[t].columns, team->works[t].columns));
    return PV_OK;
}

static pv_status from_slices(const pv_sphere *sphere, int64_t fields, int64_t start, int64_t end, pv_c64 *coefficients,
                             int64_t stride)
{
    const pv_sphere_team *team = sphere->team;
    const int64_t each = pv_sphere_fields_each(sphere), transforms = (end - start + each - 1) / each;
    for (int64_t t = 0; t < transforms; t++)
        PV_TRY(pv_reshape_execute(team->back, team->works[t].columns, sphere->works[t].columns));
#pragma omp parallel for num_threads(sphere->threads) schedule(static, 1)
    for (int64_t t = 0; t < transforms; t++)
        pv_sphere_from_columns(sphere, &sphere->works[t], fields, start + t * each, coefficients, stride);
    return PV_OK;
}

static int64_t batch_end(const pv_sphere *sphere, int64_t fields, int64_t start)
{
    const int64_t end = start + pv_sphere_fields_each(sphere) * sphere->threads;
    return end < fields ? end : fields;
}

static pv_status multiply(const pv_sphere *sphere, int64_t fields, const double *packed, const pv_c64 *in,
                          int64_t in_stride, pv_c64 *out, int64_t out_stride)
{
    const pv_sphere_team *team = sphere->team;
    const int64_t each = pv_sphere_fields_each(sphere);
    for (int64_t start = 0, end; start < fields; start = end) {
        end = batch_end(sphere, fields, start);
        PV_TRY(to_slices(sphere, fields, start, end, in, in_stride));
#pragma omp parallel for num_threads(sphere->threads) collapse(2)
        for (int64_t first = start; first < end; first += each)
            for (int64_t s = 0; s < team->slab.slices; s++) {
                pv_sphere_work work = team->works[pv_sphere_thread()];
                work.columns = team->works[(first - start) / each].columns;
                pv_sphere_slice_multiply(&team->slab, &work, s, packed + team->first_real);
            }
        PV_TRY(from_slices(sphere, fields, start, end, out, out_stride));
    }
    return PV_OK;
}

static pv_status add_squares(const pv_sphere *sphere, int64_t fields, const double *weights, const pv_c64 *coefficients,
                             int64_t stride, double *packed)
{
    const pv_sphere_team *team = sphere->team;
    for (int64_t start = 0, end; start < fields; start = end) {
        end = batch_end(sphere, fields, start);
        PV_TRY(to_slices(sphere, fields, start, end, coefficients, stride));
        pv_sphere_add_slices(sphere, &team->slab, team->works, fields, start, end, weights, packed + team->first_real);
    }
    return PV_OK;
}

const pv_sphere_ops pv_sphere_shared = {
    .create = create,
    .destroy = destroy,
    .reals_count = reals_count,
    .pack = pack,
    .unpack = unpack,
    .multiply = multiply,
    .add_squares = add_squares,
};
