// SPDX-License-Identifier: Apache-2.0
// What a run owns: kept modes of the velocity and the scalars, terms of earlier steps, work fields, one plan.
#ifndef PV_DNS_STATE_H
#define PV_DNS_STATE_H

#include "dns/kernels.h"
#include "dns/modes.h"
#include "fft/rows/rows.h"

enum { DNS_MOST_WORK = 6, DNS_MOST_EQUATIONS = 1 + PV_DNS_MOST_SCALARS, DNS_VELOCITY = 0 };

// Velocity or a scalar: kept modes [components][total], the terms of earlier steps.
typedef struct pv_dns_equation {
    int components;
    pv_buffer *field;
    pv_buffer *before[2]; // newest first once there are any
    pv_buffer *sum,
        *next; // of stages of Runge-Kutta: the sum that becomes the field, and the next one; NULL: no such step yet
} pv_dns_equation;

typedef struct pv_dns_state {
    pv_dns_params params;
    pv_comm *comm;
    pv_device *device;
    pv_stream *stream;
    pv_fft_plan *plan;       // between kept modes and rows of spectra along x: along y and z
    pv_rows *rows;           // between those and points
    pv_layout *space;        // of points
    int64_t grid[3];         // points along x, y, z: params.grid, finer in a view
    dns_modes modes;         // of this rank, shift of the present evaluation included
    int64_t points;          // of this rank
    int64_t columns, pitch;  // numbers of a row, and between rows, of a field at points
    size_t field_bytes;      // of a work field
    int equations;           // [0]: velocity
    pv_dns_equation equation[DNS_MOST_EQUATIONS];
    int work_count;
    pv_buffer *work[DNS_MOST_WORK];
    pv_buffer *parts; // of reductions
    pv_buffer *bins;  // of sums over shells, as large as they have been
    double *host_bins; // their copy
    pv_buffer *found; // speeds of the last products, [PV_REDUCE_PARTS][2]
    int shell_count;
    double shell_width;

    int64_t step;
    double time, dt;     // of the step to come
    double dt_before[2]; // newest first; 0: no such step
    uint64_t evaluation; // evaluations that steps have used: number of the grid's shift
    int64_t known_finite; // 1 + the step after which all fields were last seen to be finite
    int has_warned;       // of a step that is too long
    int is_view;          // fields belong to another state
} pv_dns_state;

// Everything but the field. Collective.
pv_status pv_dns_state_create(pv_comm *comm, const pv_dns_params *params, pv_dns_state **state_p);
void pv_dns_state_destroy(pv_dns_state *state);

// Velocity and scalars of `run`, as long as that lives, on a grid `factor` times as fine: the same modes, four work
// fields for pictures, nothing else. Collective.
pv_status pv_dns_state_view(const pv_dns_state *run, int factor, pv_dns_state **view_p);

int pv_dns_histories(int scheme);                            // terms of earlier steps that a scheme needs
size_t pv_dns_number_bytes(const pv_dns_state *state);       // of a real
void *pv_dns_field(const pv_dns_state *state, int equation); // device memory
void *pv_dns_work(const pv_dns_state *state, int w);
size_t pv_dns_equation_bytes(const pv_dns_state *state, int equation);
dns_damping pv_dns_damping(const pv_dns_state *state, int equation);

// Bytes of kept modes, of work fields and of the plan on this rank.
typedef struct pv_dns_memory {
    size_t modes, work, plan;
} pv_dns_memory;
pv_dns_memory pv_dns_memory_of(const pv_dns_state *state);

#endif
