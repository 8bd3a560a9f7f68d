// SPDX-License-Identifier: Apache-2.0
// Counter-based random numbers (Philox4x32-10, Salmon et al., SC11): the value depends on (seed, index) alone, so a
// field is the same for any number of ranks.
#ifndef PV_BASE_RNG_H
#define PV_BASE_RNG_H

#include <stdint.h>

void pv_rng_bits(uint64_t seed, uint64_t stream, uint64_t index, uint32_t bits[4]);
double pv_rng_uniform(uint64_t seed, uint64_t stream, uint64_t index);              // [0, 1), 53 bits
void pv_rng_normal(uint64_t seed, uint64_t stream, uint64_t index, double pair[2]); // two independent N(0, 1)

#endif
