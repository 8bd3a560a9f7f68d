// SPDX-License-Identifier: Apache-2.0
// Layouts: what plans ask of them beyond the public interface.
#ifndef PV_FFT_LAYOUT_LAYOUT_H
#define PV_FFT_LAYOUT_LAYOUT_H

#include <stddef.h>

#include <parseval/fft.h>

// PV_ERR_SHAPE unless every length is at least 1 and an array of 16-byte elements has less than 2^63 bytes.
pv_status pv_shape_check(const int64_t shape[3]);

// Every non-empty box spans the whole of `axis`.
int pv_layout_is_complete(const pv_layout *layout, int axis);
// Same shape, ranks, order in memory and boxes, all empty boxes being equal.
int pv_layout_is_equal(const pv_layout *a, const pv_layout *b);

#define PV_LAYOUT_TEXT_BYTES 64
// "whole" (one rank), "slab x", "pencil 2x3 (z complete)", "block 2x3x4" or "boxes"; ", memory yxz" (slowest axis
// first) is added when the order in memory is not the natural one. Cut to size.
void pv_layout_describe(const pv_layout *layout, char *text, size_t size);

#endif
