// SPDX-License-Identifier: Apache-2.0
#include "fft/lines_recipe.h"

#include <string.h>

#include "base/check.h"
#include "base/mem.h"

// ---- Costs -------------------------------------------------------------------------------------------------------

// Vector instructions of a butterfly without and with twiddle factors, by radix, as compiled for AVX-512.
typedef struct cost {
    double leaf, combine;
} cost;

static const cost costs[PV_LINES_RADIX_MAX + 1] = {
    [1] = {0, 0},      [2] = {4, 6},       [3] = {12, 18},     [4] = {16, 24},   [5] = {32, 42},   [6] = {36, 54},
    [7] = {66, 74},    [8] = {52, 72},     [9] = {84, 108},    [10] = {84, 110}, [11] = {150, 162}, [12] = {96, 130},
    [13] = {204, 216}, [14] = {160, 190},  [15] = {156, 206},  [16] = {148, 192},
};

static const double pass_cost = 3;          // loads, stores and the loop, in instructions a point
static const double rader_cost = 14;        // besides the inner transforms
static const double bluestein_cost = 20;

static cost cost_of(int64_t radix)
{
    if (radix <= PV_LINES_RADIX_MAX) return costs[radix];
    double half = (double)(radix - 1) / 2, direct = 4 * half * half + 14 * half;
    return (cost){direct, direct + 6 * half};
}

// ---- Lengths -----------------------------------------------------------------------------------------------------

static int64_t largest_prime(int64_t n)
{
    int64_t largest = 1;
    for (int64_t p = 2; p * p <= n; p++)
        for (; n % p == 0; n /= p) largest = p;
    return n > 1 ? n : largest;
}

static int is_prime(int64_t n) { return n > 1 && largest_prime(n) == n; }

static int is_direct(int64_t radix)
{
    if (radix <= PV_LINES_RADIX_MAX) return radix >= 1 && (radix == 1 || costs[radix].leaf > 0);
    return radix <= PV_LINES_PRIME_MAX && is_prime(radix);
}

// ---- Lists -------------------------------------------------------------------------------------------------------

typedef struct list {
    int64_t n;
    int count;
    pv_lines_recipe recipes[PV_LINES_RECIPES_MAX];
    struct list *next;
} list;

// Lists that are known; a length and its divisors ask for each other's again and again.
typedef struct lists {
    list *first;
} lists;

static pv_status list_get(lists *known, int64_t n, const list **list_p);

static void list_insert(list *l, const pv_lines_recipe *recipe)
{
    int at = l->count;
    while (at > 0 && recipe->cost < l->recipes[at - 1].cost) at--;
    if (at == PV_LINES_RECIPES_MAX) return;
    if (l->count < PV_LINES_RECIPES_MAX) l->count++;
    memmove(l->recipes + at + 1, l->recipes + at, (size_t)(l->count - 1 - at) * sizeof *recipe);
    l->recipes[at] = *recipe;
}

static void insert_single(list *l, pv_lines_leaf_kind leaf, int64_t inner, double cost)
{
    pv_lines_recipe single = {.n = l->n, .depth = 1, .factors = {l->n}, .leaf = leaf, .inner = inner, .cost = cost};
    list_insert(l, &single);
}

static pv_status insert_rader(lists *known, list *l)
{
    if (l->n <= PV_LINES_RADIX_MAX || !is_prime(l->n) || largest_prime(l->n - 1) > PV_LINES_PRIME_MAX) return PV_OK;
    const list *inner;
    PV_TRY(list_get(known, l->n - 1, &inner));
    insert_single(l, PV_LINES_RADER, l->n - 1, 2 * inner->recipes[0].cost + rader_cost);
    return PV_OK;
}

// The length of the convolution, 2^a 3^b 5^c 7^d from 2 n - 1 up to a third more, with the least instructions by a
// rough count for each prime factor.
static int64_t bluestein_length(int64_t n)
{
    const int64_t least = 2 * n - 1, most = least + least / 3;
    int64_t best_n = 0;
    double best = 0, cost_2 = 0;
    for (int64_t a = 1; a <= most; a *= 2, cost_2 += 3.75) {
        double cost_3 = cost_2;
        for (int64_t b = a; b <= most; b *= 3, cost_3 += 6.5) {
            double cost_5 = cost_3;
            for (int64_t c = b; c <= most; c *= 5, cost_5 += 10.5) {
                double cost_7 = cost_5;
                for (int64_t d = c; d <= most; d *= 7, cost_7 += 13) {
                    if (d < least || (best_n > 0 && cost_7 * (double)d >= best)) continue;
                    best = cost_7 * (double)d;
                    best_n = d;
                }
            }
        }
    }
    return best_n;
}

// The last resort of composite numbers.
static pv_status insert_bluestein(lists *known, list *l)
{
    if (l->n <= PV_LINES_RADIX_MAX || (l->count > 0 && !is_prime(l->n))) return PV_OK;
    const int64_t length = bluestein_length(l->n);
    const list *inner;
    PV_TRY(list_get(known, length, &inner));
    double cost = 2 * inner->recipes[0].cost + bluestein_cost;
    insert_single(l, PV_LINES_BLUESTEIN, length, cost * (double)length / (double)l->n);
    return PV_OK;
}

// A combining pass over what makes the line of n / radix; the first butterfly of m has no factors.
static void insert_extended(list *l, const pv_lines_recipe *part, int64_t radix)
{
    if (part->depth == PV_LINES_DEPTH_MAX) return;
    cost c = cost_of(radix);
    double m = (double)part->n;
    pv_lines_recipe r = *part;
    r.n = l->n;
    r.depth = part->depth + 1;
    memcpy(r.factors + 1, part->factors, (size_t)part->depth * sizeof *r.factors);
    r.factors[0] = radix;
    r.cost = part->cost + pass_cost + (c.leaf + (m - 1) * c.combine) / (m * (double)radix);
    list_insert(l, &r);
}

static pv_status list_fill(lists *known, list *l)
{
    const int64_t n = l->n;
    if (is_direct(n)) insert_single(l, PV_LINES_DIRECT, 0, pass_cost + cost_of(n).leaf / (double)n);
    PV_TRY(insert_rader(known, l));
    for (int64_t radix = 2; radix <= PV_LINES_PRIME_MAX && radix < n; radix++) {
        if (n % radix != 0 || !is_direct(radix)) continue;
        const list *part;
        PV_TRY(list_get(known, n / radix, &part));
        for (int i = 0; i < part->count; i++) insert_extended(l, &part->recipes[i], radix);
    }
    return insert_bluestein(known, l);
}

static pv_status list_get(lists *known, int64_t n, const list **list_p)
{
    for (const list *l = known->first; l; l = l->next)
        if (l->n == n) {
            *list_p = l;
            return PV_OK;
        }
    list *l;
    PV_TRY(PV_ALLOC(1, &l));
    l->n = n;
    pv_status status = list_fill(known, l);
    if (status != PV_OK) {
        pv_mem_free(l);
        return status;
    }
    l->next = known->first;
    known->first = l;
    *list_p = l;
    return PV_OK;
}

pv_status pv_lines_recipes_list(int64_t n, pv_lines_recipe *recipes, int *count_p)
{
    lists known = {NULL};
    const list *found;
    pv_status status = list_get(&known, n, &found);
    if (status == PV_OK) {
        memcpy(recipes, found->recipes, (size_t)found->count * sizeof *recipes);
        *count_p = found->count;
    }
    while (known.first) {
        list *next = known.first->next;
        pv_mem_free(known.first);
        known.first = next;
    }
    return status;
}
