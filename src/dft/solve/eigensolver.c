// SPDX-License-Identifier: Apache-2.0
#include "dft/solve/eigensolver.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "linalg/ortho.h"

#define SPACE 4                        // search space in units of the bands
#define ENOUGH_LEFT 1e-3               // of a new unit vector outside the space; less, and it is orthogonalised again
#define ORTHONORMAL 1e-11              // start that needs no work

typedef double _Complex pv_c64;

struct pv_eigensolver {
    const pv_dense *dense;
    const pv_basis *basis;             // of the call
    int64_t local_most;
    int64_t bands, most;               // most: vectors of the search space
    pv_c64 *v, *hv;                    // [most][local]: orthonormal search space, and H of it
    pv_c64 *work;                      // [bands][local]
    double *reduced;                   // [most][most]: v^H H v
    double *vectors;                   // [most][most]: its eigenvectors
    double *small;                     // [most][bands] or 2 [bands][bands]
    double *values;                    // [most]
    double *norm;                      // [bands]
    int (*stop)(void *context);        // NULL: never
    void *stop_context;
    int64_t *active;                   // [bands]: bands whose residuals are in the new block
};

pv_status pv_eigensolver_create(const pv_dense *dense, pv_scalar scalar, int64_t local_most, int64_t bands,
                                pv_eigensolver **solver_p)
{
    pv_eigensolver *solver;
    PV_TRY(PV_ALLOC(1, &solver));
    solver->dense = dense;
    solver->local_most = local_most;
    solver->bands = bands;
    solver->most = SPACE * bands;
    const int64_t reals = pv_scalar_reals(scalar), most = solver->most;
    pv_status status;
    PV_TRY_GOTO(PV_ALLOC(most * local_most, &solver->v), status, failed);
    PV_TRY_GOTO(PV_ALLOC(most * local_most, &solver->hv), status, failed);
    PV_TRY_GOTO(PV_ALLOC(bands * local_most, &solver->work), status, failed);
    PV_TRY_GOTO(PV_ALLOC(most * most * reals, &solver->reduced), status, failed);
    PV_TRY_GOTO(PV_ALLOC(most * most * reals, &solver->vectors), status, failed);
    PV_TRY_GOTO(PV_ALLOC(most * bands * reals, &solver->small), status, failed);
    PV_TRY_GOTO(PV_ALLOC(most, &solver->values), status, failed);
    PV_TRY_GOTO(PV_ALLOC(bands, &solver->norm), status, failed);
    PV_TRY_GOTO(PV_ALLOC(bands, &solver->active), status, failed);
    *solver_p = solver;
    return PV_OK;
failed:
    pv_eigensolver_destroy(solver);
    return status;
}

void pv_eigensolver_destroy(pv_eigensolver *solver)
{
    if (!solver) return;
    pv_mem_free(solver->v);
    pv_mem_free(solver->hv);
    pv_mem_free(solver->work);
    pv_mem_free(solver->reduced);
    pv_mem_free(solver->vectors);
    pv_mem_free(solver->small);
    pv_mem_free(solver->values);
    pv_mem_free(solver->norm);
    pv_mem_free(solver->active);
    pv_mem_free(solver);
}

