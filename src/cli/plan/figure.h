// SPDX-License-Identifier: Apache-2.0
// Plans of parseval plan dft over the number of GPUs, as figures of a paper and as CSV.
#ifndef PV_CLI_PLAN_FIGURE_H
#define PV_CLI_PLAN_FIGURE_H

#include "dft/forecast.h"

typedef struct pv_plan_rows {
    const char *unit; // "GPUs"
    int steps, builds;
    int count;
    const pv_dft_forecast *forecast; // [count]; of plan.ranks GPUs each
    const char *const *held;         // [count], the orbitals: "distributed"
    int has_tiles;                   // of exchange
} pv_plan_rows;

// Where efficiency against the first that fits falls under a level, between numbers of GPUs over their logarithm; NaN:
// nowhere. Pure.
double pv_plan_threshold(const pv_plan_rows *rows, double level);

// CSV: a line each, without times where it does not fit.
pv_status pv_plan_csv_write(const char *path, const pv_plan_rows *rows);

// DIRECTORY/plan_time.svg: time and its parts over the number of GPUs, both logarithmic, with the ideal line;
// plan_efficiency.svg: parallel efficiency, with lines at 70 and 50 %. All is dashed, and called a plan.
// PV_ERR_INPUT with less than two numbers of GPUs that fit. Local.
pv_status pv_plan_figures_write(const char *directory, const pv_plan_rows *rows);

#endif
