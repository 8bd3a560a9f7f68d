// SPDX-License-Identifier: Apache-2.0
// Pairs against the same steps on the natural grid: product, coefficients, kernel, field, product.
#include "fft/sphere_pair.h"

#include <math.h>
#include <stdlib.h>

#include "fft/lines_kernels.h"
#include "harness.h"

enum { NX = 10, NY = 9, NZ = 12, POINTS = NX * NY * NZ, MOST = 400 };

static const int64_t shape[3] = {NX, NY, NZ};
static const double kappa[3] = {0.5, 0.0, 0.5}; // products change sign along x and z
static const int shift[3] = {1, 0, -1};         // waves of complex products beside those of the sphere

typedef struct bench {
    pv_sphere *sphere;
    int64_t count, sliced;
    int32_t points[MOST][3];
    double kernel[MOST];
    pv_pair_kernel *pair_kernel;
} bench;

// Points of a ball around -kappa that holds -(kappa + g) with every kappa + g, as products of real fields need.
static void make_points(bench *b, const double origin[3])
{
    b->count = 0;
    for (int x = -4; x <= 4; x++)
        for (int y = -4; y <= 4; y++)
            for (int z = -5; z <= 5; z++) {
                const double q[3] = {x + origin[0], y + origin[1], z + origin[2]};
                const double square = q[0] * q[0] / 16.1 + q[1] * q[1] / 9.5 + q[2] * q[2] / 20.5;
                if (square > 1.0) continue;
                b->points[b->count][0] = x, b->points[b->count][1] = y, b->points[b->count][2] = z;
                b->kernel[b->count++] = 1.0 / (0.1 + square);
            }
}

static double *sliced_random(const bench *b, double *grid)
{
    double *packed = calloc((size_t)b->sliced, sizeof *packed);
    for (int i = 0; i < POINTS; i++) grid[i] = drand48() - 0.5;
    pv_sphere_pack(b->sphere, grid, packed);
    return packed;
}

static double _Complex turn_at(const double turns[3], int i)
{
    const double angle = turns[0] * (i / (NY * NZ)) / NX + turns[1] * (i / NZ % NY) / NY + turns[2] * (i % NZ) / NZ;
    return cexp(-2.0 * I * M_PI * angle);
}

static void potential_of(const bench *b, double _Complex *field)
{
    double _Complex c[MOST];
    pv_sphere_from_grid(b->sphere, 1, field, c, b->count);
    for (int64_t p = 0; p < b->count; p++) c[p] *= b->kernel[p];
    pv_sphere_to_grid(b->sphere, 1, c, b->count, field);
}

static void check_near(const bench *b, const double *packed, const double *expected)
{
    double *grid = calloc(POINTS, sizeof *grid);
    pv_sphere_unpack(b->sphere, packed, grid);
    for (int i = 0; i < POINTS; i++) assert_near(grid[i], expected[i], 1e-12);
    free(grid);
}

static void check_real(const bench *b, int turned, int targets)
{
    double grid[3][POINTS], sum[3][POINTS];
    double *packed[3], *sums[3];
    double _Complex field[POINTS];
    for (int f = 0; f < 3; f++) packed[f] = sliced_random(b, grid[f]);
    for (int f = 0; f < 3; f++) sums[f] = sliced_random(b, sum[f]);
    const pv_slots_real_pair pair = {.source = packed[0],
                                     .target = {packed[1], targets == 2 ? packed[2] : NULL},
                                     .source_sum = sums[0],
                                     .target_sum = {sums[1], targets == 2 ? sums[2] : NULL},
                                     .source_weight = {0.3, 0.7},
                                     .target_weight = {-1.1, 2.0}};
    pv_sphere_pair_real(b->pair_kernel, 0, &pair);
    for (int i = 0; i < POINTS; i++)
        field[i] = grid[0][i] * CMPLX(grid[1][i], targets == 2 ? grid[2][i] : 0.0) * (turned ? turn_at(kappa, i) : 1.0);
    potential_of(b, field);
    for (int i = 0; i < POINTS; i++) {
        const double _Complex v = field[i] * (turned ? conj(turn_at(kappa, i)) : 1.0);
        sum[0][i] += 0.3 * grid[1][i] * creal(v) + (targets == 2 ? 0.7 * grid[2][i] * cimag(v) : 0.0);
        sum[1][i] += -1.1 * grid[0][i] * creal(v);
        if (targets == 2) sum[2][i] += 2.0 * grid[0][i] * cimag(v);
    }
    for (int f = 0; f < 3; f++) check_near(b, sums[f], sum[f]);
    for (int f = 0; f < 3; f++) free(packed[f]), free(sums[f]);
}

// Reals of part 0 or 1 of slots.
static double *part_of(double *slots, int64_t i, int part)
{
    const int lanes = pv_lines_kernels_at(PV_FP64, 0)->lanes;
    return slots + i / lanes * 2 * lanes + part * lanes + i % lanes;
}

