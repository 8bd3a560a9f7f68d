// SPDX-License-Identifier: Apache-2.0
// A scaling study as text: for people, and as CSV.
#ifndef PV_SCALE_TABLE_H
#define PV_SCALE_TABLE_H

#include <stdio.h>

#include "scale/study.h"

void pv_scale_table_print(FILE *out, const pv_scale_study *study);

// Rows of runs, then of the models at powers of two. Replaces `path` whole or not at all.
pv_status pv_scale_csv_write(const char *path, const pv_scale_study *study);

#endif
