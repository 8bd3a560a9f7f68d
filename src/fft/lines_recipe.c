// SPDX-License-Identifier: Apache-2.0
#include "fft/lines_recipe.h"

#include <string.h>

// Vector instructions of a butterfly without and with twiddle factors, by radix, as compiled for AVX-512.
typedef struct cost {
    double leaf, combine;
} cost;

static const cost costs[PV_LINES_RADIX_MAX + 1] = {
    [1] = {0, 0},      [2] = {4, 6},       [3] = {12, 18},    [4] = {16, 24},     [5] = {32, 42},   [6] = {36, 54},
    [7] = {66, 74},    [8] = {52, 72},     [9] = {84, 108},   [10] = {84, 110},   [11] = {150, 162}, [12] = {96, 130},
    [13] = {204, 216}, [14] = {160, 190},  [15] = {156, 206}, [16] = {148, 192},
};

// Loads, stores and the loop, in instructions a point.
static const double pass_cost = 3;

static cost cost_of(int64_t radix)
{
    if (radix <= PV_LINES_RADIX_MAX) return costs[radix];
    double half = (double)(radix - 1) / 2, direct = 4 * half * half + 14 * half;
    return (cost){direct, direct + 6 * half};
}

static int is_odd_prime(int64_t n)
{
    if (n < 3 || n % 2 == 0) return 0;
    for (int64_t p = 3; p * p <= n; p += 2)
        if (n % p == 0) return 0;
    return 1;
}

static int has_direct(int64_t radix)
{
    return radix >= 1 && (radix <= PV_LINES_RADIX_MAX ? radix == 1 || costs[radix].leaf > 0
                                                      : radix <= PV_LINES_PRIME_MAX && is_odd_prime(radix));
}

static void list_insert(pv_lines_recipe *list, int *count, const pv_lines_recipe *recipe)
{
    int at = *count;
    while (at > 0 && recipe->cost < list[at - 1].cost) at--;
    if (at == PV_LINES_RECIPES_MAX) return;
    if (*count < PV_LINES_RECIPES_MAX) (*count)++;
    memmove(list + at + 1, list + at, (size_t)(*count - 1 - at) * sizeof *list);
    list[at] = *recipe;
}

// A combining pass of `radix` over recipe's line; the first butterfly of m has no factors.
static pv_lines_recipe recipe_extend(const pv_lines_recipe *inner, int64_t radix)
{
    cost c = cost_of(radix);
    double m = (double)inner->n;
    pv_lines_recipe r = *inner;
    r.n = inner->n * radix;
    r.depth = inner->depth + 1;
    memmove(r.factors + 1, inner->factors, (size_t)inner->depth * sizeof *r.factors);
    r.factors[0] = radix;
    r.cost = inner->cost + pass_cost + (c.leaf + (m - 1) * c.combine) / (m * (double)radix);
    return r;
}

void pv_lines_recipes_list(int64_t n, pv_lines_recipe *recipes, int *count_p)
{
    int count = 0;
    if (has_direct(n)) {
        pv_lines_recipe single = {.n = n, .depth = 1, .factors = {n}, .leaf = PV_LINES_DIRECT};
        single.cost = pass_cost + cost_of(n).leaf / (double)n;
        list_insert(recipes, &count, &single);
    }
    for (int64_t radix = 2; radix <= PV_LINES_PRIME_MAX && radix < n; radix++) {
        if (n % radix != 0 || !has_direct(radix)) continue;
        pv_lines_recipe inner[PV_LINES_RECIPES_MAX];
        int inner_count;
        pv_lines_recipes_list(n / radix, inner, &inner_count);
        for (int i = 0; i < inner_count; i++) {
            pv_lines_recipe longer = recipe_extend(&inner[i], radix);
            list_insert(recipes, &count, &longer);
        }
    }
    *count_p = count;
}
