// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2 3 4 7
// Fields whose transforms all ranks share are those that each rank transforms alone.
#include "fft/sphere/sphere.h"

#include <mpi.h>
#include <stdlib.h>

#include <parseval/comm_mpi.h>

#include "base/rng.h"
#include "harness.h"

enum { MOST = 3000, FIELDS = 5 };

typedef struct ball {
    int64_t count;
    int32_t points[MOST][3];
} ball;

// All integer vectors in an ellipsoid round -k that just fits the grid; with twice_k one of each pair.
static void make_ball(const int64_t shape[3], const int *twice_k, ball *b)
{
    static const int none[3] = {0, 0, 0};
    const int *shift = twice_k ? twice_k : none;
    double reach[3];
    for (int d = 0; d < 3; d++) reach[d] = (double)(shape[d] - 1 - abs(shift[d]));
    b->count = 0;
    for (int x = -9; x <= 9; x++)
        for (int y = -9; y <= 9; y++)
            for (int z = -24; z <= 24; z++) {
                const int u = 2 * x + shift[0], v = 2 * y + shift[1], w = 2 * z + shift[2];
                if (twice_k && (u < 0 || (u == 0 && (v < 0 || (v == 0 && w < 0))))) continue;
                const double scaled[3] = {u / reach[0], v / reach[1], w / reach[2]};
                if (scaled[0] * scaled[0] + scaled[1] * scaled[1] + scaled[2] * scaled[2] > 1.0) continue;
                assert_true(b->count < MOST);
                b->points[b->count][0] = x, b->points[b->count][1] = y, b->points[b->count++][2] = z;
            }
}

static double number(uint64_t stream, int64_t i)
{
    return pv_rng_uniform(7, stream, (uint64_t)i) - 0.5;
}

static void multiply(const pv_sphere *sphere, const ball *b, int64_t lower, const double *packed, double _Complex *out)
{
    const int64_t count = pv_sphere_count(sphere);
    double _Complex *in = calloc((size_t)(FIELDS * count + 1), sizeof *in);
    for (int64_t i = 0; i < FIELDS * count; i++) {
        const int64_t p = i / count * b->count + lower + i % count;
        in[i] = CMPLX(number(1, p), number(2, p));
    }
    assert_ok(pv_sphere_multiply(sphere, FIELDS, packed, in, count, out, count));
    free(in);
}

static void add_squares(const pv_sphere *sphere, const ball *b, int64_t lower, double *packed)
{
    static const double weights[FIELDS] = {2.0, 1.5, 0.25, 1.0, 0.75};
    const int64_t count = pv_sphere_count(sphere);
    double _Complex *in = calloc((size_t)(FIELDS * count + 1), sizeof *in);
    for (int64_t i = 0; i < FIELDS * count; i++) {
        const int64_t p = i / count * b->count + lower + i % count;
        in[i] = CMPLX(number(3, p), number(4, p));
    }
    assert_ok(pv_sphere_add_squares(sphere, FIELDS, weights, in, count, packed));
    free(in);
}

static void compare(pv_comm *comm, pv_comm *self, const int64_t shape[3], const int *twice_k)
{
    static ball b;
    pv_sphere *shared, *whole;
    make_ball(shape, twice_k, &b);
    const int32_t(*points)[3] = (const int32_t(*)[3])b.points;
    assert_ok(pv_sphere_create_shared(comm, shape, b.count, points, twice_k, "auto", PV_ESTIMATE, &shared));
    assert_ok(pv_sphere_create(self, shape, b.count, points, twice_k, PV_FP64, "auto", PV_ESTIMATE, &whole));
    assert_int_equal(pv_sphere_ranks(shared), pv_comm_size(comm));
    const int64_t reals = pv_sphere_reals_count(whole), n = shape[0] * shape[1] * shape[2];
    assert_int_equal(pv_sphere_reals_count(shared), reals);

    int64_t lower, upper, next = 0;
    for (int r = 0; r < pv_comm_size(comm); r++) {
        pv_sphere_share(shared, r, &lower, &upper);
        assert_int_equal(lower, next);
        next = upper;
    }
    assert_int_equal(next, b.count);
    pv_sphere_share(shared, pv_comm_rank(comm), &lower, &upper);
    assert_int_equal(upper - lower, pv_sphere_count(shared));

    double *grid = calloc((size_t)n, sizeof *grid), *packed = calloc((size_t)reals, sizeof *packed);
    double *a = calloc((size_t)reals, sizeof *a), *c = calloc((size_t)reals, sizeof *c);
    double _Complex *u = calloc((size_t)(FIELDS * b.count + 1), sizeof *u),
                    *v = calloc((size_t)(FIELDS * b.count + 1), sizeof *v);
    for (int64_t i = 0; i < n; i++) grid[i] = number(5, i);
    assert_ok(pv_sphere_pack(shared, grid, packed));
    multiply(whole, &b, 0, packed, u);
    multiply(shared, &b, lower, packed, v);
    for (int64_t f = 0; f < FIELDS; f++)
        for (int64_t p = lower; p < upper; p++)
            assert_near(cabs(u[f * b.count + p] - v[f * (upper - lower) + p - lower]), 0.0, 1e-14);

    add_squares(whole, &b, 0, a);
    add_squares(shared, &b, lower, c);
    assert_ok(pv_comm_reduce_f64(comm, PV_SUM, reals, c));
    for (int64_t i = 0; i < reals; i++) assert_near(a[i], c[i], 1e-13 * (1.0 + a[i]));
    free(grid), free(packed), free(a), free(c), free(u), free(v);
    pv_sphere_destroy(shared);
    pv_sphere_destroy(whole);
}

static void with_threads(const char *device_name)
{
    static const int halves[][3] = {{0, 0, 0}, {1, 0, 0}, {0, -1, 1}, {1, 1, 1}, {0, 2, 0}};
    static const int64_t shapes[][3] = {{16, 15, 20}, {8, 14, 9}, {5, 4, 48}};
    pv_device *device;
    pv_comm *comm, *self;
    assert_ok(pv_device_open(device_name, &device));
    assert_ok(pv_comm_open_mpi(MPI_COMM_WORLD, device, NULL, &comm));
    assert_ok(pv_comm_split(comm, pv_comm_rank(comm), 0, &self));
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        compare(comm, self, shapes[s], NULL);
        for (size_t h = 0; h < sizeof halves / sizeof *halves; h++) compare(comm, self, shapes[s], halves[h]);
    }
    pv_comm_close(self);
    pv_comm_close(comm);
    pv_device_close(device);
}

static void shared_fields_are_whole_ones(void **state)
{
    (void)state;
    with_threads("cpu:1");
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    with_threads("cpu:3");
}

// Two ranks would have one column between them.
static void scattered_columns_are_refused(void **state)
{
    (void)state;
    static const int64_t shape[3] = {8, 8, 8};
    static const int32_t points[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    pv_device *device;
    pv_comm *comm;
    pv_sphere *sphere;
    assert_ok(pv_device_open("cpu:1", &device));
    assert_ok(pv_comm_open_mpi(MPI_COMM_WORLD, device, NULL, &comm));
    if (pv_comm_size(comm) > 1)
        assert_fails(PV_ERR_SHAPE, pv_sphere_create_shared(comm, shape, 4, points, NULL, "auto", PV_ESTIMATE, &sphere));
    pv_comm_close(comm);
    pv_device_close(device);
}

PV_TEST_MAIN(PV_TEST(shared_fields_are_whole_ones), PV_TEST(threads_do_not_matter),
             PV_TEST(scattered_columns_are_refused))
