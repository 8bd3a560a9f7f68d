// SPDX-License-Identifier: Apache-2.0
#include "fft/lines_assemble.h"

#include "base/check.h"
#include "fft/lines_convolution.h"

static pv_status leaf_make(const pv_lines_kernels *kernels, const pv_lines_recipe *recipe, pv_lines_leaf **leaf_p)
{
    *leaf_p = NULL;
    if (recipe->leaf == PV_LINES_DIRECT) return PV_OK;
    pv_lines_recipe inner_recipes[PV_LINES_RECIPES_MAX];
    pv_lines_transform *inner = NULL;
    int count;
    PV_TRY(pv_lines_recipes_list(recipe->inner, inner_recipes, &count));
    const pv_lines_ends ends = {PV_LINES_SPLIT, PV_LINES_SPLIT, 0};
    PV_TRY(pv_lines_assemble(kernels, &inner_recipes[0], ends, &inner));
    int64_t n = recipe->factors[recipe->depth - 1];
    if (recipe->leaf == PV_LINES_RADER) return pv_lines_rader_create(kernels, n, inner, leaf_p);
    return pv_lines_bluestein_create(kernels, n, recipe->inner, inner, leaf_p);
}

pv_status pv_lines_assemble(const pv_lines_kernels *kernels, const pv_lines_recipe *recipe, pv_lines_ends ends,
                            pv_lines_transform **transform_p)
{
    pv_lines_leaf *leaf;
    PV_TRY(leaf_make(kernels, recipe, &leaf));
    return pv_lines_transform_create(kernels, recipe, ends, leaf, transform_p);
}
