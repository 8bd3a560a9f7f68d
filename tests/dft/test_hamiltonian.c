// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2 3
#include "dft/terms/hamiltonian.h"

#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "dft/model/harmonic.h"
#include "dft/model/units.h"
#include "dft/solve/eigensolver.h"
#include "fixture.h"
#include "linalg/ortho.h"
#include "strained.h"

enum { BANDS = 7 };
static const int64_t shape[3] = {18, 20, 18};
static const double places[3][3] = {{0.1, 0.2, 0.3}, {0.55, 0.6, 0.9}, {0.3, 0.8, 0.05}};

typedef struct problem {
    fixture f;
    pv_cell *cell;
    pv_pseudo *pseudo;
    pv_dense *dense;
    pv_basis *basis;
    pv_hamiltonian hamiltonian;
    double *potential;
} problem;

// Silicon-like potentials in a skewed cell, and a rough local potential.
static void open_problem(problem *p, const double k[3], int may_be_real)
{
    p->f = fixture_open();
    p->cell = make_cell(skewed_lattice, "Si", 3, places);
    assert_ok(pv_pseudo_open("Si", NULL, &p->pseudo));
    assert_ok(pv_dense_open(p->f.comm, &p->dense));
    assert_ok(pv_basis_create(p->f.comm, p->cell, k, 4.0, shape, may_be_real, "auto", &p->basis));
    const int64_t points = shape[0] * shape[1] * shape[2];
    double *potential = calloc((size_t)points, sizeof *potential);
    for (int64_t i = 0; i < points; i++) potential[i] = pv_rng_uniform(9, 0, (uint64_t)i) - 0.7;
    p->potential = calloc((size_t)pv_sphere_reals_count(p->basis->sphere), sizeof *p->potential);
    pv_sphere_pack(p->basis->sphere, potential, p->potential);
    free(potential);
    p->hamiltonian = (pv_hamiltonian){.basis = p->basis, .potential_ha = p->potential};
    assert_ok(pv_nonlocal_create(p->dense, p->basis, p->cell, &p->pseudo, BANDS, &p->hamiltonian.nonlocal));
    assert_ok(pv_band_split_create(p->basis, BANDS, &p->hamiltonian.split));
}

static void close_problem(problem *p)
{
    pv_nonlocal_destroy(p->hamiltonian.nonlocal);
    pv_band_split_destroy(p->hamiltonian.split);
    pv_basis_destroy(p->basis);
    pv_dense_close(p->dense);
    pv_pseudo_destroy(p->pseudo);
    pv_cell_destroy(p->cell);
    free(p->potential);
    fixture_close(&p->f);
}

static double _Complex *random_block(const pv_basis *basis, int64_t bands, uint64_t seed)
{
    double _Complex *block = calloc((size_t)(bands * basis->local + 1), sizeof *block);
    for (int64_t b = 0; b < bands; b++)
        for (int64_t i = 0; i < basis->local; i++) {
            double pair[2];
            pv_rng_normal(seed, (uint64_t)b, (uint64_t)(basis->lower + i), pair);
            const int single = basis->lower + i == basis->single;
            block[b * basis->local + i] = CMPLX(pair[0], single ? 0.0 : pair[1]);
        }
    return block;
}

// The second has complex orbitals, the others real ones; the last is Gamma by another name.
static const double points_k[][3] = {
    {0.0, 0.0, 0.0}, {0.25, -0.5, 0.125}, {0.5, 0.0, -0.5}, {0.5, 0.5, 0.5}, {1.0, 0.0, 0.0}};
enum { POINTS_K = sizeof points_k / sizeof *points_k };

