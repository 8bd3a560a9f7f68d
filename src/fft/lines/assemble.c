// SPDX-License-Identifier: Apache-2.0
#include "fft/lines/assemble.h"

#include "base/check.h"
#include "fft/lines/convolution.h"
#include "fft/lines/wisdom.h"

static pv_status inner_make(const pv_lines_kernels *kernels, int64_t n, pv_rigor rigor, pv_lines_transform **inner_p)
{
    const pv_lines_ends ends = {PV_LINES_SPLIT, PV_LINES_SPLIT, 0};
    const pv_lines_recipe *known = rigor == PV_MEASURE ? pv_lines_wisdom_find(kernels->precision, n) : NULL;
    if (known) return pv_lines_assemble(kernels, known, rigor, ends, inner_p);
    pv_lines_recipe recipes[PV_LINES_RECIPES_MAX];
    int count;
    PV_TRY(pv_lines_recipes_list(n, recipes, &count));
    return pv_lines_assemble(kernels, &recipes[0], rigor, ends, inner_p);
}

static pv_status leaf_make(const pv_lines_kernels *kernels, const pv_lines_recipe *recipe, pv_rigor rigor,
                           pv_lines_leaf **leaf_p)
{
    *leaf_p = NULL;
    if (recipe->leaf == PV_LINES_DIRECT) return PV_OK;
    pv_lines_transform *inner = NULL;
    PV_TRY(inner_make(kernels, recipe->inner, rigor, &inner));
    int64_t n = recipe->factors[recipe->depth - 1];
    if (recipe->leaf == PV_LINES_RADER) return pv_lines_rader_create(kernels, n, inner, leaf_p);
    return pv_lines_bluestein_create(kernels, n, recipe->inner, inner, leaf_p);
}

pv_status pv_lines_assemble(const pv_lines_kernels *kernels, const pv_lines_recipe *recipe, pv_rigor rigor,
                            pv_lines_ends ends, pv_lines_transform **transform_p)
{
    pv_lines_leaf *leaf;
    PV_TRY(leaf_make(kernels, recipe, rigor, &leaf));
    return pv_lines_transform_create(kernels, recipe, ends, leaf, transform_p);
}
