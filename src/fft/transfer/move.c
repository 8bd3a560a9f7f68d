// SPDX-License-Identifier: Apache-2.0
#include "fft/transfer/move.h"

#include <string.h>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "fft/transfer/move_transpose.h"

// Elements are copied whatever their type.
typedef uint32_t __attribute__((may_alias)) pv_move_word;
typedef uint64_t __attribute__((may_alias)) pv_move_long;
typedef struct __attribute__((may_alias)) pv_move_pair {
    double half[2];
} pv_move_pair;

// Rows that are contiguous on both sides, the common case of tiles of adjacent points: whole cache lines move as
// vectors, and past the caches when they are streamed.
#if defined(__AVX512F__)
#define PV_MOVE_LINE(dst, src, stream)                                          \
    do {                                                                        \
        __m512i line = _mm512_loadu_si512(src);                                 \
        if (stream) _mm512_stream_si512((void *)(dst), line);                   \
        else _mm512_storeu_si512((void *)(dst), line);                          \
    } while (0)
#elif defined(__AVX__)
#define PV_MOVE_LINE(dst, src, stream)                                          \
    do {                                                                        \
        __m256i low = _mm256_loadu_si256((const __m256i *)(src));               \
        __m256i high = _mm256_loadu_si256((const __m256i *)((src) + 32));       \
        if (stream) {                                                           \
            _mm256_stream_si256((__m256i *)(dst), low);                         \
            _mm256_stream_si256((__m256i *)((dst) + 32), high);                 \
        } else {                                                                \
            _mm256_storeu_si256((__m256i *)(dst), low);                         \
            _mm256_storeu_si256((__m256i *)((dst) + 32), high);                 \
        }                                                                       \
    } while (0)
#else
#define PV_MOVE_LINE(dst, src, stream) memcpy(dst, src, 64)
#endif

// Small odd rows, such as the edge of a half spectrum: 16 bytes at a time, without a call.
static void short_rows_copy(const char *src, char *dst, int64_t rows, int64_t row_bytes, int64_t src_step,
                            int64_t dst_step)
{
    for (int64_t r = 0; r < rows; r++, src += src_step, dst += dst_step) {
        int64_t i = 0;
        for (; i + 16 <= row_bytes; i += 16) memcpy(dst + i, src + i, 16);
        for (; i + 4 <= row_bytes; i += 4) memcpy(dst + i, src + i, 4);
    }
}

static void rows_copy(const pv_patch *p, int64_t rows, int64_t row_bytes, int64_t src_step, int64_t dst_step,
                      int stream)
{
    const char *src = p->src;
    char *dst = p->dst;
    if (row_bytes % 64 != 0) {
        if (row_bytes < 256) {
            short_rows_copy(src, dst, rows, row_bytes, src_step, dst_step);
            return;
        }
        for (int64_t r = 0; r < rows; r++) memcpy(dst + r * dst_step, src + r * src_step, (size_t)row_bytes);
    } else if (stream && (uintptr_t)dst % 64 == 0 && dst_step % 64 == 0) {
        for (int64_t r = 0; r < rows; r++)
            for (int64_t i = 0; i < row_bytes; i += 64) PV_MOVE_LINE(dst + r * dst_step + i, src + r * src_step + i, 1);
    } else {
        for (int64_t r = 0; r < rows; r++)
            for (int64_t i = 0; i < row_bytes; i += 64) PV_MOVE_LINE(dst + r * dst_step + i, src + r * src_step + i, 0);
    }
}

#define PV_MOVE_SQUARE 8

// Copies whose contiguous axes differ: squares of one cache line a side, the edges point by point. `rows` run along
// src (row step src_step, contiguous across), and become columns of dst.
#if defined(__AVX512F__)
#define PV_TRANSPOSE_BODY(name, type, square)                                                                       \
    static inline void name##_transpose(const type *src, int64_t src_step, type *dst, int64_t dst_step, int64_t rows,  \
                                        int64_t columns, int stream)                                                   \
    {                                                                                                                  \
        const int64_t size = (int64_t)sizeof(type), side = 64 / size;                                                  \
        int64_t square_rows = rows / side * side, square_columns = columns / side * side;                              \
        stream = stream && (uintptr_t)dst % 64 == 0 && dst_step * size % 64 == 0;                                      \
        for (int64_t c = 0; c < square_columns; c += side)                                                             \
            for (int64_t r = 0; r < square_rows; r += side)                                                            \
                square((const char *)(src + r * src_step + c), src_step * size, (char *)(dst + c * dst_step + r),      \
                       dst_step * size, stream);                                                                       \
        for (int64_t r = square_rows; r < rows; r++)                                                                   \
            for (int64_t c = 0; c < square_columns; c++) dst[c * dst_step + r] = src[r * src_step + c];                \
        for (int64_t c = square_columns; c < columns; c++)                                                             \
            for (int64_t r = 0; r < rows; r++) dst[c * dst_step + r] = src[r * src_step + c];                          \
    }
