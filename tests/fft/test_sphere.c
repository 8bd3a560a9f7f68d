// SPDX-License-Identifier: Apache-2.0
#include "fft/sphere.h"

#include <math.h>
#include <stdlib.h>

#include "harness.h"

enum { NX = 10, NY = 9, NZ = 12, POINTS = NX * NY * NZ, MOST = 400 };

typedef struct ball {
    int64_t count;
    int32_t points[MOST][3];
} ball;

static const int64_t shape[3] = {NX, NY, NZ};

// All integer vectors in an ellipsoid; with `half` one of each pair, zero first.
static ball make_ball(int half)
{
    ball b = {0};
    for (int x = half ? 0 : -4; x <= 4; x++)
        for (int y = -3; y <= 3; y++)
            for (int z = -5; z <= 5; z++) {
                if (half && (x < 0 || (x == 0 && (y < 0 || (y == 0 && z < 0))))) continue;
                if (x * x / 16.5 + y * y / 9.5 + z * z / 25.5 > 1.0) continue;
                b.points[b.count][0] = x, b.points[b.count][1] = y, b.points[b.count++][2] = z;
            }
    return b;
}

static double _Complex *random_coefficients(const ball *b, int64_t fields, int half)
{
    double _Complex *c = calloc((size_t)(fields * b->count), sizeof *c);
    for (int64_t i = 0; i < fields * b->count; i++) c[i] = CMPLX(drand48() - 0.5, drand48() - 0.5);
    for (int64_t f = 0; half && f < fields; f++) c[f * b->count] = creal(c[f * b->count]);
    return c;
}

// The field of one set of coefficients at a grid point, by its definition.
static double _Complex field_at(const ball *b, const double _Complex *c, int half, int x, int y, int z)
{
    double _Complex sum = 0.0;
    for (int64_t p = 0; p < b->count; p++) {
        const int32_t *g = b->points[p];
        const double _Complex wave =
            cexp(2.0 * I * M_PI * ((double)g[0] * x / NX + (double)g[1] * y / NY + (double)g[2] * z / NZ));
        const int zero = !g[0] && !g[1] && !g[2];
        sum += half ? (zero ? creal(c[p]) : sqrt(2.0) * creal(c[p] * wave)) : c[p] * wave;
    }
    return sum;
}

static void over_cases(void (*check)(const pv_sphere *, const ball *, int half, int64_t fields))
{
    static const char *const devices[] = {"cpu:1", "cpu:3"};
    static const char *const engines[] = {"ref", "fftw", "lines"};
    for (int e = 0; e < 3; e++)
        for (int d = 0; d < 2; d++)
            for (int half = 0; half < 2; half++) {
                pv_device *device;
                pv_comm *comm;
                assert_ok(pv_device_open(devices[d], &device));
                assert_ok(pv_comm_open_self(device, &comm));
                const ball b = make_ball(half);
                pv_sphere *sphere;
                assert_ok(pv_sphere_create(comm, shape, b.count, b.points, half, engines[e], PV_ESTIMATE,
                                           &sphere));
                assert_int_equal(pv_sphere_count(sphere), b.count);
                for (int64_t fields = 1; fields <= 5; fields += 2) check(sphere, &b, half, fields);
                pv_sphere_destroy(sphere);
                pv_comm_close(comm);
                pv_device_close(device);
            }
}

static void check_to_grid(const pv_sphere *sphere, const ball *b, int half, int64_t fields)
{
    double _Complex *c = random_coefficients(b, fields, half);
    double _Complex *grids = calloc((size_t)(fields * POINTS), sizeof *grids);
    double _Complex *back = calloc((size_t)(fields * b->count), sizeof *back);
    pv_sphere_to_grid(sphere, fields, c, b->count, grids);
    for (int64_t f = 0; f < fields; f++)
        for (int i = 0; i < POINTS; i += 37) {
            const double _Complex expected = field_at(b, c + f * b->count, half, i / (NY * NZ), i / NZ % NY, i % NZ);
            if (half) {
                const double _Complex both = grids[f / 2 * POINTS + i];
                assert_near(f % 2 ? cimag(both) : creal(both), creal(expected), 1e-11);
            } else {
                assert_near(cabs(grids[f * POINTS + i] - expected), 0.0, 1e-11);
            }
        }
    pv_sphere_from_grid(sphere, fields, grids, back, b->count);
    for (int64_t i = 0; i < fields * b->count; i++) assert_near(cabs(back[i] - c[i]), 0.0, 1e-13);
    free(c), free(grids), free(back);
}

