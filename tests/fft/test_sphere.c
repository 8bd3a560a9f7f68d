// SPDX-License-Identifier: Apache-2.0
// labels: cuda
// Sphere transforms in both forms on the host, and on a GPU where there is one.
#include "fft/sphere/sphere.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "fft/sphere/ops.h"
#include "harness.h"

enum { NX = 10, NY = 9, NZ = 12, POINTS = NX * NY * NZ, MOST = 400 };

typedef struct ball {
    int64_t count;
    int32_t points[MOST][3];
} ball;

static const int64_t shape[3] = {NX, NY, NZ};

// Whole spheres of Gamma, and half spheres of points where real fields exist.
static const int halves[][3] = {{0, 0, 0}, {1, 0, 0}, {0, -1, 1}, {1, 1, 1}, {0, 2, 0}, {1, -2, 0}};
enum { HALVES = sizeof halves / sizeof *halves };

// All integer vectors in an ellipsoid round -k; with twice_k one of each pair.
static ball make_ball(const int *twice_k)
{
    static const int none[3] = {0, 0, 0};
    const int *shift = twice_k ? twice_k : none;
    ball b = {0};
    for (int x = -5; x <= 5; x++)
        for (int y = -5; y <= 5; y++)
            for (int z = -6; z <= 6; z++) {
                const int u = 2 * x + shift[0], v = 2 * y + shift[1], w = 2 * z + shift[2];
                if (twice_k && (u < 0 || (u == 0 && (v < 0 || (v == 0 && w < 0))))) continue;
                if (u * u / 66.0 + v * v / 38.0 + w * w / 102.0 > 1.0) continue;
                b.points[b.count][0] = x, b.points[b.count][1] = y, b.points[b.count++][2] = z;
            }
    return b;
}

static int is_single(const int32_t g[3], const int *twice_k)
{
    return twice_k && 2 * g[0] == -twice_k[0] && 2 * g[1] == -twice_k[1] && 2 * g[2] == -twice_k[2];
}

static double _Complex *random_coefficients(const ball *b, int64_t fields, const int *twice_k)
{
    double _Complex *c = calloc((size_t)(fields * b->count), sizeof *c);
    for (int64_t i = 0; i < fields * b->count; i++) {
        const int single = is_single(b->points[i % b->count], twice_k);
        c[i] = CMPLX(drand48() - 0.5, single ? 0.0 : drand48() - 0.5);
    }
    return c;
}

// exp(i k r) at a grid point.
static double _Complex phase_at(const int *twice_k, int i)
{
    if (!twice_k) return 1.0;
    const double kr = (double)twice_k[0] * (i / (NY * NZ)) / NX + (double)twice_k[1] * (i / NZ % NY) / NY +
                      (double)twice_k[2] * (i % NZ) / NZ;
    return cexp(I * M_PI * kr);
}

// The field of one set of coefficients at a grid point, by its definition: u of a whole sphere, psi of a half one.
static double _Complex field_at(const ball *b, const double _Complex *c, const int *twice_k, int i)
{
    enum { REACH = 6 };
    const double at[3] = {(double)(i / (NY * NZ)) / NX, (double)(i / NZ % NY) / NY, (double)(i % NZ) / NZ};
    const double _Complex phase = phase_at(twice_k, i);
    double _Complex sum = 0.0, along[3][2 * REACH + 1];
    for (int d = 0; d < 3; d++)
        for (int g = -REACH; g <= REACH; g++) along[d][REACH + g] = cexp(2.0 * I * M_PI * g * at[d]);
    for (int64_t p = 0; p < b->count; p++) {
        const int32_t *g = b->points[p];
        const double _Complex wave = along[0][REACH + g[0]] * along[1][REACH + g[1]] * along[2][REACH + g[2]];
        const double fold = is_single(g, twice_k) ? 1.0 : sqrt(2.0);
        sum += twice_k ? fold * creal(c[p] * wave * phase) : c[p] * wave;
    }
    return sum;
}

// ---- Arrays of the device -------------------------------------------------------------------------------------------

enum { MOST_ARRAYS = 8 };
static pv_device *device; // of the case at hand
static pv_buffer *arrays[MOST_ARRAYS];
static int array_count;