static void it_is_hermitian(void **state)
{
    (void)state;
    for (int k = 0; k < POINTS_K; k++) {
        problem p;
        open_problem(&p, points_k[k], 1);
        const pv_scalar scalar = p.basis->scalar;
        const int64_t reals = pv_scalar_reals(scalar);
        double _Complex *x = random_block(p.basis, BANDS, 1), *hx = random_block(p.basis, BANDS, 2);
        double *s = calloc((size_t)(BANDS * BANDS * reals), sizeof *s);
        assert_ok(pv_hamiltonian_apply(&p.hamiltonian, BANDS, x, hx));
        assert_ok(pv_ortho_overlap(p.dense, scalar, p.basis->length, BANDS, x, BANDS, hx, s));
        for (int i = 0; i < BANDS; i++)
            for (int j = 0; j < BANDS; j++) {
                const double *a = s + (j * BANDS + i) * reals, *b = s + (i * BANDS + j) * reals;
                assert_near(a[0], b[0], 1e-9);
                if (reals == 2) assert_near(a[1], -b[1], 1e-9);
            }
        free(x), free(hx), free(s);
        close_problem(&p);
    }
}

// Without potentials a plane wave has its kinetic energy, and a constant potential adds itself.
static void plane_waves_are_eigenstates_of_nothing(void **state)
{
    (void)state;
    problem p;
    open_problem(&p, points_k[1], 1);
    for (int64_t i = 0; i < pv_sphere_reals_count(p.basis->sphere); i++) p.potential[i] = 0.25;
    pv_nonlocal *kept = p.hamiltonian.nonlocal, none = {.basis = p.basis, .dense = p.dense};
    p.hamiltonian.nonlocal = &none;
    double _Complex *x = calloc((size_t)(p.basis->local + 1), sizeof *x),
                    *hx = calloc((size_t)(p.basis->local + 1), sizeof *hx);
    for (int64_t chosen = 0; chosen < p.basis->count; chosen += 29) {
        for (int64_t i = 0; i < p.basis->local; i++) x[i] = p.basis->lower + i == chosen;
        assert_ok(pv_hamiltonian_apply(&p.hamiltonian, 1, x, hx));
        for (int64_t i = 0; i < p.basis->local; i++)
            assert_near(cabs(hx[i] - (p.basis->kinetic_ha[i] + 0.25) * x[i]), 0.0, 1e-13);
    }
    free(x), free(hx);
    p.hamiltonian.nonlocal = kept;
    close_problem(&p);
}

static void the_diagonal_is_that_of_the_projectors(void **state)
{
    (void)state;
    for (int k = 0; k < POINTS_K; k++) {
        problem p;
        open_problem(&p, points_k[k], 1);
        double *diagonal = calloc((size_t)(p.basis->local + 1), sizeof *diagonal);
        double _Complex *x = calloc((size_t)(p.basis->local + 1), sizeof *x),
                        *vx = calloc((size_t)(p.basis->local + 1), sizeof *vx);
        pv_nonlocal_diagonal(p.hamiltonian.nonlocal, diagonal);
        for (int64_t chosen = 0; chosen < p.basis->count; chosen += 31) {
            const int64_t i = chosen - p.basis->lower;
            const int mine = i >= 0 && i < p.basis->local;
            memset(x, 0, (size_t)p.basis->local * sizeof *x);
            memset(vx, 0, (size_t)p.basis->local * sizeof *vx);
            if (mine) x[i] = 1.0;
            assert_ok(pv_nonlocal_apply(p.hamiltonian.nonlocal, 1, x, vx));
            // The stored element of a half sphere is a cosine: of two waves, of which the diagonal counts one.
            if (mine && (p.basis->scalar == PV_SCALAR_COMPLEX || chosen == p.basis->single))
                assert_near(creal(vx[i]), diagonal[i], 1e-12);
        }
        free(diagonal), free(x), free(vx);
        close_problem(&p);
    }
}

