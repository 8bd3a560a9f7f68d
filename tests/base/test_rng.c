// SPDX-License-Identifier: Apache-2.0
#include "harness.h"

#include <math.h>

#include "base/rng.h"

// Random123's kat_vectors, philox4x32 10: counter, key, answer.
static void known_answers_are_met(void **state)
{
    (void)state;
    static const struct {
        uint64_t seed, stream, index;
        uint32_t answer[4];
    } known[] = {
        {0, 0, 0, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {UINT64_MAX, UINT64_MAX, UINT64_MAX, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {0x299f31d0a4093822, 0x0370734413198a2e, 0x85a308d3243f6a88, {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        uint32_t bits[4];
        pv_rng_bits(known[i].seed, known[i].stream, known[i].index, bits);
        assert_memory_equal(bits, known[i].answer, sizeof bits);
    }
}

// Moments of n samples lie within 5 standard errors.
static void uniform_has_its_moments(void **state)
{
    (void)state;
    enum { N = 100000 };
    double sum = 0, sum2 = 0;
    for (int i = 0; i < N; i++) {
        double u = pv_rng_uniform(7, 1, (uint64_t)i);
        assert_true(u >= 0 && u < 1);
        sum += u;
        sum2 += u * u;
    }
    assert_near(sum / N, 0.5, 5 * sqrt(1.0 / 12 / N));
    assert_near(sum2 / N, 1.0 / 3, 5 * sqrt(4.0 / 45 / N));
}

static void normal_has_its_moments(void **state)
{
    (void)state;
    enum { N = 100000 };
    double sum[2] = {0}, sum2[2] = {0}, product = 0, sum4 = 0;
    for (int i = 0; i < N; i++) {
        double pair[2];
        pv_rng_normal(7, 2, (uint64_t)i, pair);
        for (int k = 0; k < 2; k++) {
            sum[k] += pair[k];
            sum2[k] += pair[k] * pair[k];
        }
        product += pair[0] * pair[1];
        sum4 += pair[0] * pair[0] * pair[0] * pair[0];
    }
    for (int k = 0; k < 2; k++) {
        assert_near(sum[k] / N, 0, 5 / sqrt(N));
        assert_near(sum2[k] / N, 1, 5 * sqrt(2.0 / N));
    }
    assert_near(product / N, 0, 5 / sqrt(N));
    assert_near(sum4 / N, 3, 5 * sqrt(96.0 / N));
}

PV_TEST_MAIN(PV_TEST(known_answers_are_met), PV_TEST(uniform_has_its_moments), PV_TEST(normal_has_its_moments))
