// SPDX-License-Identifier: Apache-2.0
// How the columns of a large array (its elements behind the first axis, in their order in the file) lie on the ranks,
// and the way between a piece of the array on rank 0 and the parts that the ranks hold.
#ifndef PV_IO_SPREAD_H
#define PV_IO_SPREAD_H

#include <parseval/comm.h>

#include "io/array.h"

// Columns that follow each other in the file and in memory.
typedef struct pv_stretch {
    int64_t first, count;
} pv_stretch;

typedef struct pv_spread pv_spread;

// stretches: of this rank, ascending, not overlapping; none is fine. Ranks may hold the same columns. Collective.
pv_status pv_spread_create(pv_comm *comm, int64_t columns, int64_t stretch_count, const pv_stretch *stretches,
                           pv_spread **spread_p);
void pv_spread_destroy(pv_spread *spread);

// Columns of all ranks added up: that of the array when every one has one holder.
int64_t pv_spread_total(const pv_spread *spread);

// This rank's columns among [lower, upper) are its `count` local ones from `first` on. Pure.
void pv_spread_local(const pv_spread *spread, int64_t lower, int64_t upper, int64_t *first_p, int64_t *count_p);

// Columns [lower, upper) of `rows` rows, each element of `bytes`. mine: [rows][this rank's columns among them]; whole:
// [rows][upper - lower] on rank 0, not used on the others. Collective.
pv_status pv_spread_collect(const pv_spread *spread, int64_t lower, int64_t upper, int64_t rows, size_t bytes,
                            const void *mine, void *whole);
pv_status pv_spread_hand_out(const pv_spread *spread, int64_t lower, int64_t upper, int64_t rows, size_t bytes,
                             const void *whole, void *mine);

#endif
