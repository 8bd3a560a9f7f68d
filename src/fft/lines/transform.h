// SPDX-License-Identifier: Apache-2.0
// A complex transform of the lines of a tile, made from a recipe: leaves over strided points of the source into
// contiguous pieces of the work array, then combining passes over ever larger pieces in place, depth first, so that a
// piece stays in cache until it is complete.
#ifndef PV_FFT_LINES_TRANSFORM_H
#define PV_FFT_LINES_TRANSFORM_H

#include <parseval/status.h>

#include "fft/lines/recipe.h"

// A leaf that is more than one pass: it transforms one butterfly of pass `p`.
typedef struct pv_lines_leaf {
    void (*run)(const struct pv_lines_leaf *leaf, const pv_lines_pass *p, const char *src, ptrdiff_t wrap, char *dst,
                char *scratch);
    void (*destroy)(struct pv_lines_leaf *leaf);
    size_t scratch_bytes;
} pv_lines_leaf;

// Both tiles have slots one after another. A source read backwards, element 0 first, gives the inverse transform.
typedef struct pv_lines_ends {
    pv_lines_form src_form, dst_form;
    int backward;
} pv_lines_ends;

typedef struct pv_lines_transform {
    int depth;
    pv_lines_pass passes[PV_LINES_DEPTH_MAX];
    pv_lines_combine_run *combine_runs[PV_LINES_DEPTH_MAX];
    pv_lines_leaf_run *leaf_run;
    ptrdiff_t part_src[PV_LINES_DEPTH_MAX], part_dst[PV_LINES_DEPTH_MAX];   // from part to part of a pass
    ptrdiff_t src_start, src_wrap, leaf_bytes;
    void *tables;
    pv_lines_leaf *leaf;            // NULL: leaf_run
    size_t scratch_bytes;
} pv_lines_transform;

// Takes `leaf`, also when it fails.
pv_status pv_lines_transform_create(const pv_lines_kernels *kernels, const pv_lines_recipe *recipe, pv_lines_ends ends,
                                    pv_lines_leaf *leaf, pv_lines_transform **transform_p);
void pv_lines_transform_destroy(pv_lines_transform *transform);
// The destination is also the work array; it may not be the source. scratch has scratch_bytes, aligned to 64.
void pv_lines_transform_run(const pv_lines_transform *transform, const void *src, void *dst, void *scratch);

#endif
