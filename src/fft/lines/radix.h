// SPDX-License-Identifier: Apache-2.0
// Butterflies: forward transforms of 2 to 16 points in registers, x[k] <- sum over q of x[q] w_q exp(-2 pi i q k / r).
//
// Weights w_q cost least inside the first additions: a + w b takes four fused multiply-adds and a - w b, as
// 2 a - (a + w b), two more, where multiplying first would take eight operations. Radices 4, 8, 9 and 16 go further and
// nest: with weights w^q each layer of butterflies absorbs its own factor, so they list other factors (roots.c).
#ifndef PV_FFT_LINES_RADIX_H
#define PV_FFT_LINES_RADIX_H

#include "fft/lines/vector.h"

// s = wa a + wb b, d = wa a - wb b; no weight is NULL.
PV_INLINE void pair(cvec a, const real *wa, cvec b, const real *wb, cvec *s, cvec *d)
{
    if (wa) a = times(a, wa);
    if (wb) {
        s->re = a.re + b.re * wb[0] - b.im * wb[1];
        s->im = a.im + b.re * wb[1] + b.im * wb[0];
        d->re = twice_minus(a.re, s->re);
        d->im = twice_minus(a.im, s->im);
    } else {
        *s = add(a, b);
        *d = sub(a, b);
    }
}

// s = a - i w b, d = a + i w b
PV_INLINE void pair_i(cvec a, cvec b, const real *w, cvec *s, cvec *d)
{
    if (w) {
        s->re = a.re + b.re * w[1] + b.im * w[0];
        s->im = a.im + b.im * w[1] - b.re * w[0];
        d->re = twice_minus(a.re, s->re);
        d->im = twice_minus(a.im, s->im);
    } else {
        *s = sub_i(a, b);
        *d = add_i(a, b);
    }
}

// cos and sin of 2 pi j / r for 1 <= j <= r / 2
static const real cos_3[] = {-0.5}, sin_3[] = {0.866025403784438646763723};
static const real cos_7[] = {0.623489801858733530525005, -0.222520933956314404288903, -0.900968867902419126236102};
static const real sin_7[] = {0.781831482468029808708445, 0.974927912181823607018132, 0.433883739117558120475768};
static const real cos_11[] = {0.841253532831181168861812, 0.415415013001886425529274, -0.142314838273285140443793,
                              -0.654860733945285064056925, -0.959492973614497389890368};
static const real sin_11[] = {0.540640817455597582107636, 0.909631995354518371411715, 0.989821441880932732376092,
                              0.755749574354258283774036, 0.281732556841429697711418};
static const real cos_13[] = {0.885456025653209895900376,  0.568064746731155802511808,  0.120536680255323053349068,
                              -0.354604887042535625969638, -0.748510748171101098634631, -0.970941817426052027156982};
static const real sin_13[] = {0.464723172043768545656015, 0.822983865893656394579617, 0.992708874098053992800752,
                              0.935016242685414823439785, 0.663122658240795202376785, 0.239315664287557767148754};

// An odd prime r directly: sums s and differences d of the points j and r - j meet the cosines and the sines.
PV_INLINE void odd(int r, const real *cosines, const real *sines, cvec *x, const real *const *w)
{
    const int half = (r - 1) / 2;
    cvec s[6], d[6], zero = x[0];
    PV_UNROLL for (int j = 1; j <= half; j++) pair(x[j], w[j], x[r - j], w[r - j], &s[j - 1], &d[j - 1]);
    PV_UNROLL for (int j = 1; j <= half; j++) x[0] = add(x[0], s[j - 1]);
    PV_UNROLL for (int k = 1; k <= half; k++) {
        cvec a = zero, b = scaled(sines[k - 1], d[0]);
        PV_UNROLL for (int j = 1; j <= half; j++) {
            int turn = j * k % r, folded = turn <= half ? turn : r - turn;
            a = add_scaled(a, cosines[folded - 1], s[j - 1]);
            if (j > 1) b = add_scaled(b, turn <= half ? sines[folded - 1] : -sines[folded - 1], d[j - 1]);
        }
        x[k] = sub_i(a, b);
        x[r - k] = add_i(a, b);
    }
}

