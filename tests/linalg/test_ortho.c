// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2 3
#include "linalg/ortho.h"

#include <complex.h>
#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include <parseval/comm_mpi.h>

#include "base/rng.h"
#include "harness.h"

enum { LENGTH = 301, VECTORS = 12 };

typedef struct bench {
    pv_device *device;
    pv_comm *comm;
    pv_dense *dense;
    int64_t lower, local;              // this rank's share of LENGTH
} bench;

static bench open_bench(void)
{
    bench b;
    assert_ok(pv_device_open("cpu:1", &b.device));
    assert_ok(pv_comm_open_mpi(MPI_COMM_WORLD, b.device, NULL, &b.comm));
    assert_ok(pv_dense_open(b.comm, &b.dense));
    const int64_t size = pv_test_size(), rank = pv_test_rank();
    b.lower = LENGTH * rank / size;
    b.local = LENGTH * (rank + 1) / size - b.lower;
    return b;
}

static void close_bench(bench *b)
{
    pv_dense_close(b->dense);
    pv_comm_close(b->comm);
    pv_device_close(b->device);
}

// Element i of vector j, the same for any number of ranks.
static void fill(const bench *b, pv_scalar scalar, uint64_t seed, int64_t n, double *x)
{
    const int64_t reals = pv_scalar_reals(scalar);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < b->local; i++) {
            double pair[2];
            pv_rng_normal(seed, (uint64_t)j, (uint64_t)(b->lower + i), pair);
            memcpy(x + (j * b->local + i) * reals, pair, (size_t)reals * sizeof *x);
        }
}

static double distance_from_identity(int64_t reals, int64_t n, const double *s)
{
    double worst = 0.0;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++)
            for (int64_t r = 0; r < reals; r++)
                worst = fmax(worst, fabs(s[(j * n + i) * reals + r] - (r == 0 && i == j ? 1.0 : 0.0)));
    return worst;
}

static void check_normalise(bench *b, pv_scalar scalar, int64_t dependent)
{
    const int64_t reals = pv_scalar_reals(scalar), n = VECTORS;
    double *x = calloc((size_t)(n * (b->local + 1) * reals), sizeof *x),
           *work = calloc((size_t)(n * (b->local + 1) * reals), sizeof *work);
    double *s = calloc((size_t)(2 * n * n * reals), sizeof *s);
    fill(b, scalar, 1, n, x);
    // The last vectors repeat the first ones.
    memcpy(x + (n - dependent) * b->local * reals, x, (size_t)(dependent * b->local * reals) * sizeof *x);
    int64_t kept;
    double least;
    assert_ok(pv_ortho_normalise(b->dense, scalar, b->local, n, x, work, s, &kept, &least));
    assert_true(least > 0.5 * sqrt(LENGTH) && least < 2.0 * sqrt(2.0 * LENGTH));
    assert_int_equal(kept, n - dependent);
    assert_ok(pv_ortho_overlap(b->dense, scalar, b->local, kept, x, kept, x, s));
    assert_near(distance_from_identity(reals, kept, s), 0.0, 1e-12);
    // The span is unchanged: the original vectors vanish when the new ones are projected out.
    fill(b, scalar, 1, n - dependent, work);
    assert_ok(pv_ortho_project_out(b->dense, scalar, b->local, kept, x, n - dependent, work, s));
    assert_ok(pv_ortho_overlap(b->dense, scalar, b->local, n - dependent, work, n - dependent, work, s));
    for (int64_t i = 0; i < (n - dependent) * (n - dependent) * reals; i++) assert_near(s[i], 0.0, 1e-20);
    free(x), free(work), free(s);
}

static void blocks_become_orthonormal_and_keep_their_span(void **state)
{
    (void)state;
    bench b = open_bench();
    check_normalise(&b, PV_SCALAR_REAL, 0);
    check_normalise(&b, PV_SCALAR_COMPLEX, 0);
    check_normalise(&b, PV_SCALAR_REAL, 3);
    check_normalise(&b, PV_SCALAR_COMPLEX, 3);
    close_bench(&b);
}

