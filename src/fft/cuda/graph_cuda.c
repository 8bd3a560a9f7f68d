// SPDX-License-Identifier: Apache-2.0
#include "fft/cuda/graph_cuda.h"

#include <parseval/device_cuda.h>

#include "device/device_ops.h"
#include "fft/cuda/fft_check.h"

// To record a graph costs about as much as ten replays gain. Who takes turns between more arrays than are remembered
// records in vain; not for ever.
enum { WORTH_REPLAYS = 10, MOST_WASTED = 4 };

static void forget(pv_cuda_graph *graph)
{
    if (graph->exec) (void)cudaGraphExecDestroy(graph->exec);
    *graph = (pv_cuda_graph){0};
}

void pv_cuda_graphs_destroy(pv_cuda_graphs *graphs)
{
    for (int i = 0; i < PV_CUDA_GRAPHS; i++) forget(&graphs->graphs[i]);
}

static pv_cuda_graph *find(pv_cuda_graphs *graphs, const pv_run *run)
{
    for (int i = 0; i < PV_CUDA_GRAPHS; i++) {
        pv_cuda_graph *graph = &graphs->graphs[i];
        if (graph->is_known && graph->in == run->in && graph->out == run->out &&
            graph->workspace == run->workspace->identity)
            return graph;
    }
    pv_cuda_graph *graph = &graphs->graphs[graphs->next];
    graphs->next = (graphs->next + 1) % PV_CUDA_GRAPHS;
    graphs->wasted += graph->exec && graph->replays < WORTH_REPLAYS;
    if (graphs->wasted > MOST_WASTED) graphs->is_off = 1;
    forget(graph);
    graph->in = run->in;
    graph->out = run->out;
    graph->workspace = run->workspace->identity;
    return graph;
}

int pv_cuda_is_recorded(const pv_stream *stream)
{
    return stream->device->ops->flags->is_recorded(stream);
}

static pv_status record(pv_cuda_graph *made, const pv_run *run, cudaStream_t stream, pv_cuda_body body)
{
    cudaGraph_t graph = NULL;
    cudaError_t error = cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    pv_status status = error == cudaSuccess ? body(run) : PV_OK;
    if (error == cudaSuccess) error = cudaStreamEndCapture(stream, &graph);
    if (status == PV_OK && error == cudaSuccess) error = cudaGraphInstantiate(&made->exec, graph, 0);
    if (graph) (void)cudaGraphDestroy(graph);
    if (status != PV_OK) return status;
    PV_FFT_CUDA(error, "recording a graph");
    return PV_OK;
}

pv_status pv_cuda_graphs_run(pv_cuda_graphs *graphs, const pv_run *run, pv_stream *stream, pv_cuda_body body)
{
    cudaStream_t cuda_stream = pv_stream_cuda(stream);
    if (graphs->is_off || pv_cuda_is_recorded(stream)) return body(run);
    pv_cuda_graph *graph = find(graphs, run);
    if (!graph->is_known) {
        graph->is_known = 1;
        return body(run);
    }
    if (!graph->exec && record(graph, run, cuda_stream, body) != PV_OK) {
        (void)cudaGetLastError();
        graphs->is_off = 1;
        return body(run);
    }
    graph->replays++;
    PV_FFT_CUDA(cudaGraphLaunch(graph->exec, cuda_stream), "launching a graph");
    return PV_OK;
}