static void *push(const void *host, int64_t count, size_t size)
{
    pv_buffer **buffer = &arrays[array_count++];
    assert_ok(pv_buffer_create(device, (size_t)count * size, buffer));
    assert_ok(pv_buffer_write(*buffer, 0, host, (size_t)count * size));
    return pv_buffer_data(*buffer);
}

static void pull(const void *array, void *host, int64_t count, size_t size)
{
    assert_ok(pv_stream_copy(pv_device_stream(device), host, array, (size_t)count * size));
    assert_ok(pv_stream_wait(pv_device_stream(device)));
}

static void drop_arrays(void)
{
    while (array_count > 0) pv_buffer_destroy(arrays[--array_count]);
}

// ---- Cases ----------------------------------------------------------------------------------------------------------

static void over_spheres(const pv_sphere_ops *form, pv_comm *comm, const char *engine,
                         void (*check)(const pv_sphere *, const ball *, const int *twice_k, int64_t fields))
{
    for (int h = -1; h < HALVES; h++) {
        const int *twice_k = h < 0 ? NULL : halves[h];
        const ball b = make_ball(twice_k);
        pv_sphere *sphere;
        assert_ok(
            pv_sphere_create_as(form, comm, shape, b.count, b.points, twice_k, PV_FP64, engine, PV_ESTIMATE, &sphere));
        assert_int_equal(pv_sphere_count(sphere), b.count);
        assert_int_equal(pv_sphere_is_half(sphere), h >= 0);
        for (int64_t fields = 1; fields <= 5; fields += 2) check(sphere, &b, twice_k, fields);
        pv_sphere_destroy(sphere);
    }
}

static const struct {
    const char *device, *engine;
    const pv_sphere_ops *form;
} cases[] = {{"cpu:1", "ref", &pv_sphere_slices},   {"cpu:3", "fftw", &pv_sphere_slices},
             {"cpu:1", "lines", &pv_sphere_slices}, {"cpu:3", "lines", &pv_sphere_slices},
             {"cpu:1", "auto", &pv_sphere_grids},   {"cpu:3", "auto", &pv_sphere_grids},
             {"cuda", "auto", &pv_sphere_grids}};
enum { CASES = sizeof cases / sizeof *cases };

// The device and a communicator on it; 0 where there is none.
static int open_case(int c, pv_comm **comm_p)
{
    pv_test_mute(1);
    const pv_status status = pv_device_open(cases[c].device, &device);
    pv_test_mute(0);
    if (status == PV_ERR_NOT_BUILT || status == PV_ERR_DEVICE) {
        printf("SKIP: device %s: %s\n", cases[c].device, pv_last_error());
        return 0;
    }
    assert_ok(status);
    assert_ok(pv_comm_open_self(device, comm_p));
    return 1;
}

static void close_case(pv_comm *comm)
{
    pv_comm_close(comm);
    pv_device_close(device);
}

static void over_cases(void (*check)(const pv_sphere *, const ball *, const int *twice_k, int64_t fields))
{
    pv_comm *comm;
    for (int c = 0; c < CASES; c++) {
        if (!open_case(c, &comm)) continue;
        over_spheres(cases[c].form, comm, cases[c].engine, check);
        close_case(comm);
    }
}

static void check_to_grid(const pv_sphere *sphere, const ball *b, const int *twice_k, int64_t fields)
{
    double _Complex *c = random_coefficients(b, fields, twice_k);
    double _Complex *grids = calloc((size_t)(fields * POINTS), sizeof *grids);
    double _Complex *back = calloc((size_t)(fields * b->count), sizeof *back);
    double _Complex *on_grid = push(grids, fields * POINTS, sizeof *grids);
    assert_ok(pv_sphere_to_grid(sphere, fields, push(c, fields * b->count, sizeof *c), b->count, on_grid));
    pull(on_grid, grids, fields * POINTS, sizeof *grids);
    for (int64_t f = 0; f < fields; f++)
        for (int i = 0; i < POINTS; i += 37) {
            const double _Complex expected = field_at(b, c + f * b->count, twice_k, i);
            if (twice_k) {
                const double _Complex both = grids[f / 2 * POINTS + i] * phase_at(twice_k, i);
                assert_near(f % 2 ? cimag(both) : creal(both), creal(expected), 1e-11);
            } else {
                assert_near(cabs(grids[f * POINTS + i] - expected), 0.0, 1e-11);
            }
        }
    double _Complex *inside = push(back, fields * b->count, sizeof *back);
    assert_ok(pv_sphere_from_grid(sphere, fields, on_grid, inside, b->count));
    pull(inside, back, fields * b->count, sizeof *back);
    for (int64_t i = 0; i < fields * b->count; i++) assert_near(cabs(back[i] - c[i]), 0.0, 1e-13);
    free(c), free(grids), free(back), drop_arrays();
}

