// SPDX-License-Identifier: Apache-2.0
#include "dft/solve/eigensolver.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "device/array.h"
#include "device/reduce.h"
#include "dft/terms/waves.h"
#include "linalg/matrix.h"
#include "linalg/ortho.h"

#define SPACE 4                        // search space in units of the bands
#define ENOUGH_LEFT 1e-3               // of a new unit vector outside the space; less, and it is orthogonalised again
#define ORTHONORMAL 1e-11              // start that needs no work

typedef double _Complex pv_c64;

struct pv_eigensolver {
    pv_dense *dense;
    pv_device *device;
    pv_stream *stream;
    const pv_basis *basis;             // of the call
    int64_t local_most;
    int64_t bands, most;               // most: vectors of the search space
    // On the device.
    pv_c64 *v, *hv;                    // [most][local]: orthonormal search space, and H of it
    pv_c64 *work;                      // [bands][local]
    double *reduced;                   // [most][most]: v^H H v
    double *vectors;                   // [most][most]: its eigenvectors
    double *small;                     // [most][bands] or 2 [bands][bands]
    double *numbers;                   // [most]: eigenvalues, norms
    int64_t *list;                     // [bands]: of bands
    pv_buffer *parts;                  // of a reduction
    // On the host.
    double *values;                    // [most]
    double *scratch;                   // [bands]
    double *norm;                      // [bands]
    int (*stop)(void *context);        // NULL: never
    void *stop_context;
    int64_t *active;                   // [bands]: bands whose residuals are in the new block
    int64_t *place;                    // [bands]: where in it they are
};

static pv_status make_device_arrays(pv_eigensolver *solver, int64_t reals)
{
    pv_device *device = solver->device;
    const int64_t most = solver->most, bands = solver->bands, local = solver->local_most;
    PV_TRY(PV_ARRAY(device, "the search space", most * local, &solver->v));
    PV_TRY(PV_ARRAY(device, "the search space", most * local, &solver->hv));
    PV_TRY(PV_ARRAY(device, "the search space", bands * local, &solver->work));
    PV_TRY(PV_ARRAY(device, "the projected Hamiltonian", most * most * reals, &solver->reduced));
    PV_TRY(PV_ARRAY(device, "the projected Hamiltonian", most * most * reals, &solver->vectors));
    PV_TRY(PV_ARRAY(device, "the projected Hamiltonian", most * bands * reals, &solver->small));
    PV_TRY(PV_ARRAY(device, "the projected Hamiltonian", most, &solver->numbers));
    PV_TRY(PV_ARRAY(device, "the projected Hamiltonian", bands, &solver->list));
    return pv_buffer_create(device, PV_REDUCE_PARTS * sizeof(double), &solver->parts);
}

static pv_status make_arrays(pv_eigensolver *solver, int64_t reals)
{
    PV_TRY(make_device_arrays(solver, reals));
    PV_TRY(PV_ALLOC(solver->most, &solver->values));
    PV_TRY(PV_ALLOC(solver->bands, &solver->scratch));
    PV_TRY(PV_ALLOC(solver->bands, &solver->norm));
    PV_TRY(PV_ALLOC(solver->bands, &solver->active));
    return PV_ALLOC(solver->bands, &solver->place);
}

pv_status pv_eigensolver_create(pv_dense *dense, pv_scalar scalar, int64_t local_most, int64_t bands,
                                pv_eigensolver **solver_p)
{
    pv_eigensolver *solver;
    PV_TRY(PV_ALLOC(1, &solver));
    solver->dense = dense;
    solver->device = pv_dense_device(dense);
    solver->stream = pv_device_stream(solver->device);
    solver->local_most = local_most;
    solver->bands = bands;
    solver->most = SPACE * bands;
    const pv_status status = make_arrays(solver, pv_scalar_reals(scalar));
    if (status != PV_OK) {
        pv_eigensolver_destroy(solver);
        return status;
    }
    *solver_p = solver;
    return PV_OK;
}

