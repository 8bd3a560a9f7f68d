// SPDX-License-Identifier: Apache-2.0
// Vectors of lanes, complex numbers of them, and their way in and out of memory, in one precision: the file that
// includes body.h says which.
#ifndef PV_FFT_LINES_VECTOR_H
#define PV_FFT_LINES_VECTOR_H

#include <stddef.h>
#include <stdint.h>

#include "fft/lines/kernels.h"

#ifndef PV_LINES_REAL
#define PV_LINES_REAL double
#define PV_LINES_IS_FP64 1
#define PV_LINES_VECTOR_BYTES 16
#endif

#if PV_LINES_VECTOR_BYTES > 16
#include <immintrin.h>
#endif

#define PV_INLINE static inline __attribute__((always_inline))
// Without this, clang would halve vectors of 512 bits where the target prefers 256.
#if defined(__clang__) && PV_LINES_VECTOR_BYTES == 64
#define PV_WIDE __attribute__((min_vector_width(512)))
#else
#define PV_WIDE
#endif

#if defined(__clang__)
#define PV_UNROLL _Pragma("clang loop unroll(full)")
#else
#define PV_UNROLL _Pragma("GCC unroll 64")
#endif

typedef PV_LINES_REAL real;
typedef real __attribute__((may_alias)) real_in_memory;
typedef real __attribute__((vector_size(PV_LINES_VECTOR_BYTES), may_alias)) vec;

enum { LANES = PV_LINES_VECTOR_BYTES / sizeof(real), SLOT_BYTES = 2 * PV_LINES_VECTOR_BYTES };

typedef struct cvec {
    vec re, im;
} cvec;

PV_INLINE cvec add(cvec a, cvec b) { return (cvec){a.re + b.re, a.im + b.im}; }
PV_INLINE cvec sub(cvec a, cvec b) { return (cvec){a.re - b.re, a.im - b.im}; }
// a + i b and a - i b
PV_INLINE cvec add_i(cvec a, cvec b) { return (cvec){a.re - b.im, a.im + b.re}; }
PV_INLINE cvec sub_i(cvec a, cvec b) { return (cvec){a.re + b.im, a.im - b.re}; }
PV_INLINE cvec add_scaled(cvec a, real c, cvec b) { return (cvec){a.re + c * b.re, a.im + c * b.im}; }
PV_INLINE cvec scaled(real c, cvec b) { return (cvec){c * b.re, c * b.im}; }
PV_INLINE cvec times(cvec a, const real *w) { return (cvec){a.re * w[0] - a.im * w[1], a.re * w[1] + a.im * w[0]}; }

// 2 a - b and a - 2 b. Compilers turn a plain 2 * a into a + a and lose the fused operation.
#if PV_LINES_VECTOR_BYTES == 64 && PV_LINES_IS_FP64
PV_INLINE vec twice_minus(vec a, vec b) { return _mm512_fmsub_pd(_mm512_set1_pd(2), a, b); }
PV_INLINE vec minus_twice(vec a, vec b) { return _mm512_fnmadd_pd(_mm512_set1_pd(2), b, a); }
#elif PV_LINES_VECTOR_BYTES == 64
PV_INLINE vec twice_minus(vec a, vec b) { return _mm512_fmsub_ps(_mm512_set1_ps(2), a, b); }
PV_INLINE vec minus_twice(vec a, vec b) { return _mm512_fnmadd_ps(_mm512_set1_ps(2), b, a); }
#elif PV_LINES_VECTOR_BYTES == 32 && PV_LINES_IS_FP64
PV_INLINE vec twice_minus(vec a, vec b) { return _mm256_fmsub_pd(_mm256_set1_pd(2), a, b); }
PV_INLINE vec minus_twice(vec a, vec b) { return _mm256_fnmadd_pd(_mm256_set1_pd(2), b, a); }
#elif PV_LINES_VECTOR_BYTES == 32
PV_INLINE vec twice_minus(vec a, vec b) { return _mm256_fmsub_ps(_mm256_set1_ps(2), a, b); }
PV_INLINE vec minus_twice(vec a, vec b) { return _mm256_fnmadd_ps(_mm256_set1_ps(2), b, a); }
#else
PV_INLINE vec twice_minus(vec a, vec b) { return a + a - b; }
PV_INLINE vec minus_twice(vec a, vec b) { return a - (b + b); }
#endif

// Real and imaginary parts are sorted within pieces of 16 bytes, one instruction a vector: lanes change places in
// the split form, all elements alike, and change back when they are paired again.
#if PV_LINES_VECTOR_BYTES == 64
#define PV_FP64_EVEN 0, 8, 2, 10, 4, 12, 6, 14
#define PV_FP64_ODD 1, 9, 3, 11, 5, 13, 7, 15
#define PV_FP32_EVEN 0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30
#define PV_FP32_ODD 1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31
#define PV_FP32_LOW 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29
#define PV_FP32_HIGH 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31
#elif PV_LINES_VECTOR_BYTES == 32
#define PV_FP64_EVEN 0, 4, 2, 6
#define PV_FP64_ODD 1, 5, 3, 7
#define PV_FP32_EVEN 0, 2, 8, 10, 4, 6, 12, 14
#define PV_FP32_ODD 1, 3, 9, 11, 5, 7, 13, 15
#define PV_FP32_LOW 0, 8, 1, 9, 4, 12, 5, 13
#define PV_FP32_HIGH 2, 10, 3, 11, 6, 14, 7, 15
#else
#define PV_FP64_EVEN 0, 2
#define PV_FP64_ODD 1, 3
#define PV_FP32_EVEN 0, 2, 4, 6
#define PV_FP32_ODD 1, 3, 5, 7
#define PV_FP32_LOW 0, 4, 1, 5
#define PV_FP32_HIGH 2, 6, 3, 7
#endif

PV_INLINE cvec load_split(const char *p) { return (cvec){((const vec *)p)[0], ((const vec *)p)[1]}; }
PV_INLINE void store_split(char *p, cvec x)
{
    ((vec *)p)[0] = x.re;
    ((vec *)p)[1] = x.im;
}

PV_INLINE cvec load_paired(const char *p)
{
    vec a = ((const vec *)p)[0], b = ((const vec *)p)[1];
#if PV_LINES_IS_FP64
    return (cvec){__builtin_shufflevector(a, b, PV_FP64_EVEN), __builtin_shufflevector(a, b, PV_FP64_ODD)};
#else
    return (cvec){__builtin_shufflevector(a, b, PV_FP32_EVEN), __builtin_shufflevector(a, b, PV_FP32_ODD)};
#endif
}

PV_INLINE void store_paired(char *p, cvec x)
{
#if PV_LINES_IS_FP64
    ((vec *)p)[0] = __builtin_shufflevector(x.re, x.im, PV_FP64_EVEN);
    ((vec *)p)[1] = __builtin_shufflevector(x.re, x.im, PV_FP64_ODD);
#else
    ((vec *)p)[0] = __builtin_shufflevector(x.re, x.im, PV_FP32_LOW);
    ((vec *)p)[1] = __builtin_shufflevector(x.re, x.im, PV_FP32_HIGH);
#endif
}

PV_INLINE cvec load(pv_lines_form form, const char *p)
{
    return form == PV_LINES_PAIRED ? load_paired(p) : load_split(p);
}

PV_INLINE void store(pv_lines_form form, char *p, cvec x)
{
    if (form == PV_LINES_PAIRED)
        store_paired(p, x);
    else
        store_split(p, x);
}

#endif