static void fields_are_sums_of_waves_and_come_back(void **state)
{
    (void)state;
    over_cases(check_to_grid);
}

// <a| f b> by the grid and by the coefficients: also shows that products of stored reals are products of fields.
static void check_multiply(const pv_sphere *sphere, const ball *b, const int *twice_k, int64_t fields)
{
    double _Complex *c = random_coefficients(b, fields, twice_k);
    double _Complex *out = calloc((size_t)(fields * b->count), sizeof *out);
    double *factor = calloc(POINTS, sizeof *factor);
    double *zeros = calloc((size_t)pv_sphere_reals_count(sphere), sizeof *zeros);
    double *packed = push(zeros, pv_sphere_reals_count(sphere), sizeof *zeros);
    double _Complex *in = push(c, fields * b->count, sizeof *c), *product = push(c, fields * b->count, sizeof *c);
    for (int i = 0; i < POINTS; i++) factor[i] = drand48() - 0.3;
    assert_ok(pv_sphere_pack(sphere, push(factor, POINTS, sizeof *factor), packed));
    assert_ok(pv_sphere_multiply(sphere, fields, packed, in, b->count, product, b->count));
    pull(product, out, fields * b->count, sizeof *out);
    for (int64_t f = 0; f < fields; f += 2) {
        double _Complex by_grid = 0.0, by_waves = 0.0;
        for (int i = 0; i < POINTS; i++)
            by_grid +=
                factor[i] * conj(field_at(b, c, twice_k, i)) * field_at(b, c + f * b->count, twice_k, i) / POINTS;
        for (int64_t p = 0; p < b->count; p++) by_waves += conj(c[p]) * out[f * b->count + p];
        assert_near(creal(by_waves - by_grid), 0.0, 1e-11);
        if (!twice_k) assert_near(cimag(by_waves - by_grid), 0.0, 1e-11);
    }
    assert_ok(pv_sphere_multiply(sphere, fields, packed, in, b->count, in, b->count));
    pull(in, c, fields * b->count, sizeof *c);
    for (int64_t i = 0; i < fields * b->count; i++) assert_true(c[i] == out[i]);
    free(c), free(out), free(factor), free(zeros), drop_arrays();
}

static void multiplication_is_that_of_fields(void **state)
{
    (void)state;
    over_cases(check_multiply);
}

static void check_squares(const pv_sphere *sphere, const ball *b, const int *twice_k, int64_t fields)
{
    double _Complex *c = random_coefficients(b, fields, twice_k);
    double *sums = calloc(POINTS, sizeof *sums);
    static const double weights[8] = {0.5, 1.5, 2.0, 2.0, -0.25, 1.0, 3.0, 4.0}; // of pairs unequal and equal
    double *zeros = calloc((size_t)pv_sphere_reals_count(sphere), sizeof *zeros);
    double *packed = push(zeros, pv_sphere_reals_count(sphere), sizeof *zeros);
    for (int i = 0; i < POINTS; i++) sums[i] = 1.0;
    double *grid = push(sums, POINTS, sizeof *sums);
    assert_ok(pv_sphere_pack(sphere, grid, packed));
    assert_ok(pv_sphere_add_squares(sphere, fields, weights, push(c, fields * b->count, sizeof *c), b->count, packed));
    assert_ok(pv_sphere_unpack(sphere, packed, grid));
    pull(grid, sums, POINTS, sizeof *sums);
    for (int i = 0; i < POINTS; i += 41) {
        double expected = 1.0;
        for (int64_t f = 0; f < fields; f++) {
            const double _Complex u = field_at(b, c + f * b->count, twice_k, i);
            expected += weights[f] * creal(u * conj(u));
        }
        assert_near(sums[i], expected, 1e-10);
    }
    free(c), free(sums), free(zeros), drop_arrays();
}

