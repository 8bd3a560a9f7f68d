// SPDX-License-Identifier: Apache-2.0
// The line plans that a plan's passes share, one for each kind and length, and the choice of their engine.
#ifndef PV_FFT_LINES_H
#define PV_FFT_LINES_H

#include "fft/engine/engine.h"

#define PV_LINE_SET_CAPACITY 16
typedef struct pv_line_set {
    pv_comm *comm;                   // the choice of engines is agreed on
    const char *engine;              // a name, or "auto"
    pv_rigor rigor;
    pv_precision precision;
    int count;
    pv_line_plan plans[PV_LINE_SET_CAPACITY];
} pv_line_set;

// Adds the transform unless it is there. `lines` of it are made at a time, on all ranks together: engines are not alike
// for lines too few to fill a tile. Collective.
pv_status pv_line_set_add(pv_line_set *set, pv_line_kind kind, int64_t n, int64_t lines);
// NULL when it was never added.
const pv_line_plan *pv_line_set_find(const pv_line_set *set, pv_line_kind kind, int64_t n);
void pv_line_set_destroy(pv_line_set *set);

#endif
