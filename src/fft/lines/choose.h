// SPDX-License-Identifier: Apache-2.0
// Which recipe a length gets: by estimate, or by timing the best estimates.
#ifndef PV_FFT_LINES_CHOOSE_H
#define PV_FFT_LINES_CHOOSE_H

#include <parseval/fft.h>

#include "fft/lines/recipe.h"

// PV_ESTIMATE depends on n alone. PV_MEASURE takes what wisdom knows, or times the best recipes and adds to wisdom.
pv_status pv_lines_choose(const pv_lines_kernels *kernels, int64_t n, pv_rigor rigor, pv_lines_recipe *recipe_p);

#endif
