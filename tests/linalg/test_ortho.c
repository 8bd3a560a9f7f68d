// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2 3
// devices: cuda
#include "linalg/ortho.h"

#include <complex.h>
#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include <parseval/comm_mpi.h>

#include "base/rng.h"
#include "comm/over_transports.h"
#include "device/array.h"
#include "harness.h"
#include "linalg/matrix.h"

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
    b.device = open_test_device();
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

// Numbers of the host on the device; and back, when nothing else is there to be done.
static void *put(const bench *b, int64_t count, const void *host)
{
    double *there;
    assert_ok(PV_ARRAY(b->device, "numbers", count, &there));
    if (host) assert_ok(pv_array_write(b->device, there, host, (size_t)count * sizeof(double)));
    return there;
}

static void take(const bench *b, int64_t count, const void *there, void *host)
{
    assert_ok(pv_array_read(b->device, there, host, (size_t)count * sizeof(double)));
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
    const int64_t reals = pv_scalar_reals(scalar), n = VECTORS, numbers = n * b->local * reals;
    double *host = calloc((size_t)numbers + 1, sizeof *host);
    double *small = calloc((size_t)(2 * n * n * reals), sizeof *small);
    double *s = put(b, 2 * n * n * reals, NULL), *work = put(b, numbers, NULL);
    fill(b, scalar, 1, n, host);
    // The last vectors repeat the first ones.
    memcpy(host + (n - dependent) * b->local * reals, host, (size_t)(dependent * b->local * reals) * sizeof *host);
    double *x = put(b, numbers, host);
    int64_t kept;
    double least;
    assert_ok(pv_ortho_normalise(b->dense, scalar, b->local, n, x, work, s, &kept, &least));
    assert_true(least > 0.5 * sqrt(LENGTH) && least < 2.0 * sqrt(2.0 * LENGTH));
    assert_int_equal(kept, n - dependent);
    assert_ok(pv_ortho_overlap(b->dense, scalar, b->local, kept, x, kept, x, s));
    take(b, kept * kept * reals, s, small);
    assert_near(distance_from_identity(reals, kept, small), 0.0, 1e-12);
    // The span is unchanged: the original vectors vanish when the new ones are projected out.
    fill(b, scalar, 1, n - dependent, host);
    double *original = put(b, numbers, host);
    assert_ok(pv_ortho_project_out(b->dense, scalar, b->local, kept, x, n - dependent, original, s));
    assert_ok(pv_ortho_overlap(b->dense, scalar, b->local, n - dependent, original, n - dependent, original, s));
    take(b, (n - dependent) * (n - dependent) * reals, s, small);
    for (int64_t i = 0; i < (n - dependent) * (n - dependent) * reals; i++) assert_near(small[i], 0.0, 1e-20);
    double *arrays[] = {s, work, x, original};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) pv_array_destroy(b->device, arrays[i]);
    free(host), free(small);
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
    void *on_x = put(&b, 4 * b.local, x), *on_y = put(&b, 4 * b.local, y), *on_s = put(&b, 8, NULL);
    assert_ok(pv_ortho_overlap(b.dense, PV_SCALAR_COMPLEX, b.local, 2, on_x, 2, on_y, on_s));
    take(&b, 8, on_s, s);
    pv_array_destroy(b.device, on_x), pv_array_destroy(b.device, on_y), pv_array_destroy(b.device, on_s);
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
    void *on_a = put(&b, 2 * N * N, a), *on_v = put(&b, 2 * N * N, a), *on_product = put(&b, 2 * N * N, NULL);
    assert_ok(pv_dense_heevd(b.dense, PV_SCALAR_COMPLEX, N, on_v, values));
    assert_ok(pv_dense_gemm(b.dense, PV_SCALAR_COMPLEX, 'N', 'N', N, N, N, 1.0, on_a, N, on_v, N, 0.0, on_product, N));
    take(&b, 2 * N * N, on_v, v);
    take(&b, 2 * N * N, on_product, product);
    pv_array_destroy(b.device, on_a), pv_array_destroy(b.device, on_v), pv_array_destroy(b.device, on_product);
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
    void *on_good = put(&b, 4, good), *on_bad = put(&b, 4, bad);
    double range[2];
    int positive;
    assert_ok(pv_dense_potrf(b.dense, PV_SCALAR_REAL, 2, on_good, &positive, range));
    assert_true(positive);
    assert_near(range[0], sqrt(2.0), 1e-15);
    assert_near(range[1], 2.0, 1e-15);
    take(&b, 4, on_good, good);
    assert_near(good[0], 2.0, 1e-15);
    assert_near(good[2], 1.0, 1e-15);
    assert_near(good[3], sqrt(2.0), 1e-15);
    assert_ok(pv_dense_potrf(b.dense, PV_SCALAR_REAL, 2, on_bad, &positive, range));
    assert_false(positive);
    pv_array_destroy(b.device, on_good), pv_array_destroy(b.device, on_bad);
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
        void *on_x = put(&b, m * k, x), *on_y = put(&b, k * n, y), *on_c = put(&b, m * n, NULL);
        assert_ok(pv_dense_gemm(b.dense, PV_SCALAR_REAL, 'C', 'N', m, n, k, 2.0, on_x, k, on_y, k, 0.0, on_c, m));
        take(&b, m * n, on_c, c);
        pv_array_destroy(b.device, on_x), pv_array_destroy(b.device, on_y), pv_array_destroy(b.device, on_c);
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

