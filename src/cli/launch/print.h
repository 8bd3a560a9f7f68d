// SPDX-License-Identifier: Apache-2.0
// The table of a node for people, in the form that --table reads, and for programs.
#ifndef PV_CLI_LAUNCH_PRINT_H
#define PV_CLI_LAUNCH_PRINT_H

#include <stdio.h>

#include "cli/launch/table.h"

void pv_launch_print_table(FILE *out, const pv_topology *topology, int ranks, const pv_binding *bindings);
pv_status pv_launch_print_json(FILE *out, const pv_topology *topology, int ranks, const pv_binding *bindings);

#endif