static double *joined(const bench *b, const double *re, const double *im)
{
    double *both = calloc((size_t)(2 * b->sliced), sizeof *both);
    for (int64_t i = 0; i < b->sliced; i++) *part_of(both, i, 0) = re[i], *part_of(both, i, 1) = im[i];
    return both;
}

static void check_part(const bench *b, double *slots, int part, const double *expected)
{
    double *packed = calloc((size_t)b->sliced, sizeof *packed);
    for (int64_t i = 0; i < b->sliced; i++) packed[i] = *part_of(slots, i, part);
    check_near(b, packed, expected);
    free(packed);
}

static void check_slices(const bench *b)
{
    double _Complex there[MOST], back[MOST];
    double *slots = calloc((size_t)(2 * b->sliced), sizeof *slots);
    for (int64_t p = 0; p < b->count; p++) there[p] = CMPLX(drand48(), drand48());
    pv_sphere_to_slices(b->sphere, 0, there, slots);
    pv_sphere_from_slices(b->sphere, 0, slots, back);
    for (int64_t p = 0; p < b->count; p++) assert_near(cabs(back[p] - there[p]), 0.0, 1e-13);
    free(slots);
}

static void check_complex(const bench *b, int turned, int targets)
{
    static const int none[3] = {0, 0, 0};
    const double turns[3] = {turned * shift[0], turned * shift[1], turned * shift[2]};
    double grid[4][POINTS], expected[4][POINTS], *packed[4];
    double _Complex field[POINTS];
    for (int f = 0; f < 4; f++) packed[f] = sliced_random(b, grid[f]);
    double *source = joined(b, packed[0], packed[1]), *target = joined(b, packed[2], packed[3]);
    double *source_sum = calloc((size_t)(2 * b->sliced), sizeof *source_sum);
    double *target_sum = calloc((size_t)(2 * b->sliced), sizeof *target_sum);
    const pv_slots_complex_pair pair = {source, target, targets == 2 ? source_sum : NULL, target_sum, 0.4, -1.5};
    pv_sphere_pair_complex(b->pair_kernel, 0, turned ? shift : none, &pair);
    for (int i = 0; i < POINTS; i++)
        field[i] = CMPLX(grid[0][i], -grid[1][i]) * CMPLX(grid[2][i], grid[3][i]) * turn_at(turns, i);
    potential_of(b, field);
    for (int i = 0; i < POINTS; i++) {
        field[i] *= conj(turn_at(turns, i));
        const double _Complex s = 0.4 * CMPLX(grid[2][i], grid[3][i]) * conj(field[i]);
        const double _Complex t = -1.5 * CMPLX(grid[0][i], grid[1][i]) * field[i];
        expected[0][i] = creal(s), expected[1][i] = cimag(s), expected[2][i] = creal(t), expected[3][i] = cimag(t);
    }
    for (int part = 0; part < 2; part++) {
        if (targets == 2) check_part(b, source_sum, part, expected[part]);
        check_part(b, target_sum, part, expected[2 + part]);
    }
    for (int f = 0; f < 4; f++) free(packed[f]);
    free(source), free(target), free(source_sum), free(target_sum);
    check_slices(b);
}

static void over_engines(const double origin[3], void (*check)(const bench *, int, int), int turned)
{
    static const char *const engines[] = {"ref", "fftw", "lines"};
    const int twice[3] = {(int)lround(2.0 * kappa[0]), (int)lround(2.0 * kappa[1]), (int)lround(2.0 * kappa[2])};
    pv_device *device;
    pv_comm *comm;
    assert_ok(pv_device_open("cpu:1", &device));
    assert_ok(pv_comm_open_self(device, &comm));
    for (int e = 0; e < 3; e++) {
        bench b;
        make_points(&b, origin);
        assert_ok(pv_sphere_create(comm, shape, b.count, b.points, NULL, engines[e], PV_ESTIMATE, &b.sphere));
        b.sliced = pv_sphere_reals_count(b.sphere);
        assert_ok(pv_pair_kernel_create(b.sphere, turned && check == check_real ? twice : NULL, 1.0 / POINTS, b.kernel,
                                        &b.pair_kernel));
        for (int targets = 1; targets <= 2; targets++) check(&b, turned, targets);
        pv_pair_kernel_destroy(b.pair_kernel);
        pv_sphere_destroy(b.sphere);
    }
    pv_comm_close(comm);
    pv_device_close(device);
}

static void real_pairs_are_convolved_two_at_a_time(void **state)
{
    (void)state;
    over_engines((double[3]){0.0, 0.0, 0.0}, check_real, 0);
}

static void products_that_change_sign_are_made_periodic(void **state)
{
    (void)state;
    over_engines(kappa, check_real, 1);
}

static void complex_pairs_are_convolved(void **state)
{
    (void)state;
    over_engines((double[3]){0.25, -0.125, 0.5}, check_complex, 0);
    over_engines((double[3]){0.25, -0.125, 0.5}, check_complex, 1);
}

PV_TEST_MAIN(PV_TEST(real_pairs_are_convolved_two_at_a_time), PV_TEST(products_that_change_sign_are_made_periodic),
             PV_TEST(complex_pairs_are_convolved))
