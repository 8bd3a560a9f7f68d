// SPDX-License-Identifier: Apache-2.0
// Rader's transform of a prime number p of points (C. M. Rader, Proc. IEEE 56, 1107, 1968). With a generator g of the
// numbers 1 .. p - 1 under multiplication, x[g^r] and exp(-2 pi i g^-r / p) convolve to X[g^-q] - x[0].
#include "fft/lines/convolution.h"

#include "base/check.h"
#include "base/mem.h"

typedef struct rader {
    pv_lines_leaf leaf;
    const pv_lines_kernels *kernels;
    int64_t points;                 // p - 1
    int64_t *order;                 // g^r
    void *spectrum;                 // of the roots, over p - 1
    pv_lines_transform *inner;
} rader;

static int64_t power(int64_t base, int64_t exponent, int64_t modulus)
{
    int64_t result = 1;
    for (; exponent > 0; exponent /= 2, base = base * base % modulus)
        if (exponent % 2 == 1) result = result * base % modulus;
    return result;
}

static int is_generator(int64_t g, int64_t prime)
{
    int64_t rest = prime - 1;
    for (int64_t q = 2; q * q <= rest; q++) {
        if (rest % q != 0) continue;
        if (power(g, (prime - 1) / q, prime) == 1) return 0;
        while (rest % q == 0) rest /= q;
    }
    return rest == 1 || power(g, (prime - 1) / rest, prime) != 1;
}

static void run(const pv_lines_leaf *leaf, const pv_lines_pass *p, const char *src, ptrdiff_t wrap, char *dst,
                char *scratch)
{
    const rader *r = (const rader *)leaf;
    size_t bytes = (size_t)r->points * r->kernels->slot_bytes;
    char *values = scratch, *spectrum = dst + r->kernels->slot_bytes, *rest = scratch + bytes;
    r->kernels->permuted_load(p, r->order, r->points, src, values);
    pv_lines_transform_run(r->inner, values, spectrum, rest);
    r->kernels->multiply_apart(p, r->spectrum, r->points, src + wrap, spectrum, dst);
    // Forward again: the result comes out in reverse order, which is that of g^r.
    pv_lines_transform_run(r->inner, spectrum, values, rest);
    r->kernels->permuted_store(p, r->order, r->points, values, dst);
}

static void destroy(pv_lines_leaf *leaf)
{
    rader *r = (rader *)leaf;
    pv_lines_transform_destroy(r->inner);
    pv_mem_free(r->order);
    pv_mem_free(r->spectrum);
    pv_mem_free(r);
}

pv_status pv_lines_rader_tables(int64_t prime, int64_t *order, pv_lines_number *spectrum)
{
    const int64_t points = prime - 1;
    int64_t generator = 2, element = 1;
    while (!is_generator(generator, prime)) generator++;
    for (int64_t i = 0; i < points; i++, element = element * generator % prime) order[i] = element;
    for (int64_t i = 0; i < points; i++) spectrum[i] = pv_lines_root(order[(points - i) % points], prime);
    return pv_lines_numbers_transform(points, 1.0L / (long double)points, spectrum);
}

static pv_status tables_fill(rader *r)
{
    pv_lines_number *spectrum;
    PV_TRY(PV_ALLOC(r->points, &r->order));
    PV_TRY(pv_mem_alloc((size_t)r->points, 2 * r->kernels->real_bytes, &r->spectrum));
    PV_TRY(PV_ALLOC(r->points, &spectrum));
    pv_status status = pv_lines_rader_tables(r->points + 1, r->order, spectrum);
    for (int64_t i = 0; i < r->points; i++) pv_lines_number_store(r->kernels, r->spectrum, i, spectrum[i]);
    pv_mem_free(spectrum);
    return status;
}

pv_status pv_lines_rader_create(const pv_lines_kernels *kernels, int64_t n, pv_lines_transform *inner,
                                pv_lines_leaf **leaf_p)
{
    rader *r;
    pv_status status = PV_ALLOC(1, &r);
    if (status != PV_OK) {
        pv_lines_transform_destroy(inner);
        return status;
    }
    size_t scratch_bytes = (size_t)(n - 1) * kernels->slot_bytes + inner->scratch_bytes;
    *r = (rader){{run, destroy, scratch_bytes}, kernels, n - 1, NULL, NULL, inner};
    status = tables_fill(r);
    if (status != PV_OK) {
        destroy(&r->leaf);
        return status;
    }
    *leaf_p = &r->leaf;
    return PV_OK;
}