static void overlaps_are_conjugate_on_the_left(void **state)
{
    (void)state;
    bench b = open_bench();
    double _Complex *x = calloc((size_t)(2 * (b.local + 1)), sizeof *x),
                    *y = calloc((size_t)(2 * (b.local + 1)), sizeof *y), s[4];
    fill(&b, PV_SCALAR_COMPLEX, 1, 2, (double *)x);
    fill(&b, PV_SCALAR_COMPLEX, 2, 2, (double *)y);
    assert_ok(pv_ortho_overlap(b.dense, PV_SCALAR_COMPLEX, b.local, 2, x, 2, y, s));
    double sum[2] = {0.0, 0.0};
    for (int64_t i = 0; i < b.local; i++) {
        const double _Complex term = conj(x[i]) * y[b.local + i];
        sum[0] += creal(term), sum[1] += cimag(term);
    }
    assert_ok(pv_comm_reduce_f64(b.comm, PV_SUM, 2, sum));
    assert_near(creal(s[2]), sum[0], 1e-11); // row 0, column 1
    assert_near(cimag(s[2]), sum[1], 1e-11);
    free(x), free(y);
    close_bench(&b);
}

static void eigenvectors_solve_their_problem(void **state)
{
    (void)state;
    enum { N = 9 };
    bench b = open_bench();
    double _Complex a[N * N], v[N * N], product[N * N];
    double values[N];
    for (int j = 0; j < N; j++)
        for (int i = 0; i <= j; i++) {
            double pair[2];
            pv_rng_normal(5, 0, (uint64_t)(i * N + j), pair);
            a[j * N + i] = i == j ? pair[0] : CMPLX(pair[0], pair[1]);
            a[i * N + j] = conj(a[j * N + i]);
        }
    memcpy(v, a, sizeof a);
    assert_ok(pv_dense_heevd(b.dense, PV_SCALAR_COMPLEX, N, v, values));
    assert_ok(pv_dense_gemm(b.dense, PV_SCALAR_COMPLEX, 'N', 'N', N, N, N, 1.0, a, N, v, N, 0.0, product, N));
    for (int j = 0; j < N; j++) {
        if (j > 0) assert_true(values[j] >= values[j - 1]);
        for (int i = 0; i < N; i++) assert_near(cabs(product[j * N + i] - values[j] * v[j * N + i]), 0.0, 1e-13);
    }
    close_bench(&b);
}

static void cholesky_says_when_it_cannot(void **state)
{
    (void)state;
    bench b = open_bench();
    double good[4] = {4.0, 0.0, 2.0, 3.0}, bad[4] = {1.0, 0.0, 2.0, 1.0}; // upper triangles
    double least;
    int positive;
    assert_ok(pv_dense_potrf(b.dense, PV_SCALAR_REAL, 2, good, &positive, &least));
    assert_true(positive);
    assert_near(least, sqrt(2.0), 1e-15);
    assert_near(good[0], 2.0, 1e-15);
    assert_near(good[2], 1.0, 1e-15);
    assert_near(good[3], sqrt(2.0), 1e-15);
    assert_ok(pv_dense_potrf(b.dense, PV_SCALAR_REAL, 2, bad, &positive, &least));
    assert_false(positive);
    close_bench(&b);
}

// Guards against BLAS kernels that are wrong on some processors: odd shapes against plain sums.
static void products_are_right_for_odd_shapes(void **state)
{
    (void)state;
    bench b = open_bench();
    static const int shapes[][3] = {{1, 1, 1}, {7, 5, 301}, {56, 3, 129}, {33, 56, 1000}, {113, 57, 65}};
    for (size_t t = 0; t < sizeof shapes / sizeof *shapes; t++) {
        const int m = shapes[t][0], n = shapes[t][1], k = shapes[t][2];
        double *x = calloc((size_t)(m * k), sizeof *x), *y = calloc((size_t)(k * n), sizeof *y),
               *c = calloc((size_t)(m * n), sizeof *c);
        for (int i = 0; i < m * k; i++) x[i] = pv_rng_uniform(1, t, (uint64_t)i) - 0.5;
        for (int i = 0; i < k * n; i++) y[i] = pv_rng_uniform(2, t, (uint64_t)i) - 0.5;
        assert_ok(pv_dense_gemm(b.dense, PV_SCALAR_REAL, 'C', 'N', m, n, k, 2.0, x, k, y, k, 0.0, c, m));
        for (int j = 0; j < n; j++)
            for (int i = 0; i < m; i++) {
                double sum = 0.0;
                for (int l = 0; l < k; l++) sum += x[i * k + l] * y[j * k + l];
                assert_near(c[j * m + i], 2.0 * sum, 1e-12);
            }
        free(x), free(y), free(c);
    }
    close_bench(&b);
}

PV_TEST_MAIN(PV_TEST(blocks_become_orthonormal_and_keep_their_span), PV_TEST(overlaps_are_conjugate_on_the_left),
             PV_TEST(eigenvectors_solve_their_problem), PV_TEST(cholesky_says_when_it_cannot),
             PV_TEST(products_are_right_for_odd_shapes))
