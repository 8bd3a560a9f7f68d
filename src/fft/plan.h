// SPDX-License-Identifier: Apache-2.0
// The plan object: programs for each direction, their line plans, and the workspace they run in.
#ifndef PV_FFT_PLAN_H
#define PV_FFT_PLAN_H

#include "fft/program.h"

// What the tuner may vary. The bits of a result depend on none of it.
typedef struct pv_candidate {
    pv_route_choice route;
    int chunks;
    int stream;
} pv_candidate;

struct pv_fft_plan {
    pv_comm *comm;
    int64_t shape[3];                 // as the caller gave it
    pv_fft_type type;
    int64_t batch;
    pv_problem problem;
    pv_candidate candidate;
    pv_layout *space, *spectrum;      // as the caller sees them
    size_t space_bytes, spectrum_bytes;
    pv_line_set lines;
    char engine[16];                  // as asked
    pv_program *forward, *inverse, *convolve;
    size_t workspace_bytes;
    pv_workspace *workspace;
    int owns_workspace;
    char *text;
};

typedef struct pv_plan_request {
    pv_comm *comm;
    const int64_t *shape;
    pv_fft_type type;
    pv_precision precision;
    const pv_fft_options *options;
    const int *node;
} pv_plan_request;

// Builds a plan with the candidate's choices; the arguments have been checked and agreed on. Collective.
pv_status pv_plan_build(const pv_plan_request *request, const pv_candidate *candidate, pv_fft_plan **plan_p);

// The candidate for a request: from wisdom, by measurement (PV_MEASURE), or by rule. Collective.
pv_status pv_tune(const pv_plan_request *request, pv_candidate *candidate_p);

#endif
