// SPDX-License-Identifier: Apache-2.0
#include "dft/measure_rates.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/mem.h"
#include "dft/model/exchange_grid.h"
#include "dft/terms/xc.h"

enum { FIELDS = 8, MOST_ORDER = 320, SMALL_GRID = 32, MESSAGE_BYTES = 1 << 25 };

#define MODEL_ERROR 0.2 // of the counts, seen where rates and run are of the same minutes

enum { ROUNDS = 5 };
static const double enough_s = 0.04; // of each measurement in a round

// ---- Repetitions -------------------------------------------------------------------------------------------------

enum { MOST_TIMES = 1024 };

// The lower quartile of repetitions, as many as there is time for, of the thread's own time: while others have the core
// it stands still.
typedef struct stopwatch {
    double begin_s, start_s, taken_s[MOST_TIMES];
    int count;
} stopwatch;

static double own_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int goes_on(stopwatch *watch)
{
    const double now_s = own_s();
    if (watch->count == 0) watch->begin_s = now_s;
    return watch->count < MOST_TIMES && (watch->count < 3 || now_s - watch->begin_s < enough_s);
}

static void start(stopwatch *watch)
{
    watch->start_s = own_s();
}
static void stop(stopwatch *watch)
{
    watch->taken_s[watch->count++] = own_s() - watch->start_s;
}
static double quartile_s(stopwatch *watch)
{
    pv_timing_of(watch->taken_s, watch->count); // sorts
    return watch->taken_s[watch->count / 4];
}

static double transform_of(double points)
{
    return 5.0 * points * log2(fmax(points, 2.0));
}

// Numbers that no kernel takes for zero or for denormal.
static void fill(int64_t count, double *numbers)
{
    for (int64_t i = 0; i < count; i++) numbers[i] = 0.01 * (double)(i % 97) - 0.4;
}

// ---- Algebra -----------------------------------------------------------------------------------------------------

static pv_status measure_products(pv_dense *dense, int64_t length, int64_t columns, double *rate_p)
{
    stopwatch watch = {.count = 0};
    double *a = NULL, *b = NULL, *c = NULL;
    pv_status status = PV_ALLOC(length * columns, &a);
    if (status == PV_OK) status = PV_ALLOC(length * columns, &b);
    if (status == PV_OK) status = PV_ALLOC(columns * columns, &c);
    if (status == PV_OK) {
        fill(length * columns, a);
        fill(length * columns, b);
        while (goes_on(&watch)) {
            start(&watch);
            pv_dense_gemm(dense, PV_SCALAR_REAL, 'C', 'N', columns, columns, length, 1.0, a, length, b, length, 0.0, c,
                          columns);
            stop(&watch);
        }
        *rate_p = 2.0 * (double)length * (double)columns * (double)columns / quartile_s(&watch);
    }
    pv_mem_free(a);
    pv_mem_free(b);
    pv_mem_free(c);
    return status;
}

static pv_status measure_eigen(pv_dense *dense, int64_t order, double *rate_p)
{
    stopwatch watch = {.count = 0};
    double *a = NULL, *values = NULL;
    pv_status status = PV_ALLOC(order * order, &a);
    if (status == PV_OK) status = PV_ALLOC(order, &values);
    while (status == PV_OK && goes_on(&watch)) {
        for (int64_t i = 0; i < order; i++)
            for (int64_t j = 0; j < order; j++) a[i * order + j] = i == j ? (double)i : 1.0 / (1.0 + (double)(i + j));
        start(&watch);
        status = pv_dense_heevd(dense, PV_SCALAR_REAL, order, a, values);
        stop(&watch);
    }
    if (status == PV_OK) *rate_p = 9.0 * pow((double)order, 3) / quartile_s(&watch);
    pv_mem_free(a);
    pv_mem_free(values);
    return status;
}

// ---- Transforms --------------------------------------------------------------------------------------------------

