// SPDX-License-Identifier: Apache-2.0
// Small square transpositions in registers, so that both sides of a transposing copy touch whole cache lines.
// Private to move.c.
#ifndef PV_FFT_TRANSFER_MOVE_TRANSPOSE_H
#define PV_FFT_TRANSFER_MOVE_TRANSPOSE_H

#if defined(__AVX512F__)
#include <immintrin.h>
#include <stdint.h>

static inline void square_store(char *dst, __m512i row, int stream)
{
    if (stream) _mm512_stream_si512((void *)dst, row);
    else _mm512_storeu_si512((void *)dst, row);
}

// 4 x 4 elements of 16 bytes; rows of 64 bytes, steps in bytes.
static inline void square_16(const char *src, int64_t src_step, char *dst, int64_t dst_step, int stream)
{
    __m512i a = _mm512_loadu_si512(src), b = _mm512_loadu_si512(src + src_step);
    __m512i c = _mm512_loadu_si512(src + 2 * src_step), d = _mm512_loadu_si512(src + 3 * src_step);
    __m512i ab_low = _mm512_shuffle_i64x2(a, b, 0x44), ab_high = _mm512_shuffle_i64x2(a, b, 0xee);
    __m512i cd_low = _mm512_shuffle_i64x2(c, d, 0x44), cd_high = _mm512_shuffle_i64x2(c, d, 0xee);
    square_store(dst, _mm512_shuffle_i64x2(ab_low, cd_low, 0x88), stream);
    square_store(dst + dst_step, _mm512_shuffle_i64x2(ab_low, cd_low, 0xdd), stream);
    square_store(dst + 2 * dst_step, _mm512_shuffle_i64x2(ab_high, cd_high, 0x88), stream);
    square_store(dst + 3 * dst_step, _mm512_shuffle_i64x2(ab_high, cd_high, 0xdd), stream);
}

// 8 x 8 elements of 8 bytes.
static inline void square_8(const char *src, int64_t src_step, char *dst, int64_t dst_step, int stream)
{
    __m512i r[8], t[8];
    for (int i = 0; i < 8; i++) r[i] = _mm512_loadu_si512(src + i * src_step);
    for (int i = 0; i < 8; i += 2) {
        t[i] = _mm512_unpacklo_epi64(r[i], r[i + 1]);       // columns 0 2 4 6 of two rows
        t[i + 1] = _mm512_unpackhi_epi64(r[i], r[i + 1]);   // columns 1 3 5 7
    }
    for (int odd = 0; odd < 2; odd++) {
        __m512i low01 = _mm512_shuffle_i64x2(t[odd], t[odd + 2], 0x44),
                high01 = _mm512_shuffle_i64x2(t[odd], t[odd + 2], 0xee);
        __m512i low23 = _mm512_shuffle_i64x2(t[odd + 4], t[odd + 6], 0x44),
                high23 = _mm512_shuffle_i64x2(t[odd + 4], t[odd + 6], 0xee);
        square_store(dst + odd * dst_step, _mm512_shuffle_i64x2(low01, low23, 0x88), stream);
        square_store(dst + (odd + 2) * dst_step, _mm512_shuffle_i64x2(low01, low23, 0xdd), stream);
        square_store(dst + (odd + 4) * dst_step, _mm512_shuffle_i64x2(high01, high23, 0x88), stream);
        square_store(dst + (odd + 6) * dst_step, _mm512_shuffle_i64x2(high01, high23, 0xdd), stream);
    }
}

// 16 x 16 elements of 4 bytes, as an 8 x 8 of pairs after an exchange inside pairs of rows.
static inline void square_4(const char *src, int64_t src_step, char *dst, int64_t dst_step, int stream)
{
    const __m512i even = _mm512_set_epi32(30, 14, 28, 12, 26, 10, 24, 8, 22, 6, 20, 4, 18, 2, 16, 0);
    const __m512i odd = _mm512_set_epi32(31, 15, 29, 13, 27, 11, 25, 9, 23, 7, 21, 5, 19, 3, 17, 1);
    __m512i pairs[2][8];
    for (int i = 0; i < 8; i++) {
        __m512i a = _mm512_loadu_si512(src + 2 * i * src_step), b = _mm512_loadu_si512(src + (2 * i + 1) * src_step);
        pairs[0][i] = _mm512_permutex2var_epi32(a, even, b);
        pairs[1][i] = _mm512_permutex2var_epi32(a, odd, b);
    }
    for (int p = 0; p < 2; p++) square_8((const char *)pairs[p], 64, dst + p * dst_step, 2 * dst_step, stream);
}
#endif

#endif
