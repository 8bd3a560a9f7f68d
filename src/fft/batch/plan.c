// SPDX-License-Identifier: Apache-2.0
// Batches grid by grid through a plan: the reference, and the CPU's way.
#include "base/check.h"
#include "base/mem.h"
#include "fft/batch/ops.h"

typedef struct plan_state {
    pv_comm *comm;
    pv_fft_plan *plan;
} plan_state;

static pv_status create(pv_batch *batch)
{
    plan_state *state;
    PV_TRY(PV_ALLOC(1, &state));
    batch->state = state;
    PV_TRY(pv_comm_open_self(batch->device, &state->comm));
    return pv_fft_plan_create(state->comm, batch->shape, PV_C2C, batch->precision, NULL, &state->plan);
}

static void destroy(pv_batch *batch)
{
    plan_state *state = batch->state;
    if (!state) return;
    pv_fft_plan_destroy(state->plan);
    if (state->comm) pv_comm_close(state->comm);
    pv_mem_free(state);
}

static pv_status run(const pv_batch *batch, pv_stream *stream, pv_direction direction, int64_t count, const void *in,
                     void *out)
{
    const plan_state *state = batch->state;
    (void)stream;
    for (int64_t i = 0; i < count; i++) {
        const void *from = (const char *)in + i * batch->grid_bytes;
        void *to = (char *)out + i * batch->grid_bytes;
        PV_TRY(direction == PV_FORWARD ? pv_fft_forward(state->plan, from, to) : pv_fft_inverse(state->plan, from, to));
    }
    return PV_OK;
}

const pv_batch_ops pv_batch_plan = {.create = create, .destroy = destroy, .run = run};