// There and back of orbitals within a cutoff, at a k-point; of real ones two share a transform.
static pv_status measure_transforms(pv_comm *comm, const pv_cell *cell, const double k[3], double cutoff_ha,
                                    const int64_t shape[3], const char *engine, double *rate_p)
{
    stopwatch watch = {.count = 0};
    pv_basis *basis = NULL;
    double *packed = NULL;
    double _Complex *field = NULL;
    pv_status status = pv_basis_create(comm, cell, k, cutoff_ha, shape, 1, engine, &basis);
    if (status == PV_OK) status = PV_ALLOC(pv_sphere_reals_count(basis->sphere), &packed);
    if (status == PV_OK) status = PV_ALLOC(FIELDS * basis->count, &field);
    if (status == PV_OK) {
        fill(pv_sphere_reals_count(basis->sphere), packed);
        fill(2 * FIELDS * basis->count, (double *)field);
    }
    while (status == PV_OK && goes_on(&watch)) {
        start(&watch);
        status = pv_sphere_multiply(basis->sphere, FIELDS, packed, field, basis->count, field, basis->count);
        stop(&watch);
        fill(2 * FIELDS * basis->count, (double *)field);
    }
    if (status == PV_OK) {
        const double sharing = basis->scalar == PV_SCALAR_REAL ? 0.5 : 1.0;
        *rate_p = FIELDS * sharing * 2.0 * transform_of((double)(shape[0] * shape[1] * shape[2])) / quartile_s(&watch);
    }
    pv_mem_free(packed);
    pv_mem_free(field);
    pv_basis_destroy(basis);
    return status;
}

// The k-point that most are like: complex, where there is one.
static const double *usual_kpoint(const pv_system *system)
{
    for (int k = 0; k < system->kpoints->count; k++)
        if (!pv_basis_can_be_real(system->kpoints->fractional[k])) return system->kpoints->fractional[k];
    return system->kpoints->fractional[0];
}

static pv_status measure_pairs(pv_comm *comm, const pv_system *system, pv_dft_rates *r)
{
    int64_t grid[3];
    double reach;
    r->pair_flops_per_s = r->transform_flops_per_s;
    if (system->params.fock.on) {
        PV_TRY(pv_exchange_grid_choose(system->cell, &system->params, grid, &reach));
        PV_TRY(measure_transforms(comm, system->cell, usual_kpoint(system), 0.5 * reach * reach, grid, "auto",
                                  &r->pair_flops_per_s));
    }
    r->pair_single_flops_per_s = 1.8 * r->pair_flops_per_s;
    return PV_OK;
}

// ---- Functional --------------------------------------------------------------------------------------------------

// On a small grid over the cell, a density that varies by a part of itself.
static pv_status measure_functional(pv_comm *comm, const pv_system *system, const pv_functional *functional,
                                    double *rate_p)
{
    const int64_t shape[3] = {SMALL_GRID, SMALL_GRID, SMALL_GRID};
    const pv_cell *cell = system->cell;
    stopwatch watch = {.count = 0};
    double reach = INFINITY, energy, *potential = NULL;
    double _Complex *density = NULL;
    pv_grid *grid = NULL;
    pv_xc *xc = NULL;
    for (int d = 0; d < 3; d++) {
        const double *a = cell->lattice_bohr[d];
        reach =
            fmin(reach, (SMALL_GRID / 2 - 1) * 2.0 * 3.14159265358979 / sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]));
    }
    pv_status status =
        pv_grid_create(comm, cell, shape, reach * reach, system->engine ? system->engine : "auto", &grid);
    if (status == PV_OK) status = pv_xc_create(grid, functional, 1, &xc);
    if (status == PV_OK) status = PV_ALLOC(grid->waves, &density);
    if (status == PV_OK) status = PV_ALLOC(grid->local_points, &potential);
    if (status == PV_OK) {
        const double mean = system->params.electrons / cell->volume_bohr3;
        for (int64_t i = 0; i < grid->waves; i++)
            density[i] = mean * 0.2 / (1.0 + 40.0 * (double)(i % 31) + grid->g2[i]);
        if (grid->zero >= 0) density[grid->zero] = mean;
    }
    while (status == PV_OK && goes_on(&watch)) {
        start(&watch);
        status = pv_xc_evaluate(xc, density, NULL, potential, &energy, NULL);
        stop(&watch);
    }
    if (status == PV_OK) *rate_p = (double)grid->points / quartile_s(&watch);
    pv_mem_free(density);
    pv_mem_free(potential);
    pv_xc_destroy(xc);
    pv_grid_destroy(grid);
    return status;
}

// ---- Messages ----------------------------------------------------------------------------------------------------

// A message is a copy into and one out of memory in common, of which other ranks want their part.
static pv_status measure_messages(double *rate_p)
{
    stopwatch watch = {.count = 0};
    char *from = NULL, *to = NULL;
    pv_status status = pv_mem_alloc_raw(MESSAGE_BYTES, 1, (void **)&from);
    if (status == PV_OK) status = pv_mem_alloc_raw(MESSAGE_BYTES, 1, (void **)&to);
    if (status == PV_OK) memset(from, 1, MESSAGE_BYTES);
    while (status == PV_OK && goes_on(&watch)) {
        start(&watch);
        memcpy(to, from, MESSAGE_BYTES);
        stop(&watch);
    }
    if (status == PV_OK) *rate_p = 0.5 * MESSAGE_BYTES / quartile_s(&watch);
    pv_mem_free(from);
    pv_mem_free(to);
    return status;
}

