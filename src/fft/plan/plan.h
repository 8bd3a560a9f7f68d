// SPDX-License-Identifier: Apache-2.0
// The plan object: programs for each direction, their line plans, and the workspace they run in.
#ifndef PV_FFT_PLAN_PLAN_H
#define PV_FFT_PLAN_PLAN_H

#include "fft/program/program.h"

// What the tuner may vary. On the host the bits of a result depend on none of it; on GPUs they depend on `planes`
// alone.
typedef struct pv_candidate {
    pv_route_choice route;
    int chunks;
    int stream;
    int planes, copy_groups, early_percent;     // as in pv_program_desc; 0 on the host
} pv_candidate;

// A long line is transformed in layouts of whole rows. Where the caller's layout is another, its arrays are moved to
// and from arrays of ours.
typedef struct pv_line_end {
    pv_reshape *to_rows, *from_rows;  // NULL: the caller's layout is ours
    pv_buffer *rows;
} pv_line_end;

struct pv_fft_plan {
    pv_comm *comm;
    int64_t shape[3];                 // as the caller gave it
    pv_fft_type type;
    int64_t batch;
    int is_padded;
    pv_problem problem;
    pv_candidate candidate;
    pv_layout *space, *spectrum;      // as the caller sees them
    size_t space_bytes, spectrum_bytes;
    pv_line_set lines;
    char engine[16];                  // as asked
    pv_program *forward, *inverse, *convolve;
    struct pv_twiddle *twiddle;       // of a long line
    pv_line_end space_end, spectrum_end;
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

// line.c: the ends of a long line, and running a program between them.
pv_status pv_line_end_create(pv_comm *comm, const pv_layout *caller, const pv_layout *rows, size_t element_bytes,
                             pv_line_end *end);
void pv_line_end_destroy(pv_line_end *end);
typedef struct pv_plan_call {
    const void *in;
    void *out;
    pv_fft_pointwise step;
    void *context;
} pv_plan_call;
pv_status pv_line_run(pv_fft_plan *plan, pv_program *program, pv_line_end *from, pv_line_end *to,
                      const pv_plan_call *call);

// What this machine's memory and ranks move, once measured; zeros before. Kept as wisdom. Collective.
typedef struct pv_rates {
    double copy_bytes_per_s, exchange_bytes_per_s;
} pv_rates;
pv_status pv_rates_get(const pv_plan_request *request, pv_rates *rates_p);
// Fills the forecasts of a program's stages: what passes through memory and what leaves the rank, at these rates.
void pv_rates_forecast(const pv_rates *rates, pv_program *program);

// The candidate for a request: from wisdom, by measurement (PV_MEASURE), or by rule. Collective.
pv_status pv_tune(const pv_plan_request *request, pv_candidate *candidate_p);

// Whether the value that a wisdom file has for the key is one that pv_tune or pv_rates_get could have written.
int pv_tune_accepts(const char *key, const char *value);
int pv_rates_accepts(const char *key, const char *value);

#endif
