// SPDX-License-Identifier: Apache-2.0
// An exchange is one group of sends and receives on the lane of what leaves, marked at its end.
#include <parseval/device_cuda.h>

#include "base/mem.h"
#include "comm/nccl/nccl_check.h"
#include "comm/nccl/nccl_comm.h"

static pv_status queue(const pv_exchange *exchange, ncclComm_t nccl, cudaStream_t stream, const char *send,
                       char *receive)
{
    for (int i = 0; i < exchange->receive.count; i++) {
        const pv_message *message = &exchange->receive.messages[i];
        PV_NCCL_TRY(ncclRecv(receive + message->offset_bytes, message->bytes, ncclInt8, message->rank, nccl, stream));
    }
    for (int i = 0; i < exchange->send.count; i++) {
        const pv_message *message = &exchange->send.messages[i];
        PV_NCCL_TRY(ncclSend(send + message->offset_bytes, message->bytes, ncclInt8, message->rank, nccl, stream));
    }
    return PV_OK;
}

static pv_status run_group(const pv_exchange *exchange, const char *send, char *receive)
{
    const pv_comm *comm = exchange->comm;
    const pv_nccl_comm *state = comm->state;
    PV_NCCL_TRY(ncclGroupStart());
    const pv_status status = queue(exchange, state->nccl, pv_stream_cuda(comm->lane_out), send, receive);
    const ncclResult_t ended = ncclGroupEnd();
    PV_TRY(status);
    PV_NCCL_TRY(ended);
    return PV_OK;
}

static pv_status check_alive(const pv_nccl_comm *state)
{
    ncclResult_t found;
    PV_REQUIRE(state->nccl, PV_ERR_COMM, "the communicator has been ended because a rank was late; open another");
    PV_NCCL_TRY(ncclCommGetAsyncError(state->nccl, &found));
    PV_REQUIRE(found == ncclSuccess, PV_ERR_COMM, "an earlier exchange failed: %s", ncclGetErrorString(found));
    return PV_OK;
}

// NCCL connects two ranks when they first meet: their hosts wait for each other then, without a limit, and no graph can
// capture it. So they meet here, for a byte each.
static pv_status connect(pv_exchange *exchange, pv_buffer *bytes)
{
    pv_comm *comm = exchange->comm;
    pv_exchange meeting = *exchange;
    pv_status status = PV_ALLOC(exchange->send.count, &meeting.send.messages);
    if (status == PV_OK) status = PV_ALLOC(exchange->receive.count, &meeting.receive.messages);
    status = pv_comm_agree(comm, status);
    if (status == PV_OK) {
        for (int i = 0; i < exchange->send.count; i++)
            meeting.send.messages[i] = (pv_message){exchange->send.messages[i].rank, 0, 1};
        for (int i = 0; i < exchange->receive.count; i++)
            meeting.receive.messages[i] = (pv_message){exchange->receive.messages[i].rank, 1 + (size_t)i, 1};
        status = run_group(&meeting, pv_buffer_data(bytes), pv_buffer_data(bytes));
        if (status == PV_OK) status = pv_stream_wait(comm->lane_out);
    }
    pv_mem_free(meeting.send.messages);
    pv_mem_free(meeting.receive.messages);
    return status;
}

pv_status pv_nccl_exchange_create(pv_exchange *exchange)
{
    pv_comm *comm = exchange->comm;
    pv_event *done = NULL;
    pv_buffer *bytes = NULL;
    pv_status status = check_alive(comm->state);
    if (status == PV_OK) status = pv_event_create(comm->device, &done);
    if (status == PV_OK) status = pv_buffer_create(comm->device, 1 + (size_t)comm->size, &bytes);
    status = pv_comm_agree(comm, status);
    if (status == PV_OK) status = connect(exchange, bytes);
    pv_buffer_destroy(bytes);
    if (status == PV_OK) exchange->state = done;
    else pv_event_destroy(done);
    return status;
}

void pv_nccl_exchange_destroy(pv_exchange *exchange)
{
    pv_event_destroy(exchange->state);
}

pv_status pv_nccl_exchange_start(pv_exchange *exchange, pv_stream *stream, const void *send, void *receive)
{
    pv_comm *comm = exchange->comm;
    const pv_nccl_comm *state = comm->state;
    PV_TRY(check_alive(state));
    PV_TRY(pv_stream_follow(comm->lane_out, stream));
    PV_TRY(run_group(exchange, send, receive));
    return pv_event_record(exchange->state, comm->lane_out);
}

pv_status pv_nccl_exchange_progress(pv_exchange *exchange, int block, int *done)
{
    (void)block;
    return pv_event_test(exchange->state, done);
}

pv_status pv_nccl_exchange_join(pv_exchange *exchange, pv_stream *stream)
{
    return pv_stream_follow_event(stream, exchange->state);
}