static void squares_are_added_with_their_weights(void **state)
{
    (void)state;
    over_cases(check_squares);
}

static void check_reals(const pv_sphere *sphere, const ball *b, const int *twice_k, int64_t fields)
{
    if (!twice_k) return;
    const int64_t reals = pv_sphere_reals_count(sphere);
    double _Complex *c = random_coefficients(b, fields, twice_k);
    double _Complex *back = calloc((size_t)(fields * b->count), sizeof *back);
    double *packed = calloc((size_t)(fields * reals), sizeof *packed), *grid = calloc(POINTS, sizeof *grid);
    for (int64_t i = 0; i < fields * reals; i++) packed[i] = 7.0;
    double *on_grid = push(packed, fields * reals, sizeof *packed), *one = push(grid, POINTS, sizeof *grid);
    assert_ok(pv_sphere_to_reals(sphere, fields, push(c, fields * b->count, sizeof *c), b->count, on_grid));
    pull(on_grid, packed, fields * reals, sizeof *packed);
    for (int64_t f = 0; f < fields; f++) {
        double all = 0.0, inside = 0.0;
        assert_ok(pv_sphere_unpack(sphere, on_grid + f * reals, one));
        pull(one, grid, POINTS, sizeof *grid);
        for (int i = 0; i < POINTS; i += 43)
            assert_near(grid[i], creal(field_at(b, c + f * b->count, twice_k, i)), 1e-11);
        for (int64_t i = 0; i < reals; i++) all += fabs(packed[f * reals + i]);
        for (int i = 0; i < POINTS; i++) inside += fabs(grid[i]);
        assert_near(all, inside, 1e-9);
    }
    double _Complex *inside = push(back, fields * b->count, sizeof *back);
    assert_ok(pv_sphere_from_reals(sphere, fields, on_grid, inside, b->count));
    pull(inside, back, fields * b->count, sizeof *back);
    for (int64_t i = 0; i < fields * b->count; i++) assert_near(cabs(back[i] - c[i]), 0.0, 1e-13);
    free(c), free(back), free(packed), free(grid), drop_arrays();
}

static void real_fields_come_and_go(void **state)
{
    (void)state;
    over_cases(check_reals);
}

// Spheres share kernels, memory and what is set for them, whatever their sizes: a large one does its work after a small
// one was made. Times one, coefficients stay what they are.
static void check_identity(const pv_sphere_ops *form, pv_comm *comm)
{
    static const int64_t shapes[2][3] = {{64, 54, 60}, {10, 9, 12}};
    const ball b = make_ball(halves[1]);
    pv_sphere *spheres[2];
    for (int s = 0; s < 2; s++)
        assert_ok(pv_sphere_create_as(form, comm, shapes[s], b.count, b.points, halves[1], PV_FP64, "auto", PV_ESTIMATE,
                                      &spheres[s]));
    for (int s = 0; s < 2; s++) {
        const int64_t points = shapes[s][0] * shapes[s][1] * shapes[s][2], reals = pv_sphere_reals_count(spheres[s]);
        double *ones = calloc((size_t)reals, sizeof *ones);
        double _Complex *c = random_coefficients(&b, 3, halves[1]), *out = calloc((size_t)(3 * b.count), sizeof *out);
        for (int64_t i = 0; i < points; i++) ones[i] = 1.0;
        double *packed = push(ones, reals, sizeof *ones);
        double _Complex *in = push(c, 3 * b.count, sizeof *c);
        assert_ok(pv_sphere_pack(spheres[s], push(ones, points, sizeof *ones), packed));
        assert_ok(pv_sphere_multiply(spheres[s], 3, packed, in, b.count, in, b.count));
        pull(in, out, 3 * b.count, sizeof *out);
        for (int64_t i = 0; i < 3 * b.count; i++) assert_near(cabs(out[i] - c[i]), 0.0, 1e-13);
        free(ones), free(c), free(out), drop_arrays();
    }
    for (int s = 0; s < 2; s++) pv_sphere_destroy(spheres[s]);
}