#else
#define PV_TRANSPOSE_BODY(name, type, square)                                                                       \
    static inline void name##_transpose(const type *src, int64_t src_step, type *dst, int64_t dst_step, int64_t rows,  \
                                        int64_t columns, int stream)                                                   \
    {                                                                                                                  \
        (void)stream;                                                                                                  \
        for (int64_t c0 = 0; c0 < columns; c0 += PV_MOVE_SQUARE) {                                                     \
            int64_t c1 = c0 + PV_MOVE_SQUARE < columns ? c0 + PV_MOVE_SQUARE : columns;                                \
            for (int64_t r = 0; r < rows; r++)                                                                         \
                for (int64_t c = c0; c < c1; c++) dst[c * dst_step + r] = src[r * src_step + c];                       \
        }                                                                                                              \
    }
#endif
PV_TRANSPOSE_BODY(move_4, pv_move_word, square_4)
PV_TRANSPOSE_BODY(move_8, pv_move_long, square_8)
PV_TRANSPOSE_BODY(move_16, pv_move_pair, square_16)

#define PV_MOVE_BODY(name, type)                                                                               \
    static void name##_general(const pv_patch *p)                                                              \
    {                                                                                                          \
        const type *restrict src = p->src;                                                                     \
        type *restrict dst = p->dst;                                                                           \
        for (int64_t k = 0; k < p->count_k; k++)                                                               \
            for (int64_t w = 0; w < p->count_w; w++)                                                                   \
                dst[k * p->dst_k + w * p->dst_w] = src[k * p->src_k + w * p->src_w];                                   \
    }                                                                                                          \
    static inline void name##_any(const pv_patch *p, int stream)                                               \
    {                                                                                                          \
        const int64_t size = (int64_t)sizeof(type);                                                            \
        if (p->src_w == 1 && p->dst_w == 1) {                                                                  \
            if (p->src_k == p->count_w && p->dst_k == p->count_w)                                              \
                rows_copy(p, 1, p->count_k * p->count_w * size, 0, 0, stream);                                 \
            else                                                                                               \
                rows_copy(p, p->count_k, p->count_w * size, p->src_k * size, p->dst_k * size, stream);         \
        } else if (p->src_k == 1 && p->dst_k == 1) {                                                           \
            rows_copy(p, p->count_w, p->count_k * size, p->src_w * size, p->dst_w * size, stream);             \
        } else if (p->src_k == 1 && p->dst_w == 1) {                                                           \
            name##_transpose(p->src, p->src_w, p->dst, p->dst_k, p->count_w, p->count_k, stream);              \
        } else if (p->src_w == 1 && p->dst_k == 1) {                                                           \
            name##_transpose(p->src, p->src_k, p->dst, p->dst_w, p->count_k, p->count_w, stream);              \
        } else {                                                                                               \
            name##_general(p);                                                                                 \
        }                                                                                                      \
    }                                                                                                          \
    static void name(const pv_patch *p) { name##_any(p, 0); }                                                  \
    static void name##_stream(const pv_patch *p) { name##_any(p, 1); }

PV_MOVE_BODY(move_4, pv_move_word)
PV_MOVE_BODY(move_8, pv_move_long)
PV_MOVE_BODY(move_16, pv_move_pair)

pv_move pv_move_for(size_t element_bytes, int stream)
{
    if (element_bytes == 4) return stream ? move_4_stream : move_4;
    if (element_bytes == 8) return stream ? move_8_stream : move_8;
    return stream ? move_16_stream : move_16;
}

void pv_move_fence(void)
{
#if defined(__SSE2__)
    _mm_sfence();
#endif
}