PV_INLINE void radix_2(cvec *x, const real *const *w) { pair(x[0], w[0], x[1], w[1], &x[0], &x[1]); }

PV_INLINE void radix_3(cvec *x, const real *const *w)
{
    if (w[0]) x[0] = times(x[0], w[0]);
    odd(3, cos_3, sin_3, x, w);
}

// The two sums are m + n and m - n, and the sines of 36 and 72 degrees enter by their ratio.
PV_INLINE void radix_5(cvec *x, const real *const *w)
{
    const real quarter_root_5 = 0.559016994374947424102293, sin_72 = 0.951056516295153572116439;
    const real ratio = 0.618033988749894848204587;
    cvec s1, s2, d1, d2;
    if (w[0]) x[0] = times(x[0], w[0]);
    pair(x[1], w[1], x[4], w[4], &s1, &d1);
    pair(x[2], w[2], x[3], w[3], &s2, &d2);
    cvec sum = add(s1, s2), difference = sub(s1, s2), m = add_scaled(x[0], (real)-0.25, sum);
    cvec a1 = add_scaled(m, quarter_root_5, difference), a2 = add_scaled(m, -quarter_root_5, difference);
    cvec b1 = add_scaled(d1, ratio, d2), b2 = add_scaled(scaled(ratio, d1), -1, d2);
    x[0] = add(x[0], sum);
    x[1] = (cvec){a1.re + sin_72 * b1.im, a1.im - sin_72 * b1.re};
    x[4] = (cvec){a1.re - sin_72 * b1.im, a1.im + sin_72 * b1.re};
    x[2] = (cvec){a2.re + sin_72 * b2.im, a2.im - sin_72 * b2.re};
    x[3] = (cvec){a2.re - sin_72 * b2.im, a2.im + sin_72 * b2.re};
}

PV_INLINE void radix_7(cvec *x, const real *const *w)
{
    if (w[0]) x[0] = times(x[0], w[0]);
    odd(7, cos_7, sin_7, x, w);
}

PV_INLINE void radix_11(cvec *x, const real *const *w) { odd(11, cos_11, sin_11, x, w); }
PV_INLINE void radix_13(cvec *x, const real *const *w) { odd(13, cos_13, sin_13, x, w); }

PV_INLINE void radix_4(cvec *x, const real *const *w)
{
    cvec s0, d0, s1, d1;
    pair(x[0], w[0], x[2], w[2], &s0, &d0);
    pair(x[1], w[1], x[3], w[3], &s1, &d1);
    pair(s0, NULL, s1, NULL, &x[0], &x[2]);
    pair_i(d0, d1, NULL, &x[1], &x[3]);
}

// Four points with weights 1, w1, w2, w1 w2, to the places y[0], y[step], ...
PV_INLINE void nested_4(const cvec *x, const real *w2, const real *w1, cvec *y, int step)
{
    cvec s0, d0, s1, d1;
    pair(x[0], NULL, x[2], w2, &s0, &d0);
    pair(x[1], NULL, x[3], w2, &s1, &d1);
    pair(s0, NULL, s1, w1, &y[0], &y[2 * step]);
    pair_i(d0, d1, w1, &y[step], &y[3 * step]);
}

// The same with weights 1, w1, -i w2, -i w1 w2.
PV_INLINE void nested_4_i(const cvec *x, const real *w2, const real *w1, cvec *y, int step)
{
    cvec s0, d0, s1, d1;
    pair_i(x[0], x[2], w2, &s0, &d0);
    pair_i(x[1], x[3], w2, &s1, &d1);
    pair(s0, NULL, s1, w1, &y[0], &y[2 * step]);
    pair_i(d0, d1, w1, &y[step], &y[3 * step]);
}

static const real half_root = 0.707106781186547524400844;