static void fields_are_sums_of_waves_and_come_back(void **state)
{
    (void)state;
    over_cases(check_to_grid);
}

// <a| f b> by the grid and by the coefficients: also shows that products of stored reals are products of fields.
static void check_multiply(const pv_sphere *sphere, const ball *b, int half, int64_t fields)
{
    double _Complex *c = random_coefficients(b, fields, half);
    double _Complex *out = calloc((size_t)(fields * b->count), sizeof *out);
    double *factor = calloc(POINTS, sizeof *factor);
    double *packed = calloc((size_t)pv_sphere_reals_count(sphere), sizeof *packed);
    for (int i = 0; i < POINTS; i++) factor[i] = drand48() - 0.3;
    pv_sphere_pack(sphere, factor, packed);
    pv_sphere_multiply(sphere, fields, packed, c, b->count, out, b->count);
    for (int64_t f = 0; f < fields; f++) {
        double _Complex by_grid = 0.0, by_waves = 0.0;
        for (int i = 0; i < POINTS; i++) {
            const int x = i / (NY * NZ), y = i / NZ % NY, z = i % NZ;
            const double _Complex u = field_at(b, c + f * b->count, half, x, y, z);
            by_grid += factor[i] * conj(field_at(b, c, half, x, y, z)) * u / POINTS;
        }
        for (int64_t p = 0; p < b->count; p++) by_waves += conj(c[p]) * out[f * b->count + p];
        assert_near(creal(by_waves - by_grid), 0.0, 1e-11);
        if (!half) assert_near(cimag(by_waves - by_grid), 0.0, 1e-11);
    }
    pv_sphere_multiply(sphere, fields, packed, c, b->count, c, b->count);
    for (int64_t i = 0; i < fields * b->count; i++) assert_true(c[i] == out[i]);
    free(c), free(out), free(factor), free(packed);
}

static void multiplication_is_that_of_fields(void **state)
{
    (void)state;
    over_cases(check_multiply);
}

static void check_squares(const pv_sphere *sphere, const ball *b, int half, int64_t fields)
{
    double _Complex *c = random_coefficients(b, fields, half);
    double *sums = calloc(POINTS, sizeof *sums), weights[8];
    for (int f = 0; f < 8; f++) weights[f] = 0.5 + f;
    double *packed = calloc((size_t)pv_sphere_reals_count(sphere), sizeof *packed);
    for (int i = 0; i < POINTS; i++) sums[i] = 1.0;
    pv_sphere_pack(sphere, sums, packed);
    pv_sphere_add_squares(sphere, fields, weights, c, b->count, packed);
    pv_sphere_unpack(sphere, packed, sums);
    for (int i = 0; i < POINTS; i += 41) {
        double expected = 1.0;
        for (int64_t f = 0; f < fields; f++) {
            const double _Complex u = field_at(b, c + f * b->count, half, i / (NY * NZ), i / NZ % NY, i % NZ);
            expected += weights[f] * creal(u * conj(u));
        }
        assert_near(sums[i], expected, 1e-10);
    }
    free(c), free(sums), free(packed);
}

static void squares_are_added_with_their_weights(void **state)
{
    (void)state;
    over_cases(check_squares);
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    pv_device *device;
    pv_comm *comm;
    assert_ok(pv_device_open("cpu:1", &device));
    assert_ok(pv_comm_open_self(device, &comm));
    const int32_t outside[2][3] = {{0, 0, 0}, {5, 0, 0}}, twice[2][3] = {{1, 2, 3}, {-1, -2, -3}};
    pv_sphere *sphere = NULL;
    assert_fails(PV_ERR_SHAPE, pv_sphere_create(comm, shape, 2, outside, 0, "ref", PV_ESTIMATE, &sphere));
    assert_fails(PV_ERR_SHAPE, pv_sphere_create(comm, shape, 2, twice, 1, "ref", PV_ESTIMATE, &sphere));
    assert_null(sphere);
    assert_ok(pv_sphere_create(comm, shape, 2, twice, 0, "ref", PV_ESTIMATE, &sphere));
    pv_sphere_destroy(sphere);
    pv_sphere_destroy(NULL);
    pv_comm_close(comm);
    pv_device_close(device);
}

PV_TEST_MAIN(PV_TEST(fields_are_sums_of_waves_and_come_back), PV_TEST(multiplication_is_that_of_fields),
             PV_TEST(squares_are_added_with_their_weights), PV_TEST(what_does_not_fit_is_refused))
