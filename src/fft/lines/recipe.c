// SPDX-License-Identifier: Apache-2.0
#include "fft/lines/recipe.h"

#include <string.h>

#include "base/check.h"
#include "base/mem.h"

// ---- Costs -------------------------------------------------------------------------------------------------------

// Cycles of a butterfly, measured with AVX-512 on data in the first cache: as a leaf from paired slots, without twiddle
// factors on split slots, with them, and with them to paired slots.
typedef struct cost {
    double leaf, plain, combine, last;
} cost;

static const cost costs[PV_LINES_RADIX_MAX + 1] = {
    [1] = {2, 2, 2, 2},          [2] = {7, 5, 8, 9},          [3] = {12, 10, 14, 16},      [4] = {16, 12, 19, 21},
    [5] = {25, 21, 28, 32},      [6] = {29, 23, 31, 36},      [7] = {48, 39, 50, 55},      [8] = {40, 32, 46, 51},
    [9] = {60, 50, 65, 77},      [10] = {62, 50, 65, 77},     [11] = {106, 95, 129, 140},  [12] = {69, 54, 74, 88},
    [13] = {154, 144, 183, 193}, [14] = {113, 97, 124, 135},  [15] = {113, 96, 123, 133},  [16] = {106, 94, 126, 135},
};

static const double call_cost = 12;             // of a pass
static const double rader_cost = 12;            // a point, besides the inner transforms
static const double bluestein_cost = 12;        // a point of the convolution, besides the inner transforms

static cost cost_of(int64_t radix)
{
    if (radix <= PV_LINES_RADIX_MAX) return costs[radix];
    double half = (double)(radix - 1) / 2, plain = 2.2 * half * half + 10 * half;
    return (cost){plain + half, plain, plain + 4 * half, plain + 5 * half};
}

// What only the last pass of a whole line pays: for pairing, and where more points of a butterfly fall on one set of
// the first cache than it has room for.
static double last_cost(const pv_lines_recipe *recipe)
{
    enum { SLOT_BYTES = 128, SETS_BYTES = 4096 };
    if (recipe->depth == 1) return 0;
    int64_t radix = recipe->factors[0], places = 1;
    while (places < 16 && (recipe->n / radix * places * SLOT_BYTES) % SETS_BYTES != 0) places *= 2;
    double points_a_set = (double)radix / (double)places;
    double crowding = points_a_set >= 16 ? 3 : points_a_set >= 8 ? (radix > 8 ? 2 : 0.5) : 0;
    return (cost_of(radix).last - cost_of(radix).combine) / (double)radix + crowding;
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

// The length of the convolution, 2^a 3^b 5^c 7^d from 2 n - 1 up to a third more, with the least cost by a rough
// account for each prime factor.
static int64_t bluestein_length(int64_t n)
{
    const int64_t least = 2 * n - 1, most = least + least / 3;
    int64_t best_n = 0;
    double best = 0, cost_2 = 0;
    for (int64_t a = 1; a <= most; a *= 2, cost_2 += 2) {
        double cost_3 = cost_2;
        for (int64_t b = a; b <= most; b *= 3, cost_3 += 3.3) {
            double cost_5 = cost_3;
            for (int64_t c = b; c <= most; c *= 5, cost_5 += 5.5) {
                double cost_7 = cost_5;
                for (int64_t d = c; d <= most; d *= 7, cost_7 += 7) {
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
    r.cost = part->cost + (call_cost + c.plain + (m - 1) * c.combine) / (double)l->n;
    list_insert(l, &r);
}

static pv_status list_fill(lists *known, list *l)
{
    const int64_t n = l->n;
    if (is_direct(n)) insert_single(l, PV_LINES_DIRECT, 0, cost_of(n).leaf / (double)n);
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
        list ranked = {.n = n};
        for (int i = 0; i < found->count; i++) {
            pv_lines_recipe whole = found->recipes[i];
            whole.cost += last_cost(&whole);
            list_insert(&ranked, &whole);
        }
        memcpy(recipes, ranked.recipes, sizeof ranked.recipes);
        *count_p = ranked.count;
    }
    while (known.first) {
        list *next = known.first->next;
        pv_mem_free(known.first);
        known.first = next;
    }
    return status;
}

static int is_valid_leaf(int64_t n, pv_lines_leaf_kind leaf, int64_t inner)
{
    if (leaf == PV_LINES_DIRECT) return is_direct(n);
    if (leaf == PV_LINES_RADER) return n > 2 && is_prime(n) && inner == n - 1;
    return inner >= 2 * n - 1 && inner <= 8 * n && largest_prime(inner) <= PV_LINES_RADIX_MAX;
}

// Lengths of small factors are never convolutions: recipes of inner transforms come to an end.
int pv_lines_recipe_is_valid(const pv_lines_recipe *recipe)
{
    int64_t rest = recipe->n;
    if (rest < 1 || rest > INT32_MAX || recipe->depth < 1 || recipe->depth > PV_LINES_DEPTH_MAX) return 0;
    if (recipe->leaf != PV_LINES_DIRECT && largest_prime(rest) <= PV_LINES_RADIX_MAX) return 0;
    for (int i = 0; i < recipe->depth; i++) {
        int64_t factor = recipe->factors[i];
        if (factor < 1 || rest % factor != 0) return 0;
        if (i + 1 < recipe->depth ? !is_direct(factor) : !is_valid_leaf(factor, recipe->leaf, recipe->inner)) return 0;
        rest /= factor;
    }
    return rest == 1;
}
