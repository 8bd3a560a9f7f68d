// SPDX-License-Identifier: Apache-2.0
// Recipes that measurement has chosen, for the whole process, and their text.
#ifndef PV_FFT_LINES_WISDOM_H
#define PV_FFT_LINES_WISDOM_H

#include <parseval/fft.h>

#include "fft/lines/recipe.h"

// NULL when nothing is known.
const pv_lines_recipe *pv_lines_wisdom_find(pv_precision precision, int64_t n);
// Replaces what was known.
pv_status pv_lines_wisdom_learn(pv_precision precision, const pv_lines_recipe *recipe);

// One recipe a line; NULL when nothing is known. Freed by pv_mem_free.
pv_status pv_lines_wisdom_export(char **text_p);
// All of the text, or nothing of it when it is damaged (PV_ERR_INPUT).
pv_status pv_lines_wisdom_import(const char *text);
// Whether it is damaged; messages begin with `from`.
pv_status pv_lines_wisdom_check(const char *text, const char *from);

#endif