void pv_eigensolver_destroy(pv_eigensolver *solver)
{
    if (!solver) return;
    void *arrays[] = {solver->v,     solver->hv,      solver->work, solver->reduced, solver->vectors,
                      solver->small, solver->numbers, solver->list};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) pv_array_destroy(solver->device, arrays[i]);
    pv_buffer_destroy(solver->parts);
    pv_mem_free(solver->values);
    pv_mem_free(solver->scratch);
    pv_mem_free(solver->norm);
    pv_mem_free(solver->active);
    pv_mem_free(solver->place);
    pv_mem_free(solver);
}

void pv_eigensolver_set_stop(pv_eigensolver *solver, int (*stop)(void *context), void *context)
{
    solver->stop = stop;
    solver->stop_context = context;
}

// One rank that wants to stop is enough. Collective.
static pv_status ask_to_stop(const pv_eigensolver *solver, int *stopped_p)
{
    if (!solver->stop) return PV_OK;
    int64_t stop = solver->stop(solver->stop_context) != 0;
    PV_TRY(pv_comm_reduce_i64(solver->basis->comm, PV_MAX, 1, &stop));
    *stopped_p = (int)stop;
    return PV_OK;
}

// ---- The projected problem ---------------------------------------------------------------------------------------

// Numbers of the host to the device, in the order of its work.
static pv_status send(const pv_eigensolver *solver, void *to, const void *from, int64_t count, size_t bytes)
{
    return pv_stream_copy(solver->stream, to, from, (size_t)count * bytes);
}

// Adds the columns `first` to `first + added` of v^H H v; only the upper triangle is ever read.
static pv_status extend_reduced(pv_eigensolver *solver, int64_t first, int64_t added)
{
    const pv_scalar scalar = solver->basis->scalar;
    const int64_t local = solver->basis->local, reals = pv_scalar_reals(scalar), rows = first + added;
    PV_TRY(pv_ortho_overlap(solver->dense, scalar, solver->basis->length, rows, solver->v, added,
                            solver->hv + first * local, solver->small));
    return pv_dense_copy(solver->dense, scalar, rows, added, solver->small, rows,
                         solver->reduced + first * solver->most * reals, solver->most);
}

static pv_status solve_reduced(pv_eigensolver *solver, int64_t m)
{
    const pv_scalar scalar = solver->basis->scalar;
    PV_TRY(pv_dense_copy(solver->dense, scalar, m, m, solver->reduced, solver->most, solver->vectors, m));
    return pv_dense_heevd(solver->dense, scalar, m, solver->vectors, solver->values);
}

// to[columns] = space[m] * vectors.
static pv_status rotate(const pv_eigensolver *solver, int64_t m, int64_t columns, const pv_c64 *space,
                        const double *vectors, double beta, pv_c64 *to)
{
    const int64_t length = solver->basis->length;
    if (length == 0) return PV_OK;
    return pv_dense_gemm(solver->dense, solver->basis->scalar, 'N', 'N', length, columns, m, 1.0, space, length,
                         vectors, m, beta, to, length);
}

// The search space shrinks to the bands themselves.
static pv_status restart(pv_eigensolver *solver, int64_t m)
{
    const pv_scalar scalar = solver->basis->scalar;
    const int64_t n = solver->bands, local = solver->basis->local;
    const size_t bytes = (size_t)(n * local) * sizeof(pv_c64);
    for (int64_t j = 0; j < n; j++) solver->scratch[j] = 1.0;
    PV_TRY(rotate(solver, m, n, solver->v, solver->vectors, 0.0, solver->work));
    PV_TRY(pv_stream_copy(solver->stream, solver->v, solver->work, bytes));
    PV_TRY(rotate(solver, m, n, solver->hv, solver->vectors, 0.0, solver->work));
    PV_TRY(pv_stream_copy(solver->stream, solver->hv, solver->work, bytes));
    PV_TRY(send(solver, solver->numbers, solver->scratch, n, sizeof(double)));
    PV_TRY(pv_matrix_set_diagonal(solver->stream, scalar, n, solver->numbers, solver->vectors, n));
    PV_TRY(send(solver, solver->numbers, solver->values, n, sizeof(double)));
    return pv_matrix_set_diagonal(solver->stream, scalar, n, solver->numbers, solver->reduced, solver->most);
}

