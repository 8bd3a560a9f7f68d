// SPDX-License-Identifier: Apache-2.0
// Pairs, in both precisions, against the same steps on the natural grid: product, coefficients, kernel, field, product.
#include "fft/sphere/pair.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fft/lines/kernels.h"
#include "fft/sphere/convert.h"
#include "harness.h"

enum { NX = 10, NY = 9, NZ = 12, POINTS = NX * NY * NZ, MOST = 400 };

static const int64_t shape[3] = {NX, NY, NZ};
static const double kappa[3] = {0.5, 0.0, 0.5}; // products change sign along x and z
static const int shift[3] = {1, 0, -1};         // waves of complex products beside those of the sphere

typedef struct bench {
    pv_sphere *sphere, *host; // the latter in the precision of the pairs
    pv_precision precision;
    double tolerance;
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

// A field of `parts` reals a point, in the precision of the pairs; and back, freed.
static void *to_host(const bench *b, int parts, const double *wide)
{
    const size_t count = (size_t)(parts * pv_sphere_reals_count(b->host));
    void *field = calloc(count, pv_real_bytes(b->precision));
    if (b->precision == PV_FP64)
        memcpy(field, wide, count * sizeof *wide);
    else
        pv_sphere_narrow(b->sphere, b->host, parts, wide, field);
    return field;
}

static void from_host(const bench *b, int parts, void *field, double *wide)
{
    if (b->precision == PV_FP64)
        memcpy(wide, field, (size_t)(parts * b->sliced) * sizeof *wide);
    else
        pv_sphere_widen(b->host, b->sphere, parts, field, wide);
    free(field);
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
    for (int i = 0; i < POINTS; i++) assert_near(grid[i], expected[i], b->tolerance);
    free(grid);
}

static void check_real(const bench *b, int turned, int targets)
{
    double grid[3][POINTS], sum[3][POINTS];
    double *packed[3], *sums[3];
    void *fields[3], *acted[3];
    double _Complex field[POINTS];
    for (int f = 0; f < 3; f++) packed[f] = sliced_random(b, grid[f]);
    for (int f = 0; f < 3; f++) sums[f] = sliced_random(b, sum[f]);
    for (int f = 0; f < 3; f++) fields[f] = to_host(b, 1, packed[f]), acted[f] = to_host(b, 1, sums[f]);
    const pv_real_pair pair = {.source = fields[0],
                                     .target = {fields[1], targets == 2 ? fields[2] : NULL},
                                     .source_sum = acted[0],
                                     .target_sum = {acted[1], targets == 2 ? acted[2] : NULL},
                                     .source_weight = {0.3, 0.7},
                                     .target_weight = {-1.1, 2.0}};
    pv_sphere_pair_real(b->pair_kernel, 0, 1, &pair);
    for (int i = 0; i < POINTS; i++)
        field[i] = grid[0][i] * CMPLX(grid[1][i], targets == 2 ? grid[2][i] : 0.0) * (turned ? turn_at(kappa, i) : 1.0);
    potential_of(b, field);
    for (int i = 0; i < POINTS; i++) {
        const double _Complex v = field[i] * (turned ? conj(turn_at(kappa, i)) : 1.0);
        sum[0][i] += 0.3 * grid[1][i] * creal(v) + (targets == 2 ? 0.7 * grid[2][i] * cimag(v) : 0.0);
        sum[1][i] += -1.1 * grid[0][i] * creal(v);
        if (targets == 2) sum[2][i] += 2.0 * grid[0][i] * cimag(v);
    }
    for (int f = 0; f < 3; f++) from_host(b, 1, fields[f], packed[f]), from_host(b, 1, acted[f], sums[f]);
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
    void *on_host[4] = {to_host(b, 2, source), to_host(b, 2, target), to_host(b, 2, source_sum),
                        to_host(b, 2, target_sum)};
    const pv_complex_pair pair = {on_host[0], on_host[1], targets == 2 ? on_host[2] : NULL,
                                        on_host[3], 0.4,        -1.5};
    pv_sphere_pair_complex(b->pair_kernel, 0, turned ? shift : none, 1, &pair);
    for (int i = 0; i < POINTS; i++)
        field[i] = CMPLX(grid[0][i], -grid[1][i]) * CMPLX(grid[2][i], grid[3][i]) * turn_at(turns, i);
    potential_of(b, field);
    for (int i = 0; i < POINTS; i++) {
        field[i] *= conj(turn_at(turns, i));
        const double _Complex s = 0.4 * CMPLX(grid[2][i], grid[3][i]) * conj(field[i]);
        const double _Complex t = -1.5 * CMPLX(grid[0][i], grid[1][i]) * field[i];
        expected[0][i] = creal(s), expected[1][i] = cimag(s), expected[2][i] = creal(t), expected[3][i] = cimag(t);
    }
    from_host(b, 2, on_host[0], source), from_host(b, 2, on_host[1], target);
    from_host(b, 2, on_host[2], source_sum), from_host(b, 2, on_host[3], target_sum);
    for (int part = 0; part < 2; part++) {
        if (targets == 2) check_part(b, source_sum, part, expected[part]);
        check_part(b, target_sum, part, expected[2 + part]);
    }
    for (int f = 0; f < 4; f++) free(packed[f]);
    free(source), free(target), free(source_sum), free(target_sum);
    check_slices(b);
}

static void over_precisions(pv_comm *comm, const char *engine, const double origin[3],
                            void (*check)(const bench *, int, int), int turned)
{
    const int twice[3] = {(int)lround(2.0 * kappa[0]), (int)lround(2.0 * kappa[1]), (int)lround(2.0 * kappa[2])};
    const int *turns = turned && check == check_real ? twice : NULL;
    for (int p = 0; p < 2; p++) {
        bench b = {.precision = (pv_precision)p, .tolerance = p == PV_FP64 ? 1e-12 : 2e-5};
        make_points(&b, origin);
        assert_ok(pv_sphere_create(comm, shape, b.count, b.points, NULL, PV_FP64, engine, PV_ESTIMATE, &b.sphere));
        assert_ok(pv_sphere_create(comm, shape, b.count, b.points, NULL, b.precision, engine, PV_ESTIMATE, &b.host));
        b.sliced = pv_sphere_reals_count(b.sphere);
        assert_ok(pv_pair_kernel_create(b.host, b.count, b.points, turns, 1.0 / POINTS, b.kernel, &b.pair_kernel));
        for (int targets = 1; targets <= 2; targets++) check(&b, turned, targets);
        pv_pair_kernel_destroy(b.pair_kernel);
        pv_sphere_destroy(b.host);
        pv_sphere_destroy(b.sphere);
    }
}

static void over_engines(const double origin[3], void (*check)(const bench *, int, int), int turned)
{
    static const char *const engines[] = {"ref", "fftw", "lines"};
    pv_device *device;
    pv_comm *comm;
    assert_ok(pv_device_open("cpu:1", &device));
    assert_ok(pv_comm_open_self(device, &comm));
    for (int e = 0; e < 3; e++) over_precisions(comm, engines[e], origin, check, turned);
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

// Several pairs in one call are what they are one by one, though the way forth of each meets the way back of another.
static void pairs_follow_one_another(void **state)
{
    (void)state;
    pv_device *device;
    pv_comm *comm;
    bench b = {.precision = PV_FP64, .tolerance = 0.0};
    double grid[POINTS], *field[4], *sum[2][4];
    pv_real_pair pair[2][3];
    assert_ok(pv_device_open("cpu:1", &device));
    assert_ok(pv_comm_open_self(device, &comm));
    make_points(&b, (double[3]){0.0, 0.0, 0.0});
    assert_ok(pv_sphere_create(comm, shape, b.count, b.points, NULL, PV_FP64, "auto", PV_ESTIMATE, &b.sphere));
    assert_ok(pv_pair_kernel_create(b.sphere, b.count, b.points, NULL, 1.0 / POINTS, b.kernel, &b.pair_kernel));
    b.sliced = pv_sphere_reals_count(b.sphere);
    for (int f = 0; f < 4; f++) field[f] = sliced_random(&b, grid);
    for (int way = 0; way < 2; way++) {
        for (int f = 0; f < 4; f++) sum[way][f] = calloc((size_t)b.sliced, sizeof(double));
        for (int i = 0; i < 3; i++)
            pair[way][i] = (pv_real_pair){.source = field[i],
                                                .target = {field[3], i == 1 ? NULL : field[2 - i]},
                                                .source_sum = i == 2 ? NULL : sum[way][i],
                                                .target_sum = {sum[way][3], i == 1 ? NULL : sum[way][2 - i]},
                                                .source_weight = {0.5, 0.25},
                                                .target_weight = {1.0, -1.0}};
    }
    pv_sphere_pair_real(b.pair_kernel, 0, 3, pair[0]);
    for (int i = 0; i < 3; i++) pv_sphere_pair_real(b.pair_kernel, 0, 1, &pair[1][i]);
    for (int f = 0; f < 4; f++) {
        for (int64_t i = 0; i < b.sliced; i++) assert_near(sum[0][f][i], sum[1][f][i], 0.0);
        free(field[f]), free(sum[0][f]), free(sum[1][f]);
    }
    pv_pair_kernel_destroy(b.pair_kernel);
    pv_sphere_destroy(b.sphere);
    pv_comm_close(comm);
    pv_device_close(device);
}

// A host may be larger than the sphere of a kernel, not smaller, and is whole.
static void hosts_have_room(void **state)
{
    (void)state;
    static const int gamma[3];
    bench b;
    pv_device *device;
    pv_comm *comm;
    pv_sphere *small, *half;
    const int32_t few[1][3] = {{1, 0, 0}};
    assert_ok(pv_device_open("cpu:1", &device));
    assert_ok(pv_comm_open_self(device, &comm));
    make_points(&b, (double[3]){0.0, 0.0, 0.0});
    assert_ok(pv_sphere_create(comm, shape, 1, few, NULL, PV_FP64, "auto", PV_ESTIMATE, &small));
    assert_ok(pv_sphere_create(comm, shape, 1, few, gamma, PV_FP64, "auto", PV_ESTIMATE, &half));
    assert_fails(PV_ERR_SHAPE, pv_pair_kernel_create(small, b.count, b.points, NULL, 1.0, b.kernel, &b.pair_kernel));
    assert_fails(PV_ERR_ARGUMENT, pv_pair_kernel_create(half, 1, few, NULL, 1.0, b.kernel, &b.pair_kernel));
    pv_sphere_destroy(small);
    pv_sphere_destroy(half);
    pv_comm_close(comm);
    pv_device_close(device);
}

PV_TEST_MAIN(PV_TEST(hosts_have_room), PV_TEST(pairs_follow_one_another),
             PV_TEST(real_pairs_are_convolved_two_at_a_time), PV_TEST(products_that_change_sign_are_made_periodic),
             PV_TEST(complex_pairs_are_convolved))
