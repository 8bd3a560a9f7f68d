// SPDX-License-Identifier: Apache-2.0
// How a complex line of n points is transformed: factors of n in the order of the passes, and what the last one is.
// Recipes are plain data; which are best is estimated from the costs of their passes.
#ifndef PV_FFT_LINES_RECIPE_H
#define PV_FFT_LINES_RECIPE_H

#include <stdint.h>

#include <parseval/status.h>

#include "fft/lines/kernels.h"

typedef enum pv_lines_leaf_kind { PV_LINES_DIRECT, PV_LINES_RADER, PV_LINES_BLUESTEIN } pv_lines_leaf_kind;

enum { PV_LINES_DEPTH_MAX = 48, PV_LINES_RECIPES_MAX = 8 };

// The product of the factors is n. Factor 0 is the radix of the pass that runs last, over the whole line; the last
// factor is the length of the leaves, which run first. A leaf that is a convolution has one of `inner` points.
typedef struct pv_lines_recipe {
    int64_t n;
    int depth;
    int64_t factors[PV_LINES_DEPTH_MAX];
    pv_lines_leaf_kind leaf;
    int64_t inner;
    double cost;                    // cycles a point, estimated
} pv_lines_recipe;

// The best recipes by estimate, best first: at least one, at most PV_LINES_RECIPES_MAX (there must be room for all),
// in *count_p. The same for everybody who asks.
pv_status pv_lines_recipes_list(int64_t n, pv_lines_recipe *recipes, int *count_p);

// Whether a recipe from elsewhere can be carried out.
int pv_lines_recipe_is_valid(const pv_lines_recipe *recipe);

#endif
