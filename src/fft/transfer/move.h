// SPDX-License-Identifier: Apache-2.0
// Strided copies of small two-dimensional patches between memory and tiles: the only place where data change order.
#ifndef PV_FFT_TRANSFER_MOVE_H
#define PV_FFT_TRANSFER_MOVE_H

#include <stddef.h>
#include <stdint.h>

// dst[k * dst_k + w * dst_w] = src[k * src_k + w * src_w] for 0 <= k < count_k, 0 <= w < count_w; strides in elements.
typedef struct pv_patch {
    int64_t count_k, count_w;
    const void *src;
    int64_t src_k, src_w;
    void *dst;
    int64_t dst_k, dst_w;
} pv_patch;

typedef void (*pv_move)(const pv_patch *patch);

// The copy for elements of 4, 8 or 16 bytes. With `stream`, rows of whole cache lines go past the caches (for arrays
// that would not stay in them); a fence is then due before another rank is told: pv_move_fence().
pv_move pv_move_for(size_t element_bytes, int stream);
void pv_move_fence(void);

#endif
