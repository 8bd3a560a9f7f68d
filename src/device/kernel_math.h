// SPDX-License-Identifier: Apache-2.0
// exp, log and cube roots inside kernels (device/kernel.h). In C they are arithmetic alone, so that a loop with them
// becomes vector code, which a call of libm prevents; errors are below three units of the last place. In CUDA they are
// the device's own. Arguments are finite, those of logarithms and roots normal and positive. sqrt stays sqrt: a
// source with it is compiled with -fno-math-errno.
#ifndef PV_DEVICE_KERNEL_MATH_H
#define PV_DEVICE_KERNEL_MATH_H

#include <math.h>
#include <string.h>

#include "device/kernel.h"

#ifdef __CUDACC__

PV_KERNEL_FUNCTION double pv_exp(double x)
{
    return exp(x < 709.0 ? x : 709.0); // finite, as in C
}
PV_KERNEL_FUNCTION double pv_log(double x)
{
    return log(x);
}
PV_KERNEL_FUNCTION double pv_cbrt(double x)
{
    return cbrt(x);
}

#else

#define PV_LN2_HIGH 0x1.62e42fee00000p-1 // 32 bits, so that a multiple by an exponent is exact
#define PV_LN2_LOW  0x1.a39ef35793c76p-33
#define PV_WHOLE    0x1.8p52 // added to a double below 2^51, leaves it rounded in the low bits

PV_KERNEL_FUNCTION int64_t pv_bits(double x)
{
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

PV_KERNEL_FUNCTION double pv_of_bits(int64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// 2^k (1 + r + r^2 / 2! + ...) with |r| <= ln 2 / 2; as much as a double holds beyond +-708.
PV_KERNEL_FUNCTION double pv_exp(double x)
{
    const double bound = x < -708.0 ? -708.0 : x > 709.0 ? 709.0 : x;
    const double shifted = bound * 0x1.71547652b82fep0 + PV_WHOLE, k = shifted - PV_WHOLE;
    const double r = (bound - k * PV_LN2_HIGH) - k * PV_LN2_LOW;
    double sum = 1.0 / 6227020800.0;
    sum = sum * r + 1.0 / 479001600.0;
    sum = sum * r + 1.0 / 39916800.0;
    sum = sum * r + 1.0 / 3628800.0;
    sum = sum * r + 1.0 / 362880.0;
    sum = sum * r + 1.0 / 40320.0;
    sum = sum * r + 1.0 / 5040.0;
    sum = sum * r + 1.0 / 720.0;
    sum = sum * r + 1.0 / 120.0;
    sum = sum * r + 1.0 / 24.0;
    sum = sum * r + 1.0 / 6.0;
    sum = sum * r + 0.5;
    sum = sum * r + 1.0;
    sum = sum * r + 1.0;
    return sum * pv_of_bits((int64_t)((uint64_t)pv_bits(shifted) << 52) + pv_bits(1.0));
}

// k ln 2 + log(1 + f) with 1 + f between sqrt(1/2) and sqrt(2), log(1 + f) = 2 artanh(f / (2 + f)).
PV_KERNEL_FUNCTION double pv_log(double x)
{
    const int64_t root = 0x3fe6a09e667f3bcd, from = pv_bits(x) - root;
    const double f = pv_of_bits((from & 0x000fffffffffffff) + root) - 1.0;
    const double k = pv_of_bits((from >> 52) + pv_bits(PV_WHOLE)) - PV_WHOLE;
    const double s = f / (2.0 + f), z = s * s, half = 0.5 * f * f;
    double sum = 2.0 / 23.0;
    sum = sum * z + 2.0 / 21.0;
    sum = sum * z + 2.0 / 19.0;
    sum = sum * z + 2.0 / 17.0;
    sum = sum * z + 2.0 / 15.0;
    sum = sum * z + 2.0 / 13.0;
    sum = sum * z + 2.0 / 11.0;
    sum = sum * z + 2.0 / 9.0;
    sum = sum * z + 2.0 / 7.0;
    sum = sum * z + 2.0 / 5.0;
    sum = sum * z + 2.0 / 3.0;
    return k * PV_LN2_HIGH + (f - (half - (s * (half + z * sum) + k * PV_LN2_LOW)));
}

// A third of the logarithm, as the bits of a double nearly are one, then Halley's and Newton's steps.
PV_KERNEL_FUNCTION double pv_cbrt(double x)
{
    const double high = pv_of_bits((pv_bits(x) >> 32) + pv_bits(PV_WHOLE)) - PV_WHOLE;
    const double third = high * (1.0 / 3.0) + 715094163.0 + PV_WHOLE;
    double y = pv_of_bits((int64_t)((uint64_t)pv_bits(third) << 32));
    for (int i = 0; i < 2; i++) {
        const double cube = y * y * y;
        y *= (cube + 2.0 * x) / (2.0 * cube + x);
    }
    return y - (y * y * y - x) / (3.0 * y * y);
}

#endif

// log(1 + x), x > -1; exact where 1 + x is not.
PV_KERNEL_FUNCTION double pv_log1p(double x)
{
    const double sum = 1.0 + x;
    return pv_log(sum) + (x - (sum - 1.0)) / sum;
}

#endif
