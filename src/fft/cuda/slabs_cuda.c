// SPDX-License-Identifier: Apache-2.0
#include "fft/cuda/slabs_cuda.h"

#include "base/check.h"
#include "base/mem.h"
#include "fft/cuda/pass_cuda.h"

enum {
    // Planes between two passes. Groups that fit the L2 cache (48 MB) were slower: each launch ends in a half-empty
    // wave.
    PLANE_BYTES = 400 << 20,
    ROW_BYTES = 256 << 20,   // rows gathered for cuFFT
    WHOLE_BYTES = 1 << 30,   // what cuFFT transforms as planes at once, and takes as work area about
};

static int64_t at_most(int64_t slices, size_t most_bytes, size_t slice_bytes)
{
    const int64_t most = slice_bytes > 0 ? (int64_t)(most_bytes / slice_bytes) : slices;
    return slices < most ? slices : most > 1 ? most : 1;
}

// Slices that may go through a stage together.
static int64_t most_slices(const pv_stage *stage, int is_fused)
{
    int64_t all = stage->outer_upper - stage->outer_lower, slices = all > 0 ? all : 1;
    if (is_fused) return slices;
    if (stage->as_planes) return at_most(slices, WHOLE_BYTES, stage->moved_bytes / 2 / (size_t)slices);
    slices = at_most(slices, PLANE_BYTES, stage->plane_bytes);
    for (int p = 0; p < stage->pass_count; p++) {
        const pv_pass *pass = &stage->passes[p];
        if (!pass->lines || pv_cuda_pass_has_kernel(pass)) continue;
        int64_t lanes = pass->load_box.upper[pass->lane_axis] - pass->load_box.lower[pass->lane_axis];
        slices = at_most(slices, ROW_BYTES,
                         (size_t)(lanes * (pass->lines->n + 2)) * 2 * pv_real_bytes(pass->lines->precision));
    }
    return slices;
}

const pv_copy_plan *pv_cuda_copies_into(const pv_program *program, int s)
{
    return s > 0 && s - 1 == program->copies ? &program->stages[s - 1].transfer.copies : NULL;
}

// The end of the group that begins at or holds slice `at`; the group's number.
static int64_t group_end(const pv_copy_plan *copies, int64_t at, int *group_p)
{
    int g = 0;
    while (g + 1 < copies->groups && at >= copies->ends[g + 1]) g++;
    *group_p = g;
    return copies->ends[g + 1];
}

// Cut where chunks end that are to be sent, where groups end that are to come, and to the most slices.
pv_status pv_cuda_slabs_make(const pv_program *program, int s, int is_fused, pv_cuda_slabs *made)
{
    const pv_stage *stage = &program->stages[s];
    const pv_copy_plan *into = pv_cuda_copies_into(program, s);
    const int64_t most = most_slices(stage, is_fused);
    const int chunks = stage->has_transfer ? stage->transfer.chunks : 1;
    // A box without points may still have an extent along the axis of the chunks.
    const int is_cut = stage->has_transfer && stage->outer_upper > stage->outer_lower;
    PV_TRY(PV_ALLOC((stage->outer_upper - stage->outer_lower) / most + 2 * chunks + (into ? into->groups : 0),
                    &made->slabs));
    for (int c = 0; c < chunks; c++) {
        int64_t at = is_cut ? stage->transfer.chunk[c].lower : stage->outer_lower;
        const int64_t upper = is_cut ? stage->transfer.chunk[c].upper : stage->outer_upper;
        do {
            pv_cuda_slab slab = {.lower = at, .upper = upper, .await_part = -1, .chunk = -1};
            if (into) {
                const int64_t end = group_end(into, at, &slab.await_part);
                if (end > at && end < slab.upper) slab.upper = end;
            }
            if (slab.upper - at > most) slab.upper = at + most;
            if (slab.upper >= upper) slab.chunk = c;
            if (slab.upper - at > made->largest) made->largest = slab.upper - at;
            made->slabs[made->count++] = slab;
            at = slab.upper;
        } while (at < upper);
    }
    return PV_OK;
}

void pv_cuda_slabs_destroy(pv_cuda_slabs *slabs)
{
    pv_mem_free(slabs->slabs);
    *slabs = (pv_cuda_slabs){0};
}
