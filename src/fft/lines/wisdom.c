// SPDX-License-Identifier: Apache-2.0
#include "fft/lines/wisdom.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"

typedef struct entry {
    struct entry *next;
    pv_precision precision;
    pv_lines_recipe recipe;
} entry;

static entry *entries;

static const char title[] = "lines 1", last_word[] = "end";
static const char *const leaf_names[] = {"direct", "rader", "bluestein"};

static entry *find(entry *list, pv_precision precision, int64_t n)
{
    while (list && !(list->precision == precision && list->recipe.n == n)) list = list->next;
    return list;
}

static pv_status learn(entry **list, pv_precision precision, const pv_lines_recipe *recipe)
{
    entry *e = find(*list, precision, recipe->n);
    if (!e) {
        PV_TRY(PV_ALLOC(1, &e));
        e->next = *list;
        e->precision = precision;
        *list = e;
    }
    e->recipe = *recipe;
    return PV_OK;
}

const pv_lines_recipe *pv_lines_wisdom_find(pv_precision precision, int64_t n)
{
    entry *e = find(entries, precision, n);
    return e ? &e->recipe : NULL;
}

pv_status pv_lines_wisdom_learn(pv_precision precision, const pv_lines_recipe *recipe)
{
    return learn(&entries, precision, recipe);
}

// ---- Text --------------------------------------------------------------------------------------------------------
//
//     lines 1
//     fp64 514 2 257 rader 256
//     end

static void entry_print(FILE *out, const entry *e)
{
    fprintf(out, "%s %" PRId64, e->precision == PV_FP64 ? "fp64" : "fp32", e->recipe.n);
    for (int i = 0; i < e->recipe.depth; i++) fprintf(out, " %" PRId64, e->recipe.factors[i]);
    fprintf(out, " %s", leaf_names[e->recipe.leaf]);
    if (e->recipe.leaf != PV_LINES_DIRECT) fprintf(out, " %" PRId64, e->recipe.inner);
    fprintf(out, "\n");
}

pv_status pv_lines_wisdom_export(char **text_p)
{
    char *stream_text = NULL, *text = NULL;
    size_t bytes = 0;
    if (!entries) {
        *text_p = NULL;
        return PV_OK;
    }
    FILE *out = open_memstream(&stream_text, &bytes);
    PV_REQUIRE(out, PV_ERR_MEMORY, "no memory for the text of the wisdom");
    fprintf(out, "%s\n", title);
    for (const entry *e = entries; e; e = e->next) entry_print(out, e);
    fprintf(out, "%s\n", last_word);
    int failed = fclose(out) != 0;
    pv_status status = failed ? pv_fail(PV_ERR_MEMORY, __func__, "no memory for the text of the wisdom")
                              : pv_mem_strdup(stream_text, &text);
    free(stream_text);
    if (status == PV_OK) *text_p = text;
    return status;
}

static int word_read(const char **at, char word[32])
{
    int used = 0, found = sscanf(*at, "%31s%n", word, &used);
    *at += used;
    return found == 1;
}

// The recipe from `at`, up to the end of its line.
static int recipe_read(const char **at, pv_lines_recipe *recipe)
{
    char word[32], rest;
    if (!word_read(at, word) || sscanf(word, "%" SCNd64 "%c", &recipe->n, &rest) != 1) return 0;
    while (word_read(at, word)) {
        if (word[0] >= '0' && word[0] <= '9') {
            if (recipe->depth == PV_LINES_DEPTH_MAX) return 0;
            if (sscanf(word, "%" SCNd64 "%c", &recipe->factors[recipe->depth++], &rest) != 1) return 0;
            continue;
        }
        int leaf = 0;
        while (leaf < 3 && strcmp(word, leaf_names[leaf]) != 0) leaf++;
        recipe->leaf = (pv_lines_leaf_kind)leaf;
        if (leaf == PV_LINES_DIRECT) return pv_lines_recipe_is_valid(recipe);
        return leaf < 3 && word_read(at, word) && sscanf(word, "%" SCNd64 "%c", &recipe->inner, &rest) == 1 &&
               pv_lines_recipe_is_valid(recipe);
    }
    return 0;
}

static pv_status entries_read(const char *text, const char *from, entry **list)
{
    const char *at = text;
    char word[32];
    PV_REQUIRE(strncmp(text, title, strlen(title)) == 0, PV_ERR_INPUT, "%s begins with \"%.*s\", not \"%s\"", from,
               (int)strcspn(text, "\n") < 20 ? (int)strcspn(text, "\n") : 20, text, title);
    at += strlen(title);
    while (word_read(&at, word) && strcmp(word, last_word) != 0) {
        pv_precision precision = strcmp(word, "fp64") == 0 ? PV_FP64 : PV_FP32;
        int known = precision == PV_FP64 || strcmp(word, "fp32") == 0;
        pv_lines_recipe recipe = {.depth = 0};
        const char *start = at;
        PV_REQUIRE(known && recipe_read(&at, &recipe), PV_ERR_INPUT, "%s has \"%s%.*s\", no recipe", from,
                   word, (int)strcspn(start, "\n") < 60 ? (int)strcspn(start, "\n") : 60, start);
        PV_TRY(learn(list, precision, &recipe));
    }
    PV_REQUIRE(strcmp(word, last_word) == 0, PV_ERR_INPUT, "%s is cut short: no \"%s\"", from, last_word);
    return PV_OK;
}

static pv_status take(const char *text, const char *from, int learns)
{
    entry *list = NULL;
    pv_status status = entries_read(text, from, &list);
    for (entry *e = list, *next; e; e = next) {
        next = e->next;
        if (status == PV_OK && learns) status = pv_lines_wisdom_learn(e->precision, &e->recipe);
        pv_mem_free(e);
    }
    return status;
}

pv_status pv_lines_wisdom_import(const char *text) { return take(text, "wisdom", 1); }

pv_status pv_lines_wisdom_check(const char *text, const char *from) { return take(text, from, 0); }