// Four points with weights 1, e, -i, -i e, e = exp(-i pi / 4), the factor 1 / sqrt 2 in the last additions.
PV_INLINE void eighth_4(const cvec *x, cvec *y, int step)
{
    cvec t0 = sub_i(x[0], x[2]), t1 = add_i(x[0], x[2]);
    cvec e1 = {x[1].re + x[1].im, x[1].im - x[1].re}, e3 = {x[3].im - x[3].re, -x[3].re - x[3].im};
    cvec p = add(e1, e3), q = sub(e1, e3);
    y[0] = add_scaled(t0, half_root, p);
    y[2 * step] = add_scaled(t0, -half_root, p);
    y[step] = (cvec){t1.re + half_root * q.im, t1.im - half_root * q.re};
    y[3 * step] = (cvec){t1.re - half_root * q.im, t1.im + half_root * q.re};
}

PV_INLINE void radix_simple(int radix, cvec *x, const real *const *w)
{
    switch (radix) {
    case 2: radix_2(x, w); break;
    case 3: radix_3(x, w); break;
    case 4: radix_4(x, w); break;
    case 5: radix_5(x, w); break;
    case 7: radix_7(x, w); break;
    case 11: radix_11(x, w); break;
    case 13: radix_13(x, w); break;
    }
}

// ---- From memory to memory ---------------------------------------------------------------------------------------
//
// Points are loaded when the first layer needs them and stored as soon as the last has them, which keeps loads, stores
// and shuffles spread among the additions. All points are loaded before the first is stored.

typedef struct points {
    const char *src;
    char *dst;
    ptrdiff_t src_stride, dst_stride, wrap;     // wrap: added for point 0
    pv_lines_form from, to;
} points;

PV_INLINE cvec take(const points *p, int q)
{
    return load(p->from, q == 0 ? p->src + p->wrap : p->src + q * p->src_stride);
}

PV_INLINE void give(const points *p, int k, cvec x) { store(p->to, p->dst + k * p->dst_stride, x); }

// w: factors 1, 2, ..., r - 1 of this butterfly, or NULL
PV_INLINE void whole_simple(int radix, const points *p, const real *w)
{
    const real *weights[PV_LINES_RADIX_MAX];
    cvec x[PV_LINES_RADIX_MAX];
    PV_UNROLL for (int q = 0; q < radix; q++) {
        x[q] = take(p, q);
        weights[q] = q > 0 && w ? w + 2 * (q - 1) : NULL;
    }
    radix_simple(radix, x, weights);
    PV_UNROLL for (int k = 0; k < radix; k++) give(p, k, x[k]);
}

// w: NULL, or nested: w2, w1
PV_INLINE void whole_4(const points *p, const real *w)
{
    cvec x[4] = {take(p, 0), take(p, 2), take(p, 1), take(p, 3)}, s[4] = {x[0], x[2], x[1], x[3]}, y[4];
    nested_4(s, w, w ? w + 2 : NULL, y, 1);
    PV_UNROLL for (int k = 0; k < 4; k++) give(p, k, y[k]);
}

// w: NULL, or nested: w4, w2, w1, w1 e
PV_INLINE void whole_8(const points *p, const real *w)
{
    cvec s[4], d[4], even[4], odd[4];
    PV_UNROLL for (int q = 0; q < 4; q++) {
        cvec a = take(p, q), b = take(p, q + 4);
        pair(a, NULL, b, w, &s[q], &d[q]);
    }
    nested_4(s, w ? w + 2 : NULL, w ? w + 4 : NULL, even, 1);
    PV_UNROLL for (int k = 0; k < 4; k++) give(p, 2 * k, even[k]);
    if (w)
        nested_4_i(d, w + 2, w + 6, odd, 1);
    else
        eighth_4(d, odd, 1);
    PV_UNROLL for (int k = 0; k < 4; k++) give(p, 2 * k + 1, odd[k]);
}

