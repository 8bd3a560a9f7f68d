// SPDX-License-Identifier: Apache-2.0
#include "fft/lines/transform.h"

#include "base/check.h"
#include "base/mem.h"
#include "fft/lines/roots.h"

// ---- Creation ----------------------------------------------------------------------------------------------------

static int has_routine(const pv_lines_kernels *kernels, int radix)
{
    return radix <= PV_LINES_RADIX_MAX && kernels->combine[PV_LINES_SPLIT][radix];
}

static size_t whole_lines(int64_t reals, const pv_lines_kernels *kernels)
{
    return ((size_t)reals * kernels->real_bytes + 63) / 64 * 64;
}

// Tables of a pass: twiddle factors, then roots.
static void table_sizes(const pv_lines_kernels *kernels, const pv_lines_transform *t, int level, size_t *factors_p,
                        size_t *roots_p)
{
    const pv_lines_pass *pass = &t->passes[level];
    int is_leaf = level + 1 == t->depth;
    int64_t half = (pass->radix - 1) / 2;
    *factors_p = *roots_p = 0;
    if (!is_leaf) *factors_p = whole_lines(2 * (pass->count - 1) * pv_lines_factor_count(pass->radix), kernels);
    if (!(is_leaf && t->leaf) && !has_routine(kernels, pass->radix)) *roots_p = whole_lines(2 * half * half, kernels);
}

// Each pass: n points at `level` are `radix` parts of m points; in the source a part takes every radix-th point.
static void passes_lay(const pv_lines_kernels *kernels, const pv_lines_recipe *recipe, pv_lines_ends ends,
                       pv_lines_transform *t)
{
    const ptrdiff_t slot = (ptrdiff_t)kernels->slot_bytes;
    ptrdiff_t src_step = ends.backward ? -slot : slot;
    int64_t n = recipe->n;
    for (int level = 0; level < t->depth; level++) {
        pv_lines_pass *pass = &t->passes[level];
        int64_t radix = recipe->factors[level], m = n / radix;
        pass->radix = (int)radix;
        pass->dst_form = level == 0 ? ends.dst_form : PV_LINES_SPLIT;
        t->part_src[level] = src_step;
        t->part_dst[level] = m * slot;
        if (level + 1 < t->depth) {
            pass->src_form = PV_LINES_SPLIT;
            pass->count = m;
            pass->stride = m * slot;
        } else {
            pass->src_form = ends.src_form;
            pass->count = level > 0 ? recipe->factors[level - 1] : 1;
            pass->stride = src_step;
            pass->next = level > 0 ? t->part_src[level - 1] : 0;
        }
        src_step *= radix;
        n = m;
    }
    t->leaf_bytes = recipe->factors[t->depth - 1] * slot;
    t->src_start = ends.backward ? recipe->n * slot : 0;
    t->src_wrap = -t->src_start;
}

static void runs_choose(const pv_lines_kernels *kernels, pv_lines_transform *t)
{
    const pv_lines_pass *pass = t->passes;
    for (; pass < t->passes + t->depth - 1; pass++) {
        pv_lines_combine_run **run = &t->combine_runs[pass - t->passes];
        *run = has_routine(kernels, pass->radix) ? kernels->combine[pass->dst_form][pass->radix]
                                                 : kernels->prime_combine;
    }
    if (!t->leaf)
        t->leaf_run = has_routine(kernels, pass->radix) ? kernels->leaf[pass->src_form][pass->dst_form][pass->radix]
                                                        : kernels->prime_leaf;
}

static pv_status tables_fill(const pv_lines_kernels *kernels, pv_lines_transform *t)
{
    size_t bytes = 0, factors, roots;
    for (int level = 0; level < t->depth; level++) {
        table_sizes(kernels, t, level, &factors, &roots);
        bytes += factors + roots;
    }
    PV_TRY(pv_mem_alloc(bytes, 1, &t->tables));
    char *table = t->tables;
    for (int level = 0; level < t->depth; level++) {
        pv_lines_pass *pass = &t->passes[level];
        table_sizes(kernels, t, level, &factors, &roots);
        if (factors > 0) {
            pv_lines_factors_fill(kernels, pass->radix, pass->count, table);
            pass->factors = table;
        }
        if (roots > 0) {
            pv_lines_roots_fill(kernels, pass->radix, table + factors);
            pass->roots = table + factors;
        }
        table += factors + roots;
    }
    return PV_OK;
}

pv_status pv_lines_transform_create(const pv_lines_kernels *kernels, const pv_lines_recipe *recipe, pv_lines_ends ends,
                                    pv_lines_leaf *leaf, pv_lines_transform **transform_p)
{
    pv_lines_transform *t;
    pv_status status = PV_ALLOC(1, &t);
    if (status != PV_OK) {
        if (leaf) leaf->destroy(leaf);
        return status;
    }
    t->leaf = leaf;
    t->scratch_bytes = leaf ? leaf->scratch_bytes : 0;
    t->depth = recipe->depth;
    passes_lay(kernels, recipe, ends, t);
    runs_choose(kernels, t);
    status = tables_fill(kernels, t);
    if (status != PV_OK) {
        pv_lines_transform_destroy(t);
        return status;
    }
    *transform_p = t;
    return PV_OK;
}

void pv_lines_transform_destroy(pv_lines_transform *t)
{
    if (!t) return;
    if (t->leaf) t->leaf->destroy(t->leaf);
    pv_mem_free(t->tables);
    pv_mem_free(t);
}

// ---- Execution ---------------------------------------------------------------------------------------------------

static void leaves_run(const pv_lines_transform *t, const char *src, ptrdiff_t wrap, char *dst, char *scratch)
{
    const pv_lines_pass *pass = &t->passes[t->depth - 1];
    if (!t->leaf) {
        t->leaf_run(pass, src, wrap, dst);
        return;
    }
    for (int64_t i = 0; i < pass->count; i++)
        t->leaf->run(t->leaf, pass, src + i * pass->next, i == 0 ? wrap : 0, dst + i * t->leaf_bytes, scratch);
}

// One part at `level`: its own parts first. Only the very first part begins at element 0 of the line.
static void part_run(const pv_lines_transform *t, int level, const char *src, ptrdiff_t wrap, char *dst, char *scratch)
{
    const pv_lines_pass *pass = &t->passes[level];
    if (level + 2 < t->depth) {
        for (int part = 0; part < pass->radix; part++)
            part_run(t, level + 1, src + part * t->part_src[level], part == 0 ? wrap : 0,
                     dst + part * t->part_dst[level], scratch);
    } else {
        leaves_run(t, src, wrap, dst, scratch);
    }
    t->combine_runs[level](pass, dst);
}

void pv_lines_transform_run(const pv_lines_transform *t, const void *src, void *dst, void *scratch)
{
    const char *start = (const char *)src + t->src_start;
    if (t->depth == 1)
        leaves_run(t, start, t->src_wrap, dst, scratch);
    else
        part_run(t, 0, start, t->src_wrap, dst, scratch);
}
