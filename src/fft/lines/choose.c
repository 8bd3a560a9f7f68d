// SPDX-License-Identifier: Apache-2.0
#include "fft/lines/choose.h"

#include "base/check.h"
#include "base/clock.h"
#include "base/mem.h"
#include "fft/lines/assemble.h"
#include "fft/lines/wisdom.h"

typedef struct trial {
    pv_lines_transform *transforms[PV_LINES_RECIPES_MAX];
    double best_s[PV_LINES_RECIPES_MAX];
    int count;
    void *in, *out, *scratch;
} trial;

static const double burst_s = 1e-5, trial_s = 4e-3;

static pv_status trial_open(const pv_lines_kernels *kernels, const pv_lines_recipe *recipes, int count, trial *t)
{
    const pv_lines_ends ends = {PV_LINES_PAIRED, PV_LINES_PAIRED, 0};
    size_t bytes = (size_t)recipes[0].n * kernels->slot_bytes, scratch_bytes = 0;
    for (; t->count < count; t->count++) {
        PV_TRY(pv_lines_assemble(kernels, &recipes[t->count], PV_MEASURE, ends, &t->transforms[t->count]));
        size_t needed = t->transforms[t->count]->scratch_bytes;
        if (needed > scratch_bytes) scratch_bytes = needed;
    }
    PV_TRY(pv_mem_alloc(bytes, 1, &t->in));
    PV_TRY(pv_mem_alloc(bytes, 1, &t->out));
    return pv_mem_alloc(scratch_bytes, 1, &t->scratch);
}

static void trial_close(trial *t)
{
    for (int i = 0; i < t->count; i++) pv_lines_transform_destroy(t->transforms[i]);
    pv_mem_free(t->in);
    pv_mem_free(t->out);
    pv_mem_free(t->scratch);
}

static double run_s(const trial *t, int i, int times)
{
    double start = pv_clock_s();
    for (int k = 0; k < times; k++) pv_lines_transform_run(t->transforms[i], t->in, t->out, t->scratch);
    return (pv_clock_s() - start) / times;
}

// Candidates take turns in bursts; the shortest burst counts, which others' work disturbs least. Zeros stay zeros.
static int trial_winner(trial *t)
{
    int winner = 0;
    for (int i = 0; i < t->count; i++) t->best_s[i] = run_s(t, i, 1);
    double start = pv_clock_s();
    do {
        for (int i = 0; i < t->count; i++) {
            double once = run_s(t, i, 1 + (int)(burst_s / t->best_s[i]));
            if (once < t->best_s[i]) t->best_s[i] = once;
        }
    } while (pv_clock_s() - start < trial_s);
    for (int i = 1; i < t->count; i++)
        if (t->best_s[i] < t->best_s[winner]) winner = i;
    return winner;
}

static pv_status measure(const pv_lines_kernels *kernels, const pv_lines_recipe *recipes, int count, int *winner_p)
{
    trial t = {.count = 0};
    *winner_p = 0;
    if (count == 1) return PV_OK;
    pv_status status = trial_open(kernels, recipes, count, &t);
    if (status == PV_OK) *winner_p = trial_winner(&t);
    trial_close(&t);
    return status;
}

pv_status pv_lines_choose(const pv_lines_kernels *kernels, int64_t n, pv_rigor rigor, pv_lines_recipe *recipe_p)
{
    const pv_lines_recipe *known = rigor == PV_MEASURE ? pv_lines_wisdom_find(kernels->precision, n) : NULL;
    if (known) {
        *recipe_p = *known;
        return PV_OK;
    }
    pv_lines_recipe recipes[PV_LINES_RECIPES_MAX], inner;
    int count, winner = 0;
    PV_TRY(pv_lines_recipes_list(n, recipes, &count));
    if (rigor == PV_MEASURE) {
        // Convolutions find the recipe of their inner transforms in wisdom.
        for (int i = 0; i < count; i++)
            if (recipes[i].leaf != PV_LINES_DIRECT) PV_TRY(pv_lines_choose(kernels, recipes[i].inner, rigor, &inner));
        PV_TRY(measure(kernels, recipes, count, &winner));
        PV_TRY(pv_lines_wisdom_learn(kernels->precision, &recipes[winner]));
    }
    *recipe_p = recipes[winner];
    return PV_OK;
}