// ---- New directions ------------------------------------------------------------------------------------------------

// Squares of the norms of `count` vectors, on the device and, where ranks share vectors, through the host. Collective.
static pv_status square_norms(pv_eigensolver *solver, int64_t count, const pv_c64 *block)
{
    PV_TRY(pv_waves_squares(solver->stream, count, 2 * solver->basis->local, (const double *)block, solver->numbers));
    return pv_dense_sum(solver->dense, count, solver->numbers);
}

// Residuals of the active bands into work, H v c - v c e, and their norms.
static pv_status residuals(pv_eigensolver *solver, int64_t m, int64_t count)
{
    const pv_scalar scalar = solver->basis->scalar;
    for (int64_t j = 0; j < count; j++) solver->scratch[j] = -solver->values[solver->active[j]];
    PV_TRY(send(solver, solver->list, solver->active, count, sizeof *solver->active));
    PV_TRY(send(solver, solver->numbers, solver->scratch, count, sizeof(double)));
    PV_TRY(pv_matrix_pick_columns(solver->stream, scalar, m, count, solver->vectors, m, solver->list, NULL,
                                  solver->small, m));
    PV_TRY(rotate(solver, m, count, solver->hv, solver->small, 0.0, solver->work));
    PV_TRY(pv_matrix_pick_columns(solver->stream, scalar, m, count, solver->vectors, m, solver->list, solver->numbers,
                                  solver->small, m));
    PV_TRY(rotate(solver, m, count, solver->v, solver->small, 1.0, solver->work));
    PV_TRY(square_norms(solver, count, solver->work));
    PV_TRY(pv_array_read(solver->device, solver->numbers, solver->norm, (size_t)count * sizeof(double)));
    for (int64_t j = 0; j < count; j++) solver->norm[j] = sqrt(solver->norm[j]);
    return PV_OK;
}

// Keeps the residuals above their tolerance; a band that was found below it once is not looked at again in this call.
static int64_t select_active(pv_eigensolver *solver, int64_t count, const double *tolerance, double *worst_p)
{
    int64_t kept = 0;
    *worst_p = 0.0;
    for (int64_t j = 0; j < count; j++) {
        const double ratio = solver->norm[j] / tolerance[solver->active[j]];
        if (ratio > *worst_p) *worst_p = ratio;
        if (ratio <= 1.0) continue;
        solver->place[kept] = j;
        solver->active[kept++] = solver->active[j];
    }
    return kept;
}

// The residuals that were kept, preconditioned and scaled to unit norm, into v behind the m vectors.
static pv_status precondition(pv_eigensolver *solver, int64_t m, int64_t count, const double *diagonal)
{
    const int64_t local = solver->basis->local;
    pv_c64 *block = solver->v + m * local;
    for (int64_t j = 0; j < count; j++) solver->scratch[j] = solver->values[solver->active[j]];
    PV_TRY(send(solver, solver->list, solver->place, count, sizeof *solver->place));
    PV_TRY(send(solver, solver->numbers, solver->scratch, count, sizeof(double)));
    PV_TRY(pv_waves_precondition(solver->stream, count, local, diagonal, solver->numbers, solver->list, solver->work,
                                 block));
    PV_TRY(square_norms(solver, count, block));
    return pv_waves_divide_by_norms(solver->stream, count, local, solver->numbers, block);
}