// Columns in another order and scaled, a hermitian part, a diagonal there and back, and a matrix within a larger one.
static void numbers_of_matrices_are_where_they_belong(void **state)
{
    (void)state;
    enum { N = 3, REALS = 2 };
    bench b = open_bench();
    pv_stream *stream = pv_device_stream(b.device);
    const int64_t from[2] = {2, 0};
    const double factor[2] = {0.5, -2.0}, diagonal[N] = {1.0, 1.0, 1.5};
    double _Complex a[N * N], picked[2 * N], larger[2 * (N + 1)], found[N * N];
    double read[N], distance;
    for (int i = 0; i < N * N; i++) a[i] = CMPLX(i + 1, 0.1 * i);
    void *on_a = put(&b, REALS * N * N, a), *on_from = put(&b, 2, from), *on_factor = put(&b, 2, factor);
    void *on_out = put(&b, REALS * 2 * (N + 1), NULL), *on_diagonal = put(&b, N, diagonal);
    assert_ok(pv_matrix_pick_columns(stream, PV_SCALAR_COMPLEX, N, 2, on_a, N, on_from, on_factor, on_out, N));
    take(&b, REALS * 2 * N, on_out, picked);
    assert_ok(pv_dense_copy(b.dense, PV_SCALAR_COMPLEX, N, 2, on_a, N, on_out, N + 1));
    take(&b, REALS * 2 * (N + 1), on_out, larger);
    for (int i = 0; i < N; i++) {
        assert_near(cabs(picked[i] - 0.5 * a[2 * N + i]), 0.0, 1e-15);
        assert_near(cabs(picked[N + i] + 2.0 * a[i]), 0.0, 1e-15);
        assert_near(cabs(larger[N + 1 + i] - a[N + i]), 0.0, 1e-15);
    }
    assert_ok(pv_matrix_symmetrise(stream, PV_SCALAR_COMPLEX, N, -1.0, on_a));
    take(&b, REALS * N * N, on_a, found);
    for (int i = 0; i < N * N; i++)
        assert_near(cabs(found[i] + 0.5 * (a[i] + conj(a[i % N * N + i / N]))), 0.0, 1e-15);
    pv_buffer *parts;
    assert_ok(pv_buffer_create(b.device, 1024 * sizeof(double), &parts));
    assert_ok(pv_matrix_set_diagonal(stream, PV_SCALAR_COMPLEX, N, on_diagonal, on_a, N));
    assert_ok(pv_matrix_take_diagonal(stream, PV_SCALAR_COMPLEX, N, on_a, N, on_diagonal));
    take(&b, N, on_diagonal, read);
    for (int i = 0; i < N; i++) assert_near(read[i], diagonal[i], 0.0);
    assert_ok(pv_matrix_distance_from_unit(stream, PV_SCALAR_COMPLEX, N, on_a, parts, &distance));
    assert_near(distance, 0.5, 1e-15);
    pv_buffer_destroy(parts);
    void *arrays[] = {on_a, on_from, on_factor, on_out, on_diagonal};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) pv_array_destroy(b.device, arrays[i]);
    close_bench(&b);
}

PV_TEST_MAIN(PV_TEST(blocks_become_orthonormal_and_keep_their_span), PV_TEST(overlaps_are_conjugate_on_the_left),
             PV_TEST(eigenvectors_solve_their_problem), PV_TEST(cholesky_says_when_it_cannot),
             PV_TEST(products_are_right_for_odd_shapes), PV_TEST(numbers_of_matrices_are_where_they_belong))