// Eigenvalues by the iterative solver, for a k-point.
static void solve(const double k[3], int may_be_real, double eigenvalues[BANDS])
{
    problem p;
    open_problem(&p, k, may_be_real);
    assert_int_equal(p.basis->scalar == PV_SCALAR_REAL, may_be_real);
    double _Complex *x = random_block(p.basis, BANDS, 3);
    double *diagonal = calloc((size_t)(p.basis->local + 1), sizeof *diagonal), tolerance[BANDS];
    pv_nonlocal_diagonal(p.hamiltonian.nonlocal, diagonal);
    for (int64_t i = 0; i < p.basis->local; i++) diagonal[i] += p.basis->kinetic_ha[i] - 0.2;
    for (int b = 0; b < BANDS; b++) tolerance[b] = 1e-8;
    pv_eigensolver *solver;
    assert_ok(pv_eigensolver_create(p.dense, p.basis->scalar, p.basis->local, BANDS, &solver));
    pv_eigen_report report;
    assert_ok(pv_eigensolver_solve(solver, &p.hamiltonian, diagonal, tolerance, 60, x, eigenvalues, &report));
    assert_true(report.residual <= 1.0);
    // Residuals of what came out, by hand.
    double _Complex *hx = calloc((size_t)(BANDS * p.basis->local + 1), sizeof *hx);
    assert_ok(pv_hamiltonian_apply(&p.hamiltonian, BANDS, x, hx));
    for (int b = 0; b < BANDS; b++) {
        double sum = 0.0;
        for (int64_t i = 0; i < p.basis->local; i++) {
            const double _Complex r = hx[b * p.basis->local + i] - eigenvalues[b] * x[b * p.basis->local + i];
            sum += creal(r * conj(r));
        }
        assert_ok(pv_comm_reduce_f64(p.f.comm, PV_SUM, 1, &sum));
        assert_near(sqrt(sum), 0.0, 2e-8);
    }
    pv_eigensolver_destroy(solver);
    free(x), free(hx), free(diagonal);
    close_problem(&p);
}

// The same, by the matrix in plane waves, diagonalised by LAPACK.
static void solve_densely(const double k[3], double eigenvalues[BANDS])
{
    problem p;
    open_problem(&p, k, 0);
    const int64_t n = p.basis->count;
    double _Complex *h = calloc((size_t)(n * n), sizeof *h), *x = calloc((size_t)(p.basis->local + 1), sizeof *x),
                    *hx = calloc((size_t)(p.basis->local + 1), sizeof *hx);
    double *values = calloc((size_t)n, sizeof *values);
    for (int64_t j = 0; j < n; j++) {
        for (int64_t i = 0; i < p.basis->local; i++) x[i] = p.basis->lower + i == j;
        assert_ok(pv_hamiltonian_apply(&p.hamiltonian, 1, x, hx));
        memcpy(h + j * n + p.basis->lower, hx, (size_t)p.basis->local * sizeof *hx);
    }
    assert_ok(pv_comm_reduce_f64(p.f.comm, PV_SUM, 2 * n * n, (double *)h));
    assert_ok(pv_dense_heevd(p.dense, PV_SCALAR_COMPLEX, n, h, values));
    memcpy(eigenvalues, values, BANDS * sizeof *values);
    free(h), free(x), free(hx), free(values);
    close_problem(&p);
}

static void eigenvalues_are_those_of_the_matrix(void **state)
{
    (void)state;
    double found[BANDS], expected[BANDS];
    solve_densely(points_k[1], expected);
    solve(points_k[1], 0, found);
    for (int b = 0; b < BANDS; b++) assert_near(found[b], expected[b], 1e-10);
}

static void real_orbitals_have_the_same_eigenvalues(void **state)
{
    (void)state;
    for (int k = 0; k < POINTS_K; k++) {
        double half[BANDS], whole[BANDS];
        if (k == 1) continue;
        solve(points_k[k], 1, half);
        solve(points_k[k], 0, whole);
        for (int b = 0; b < BANDS; b++) assert_near(half[b], whole[b], 1e-10);
    }
}

