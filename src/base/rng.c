// SPDX-License-Identifier: Apache-2.0
#include "base/rng.h"

#include <math.h>

// Multipliers and Weyl increments of Philox4x32 (Salmon et al., SC11, section 4 and the Random123 library).
#define MULTIPLIER_0 0xD2511F53u
#define MULTIPLIER_1 0xCD9E8D57u
#define WEYL_0 0x9E3779B9u
#define WEYL_1 0xBB67AE85u
#define ROUNDS 10

void pv_rng_bits(uint64_t seed, uint64_t stream, uint64_t index, uint32_t bits[4])
{
    uint32_t c0 = (uint32_t)index, c1 = (uint32_t)(index >> 32);
    uint32_t c2 = (uint32_t)stream, c3 = (uint32_t)(stream >> 32);
    uint32_t key0 = (uint32_t)seed, key1 = (uint32_t)(seed >> 32);
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t product0 = (uint64_t)MULTIPLIER_0 * c0, product1 = (uint64_t)MULTIPLIER_1 * c2;
        c0 = (uint32_t)(product1 >> 32) ^ c1 ^ key0;
        c1 = (uint32_t)product1;
        c2 = (uint32_t)(product0 >> 32) ^ c3 ^ key1;
        c3 = (uint32_t)product0;
        key0 += WEYL_0;
        key1 += WEYL_1;
    }
    bits[0] = c0, bits[1] = c1, bits[2] = c2, bits[3] = c3;
}

// 53 bits of two words, in [0, 1).
static double unit_interval(uint32_t high, uint32_t low)
{
    return (double)(((uint64_t)high << 32 | low) >> 11) * 0x1p-53;
}

double pv_rng_uniform(uint64_t seed, uint64_t stream, uint64_t index)
{
    uint32_t bits[4];
    pv_rng_bits(seed, stream, index, bits);
    return unit_interval(bits[0], bits[1]);
}

void pv_rng_normal(uint64_t seed, uint64_t stream, uint64_t index, double pair[2])
{
    uint32_t bits[4];
    pv_rng_bits(seed, stream, index, bits);
    // Box and Muller; 1 - u lies in (0, 1], so the logarithm is finite.
    double radius = sqrt(-2.0 * log(1.0 - unit_interval(bits[0], bits[1])));
    double angle = 6.283185307179586476925 * unit_interval(bits[2], bits[3]);
    pair[0] = radius * cos(angle);
    pair[1] = radius * sin(angle);
}
