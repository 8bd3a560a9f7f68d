// SPDX-License-Identifier: Apache-2.0
// The help of a command, laid out like a manual page.
#ifndef PV_CLI_MANUAL_H
#define PV_CLI_MANUAL_H

#include <stdio.h>

#include "base/options.h"

// Texts hold whole lines without indentation; each ends in a newline.
typedef struct pv_manual {
    const char *name, *summary;
    const char *synopsis;
    const char *description;
    const pv_option *options;
    int option_count;
    const char *examples;
    const char *stopped_by;      // what ends a run in good order, with status 3; NULL: nothing does
    const char *more_exits;      // lines of further exit statuses; NULL: none
} pv_manual;

void pv_manual_print(FILE *out, const pv_manual *manual);

#endif