static void spheres_of_two_sizes_live_together(void **state)
{
    (void)state;
    pv_comm *comm;
    for (int c = 3; c < CASES; c++) {
        if (!open_case(c, &comm)) continue;
        check_identity(cases[c].form, comm);
        close_case(comm);
    }
}

// A real field that is in no sphere: its part inside has the inner products that it has itself.
static void what_is_outside_is_left_out(void **state)
{
    (void)state;
    pv_comm *comm;
    assert_ok(pv_device_open("cpu:1", &device));
    assert_ok(pv_comm_open_self(device, &comm));
    for (int h = 0; h < HALVES; h++) {
        const ball b = make_ball(halves[h]);
        pv_sphere *sphere;
        assert_ok(pv_sphere_create(comm, shape, b.count, b.points, halves[h], PV_FP64, "auto", PV_ESTIMATE, &sphere));
        double *grid = calloc(POINTS, sizeof *grid), product = 0.0, expected = 0.0;
        double *packed = calloc((size_t)pv_sphere_reals_count(sphere), sizeof *packed);
        double _Complex *c = random_coefficients(&b, 1, halves[h]);
        double _Complex *part = calloc((size_t)b.count, sizeof *part);
        for (int i = 0; i < POINTS; i++) grid[i] = drand48() - 0.5;
        assert_ok(pv_sphere_pack(sphere, grid, packed));
        assert_ok(pv_sphere_from_reals(sphere, 1, packed, part, b.count));
        for (int64_t p = 0; p < b.count; p++) product += creal(conj(c[p]) * part[p]);
        for (int i = 0; i < POINTS; i++) expected += grid[i] * creal(field_at(&b, c, halves[h], i)) / POINTS;
        assert_near(product, expected, 1e-12);
        free(grid), free(packed), free(c), free(part);
        pv_sphere_destroy(sphere);
    }
    pv_comm_close(comm);
    pv_device_close(device);
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    pv_comm *comm;
    assert_ok(pv_device_open("cpu:1", &device));
    assert_ok(pv_comm_open_self(device, &comm));
    const int32_t outside[2][3] = {{0, 0, 0}, {5, 0, 0}}, twice[2][3] = {{1, 2, 3}, {-1, -2, -3}};
    const int32_t partners[2][3] = {{1, 2, 3}, {-2, -3, -4}}, partner_outside[2][3] = {{0, 0, 0}, {4, 0, 0}};
    pv_sphere *sphere = NULL;
    assert_fails(PV_ERR_SHAPE, pv_sphere_create(comm, shape, 2, outside, NULL, PV_FP64, "ref", PV_ESTIMATE, &sphere));
    assert_fails(PV_ERR_SHAPE,
                 pv_sphere_create(comm, shape, 2, twice, halves[0], PV_FP64, "ref", PV_ESTIMATE, &sphere));
    assert_fails(PV_ERR_SHAPE,
                 pv_sphere_create(comm, shape, 2, partners, halves[3], PV_FP64, "ref", PV_ESTIMATE, &sphere));
    assert_fails(PV_ERR_SHAPE,
                 pv_sphere_create(comm, shape, 2, partner_outside, halves[1], PV_FP64, "ref", PV_ESTIMATE, &sphere));
    assert_null(sphere);
    assert_ok(pv_sphere_create(comm, shape, 2, twice, NULL, PV_FP64, "ref", PV_ESTIMATE, &sphere));
    pv_sphere_destroy(sphere);
    pv_sphere_destroy(NULL);
    pv_comm_close(comm);
    pv_device_close(device);
}

PV_TEST_MAIN(PV_TEST(fields_are_sums_of_waves_and_come_back), PV_TEST(multiplication_is_that_of_fields),
             PV_TEST(squares_are_added_with_their_weights), PV_TEST(real_fields_come_and_go),
             PV_TEST(spheres_of_two_sizes_live_together), PV_TEST(what_is_outside_is_left_out),
             PV_TEST(what_does_not_fit_is_refused))