// The new block becomes orthonormal to itself and to the space; *count may shrink.
static pv_status orthonormalise(pv_eigensolver *solver, int64_t m, int64_t *count)
{
    const pv_basis *basis = solver->basis;
    pv_c64 *block = solver->v + m * basis->local;
    double least = 0.0;
    for (int pass = 0; pass < 2 && *count > 0 && least < ENOUGH_LEFT; pass++) {
        PV_TRY(pv_ortho_project_out(solver->dense, basis->scalar, basis->length, m, solver->v, *count, block,
                                    solver->small));
        PV_TRY(pv_ortho_normalise(solver->dense, basis->scalar, basis->length, *count, block, solver->work,
                                  solver->small, count, &least));
    }
    return PV_OK;
}

// The start becomes orthonormal; usually it is, being what an earlier call returned.
static pv_status begin(pv_eigensolver *solver, pv_hamiltonian *hamiltonian, const pv_c64 *orbitals)
{
    const pv_basis *basis = solver->basis;
    const int64_t n = solver->bands;
    PV_TRY(pv_stream_copy(solver->stream, solver->v, orbitals, (size_t)(n * basis->local) * sizeof(pv_c64)));
    for (int pass = 0; pass < 3; pass++) {
        PV_TRY(
            pv_ortho_overlap(solver->dense, basis->scalar, basis->length, n, solver->v, n, solver->v, solver->small));
        double distance, least;
        int64_t kept;
        PV_TRY(pv_matrix_distance_from_unit(solver->stream, basis->scalar, n, solver->small, solver->parts, &distance));
        if (distance < ORTHONORMAL) break;
        PV_TRY(pv_ortho_normalise(solver->dense, basis->scalar, basis->length, n, solver->v, solver->work,
                                  solver->small, &kept, &least));
        PV_REQUIRE(kept == n, PV_ERR_ARGUMENT, "%lld starting orbitals are linearly dependent: only %lld directions",
                   (long long)n, (long long)kept);
    }
    for (int64_t j = 0; j < n; j++) solver->active[j] = j;
    PV_TRY(pv_hamiltonian_apply(hamiltonian, n, solver->v, solver->hv));
    PV_TRY(extend_reduced(solver, 0, n));
    return solve_reduced(solver, n);
}

pv_status pv_eigensolver_solve(pv_eigensolver *solver, pv_hamiltonian *hamiltonian, const double *diagonal_ha,
                               const double *tolerance, int expansions_most, double _Complex *orbitals,
                               double *eigenvalues_ha, pv_eigen_report *report_p)
{
    const int64_t n = solver->bands, local = hamiltonian->basis->local;
    PV_ASSERT(local <= solver->local_most);
    solver->basis = hamiltonian->basis;
    pv_eigen_report report = {0};
    PV_TRY(begin(solver, hamiltonian, orbitals));
    int64_t m = n, active = n;
    while (report.expansions < expansions_most) {
        PV_TRY(ask_to_stop(solver, &report.stopped));
        if (report.stopped) break;
        if (m + active > solver->most) {
            PV_TRY(restart(solver, m));
            m = n;
        }
        PV_TRY(residuals(solver, m, active));
        active = select_active(solver, active, tolerance, &report.residual);
        if (active == 0) break;
        int64_t count = active;
        PV_TRY(precondition(solver, m, count, diagonal_ha));
        PV_TRY(orthonormalise(solver, m, &count));
        if (count == 0) break;
        PV_TRY(pv_hamiltonian_apply(hamiltonian, count, solver->v + m * local, solver->hv + m * local));
        PV_TRY(extend_reduced(solver, m, count));
        m += count;
        PV_TRY(solve_reduced(solver, m));
        report.expansions++;
    }
    PV_TRY(rotate(solver, m, n, solver->v, solver->vectors, 0.0, orbitals));
    memcpy(eigenvalues_ha, solver->values, (size_t)n * sizeof *eigenvalues_ha);
    *report_p = report;
    return PV_OK;
}
