// SPDX-License-Identifier: Apache-2.0
// Index boxes: what the layers above need beyond the public pv_box_count and pv_box_intersect.
#ifndef PV_FFT_LAYOUT_BOX_H
#define PV_FFT_LAYOUT_BOX_H

#include <stddef.h>
#include <stdint.h>

#include <parseval/fft.h>

// Part `part` of n points split into `parts`: the first n % parts parts hold one point more.
void pv_split(int64_t n, int parts, int part, int64_t *lower, int64_t *upper);

int pv_box_is_empty(const pv_box *box);
// All empty boxes are equal.
int pv_box_is_equal(const pv_box *a, const pv_box *b);
int64_t pv_box_extent(const pv_box *box, int axis);     // never negative
// "[0,4)x[2,3)x[0,8)", cut to size.
void pv_box_describe(const pv_box *box, char *text, size_t size);

#endif
