// SPDX-License-Identifier: Apache-2.0
// The variables by which libraries learn of a rank's place.
#ifndef PV_CLI_LAUNCH_ENVIRONMENT_H
#define PV_CLI_LAUNCH_ENVIRONMENT_H

#include "cli/launch/table.h"

enum { PV_LAUNCH_VARIABLES = 5 };

typedef struct pv_launch_variable {
    const char *name;
    int is_set; // to `value`
    char value[512];
    const char *kept; // what the user has set, which stays; NULL: nothing
} pv_launch_variable;

// Of one rank. NCCL_IB_HCA is the same for all ranks of a node, as NCCL wants it.
void pv_launch_environment(const pv_topology *topology, int ranks, const pv_binding *bindings, int rank,
                           pv_launch_variable variables[PV_LAUNCH_VARIABLES]);

#endif
