// SPDX-License-Identifier: Apache-2.0
// Programs of short kernels, recorded as a CUDA graph and replayed: launching costs as much as they do.
#ifndef PV_FFT_CUDA_GRAPH_CUDA_H
#define PV_FFT_CUDA_GRAPH_CUDA_H

#include <cuda_runtime_api.h>

#include "fft/program/runner.h"

enum { PV_CUDA_GRAPHS = 2 };           // arrays and workspaces that are remembered at a time

typedef struct pv_cuda_graph {
    const void *in;
    void *out;
    uint64_t workspace;                // its identity
    int is_known;                      // has been run
    cudaGraphExec_t exec;              // NULL: not recorded
    int replays;
} pv_cuda_graph;

typedef struct pv_cuda_graphs {
    pv_cuda_graph graphs[PV_CUDA_GRAPHS];
    int next;                          // to be forgotten
    int wasted;                        // forgotten before recording had paid
    int is_off;
} pv_cuda_graphs;

typedef pv_status (*pv_cuda_body)(const pv_run *run);

// Whether the caller records the stream himself.
int pv_cuda_is_recorded(const pv_stream *stream);

// Gives the work of `body` to the stream: recorded from the second run with the same arrays on. What the body waits for
// on other ranks must not need branches of the work to run at the same time.
pv_status pv_cuda_graphs_run(pv_cuda_graphs *graphs, const pv_run *run, pv_stream *stream, pv_cuda_body body);
void pv_cuda_graphs_destroy(pv_cuda_graphs *graphs);

#endif
