// SPDX-License-Identifier: Apache-2.0
// An exchange is one group of sends and receives on the lane of what leaves, marked at its end.
#include <parseval/device_cuda.h>

#include "comm/nccl/nccl_check.h"
#include "comm/nccl/nccl_comm.h"

pv_status pv_nccl_exchange_create(pv_exchange *exchange)
{
    pv_event *done;
    PV_TRY(pv_event_create(exchange->comm->device, &done));
    exchange->state = done;
    return PV_OK;
}

void pv_nccl_exchange_destroy(pv_exchange *exchange)
{
    pv_event_destroy(exchange->state);
}

static pv_status queue(const pv_exchange *exchange, ncclComm_t nccl, cudaStream_t stream, const char *send, char *receive)
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

static pv_status check_alive(const pv_nccl_comm *state)
{
    ncclResult_t found;
    PV_REQUIRE(state->nccl, PV_ERR_COMM, "the communicator has been ended because a rank was late; open another");
    PV_NCCL_TRY(ncclCommGetAsyncError(state->nccl, &found));
    PV_REQUIRE(found == ncclSuccess, PV_ERR_COMM, "an earlier exchange failed: %s", ncclGetErrorString(found));
    return PV_OK;
}

pv_status pv_nccl_exchange_start(pv_exchange *exchange, pv_stream *stream, const void *send, void *receive)
{
    pv_comm *comm = exchange->comm;
    const pv_nccl_comm *state = comm->state;
    PV_TRY(check_alive(state));
    PV_TRY(pv_stream_follow(comm->lane_out, stream));
    PV_NCCL_TRY(ncclGroupStart());
    const pv_status status = queue(exchange, state->nccl, pv_stream_cuda(comm->lane_out), send, receive);
    const ncclResult_t ended = ncclGroupEnd();
    PV_TRY(status);
    PV_NCCL_TRY(ended);
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
