// SPDX-License-Identifier: Apache-2.0
// What happens at one plane wave of one band: each once, as a function of an index, and the loops that run them.
#ifndef PV_DFT_POINTWISE_H
#define PV_DFT_POINTWISE_H

#include <complex.h>
#include <stdint.h>

// Preconditioner of Teter, Payne and Allan, Phys. Rev. B 40, 12255 (1989): x = kinetic energy over the band's own.
static inline double pv_teter(double x)
{
    const double polynomial = 27.0 + x * (18.0 + x * (12.0 + 8.0 * x));
    return polynomial / (polynomial + 16.0 * x * x * x * x);
}

// out += kinetic * in, for [bands][local].
static inline void pv_add_kinetic(int threads, int64_t bands, int64_t local, const double *restrict kinetic,
                                  const double _Complex *restrict in, double _Complex *restrict out)
{
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (int64_t b = 0; b < bands; b++)
        for (int64_t i = 0; i < local; i++) out[b * local + i] += kinetic[i] * in[b * local + i];
}

#endif