// Every wave of the whole sphere is in the half sphere or has its partner there; the single one only has itself.
static void half_of_the_waves_stand_for_all(void **state)
{
    (void)state;
    for (int k = 0; k < POINTS_K; k++) {
        if (k == 1) continue;
        problem half, whole;
        open_problem(&half, points_k[k], 1);
        open_problem(&whole, points_k[k], 0);
        const pv_basis *h = half.basis;
        int64_t found = 0;
        for (int64_t i = 0; i < whole.basis->count; i++) {
            const int32_t *g = whole.basis->miller[i];
            for (int64_t j = 0; j < h->count; j++) {
                const int32_t *n = h->miller[j];
                found += g[0] == n[0] && g[1] == n[1] && g[2] == n[2];
                found += j != h->single && g[0] == -n[0] - h->twice_k[0] && g[1] == -n[1] - h->twice_k[1]
                         && g[2] == -n[2] - h->twice_k[2];
            }
        }
        assert_int_equal(found, whole.basis->count);
        assert_int_equal(whole.basis->count, 2 * h->count - (h->single >= 0));
        assert_int_equal(h->single >= 0, k == 0 || k == 4);
        close_problem(&half);
        close_problem(&whole);
    }
}

static void nonlocal_forces_are_slopes(void **state)
{
    (void)state;
    const double step = 1e-4, weight[BANDS] = {2.0, 2.0, 1.5, 1.0, 0.5, 0.25, 0.125};
    for (int k = 0; k < POINTS_K; k++) {
        problem p;
        open_problem(&p, points_k[k], 1);
        double _Complex *x = random_block(p.basis, BANDS, 3);
        double forces[3][3] = {{0.0}};
        assert_ok(pv_nonlocal_add_forces(p.hamiltonian.nonlocal, BANDS, weight, x, forces));
        for (int d = 0; d < 3; d++) {
            double moved[3] = {0.0, 0.0, 0.0}, shift[3], ends[2];
            moved[d] = step;
            pv_cell_to_fractional(p.cell, moved, shift);
            for (int side = 0; side < 2; side++) {
                for (int i = 0; i < 3; i++) p.cell->fractional[1][i] = places[1][i] + (side ? shift[i] : -shift[i]);
                pv_nonlocal *displaced;
                assert_ok(pv_nonlocal_create(p.dense, p.basis, p.cell, &p.pseudo, BANDS, &displaced));
                assert_ok(pv_nonlocal_energy(displaced, BANDS, weight, x, &ends[side]));
                pv_nonlocal_destroy(displaced);
            }
            assert_near(forces[1][d], -(ends[1] - ends[0]) / (2.0 * step), 1e-4 * fabs(ends[0]));
        }
        free(x);
        close_problem(&p);
    }
}

// Few and long waves alone: the set inside the cutoff may change with the strain.
static double nonlocal_energy(const void *context, const double lattice[3][3], double (*strain)[3])
{
    const double *k = context;
    static const double weight[BANDS] = {2.0, 2.0, 1.5, 1.0, 0.5, 0.25, 0.125};
    problem p;
    open_problem(&p, k, 1);
    pv_cell *cell = make_cell(lattice, "Si", 3, places);
    pv_basis *basis;
    pv_nonlocal *nonlocal;
    assert_ok(pv_basis_create(p.f.comm, cell, k, 4.0, shape, 1, "auto", &basis));
    assert_ok(pv_nonlocal_create(p.dense, basis, cell, &p.pseudo, BANDS, &nonlocal));
    double _Complex *x = calloc((size_t)(BANDS * basis->local + 1), sizeof *x);
    for (int64_t b = 0; b < BANDS; b++)
        for (int64_t i = 0; i < basis->local; i++) {
            const int32_t *n = basis->miller[basis->lower + i];
            double pair[2];
            pv_rng_normal(6, (uint64_t)b, (uint64_t)(400 * n[0] + 20 * n[1] + n[2] + 4000), pair);
            const int zero = basis->lower + i == basis->single, small = abs(n[0]) < 3 && abs(n[1]) < 3 && abs(n[2]) < 3;
            x[b * basis->local + i] = small ? CMPLX(pair[0], zero ? 0.0 : pair[1]) : 0.0;
        }
    double energy;
    assert_ok(pv_nonlocal_energy(nonlocal, BANDS, weight, x, &energy));
    if (strain) assert_ok(pv_nonlocal_add_strain(nonlocal, cell, &p.pseudo, BANDS, weight, x, strain));
    free(x);
    pv_nonlocal_destroy(nonlocal);
    pv_basis_destroy(basis);
    pv_cell_destroy(cell);
    close_problem(&p);
    return energy;
}

