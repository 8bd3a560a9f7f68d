// SPDX-License-Identifier: Apache-2.0
// What is done to slots, for every table of kernels that this processor runs: what goes to and fro comes back, and lies
// where slots.h says. Pairs are tested with their transforms (test_sphere_pair.c).
#include "fft/lines/kernels.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

enum { N = 23, PLACES = 30 };

typedef struct bench {
    const pv_lines_kernels *kernels;
    const pv_slot_ops *ops;
    int lanes, slices;
} bench;

static void *slots_make(const bench *b, int count)
{
    void *slots = aligned_alloc(64, ((size_t)count * b->kernels->slot_bytes + 63) / 64 * 64);
    memset(slots, 0, (size_t)count * b->kernels->slot_bytes);
    return slots;
}

static double get(const bench *b, const void *reals, int64_t i)
{
    return b->kernels->precision == PV_FP64 ? ((const double *)reals)[i] : (double)((const float *)reals)[i];
}

static void put(const bench *b, void *reals, int64_t i, double value)
{
    if (b->kernels->precision == PV_FP64)
        ((double *)reals)[i] = value;
    else
        ((float *)reals)[i] = (float)value;
}

// Real of part 0 or 1 of lane w of slot i.
static int64_t at(const bench *b, int64_t i, int part, int w)
{
    return (2 * i + part) * b->lanes + w;
}

// Small integers, which both precisions hold.
static void *slots_random(const bench *b, int count)
{
    void *slots = slots_make(b, count);
    for (int64_t i = 0; i < (int64_t)count * 2 * b->lanes; i++) put(b, slots, i, floor(1000.0 * drand48()));
    return slots;
}

static void check_gather(const bench *b)
{
    int32_t from[N];
    void *places = slots_random(b, PLACES), *tile = slots_random(b, N), *back = slots_make(b, PLACES);
    const ptrdiff_t slot = (ptrdiff_t)b->kernels->slot_bytes;
    for (int i = 0; i < N; i++) from[i] = i % 3 == 1 ? -1 : (7 * i) % PLACES;
    b->ops->gather(N, from, places, slot, tile);
    b->ops->scatter(N, from, tile, back, slot);
    for (int i = 0; i < N; i++)
        for (int r = 0; r < 2 * b->lanes; r++) {
            const double expected = from[i] < 0 ? 0.0 : get(b, places, at(b, from[i], 0, r));
            assert_near(get(b, tile, at(b, i, 0, r)), expected, 0.0);
            if (from[i] >= 0) assert_near(get(b, back, at(b, from[i], 0, r)), expected, 0.0);
        }
    free(places), free(tile), free(back);
}

// Columns [lanes][slices] to a tile and back; the last slice is not full.
static void check_columns(const bench *b)
{
    const int rows = b->slices * b->lanes;
    void *columns = slots_random(b, rows), *tile = slots_make(b, rows), *back = slots_random(b, rows);
    const ptrdiff_t stride = b->slices * (ptrdiff_t)b->kernels->slot_bytes;
    b->ops->columns_load(b->slices, columns, stride, tile);
    b->ops->columns_store(b->slices, N, tile, back, stride);
    for (int w = 0; w < b->lanes; w++)
        for (int z = 0; z < rows; z++)
            for (int part = 0; part < 2; part++) {
                const int64_t place = at(b, w * b->slices + z / b->lanes, part, z % b->lanes);
                assert_near(get(b, tile, at(b, z, part, w)), get(b, columns, place), 0.0);
                assert_near(get(b, back, place), z < N ? get(b, columns, place) : 0.0, 0.0);
            }
    free(columns), free(tile), free(back);
}

static void check_spectrum(const bench *b)
{
    static const int32_t z[] = {4, 0, 9, 22};
    double _Complex spectrum[4], back[4];
    void *tile = slots_make(b, N);
    for (int w = 0; w < b->lanes; w++) {
        for (int p = 0; p < 4; p++) spectrum[p] = CMPLX(10 * w + p, -p), back[p] = 0.0;
        b->ops->spectrum_load(0, 4, z, spectrum, w, tile);
        b->ops->spectrum_store(1, 3, z, tile, w, back);
        for (int p = 0; p < 4; p++) {
            assert_near(get(b, tile, at(b, z[p], 0, w)), creal(spectrum[p]), 0.0);
            assert_near(cabs(back[p] - (p == 1 || p == 2 ? spectrum[p] : 0.0)), 0.0, 0.0);
        }
    }
    free(tile);
}

