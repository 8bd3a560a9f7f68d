// SPDX-License-Identifier: Apache-2.0
// What carries a program out on a kind of device.
#ifndef PV_FFT_PROGRAM_RUNNER_H
#define PV_FFT_PROGRAM_RUNNER_H

#include "fft/program/program.h"

typedef struct pv_run {
    pv_program *program;
    pv_workspace *workspace;
    const void *in;
    void *out;
    pv_fft_pointwise step;
    void *context;
} pv_run;

typedef struct pv_runner {
    const char *device;
    // Local. What running needs beyond the passes, kept in program->runner_state.
    pv_status (*prepare)(pv_program *program);
    void (*destroy)(pv_program *program);
    pv_status (*run)(const pv_run *run);
    // Whether it has kernels of its own for complex lines that lie across an array, and the engine (NULL: any) lets it
    // use them. NULL: it has no choice.
    int (*has_lines)(const pv_engine_ops *engine, int64_t n, pv_precision precision);
    // Whether they are of such lengths that the vendor is slower at all axes together. NULL with has_lines.
    int (*wins_lines)(int64_t n);
    // Whether it transforms rows and columns of planes of n x n complex points in one visit to memory. NULL: of none.
    int (*has_fused)(int64_t n);
    // Whether it transforms n^3 complex points in two visits to memory. NULL: of no n.
    int (*has_visits)(int64_t n, int fp64);
} pv_runner;

extern const pv_runner pv_runner_cpu, pv_runner_cuda;

// runner_list.c
const pv_runner *pv_runner_of(const pv_device *device);

// Where in a window exchange number `index` of the program puts what arrives, and where this rank's messages start.
static inline size_t pv_program_region_offset(const pv_program *program, int index)
{
    return index % 2 == 0 ? 0 : program->region_bytes[0];
}
static inline char *pv_run_window(const pv_run *run)
{
    return run->workspace ? run->workspace->bases[pv_comm_rank(run->program->comm)] : NULL;
}
static inline char *pv_run_send(const pv_run *run)
{
    char *own = pv_run_window(run);
    return own ? own + run->program->region_bytes[0] + run->program->region_bytes[1] : NULL;
}

// The messages of a chunk of stage `s`, in the order of the stream (at once on the host): what start packs, where the
// wire is reduced, finish unpacks.
pv_status pv_run_start_messages(const pv_run *run, int s, int chunk, pv_stream *stream);
pv_status pv_run_finish_messages(const pv_run *run, int s, pv_stream *stream);

#endif