static void nonlocal_strain_is_a_slope(void **state)
{
    (void)state;
    for (int k = 0; k < POINTS_K; k++) assert_strain_is_a_slope(nonlocal_energy, points_k[k]);
}

// Two k-points in one room, in turns, do what each does in its own.
static void projectors_take_turns_in_a_room(void **state)
{
    (void)state;
    problem p[2];
    pv_nonlocal *guest[2];
    pv_nonlocal_room *room;
    for (int i = 0; i < 2; i++) open_problem(&p[i], points_k[i], 1);
    const int64_t most = p[0].basis->local > p[1].basis->local ? p[0].basis->local : p[1].basis->local;
    assert_ok(pv_nonlocal_room_create(p[0].f.device, p[0].cell, &p[0].pseudo, PV_SCALAR_COMPLEX, most, BANDS, &room));
    for (int i = 0; i < 2; i++)
        assert_ok(pv_nonlocal_create_in(room, p[i].dense, p[i].basis, p[i].cell, &p[i].pseudo, BANDS, &guest[i]));
    for (int turn = 0; turn < 4; turn++) {
        const problem *q = &p[turn % 2];
        double _Complex *x = random_block(q->basis, BANDS, 3), *a = random_block(q->basis, BANDS, 4),
                        *b = random_block(q->basis, BANDS, 4);
        assert_ok(pv_nonlocal_apply(q->hamiltonian.nonlocal, BANDS, x, a));
        assert_ok(pv_nonlocal_apply(guest[turn % 2], BANDS, x, b));
        for (int64_t i = 0; i < BANDS * q->basis->local; i++) assert_near(cabs(a[i] - b[i]), 0.0, 1e-14);
        free(x), free(a), free(b);
    }
    for (int i = 0; i < 2; i++) pv_nonlocal_destroy(guest[i]);
    pv_nonlocal_room_destroy(room);
    for (int i = 0; i < 2; i++) close_problem(&p[i]);
}

// Integrals over the sphere by a product rule that is exact up to l = 3 + 3.
static void harmonics_are_orthonormal(void **state)
{
    (void)state;
    static const double node[4] = {-0.861136311594053, -0.339981043584856, 0.339981043584856, 0.861136311594053};
    static const double weight[4] = {0.347854845137454, 0.652145154862546, 0.652145154862546, 0.347854845137454};
    double sums[PV_HARMONICS][PV_HARMONICS] = {{0.0}};
    for (int t = 0; t < 4; t++)
        for (int n = 0; n < 8; n++) {
            const double phi = 2.0 * PV_PI * n / 8, s = sqrt(1.0 - node[t] * node[t]);
            const double r[3] = {3.0 * s * cos(phi), 3.0 * s * sin(phi), 3.0 * node[t]};
            double y[PV_HARMONICS];
            pv_harmonics(3, r, y);
            for (int i = 0; i < PV_HARMONICS; i++)
                for (int j = 0; j < PV_HARMONICS; j++) sums[i][j] += weight[t] * 2.0 * PV_PI / 8 * y[i] * y[j];
        }
    for (int i = 0; i < PV_HARMONICS; i++)
        for (int j = 0; j < PV_HARMONICS; j++) assert_near(sums[i][j], i == j, 1e-12);
}

PV_TEST_MAIN(PV_TEST(it_is_hermitian), PV_TEST(plane_waves_are_eigenstates_of_nothing),
             PV_TEST(the_diagonal_is_that_of_the_projectors), PV_TEST(eigenvalues_are_those_of_the_matrix),
             PV_TEST(real_orbitals_have_the_same_eigenvalues), PV_TEST(half_of_the_waves_stand_for_all),
             PV_TEST(nonlocal_forces_are_slopes),
             PV_TEST(projectors_take_turns_in_a_room),
             PV_TEST(nonlocal_strain_is_a_slope), PV_TEST(harmonics_are_orthonormal))