static void check_grid(const bench *b)
{
    const int depth = b->lanes - 1, stride = b->lanes + 3;
    double _Complex *grid = calloc((size_t)(N * stride), sizeof *grid),
                    *back = calloc((size_t)(N * stride), sizeof *back);
    void *tile = slots_random(b, N);
    for (int i = 0; i < N * stride; i++) grid[i] = CMPLX(i, -2 * i);
    b->ops->grid_load(N, depth, grid, stride, tile);
    b->ops->grid_store(N, depth, tile, back, stride);
    for (int i = 0; i < N; i++)
        for (int w = 0; w < stride; w++)
            assert_near(cabs(back[i * stride + w] - (w < depth ? grid[i * stride + w] : 0.0)), 0.0, 0.0);
    for (int i = 0; i < N; i++) assert_near(get(b, tile, at(b, i, 1, depth)), 0.0, 0.0);
    free(grid), free(back), free(tile);
}

static void check_points(const bench *b)
{
    int32_t from[N];
    double _Complex along[N], across[16];
    void *tile = slots_random(b, N), *copy = slots_make(b, N), *rows = slots_random(b, N), *other = slots_make(b, N);
    const double weight[2] = {2.0, -3.0}, tolerance = b->kernels->precision == PV_FP64 ? 1e-12 : 1e-3;
    memcpy(copy, tile, N * b->kernels->slot_bytes);
    for (int i = 0; i < N; i++) from[i] = i % 4 == 2 ? -1 : N - 1 - i, along[i] = cexp(0.3 * I * i);
    for (int w = 0; w < b->lanes; w++) across[w] = cexp(-0.7 * I * w);
    b->ops->turn(N, 1, along, across, tile);
    b->ops->turn(N, 0, along, across, tile);
    for (int64_t r = 0; r < 2 * N * b->lanes; r++) assert_near(get(b, tile, r), get(b, copy, r), tolerance);
    memcpy(tile, copy, N * b->kernels->slot_bytes);
    b->ops->reals_store(N, tile, other, (char *)other + N * b->kernels->slot_bytes / 2);
    b->ops->reals_load(N, other, (char *)other + N * b->kernels->slot_bytes / 2, tile);
    assert_memory_equal(tile, copy, N * b->kernels->slot_bytes);
    memset(other, 0, N * b->kernels->slot_bytes);
    b->ops->add_squares(N, weight, tile, other);
    for (int i = 0; i < N; i++)
        for (int w = 0; w < b->lanes; w++) {
            const double re = get(b, tile, at(b, i, 0, w)), im = get(b, tile, at(b, i, 1, w));
            assert_near(get(b, other, i * b->lanes + w), 2.0 * re * re - 3.0 * im * im, 0.0);
        }
    b->ops->multiply_some(N, from, rows, tile);
    b->ops->multiply(N, rows, copy);
    for (int i = 0; i < N; i++)
        for (int w = 0; w < b->lanes; w++) {
            const double factor = from[i] < 0 ? 0.0 : get(b, rows, from[i] * b->lanes + w);
            const double own = get(b, rows, i * b->lanes + w);
            for (int part = 0; part < 2; part++)
                assert_near(get(b, tile, at(b, i, part, w)) * own, get(b, copy, at(b, i, part, w)) * factor, 0.0);
        }
    free(tile), free(copy), free(rows), free(other);
}

static void slots_are_worked_on_by_every_table(void **state)
{
    (void)state;
    for (int p = 0; p < 2; p++)
        for (int i = 0; pv_lines_kernels_at((pv_precision)p, i); i++) {
            bench b = {.kernels = pv_lines_kernels_at((pv_precision)p, i)};
            b.ops = &b.kernels->slots;
            b.lanes = b.kernels->lanes;
            b.slices = (N + b.lanes - 1) / b.lanes;
            check_gather(&b);
            check_columns(&b);
            check_spectrum(&b);
            check_grid(&b);
            check_points(&b);
        }
}

PV_TEST_MAIN(PV_TEST(slots_are_worked_on_by_every_table))
