// SPDX-License-Identifier: Apache-2.0
#include "fft/program/twiddle.h"

#include <complex.h>
#include <math.h>

#include "base/mem.h"

// exp(-2 pi i m / n) as coarse[m / block] * fine[m % block]: two tables of about sqrt(n) entries.
struct pv_twiddle {
    int64_t n;
    int shift;
    double complex *coarse, *fine;
};

static double complex root(int64_t m, int64_t n)
{
    const double two_pi = 6.283185307179586476925286766559;
    double angle = -two_pi * ((double)m / (double)n);
    return CMPLX(cos(angle), sin(angle));
}

pv_status pv_twiddle_create(int64_t n, pv_twiddle **twiddle_p)
{
    pv_twiddle *twiddle = NULL;
    pv_status status = PV_ALLOC(1, &twiddle);
    if (status != PV_OK) return status;
    twiddle->n = n;
    while (((int64_t)1 << (2 * twiddle->shift)) < n) twiddle->shift++;
    int64_t block = (int64_t)1 << twiddle->shift, blocks = (n + block - 1) / block;
    status = PV_ALLOC(block, &twiddle->fine);
    if (status == PV_OK) status = PV_ALLOC(blocks, &twiddle->coarse);
    if (status != PV_OK) {
        pv_twiddle_destroy(twiddle);
        return status;
    }
    for (int64_t i = 0; i < block; i++) twiddle->fine[i] = root(i, n);
    for (int64_t i = 0; i < blocks; i++) twiddle->coarse[i] = root(i * block, n);
    *twiddle_p = twiddle;
    return PV_OK;
}

void pv_twiddle_destroy(pv_twiddle *twiddle)
{
    if (!twiddle) return;
    pv_mem_free(twiddle->coarse);
    pv_mem_free(twiddle->fine);
    pv_mem_free(twiddle);
}

pv_twiddle_tables pv_twiddle_tables_of(const pv_twiddle *t)
{
    const int64_t block = (int64_t)1 << t->shift;
    return (pv_twiddle_tables){t->shift, (t->n + block - 1) / block, block, (const double *)t->coarse,
                               (const double *)t->fine};
}

// The power of the next element is the last one plus that of the lane, modulo n: exact in integers.
#define PV_TWIDDLE_BODY(name, complex_type)                                                                           \
    static void name(const pv_twiddle *t, int sign, const pv_line_plan *plan, int64_t first, int64_t lane,             \
                     int64_t lanes, complex_type *values)                                                              \
    {                                                                                                                  \
        const int64_t mask = ((int64_t)1 << t->shift) - 1;                                                             \
        for (int64_t w = 0; w < lanes; w++) {                                                                          \
            int64_t step = (lane + w) % t->n, m = (int64_t)((__int128)first * step % t->n);                            \
            for (int64_t k = 0; k < plan->n; k++) {                                                                    \
                double complex factor = t->coarse[m >> t->shift] * t->fine[m & mask];                                  \
                complex_type *value = values + k * plan->out_step + w * plan->out_lane;                                \
                *value *= (complex_type)(sign < 0 ? factor : conj(factor));                                            \
                m += step;                                                                                             \
                if (m >= t->n) m -= t->n;                                                                              \
            }                                                                                                          \
        }                                                                                                              \
    }

PV_TWIDDLE_BODY(apply_fp64, double complex)
PV_TWIDDLE_BODY(apply_fp32, float complex)

void pv_twiddle_apply(const pv_twiddle *twiddle, int sign, const pv_line_plan *plan, int64_t first, int64_t lane,
                      int64_t lanes, void *values)
{
    if (plan->precision == PV_FP64)
        apply_fp64(twiddle, sign, plan, first, lane, lanes, values);
    else
        apply_fp32(twiddle, sign, plan, first, lane, lanes, values);
}
