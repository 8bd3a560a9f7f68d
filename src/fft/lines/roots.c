// SPDX-License-Identifier: Apache-2.0
#include "fft/lines/roots.h"

#include <math.h>

#include "base/check.h"
#include "base/mem.h"

// The angle is reduced exactly to an eighth of a turn, so that symmetric roots are exactly symmetric.
pv_lines_number pv_lines_root(int64_t k, int64_t n)
{
    const long double two_pi = 6.283185307179586476925286766559005768L;
    int64_t quarter = (8 * k / n + 1) / 2;
    long double angle = two_pi * (long double)(4 * k - quarter * n) / (4 * (long double)n);
    long double c = cosl(angle), s = sinl(angle);
    switch (quarter % 4) {
    case 0: return (pv_lines_number){c, -s};
    case 1: return (pv_lines_number){-s, -c};
    case 2: return (pv_lines_number){-c, s};
    default: return (pv_lines_number){s, c};
    }
}

static void real_store(const pv_lines_kernels *kernels, void *table, int64_t i, long double value)
{
    if (kernels->precision == PV_FP64)
        ((double *)table)[i] = (double)value;
    else
        ((float *)table)[i] = (float)value;
}

void pv_lines_number_store(const pv_lines_kernels *kernels, void *table, int64_t i, pv_lines_number value)
{
    real_store(kernels, table, 2 * i, value.re);
    real_store(kernels, table, 2 * i + 1, value.im);
}

// Factor i of butterfly b is exp(-2 pi i (turns b / n + shift / radix)) where n = radix * count. Radices that are not
// listed have turns 1, 2, ..., radix - 1 and no shift; those that nest (radix.h) are.
typedef struct factor {
    int turns, shift;
} factor;

static const factor nested_4[] = {{2, 0}, {1, 0}};
static const factor nested_8[] = {{4, 0}, {2, 0}, {1, 0}, {1, 1}};
static const factor nested_9[] = {{3, 0}, {6, 0}, {1, 0}, {2, 0}, {1, 1}, {2, 2}, {1, 2}, {2, 4}};
static const factor nested_16[] = {{8, 0}, {4, 0}, {2, 0}, {1, 0}, {2, 2}, {1, 1}, {1, 2}, {1, 3}};

#define NESTED(radix) case radix: *count_p = sizeof nested_##radix / sizeof(factor); return nested_##radix

static const factor *factors_of(int radix, int *count_p)
{
    switch (radix) {
        NESTED(4);
        NESTED(8);
        NESTED(9);
        NESTED(16);
    default: *count_p = radix - 1; return NULL;
    }
}

int pv_lines_factor_count(int radix)
{
    int count;
    factors_of(radix, &count);
    return count;
}

void pv_lines_factors_fill(const pv_lines_kernels *kernels, int radix, int64_t count, void *table)
{
    int listed;
    const factor *list = factors_of(radix, &listed);
    for (int64_t b = 1; b < count; b++)
        for (int i = 0; i < listed; i++) {
            factor f = list ? list[i] : (factor){i + 1, 0};
            int64_t n = radix * count, turn = (f.turns * b + f.shift * count) % n;
            pv_lines_number_store(kernels, table, (b - 1) * listed + i, pv_lines_root(turn, n));
        }
}

void pv_lines_roots_fill(const pv_lines_kernels *kernels, int prime, void *table)
{
    int half = (prime - 1) / 2, blocks = pv_lines_block_count(half, kernels->prime_block);
    int64_t at = 0;
    for (int b = 0; b < blocks; b++) {
        int first = pv_lines_block_begin(half, blocks, b), width = pv_lines_block_begin(half, blocks, b + 1) - first;
        for (int j = 1; j <= half; j++) {
            for (int i = 0; i < width; i++) {
                pv_lines_number root = pv_lines_root((int64_t)j * (first + 1 + i) % prime, prime);
                real_store(kernels, table, at + i, root.re);
                real_store(kernels, table, at + width + i, -root.im);
            }
            at += 2 * width;
        }
    }
}

static int64_t smallest_factor(int64_t n)
{
    for (int64_t p = 2; p * p <= n; p++)
        if (n % p == 0) return p;
    return n;
}

// roots: of the whole line, every step-th of n; few: room for the smallest factor of n.
static void numbers_transform(int64_t n, int64_t step, const pv_lines_number *roots, const pv_lines_number *in,
                              pv_lines_number *out, pv_lines_number *few)
{
    int64_t p = smallest_factor(n), m = n / p;
    if (n == 1) {
        out[0] = in[0];
        return;
    }
    for (int64_t r = 0; r < p; r++) numbers_transform(m, step * p, roots, in + r * step, out + r * m, few);
    for (int64_t k = 0; k < m; k++) {
        for (int64_t r = 0; r < p; r++) few[r] = out[r * m + k];
        for (int64_t q = 0; q < p; q++) {
            pv_lines_number sum = {0, 0};
            for (int64_t r = 0; r < p; r++) {
                pv_lines_number w = roots[r * (k + q * m) % n * step], x = few[r];
                sum.re += x.re * w.re - x.im * w.im;
                sum.im += x.re * w.im + x.im * w.re;
            }
            out[k + q * m] = sum;
        }
    }
}

pv_status pv_lines_numbers_transform(int64_t n, long double scale, pv_lines_number *values)
{
    pv_lines_number *work;
    PV_TRY(pv_mem_alloc((size_t)(3 * n), sizeof *work, (void **)&work));
    pv_lines_number *roots = work, *result = work + n, *few = work + 2 * n;
    for (int64_t k = 0; k < n; k++) roots[k] = pv_lines_root(k, n);
    numbers_transform(n, 1, roots, values, result, few);
    for (int64_t k = 0; k < n; k++) values[k] = (pv_lines_number){scale * result[k].re, scale * result[k].im};
    pv_mem_free(work);
    return PV_OK;
}
