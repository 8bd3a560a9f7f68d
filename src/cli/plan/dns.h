// SPDX-License-Identifier: Apache-2.0
// parseval plan dns: memory, time of a step, and the turbulence that a grid resolves, on GPUs.
#ifndef PV_CLI_PLAN_DNS_H
#define PV_CLI_PLAN_DNS_H

#include "dns/forecast.h"

typedef struct pv_plan_dns {
    const char *path;        // a parameter file
    int grid_count;          // cubes of so many points a side; 0: the case's own grid
    const int64_t *grids;
    const char *grids_given; // as the user wrote them, for messages
    int gpu_count;
    const int64_t *gpus;
    pv_dns_rates rates;      // 0 of memory and of device_bytes: an H200's
    double kmax_eta;
} pv_plan_dns;

pv_status pv_plan_dns_print(const pv_plan_dns *plan);

#endif
