// SPDX-License-Identifier: Apache-2.0
// The public movement from one layout to another: a program of two stages without transforms.
#include "fft/plan/reshape.h"

#include "base/check.h"
#include "base/mem.h"
#include "fft/plan/request.h"
#include "fft/program/program.h"

struct pv_reshape {
    pv_program *program;
    size_t in_bytes, out_bytes, element_bytes;
    pv_workspace *own;
    pv_workspace **workspace;          // own, or one of others too
};

static pv_status build(pv_comm *comm, const pv_layout *from, const pv_layout *to, size_t element_bytes, int64_t batch,
                       const int *node, pv_reshape *reshape)
{
    pv_problem problem = {.batch = batch, .fold_axis = -1, .ranks = pv_comm_size(comm)};
    for (int d = 0; d < 3; d++) problem.shape[d] = from->shape[d];
    pv_route route;
    PV_TRY(pv_comm_agree(comm, pv_route_move(from, to, &route)));
    pv_program_desc desc = {
        .comm = comm, .problem = &problem, .element_bytes = element_bytes, .node = node, .chunks = 1, .scale = 1.0};
    return pv_program_create(&desc, &route, &reshape->program);
}

// Ranks agree on the size: a workspace has the same on all of them.
static pv_status find_workspace(pv_comm *comm, pv_workspace **shared, pv_reshape *reshape)
{
    int64_t bytes = (int64_t)pv_program_workspace_bytes(reshape->program);
    PV_TRY(pv_comm_reduce_i64(comm, PV_MAX, 1, &bytes));
    reshape->workspace = shared ? shared : &reshape->own;
    if (*reshape->workspace && pv_workspace_bytes(*reshape->workspace) >= (size_t)bytes) return PV_OK;
    pv_workspace_destroy(*reshape->workspace);
    *reshape->workspace = NULL;
    return pv_workspace_create(comm, (size_t)bytes, reshape->workspace);
}

pv_status pv_reshape_create_sharing(pv_comm *comm, const pv_layout *from, const pv_layout *to, size_t element_bytes,
                                    int64_t batch, pv_workspace **shared, pv_reshape **reshape_p)
{
    PV_TRY(pv_request_check_move(comm, from, to, (int64_t)element_bytes, batch));
    pv_reshape *reshape = NULL;
    int *node = NULL;
    pv_status status = PV_ALLOC(1, &reshape);
    if (status == PV_OK) status = PV_ALLOC(pv_comm_size(comm), &node);
    status = pv_comm_agree(comm, status);
    if (status == PV_OK) status = pv_workspace_nodes(comm, node);
    if (status == PV_OK) {
        const int rank = pv_comm_rank(comm);
        reshape->element_bytes = element_bytes;
        reshape->in_bytes = (size_t)(pv_layout_count(from, rank) * batch) * element_bytes;
        reshape->out_bytes = (size_t)(pv_layout_count(to, rank) * batch) * element_bytes;
    }
    if (status == PV_OK) status = build(comm, from, to, element_bytes, batch, node, reshape);
    if (status == PV_OK) status = find_workspace(comm, shared, reshape);
    pv_mem_free(node);
    if (status != PV_OK) {
        pv_reshape_destroy(reshape);
        return status;
    }
    *reshape_p = reshape;
    return PV_OK;
}

pv_status pv_reshape_create(pv_comm *comm, const pv_layout *from, const pv_layout *to, size_t element_bytes,
                            int64_t batch, pv_reshape **reshape_p)
{
    PV_REQUIRE_GIVEN(reshape_p);
    return pv_reshape_create_sharing(comm, from, to, element_bytes, batch, NULL, reshape_p);
}

pv_status pv_reshape_execute(pv_reshape *reshape, const void *in, void *out)
{
    PV_REQUIRE_GIVEN(reshape);
    // Elements of 16 bytes are complex numbers of 8.
    const size_t alignment = reshape->element_bytes > 8 ? 8 : reshape->element_bytes;
    PV_TRY(pv_request_check_arrays(in, reshape->in_bytes, out, reshape->out_bytes, alignment));
    PV_REQUIRE(in != out || reshape->in_bytes == 0 || reshape->out_bytes == 0, PV_ERR_ARGUMENT,
               "in and out are the same array; two that do not overlap are accepted");
    return pv_program_run(reshape->program, *reshape->workspace, in, out, NULL, NULL);
}

void pv_reshape_destroy(pv_reshape *reshape)
{
    if (!reshape) return;
    pv_program_destroy(reshape->program);
    pv_workspace_destroy(reshape->own);
    pv_mem_free(reshape);
}