// ---- All of them -------------------------------------------------------------------------------------------------

static pv_status measure_once(pv_comm *comm, pv_dense *dense, const pv_system *system, const pv_dft_work *work,
                              pv_dft_rates *r)
{
    const pv_dft_params *params = &system->params;
    const int64_t columns = params->bands < 128 ? params->bands : 128;
    const int64_t length = work->plane_waves < 40000.0 ? (int64_t)work->plane_waves : 40000;
    const int64_t order = 2 * params->bands < MOST_ORDER ? 2 * params->bands : MOST_ORDER;
    PV_TRY(measure_products(dense, length, columns, &r->gemm_flops_per_s));
    PV_TRY(measure_eigen(dense, order, &r->eigen_flops_per_s));
    PV_TRY(measure_messages(&r->link_bytes_per_s));
    PV_TRY(measure_transforms(comm, system->cell, usual_kpoint(system), params->cutoff_ha, system->shape, "auto",
                              &r->transform_flops_per_s));
    PV_TRY(measure_pairs(comm, system, r));
    const pv_functional semilocal = pv_functional_of(params->functional.kind);
    PV_TRY(measure_functional(comm, system, &semilocal, &r->functional_points_per_s));
    r->screened_points_per_s = r->functional_points_per_s;
    return params->fock.on ? measure_functional(comm, system, &params->functional, &r->screened_points_per_s) : PV_OK;
}

static void keep_best(double found, double *best, double *worst)
{
    if (found > *best) *best = found;
    if (*worst == 0.0 || found < *worst) *worst = found;
}

// Neighbours slow a core down by what they take of its caches, for seconds or minutes: all is measured in turn, and the
// best counts. How far the rounds are apart tells what a plan can be worth.
static pv_status measure_with(pv_comm *comm, pv_dense *dense, const pv_system *system, pv_dft_rates *r)
{
    pv_dft_work work;
    pv_dft_rates worst = {.source = ""};
    PV_TRY(pv_dft_work_of(system, &work));
    for (int round = 0; round < ROUNDS; round++) {
        pv_dft_rates now = {.source = ""};
        PV_TRY(measure_once(comm, dense, system, &work, &now));
        keep_best(now.gemm_flops_per_s, &r->gemm_flops_per_s, &worst.gemm_flops_per_s);
        keep_best(now.link_bytes_per_s, &r->link_bytes_per_s, &worst.link_bytes_per_s);
        keep_best(now.eigen_flops_per_s, &r->eigen_flops_per_s, &worst.eigen_flops_per_s);
        keep_best(now.transform_flops_per_s, &r->transform_flops_per_s, &worst.transform_flops_per_s);
        keep_best(now.pair_flops_per_s, &r->pair_flops_per_s, &worst.pair_flops_per_s);
        keep_best(now.pair_single_flops_per_s, &r->pair_single_flops_per_s, &worst.pair_single_flops_per_s);
        keep_best(now.functional_points_per_s, &r->functional_points_per_s, &worst.functional_points_per_s);
        keep_best(now.screened_points_per_s, &r->screened_points_per_s, &worst.screened_points_per_s);
    }
    r->spread = fmax(fmax(r->gemm_flops_per_s / worst.gemm_flops_per_s,
                          r->transform_flops_per_s / worst.transform_flops_per_s),
                     r->pair_flops_per_s / worst.pair_flops_per_s) - 1.0;
    r->error = fmax(MODEL_ERROR, r->spread);
    return PV_OK;
}

pv_status pv_dft_measure_rates(const pv_system *system, pv_dft_rates *rates_p)
{
    pv_dft_rates r = {.source = "measured on one core, the best of 5 rounds; network and latency assumed",
                      .waves_per_s = 12e6,
                      .start_s = 0.1,
                      .network_bytes_per_s = 0.4e9,
                      .latency_s = 3e-6,
                      .node_devices = 64,
                      .device_bytes = 0.0};
    pv_device *device = NULL;
    pv_comm *comm = NULL;
    pv_dense *dense = NULL;
    PV_TRY(pv_device_open("cpu:1", &device));
    pv_status status = pv_comm_open_self(device, &comm);
    if (status == PV_OK) status = pv_dense_open(comm, &dense);
    if (status == PV_OK) status = measure_with(comm, dense, system, &r);
    pv_dense_close(dense);
    pv_comm_close(comm);
    pv_device_close(device);
    if (status == PV_OK) *rates_p = r;
    return status;
}