size_t pv_eigensolver_bytes(const pv_eigensolver *solver)
{
    const int64_t vectors = 2 * solver->most + solver->bands;
    return (size_t)(vectors * solver->local_most) * sizeof(pv_c64);
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

// Adds the columns `first` to `first + added` of v^H H v; only the upper triangle is ever read.
static pv_status extend_reduced(pv_eigensolver *solver, int64_t first, int64_t added)
{
    const int64_t local = solver->basis->local, reals = pv_scalar_reals(solver->basis->scalar), rows = first + added;
    PV_TRY(pv_ortho_overlap(solver->dense, solver->basis->scalar, solver->basis->length, rows, solver->v, added,
                            solver->hv + first * local, solver->small));
    for (int64_t j = 0; j < added; j++)
        memcpy(solver->reduced + (first + j) * solver->most * reals, solver->small + j * rows * reals,
               (size_t)(rows * reals) * sizeof(double));
    return PV_OK;
}

static pv_status solve_reduced(pv_eigensolver *solver, int64_t m)
{
    const int64_t reals = pv_scalar_reals(solver->basis->scalar);
    for (int64_t j = 0; j < m; j++)
        memcpy(solver->vectors + j * m * reals, solver->reduced + j * solver->most * reals,
               (size_t)(m * reals) * sizeof(double));
    return pv_dense_heevd(solver->dense, solver->basis->scalar, m, solver->vectors, solver->values);
}

// to[columns] = space[m] * vectors.
static void rotate(const pv_eigensolver *solver, int64_t m, int64_t columns, const pv_c64 *space,
                   const double *vectors, double beta, pv_c64 *to)
{
    const int64_t length = solver->basis->length;
    if (length > 0)
        pv_dense_gemm(solver->dense, solver->basis->scalar, 'N', 'N', length, columns, m, 1.0, space, length, vectors,
                      m, beta, to, length);
}

// The search space shrinks to the bands themselves.
static void restart(pv_eigensolver *solver, int64_t m)
{
    const int64_t n = solver->bands, local = solver->basis->local, reals = pv_scalar_reals(solver->basis->scalar);
    const size_t bytes = (size_t)(n * local) * sizeof(pv_c64);
    rotate(solver, m, n, solver->v, solver->vectors, 0.0, solver->work);
    memcpy(solver->v, solver->work, bytes);
    rotate(solver, m, n, solver->hv, solver->vectors, 0.0, solver->work);
    memcpy(solver->hv, solver->work, bytes);
    memset(solver->vectors, 0, (size_t)(n * n * reals) * sizeof(double));
    for (int64_t j = 0; j < n; j++) {
        solver->vectors[(j * n + j) * reals] = 1.0;
        memset(solver->reduced + j * solver->most * reals, 0, (size_t)(n * reals) * sizeof(double));
        solver->reduced[(j * solver->most + j) * reals] = solver->values[j];
    }
}

// ---- New directions ------------------------------------------------------------------------------------------------

static double norm_squared(const pv_c64 *vector, int64_t local)
{
    const double *r = (const double *)vector;
    double sum = 0.0;
    for (int64_t i = 0; i < 2 * local; i++) sum += r[i] * r[i];
    return sum;
}

// norm[j] of `count` vectors. Collective.
static pv_status norms(pv_eigensolver *solver, int64_t count, const pv_c64 *block)
{
    const int64_t local = solver->basis->local;
    for (int64_t j = 0; j < count; j++) solver->norm[j] = norm_squared(block + j * local, local);
    PV_TRY(pv_comm_reduce_f64(solver->basis->comm, PV_SUM, count, solver->norm));
    for (int64_t j = 0; j < count; j++) solver->norm[j] = sqrt(solver->norm[j]);
    return PV_OK;
}

// Residuals of the active bands into v behind the m vectors, H v c - v c e, and their norms.
static pv_status residuals(pv_eigensolver *solver, int64_t m, int64_t count)
{
    const int64_t local = solver->basis->local, column = m * pv_scalar_reals(solver->basis->scalar);
    pv_c64 *block = solver->v + m * local;
    for (int64_t j = 0; j < count; j++)
        memcpy(solver->small + j * column, solver->vectors + solver->active[j] * column,
               (size_t)column * sizeof(double));
    rotate(solver, m, count, solver->hv, solver->small, 0.0, block);
    for (int64_t j = 0; j < count; j++)
        for (int64_t i = 0; i < column; i++) solver->small[j * column + i] *= -solver->values[solver->active[j]];
    rotate(solver, m, count, solver->v, solver->small, 1.0, block);
    return norms(solver, count, block);
}

// Keeps the residuals above their tolerance; a band that was found below it once is not looked at again in this call.
static int64_t select_active(pv_eigensolver *solver, int64_t m, int64_t count, const double *tolerance, double *worst_p)
{
    const int64_t local = solver->basis->local;
    pv_c64 *block = solver->v + m * local;
    int64_t kept = 0;
    *worst_p = 0.0;
    for (int64_t j = 0; j < count; j++) {
        const double ratio = solver->norm[j] / tolerance[solver->active[j]];
        if (ratio > *worst_p) *worst_p = ratio;
        if (ratio <= 1.0) continue;
        if (kept != j) memcpy(block + kept * local, block + j * local, (size_t)local * sizeof *block);
        solver->active[kept++] = solver->active[j];
    }
    return kept;
}

// Divides by a smooth, positive stand-in for (diagonal - e), as Quantum ESPRESSO's g_psi does, and scales to unit norm.
static pv_status precondition(pv_eigensolver *solver, int64_t m, int64_t count, const double *diagonal)
{
    const int64_t local = solver->basis->local;
    const int threads = pv_device_threads(pv_comm_device(solver->basis->comm));
    pv_c64 *block = solver->v + m * local;
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (int64_t j = 0; j < count; j++) {
        double *restrict r = (double *)(block + j * local);
        const double e = solver->values[solver->active[j]];
        for (int64_t i = 0; i < local; i++) {
            const double x = 2.0 * (diagonal[i] - e);
            const double factor = 2.0 / (1.0 + x + sqrt(1.0 + (x - 1.0) * (x - 1.0)));
            r[2 * i] *= factor;
            r[2 * i + 1] *= factor;
        }
    }
    PV_TRY(norms(solver, count, block));
    for (int64_t j = 0; j < count; j++) {
        double *restrict r = (double *)(block + j * local);
        const double factor = 1.0 / solver->norm[j];
        for (int64_t i = 0; i < 2 * local; i++) r[i] *= factor;
    }
    return PV_OK;
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

static double distance_from_identity(int64_t n, int64_t reals, const double *s)
{
    double worst = 0.0;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n * reals; i++)
            worst = fmax(worst, fabs(s[j * n * reals + i] - (i == j * reals ? 1.0 : 0.0)));
    return worst;
}

// The start becomes orthonormal; usually it is, being what an earlier call returned.
static pv_status begin(pv_eigensolver *solver, pv_hamiltonian *hamiltonian, const pv_c64 *orbitals)
{
    const pv_basis *basis = solver->basis;
    const int64_t n = solver->bands;
    memcpy(solver->v, orbitals, (size_t)(n * basis->local) * sizeof(pv_c64));
    for (int pass = 0; pass < 3; pass++) {
        PV_TRY(
            pv_ortho_overlap(solver->dense, basis->scalar, basis->length, n, solver->v, n, solver->v, solver->small));
        if (distance_from_identity(n, pv_scalar_reals(basis->scalar), solver->small) < ORTHONORMAL) break;
        int64_t kept;
        double least;
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
            restart(solver, m);
            m = n;
        }
        PV_TRY(residuals(solver, m, active));
        active = select_active(solver, m, active, tolerance, &report.residual);
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
    rotate(solver, m, n, solver->v, solver->vectors, 0.0, orbitals);
    memcpy(eigenvalues_ha, solver->values, (size_t)n * sizeof *eigenvalues_ha);
    *report_p = report;
    return PV_OK;
}