// w: NULL, or nested: w8, w4, then w2 and w1, w2 e and w1 f, w1 e, w1 f^3 with f = exp(-i pi / 8)
PV_INLINE void whole_16(const points *p, const real *w)
{
    static const real e1[] = {0.707106781186547524400844, -0.707106781186547524400844};
    static const real f1[] = {0.923879532511286756128183, -0.382683432365089771728460};
    static const real f3[] = {0.382683432365089771728460, -0.923879532511286756128183};
    cvec y[4][4];
    PV_UNROLL for (int q = 0; q < 4; q++) {
        cvec column[4] = {take(p, q), take(p, q + 4), take(p, q + 8), take(p, q + 12)}, turned[4];
        nested_4(column, w, w ? w + 2 : NULL, turned, 1);
        PV_UNROLL for (int k = 0; k < 4; k++) y[k][q] = turned[k];
    }
    PV_UNROLL for (int k = 0; k < 4; k++) {
        cvec row[4];
        if (k == 0) nested_4(y[0], w ? w + 4 : NULL, w ? w + 6 : NULL, row, 1);
        if (k == 1) nested_4(y[1], w ? w + 8 : e1, w ? w + 10 : f1, row, 1);
        if (k == 2 && w) nested_4_i(y[2], w + 4, w + 12, row, 1);
        if (k == 2 && !w) eighth_4(y[2], row, 1);
        if (k == 3) nested_4_i(y[3], w ? w + 8 : e1, w ? w + 14 : f3, row, 1);
        PV_UNROLL for (int l = 0; l < 4; l++) give(p, k + 4 * l, row[l]);
    }
}

// w: NULL, or nested: w3, w6, then w1 and w2, w1 g and w2 g^2, w1 g^2 and w2 g^4 with g = exp(-2 pi i / 9)
PV_INLINE void whole_9(const points *p, const real *w)
{
    static const real g[3][4] = {
        {1, 0, 1, 0},
        {0.766044443118978035202, -0.642787609686539326323, 0.173648177666930348852, -0.984807753012208059367},
        {0.173648177666930348852, -0.984807753012208059367, -0.939692620785908384054, -0.342020143325668733044},
    };
    cvec y[3][3];
    PV_UNROLL for (int q = 0; q < 3; q++) {
        cvec column[3] = {take(p, q), take(p, q + 3), take(p, q + 6)};
        const real *weights[3] = {NULL, w, w ? w + 2 : NULL};
        radix_3(column, weights);
        PV_UNROLL for (int k = 0; k < 3; k++) y[k][q] = column[k];
    }
    PV_UNROLL for (int k = 0; k < 3; k++) {
        const real *row = w ? w + 4 + 4 * k : k > 0 ? g[k] : NULL;
        const real *weights[3] = {NULL, row, row ? row + 2 : NULL};
        radix_3(y[k], weights);
        PV_UNROLL for (int l = 0; l < 3; l++) give(p, k + 3 * l, y[k][l]);
    }
}

// Coprime factors a b = r need no factors in between (Good, Thomas): q = b q1 + a q2, k = k1 mod a = k2 mod b.
PV_INLINE void whole_coprime(int a, int b, const points *p, const real *w)
{
    static const real *const none[PV_LINES_RADIX_MAX];
    const int r = a * b;
    cvec y[PV_LINES_RADIX_MAX][PV_LINES_RADIX_MAX];
    PV_UNROLL for (int q2 = 0; q2 < b; q2++) {
        const real *weights[PV_LINES_RADIX_MAX];
        cvec column[PV_LINES_RADIX_MAX];
        PV_UNROLL for (int q1 = 0; q1 < a; q1++) {
            int q = (b * q1 + a * q2) % r;
            column[q1] = take(p, q);
            weights[q1] = q > 0 && w ? w + 2 * (q - 1) : NULL;
        }
        radix_simple(a, column, weights);
        PV_UNROLL for (int k1 = 0; k1 < a; k1++) y[k1][q2] = column[k1];
    }
    PV_UNROLL for (int k1 = 0; k1 < a; k1++) {
        radix_simple(b, y[k1], none);
        PV_UNROLL for (int i = 0; i < b; i++) give(p, (k1 + i * a) % r, y[k1][(k1 + i * a) % b]);
    }
}

PV_INLINE void whole(int radix, const points *p, const real *w)
{
    switch (radix) {
    case 4: whole_4(p, w); break;
    case 6: whole_coprime(2, 3, p, w); break;
    case 8: whole_8(p, w); break;
    case 9: whole_9(p, w); break;
    case 10: whole_coprime(2, 5, p, w); break;
    case 12: whole_coprime(4, 3, p, w); break;
    case 14: whole_coprime(2, 7, p, w); break;
    case 15: whole_coprime(3, 5, p, w); break;
    case 16: whole_16(p, w); break;
    default: whole_simple(radix, p, w);
    }
}

#endif
