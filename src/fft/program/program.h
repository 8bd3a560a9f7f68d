// SPDX-License-Identifier: Apache-2.0
// Programs: a route made executable for this rank. Stages of passes, with a transfer between one stage and the next.
// Everything is resolved here; running allocates nothing and decides nothing.
#ifndef PV_FFT_PROGRAM_PROGRAM_H
#define PV_FFT_PROGRAM_PROGRAM_H

#include "fft/layout/route.h"
#include "fft/lines/lines.h"
#include "fft/program/pass.h"
#include "fft/transfer/transfer.h"
#include "fft/transfer/workspace.h"

#define PV_STAGE_PASSES 3

typedef struct pv_stage {
    int pass_count;
    pv_pass passes[PV_STAGE_PASSES];
    int as_planes; // the device's runner does all passes at once, on the first load and the last store
    int outer_axis;                   // slices of it go through all passes, one after another
    int64_t outer_lower, outer_upper;
    size_t plane_bytes;               // between passes, for one slice
    int has_transfer;                 // not in the last stage
    pv_transfer transfer;
    pv_exchange **exchanges;          // [transfer.chunks], where messages are needed
    double seconds;                   // of the last run
    double forecast_seconds;          // 0: rates of the machine are not known
    size_t moved_bytes;               // read and written in memory, for the forecast
} pv_stage;

typedef struct pv_program {
    pv_comm *comm;
    pv_route route;
    int64_t batch;
    int item_major;                   // one rank: each transform of a batch goes through all stages at once
    int copies, scaling;              // stages: whose transfer goes by copies, which scales; -1: none
    int fused_planes; // stages of two axes as_planes may go through a kernel of the device's own
    int by_visits; // as_one may be by kernels of the device's own
    int as_one; // the runner may do all stages at once, array to array; after prepare: does so always
    int mark;                         // see workspace.h
    int stage_count;
    pv_stage stages[PV_ROUTE_STAGES];
    size_t region_bytes[2];           // the same on every rank
    size_t send_bytes;
    pv_wire wire;                     // of messages
    pv_precision precision;
    size_t wire_bytes[2];             // sent, received
    int threads;
    size_t scratch_bytes;             // planes and tiles of one thread
    const struct pv_runner *runner;
    void *runner_state;
} pv_program;

// Stores that bypass the caches: into windows, which the next stage reads; into the caller's array.
enum { PV_STREAM_WINDOWS = 1, PV_STREAM_ARRAYS = 2, PV_STREAM_ALL = 3 };

// How a device may do stages: pass by pass, as_planes, all of them as_one too, as_planes by fused_planes, as_one
// by_visits (decision 0019).
enum { PV_PLANES_NONE, PV_PLANES_VENDOR, PV_PLANES_WHOLE, PV_PLANES_FUSED, PV_PLANES_VISITS, PV_PLANES_COUNT };

// What the arrays of the caller look like beyond their layouts.
typedef struct pv_program_desc {
    pv_comm *comm;
    const pv_problem *problem;
    size_t element_bytes;             // of a pure movement; 0 for transforms
    const pv_line_set *lines;
    const struct pv_twiddle *twiddle; // of a long line
    const int *node;
    int padded;                       // real rows hold 2 (n / 2 + 1) reals
    int64_t in_pitch, out_pitch;      // elements between rows of the caller's arrays; 0: none
    int chunks;
    int stream;                       // PV_STREAM_...: what is written past the caches
    int planes;                       // PV_PLANES_...
    int copy_groups, early_percent;   // the first exchange that can goes by copies, see transfer/copy.h; 0: none
    double scale;
    pv_wire wire;                     // PV_WIRE_REDUCED: every rank is a node of its own
} pv_program_desc;

// Takes the route over, also on failure. Collective.
pv_status pv_program_create(const pv_program_desc *desc, pv_route *route, pv_program **program_p);
void pv_program_destroy(pv_program *program);
size_t pv_program_workspace_bytes(const pv_program *program);
size_t pv_program_sent_bytes(const pv_program *program);
double pv_program_wire_bound(const pv_program *program);
pv_status pv_program_run(pv_program *program, pv_workspace *workspace, const void *in, void *out, pv_fft_pointwise step,
                         void *context);

#endif
