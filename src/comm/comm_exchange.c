// SPDX-License-Identifier: Apache-2.0
// The exchange as an object: described, compared over ranks, then handed to the transport.
#include "comm/comm_ops.h"

#include <string.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/mem.h"

// Finds the pair at fault once the digest has told that there is one. `sent` has room for one number a rank.
static pv_status name_mismatch(pv_exchange *exchange, int64_t *sent)
{
    pv_comm *comm = exchange->comm;
    pv_status verdict = PV_OK;
    for (int from = 0; from < comm->size; from++) {
        for (int to = 0; from == comm->rank && to < comm->size; to++)
            sent[to] = (int64_t)pv_message_list_bytes(&exchange->send, to);
        PV_TRY(pv_comm_broadcast(comm, from, (size_t)comm->size * sizeof *sent, sent));
        const int64_t expected = (int64_t)pv_message_list_bytes(&exchange->receive, from);
        if (verdict == PV_OK && from != comm->rank && sent[comm->rank] != expected)
            verdict = pv_fail(PV_ERR_MISMATCH, "pv_exchange_create",
                              "rank %d sends %lld bytes to rank %d, which expects %lld", from,
                              (long long)sent[comm->rank], comm->rank, (long long)expected);
    }
    PV_TRY(pv_comm_agree(comm, verdict));
    PV_FAIL(PV_ERR_INTERNAL, "messages disagree, yet every pair agrees");
}

static pv_status check_match(pv_exchange *exchange, int64_t *sent)
{
    if (exchange->comm->size == 1) return PV_OK;
    int64_t digest[2];
    pv_exchange_digest(exchange->comm->rank, &exchange->send, &exchange->receive, digest);
    PV_TRY(pv_comm_reduce_i64(exchange->comm, PV_SUM, 2, digest));
    return digest[0] == 0 && digest[1] == 0 ? PV_OK : name_mismatch(exchange, sent);
}

static pv_status describe(pv_exchange *exchange, int send_count, const pv_message *send, int receive_count,
                          const pv_message *receive, int64_t **sent_p)
{
    const pv_comm *comm = exchange->comm;
    PV_TRY(pv_message_list_create("send", comm->size, comm->rank, send_count, send, &exchange->send));
    PV_TRY(pv_message_list_create("receive", comm->size, comm->rank, receive_count, receive, &exchange->receive));
    PV_REQUIRE(exchange->send.self.bytes == exchange->receive.self.bytes, PV_ERR_MISMATCH,
               "rank %d sends %zu bytes to itself and expects %zu", comm->rank, exchange->send.self.bytes,
               exchange->receive.self.bytes);
    if (!comm->device->ops->is_host && exchange->send.self.bytes > 0)
        PV_TRY(pv_event_create(comm->device, &exchange->copied));
    return PV_ALLOC(comm->size, sent_p);
}

static void forget(pv_exchange *exchange)
{
    pv_event_destroy(exchange->copied);
    pv_message_list_destroy(&exchange->send);
    pv_message_list_destroy(&exchange->receive);
    pv_mem_free(exchange);
}

pv_status pv_exchange_create(pv_comm *comm, int send_count, const pv_message *send, int receive_count,
                             const pv_message *receive, pv_exchange **exchange_p)
{
    PV_REQUIRE_GIVEN(comm);
    PV_REQUIRE_GIVEN(exchange_p);
    pv_exchange *exchange = NULL;
    int64_t *sent = NULL;
    pv_status status = PV_ALLOC(1, &exchange);
    if (status == PV_OK) {
        exchange->comm = comm;
        status = describe(exchange, send_count, send, receive_count, receive, &sent);
    }
    PV_TRY_GOTO(pv_comm_agree(comm, status), status, undo);
    PV_TRY_GOTO(check_match(exchange, sent), status, undo);
    status = comm->ops->exchange_create(exchange);
    const pv_status verdict = pv_comm_agree(comm, status);
    if (status == PV_OK && verdict != PV_OK) comm->ops->exchange_destroy(exchange);
    PV_TRY_GOTO(verdict, status, undo);
    pv_mem_free(sent);
    *exchange_p = exchange;
    return PV_OK;

undo:
    pv_mem_free(sent);
    if (exchange) forget(exchange);
    return status;
}

void pv_exchange_destroy(pv_exchange *exchange)
{
    if (!exchange) return;
    exchange->comm->ops->exchange_destroy(exchange);
    forget(exchange);
}

// Beside the messages, on the lane of what arrives.
static pv_status copy_to_oneself(pv_exchange *exchange, pv_stream *stream, const void *send, void *receive)
{
    const pv_message *from = &exchange->send.self, *to = &exchange->receive.self;
    if (to->bytes == 0) return PV_OK;
    const void *source = (const char *)send + from->offset_bytes;
    void *target = (char *)receive + to->offset_bytes;
    if (!exchange->copied) {
        memcpy(target, source, to->bytes);
        return PV_OK;
    }
    pv_stream *lane = exchange->comm->lane_in;
    PV_TRY(pv_stream_follow(lane, stream));
    PV_TRY(pv_stream_copy(lane, target, source, to->bytes));
    return pv_event_record(exchange->copied, lane);
}

pv_status pv_exchange_start_on(pv_exchange *exchange, pv_stream *stream, const void *send, void *receive)
{
    PV_REQUIRE_GIVEN(exchange);
    PV_REQUIRE_GIVEN(stream);
    const pv_comm *comm = exchange->comm;
    PV_REQUIRE(send || (exchange->send.count == 0 && exchange->send.self.bytes == 0), PV_ERR_ARGUMENT,
               "send is NULL, and there are messages to send");
    PV_REQUIRE(receive || (exchange->receive.count == 0 && exchange->receive.self.bytes == 0), PV_ERR_ARGUMENT,
               "receive is NULL, and there are messages to receive");
    PV_REQUIRE(!exchange->in_flight, PV_ERR_ARGUMENT, "the exchange is in flight; wait for it before the next start");
    PV_REQUIRE(stream->device == comm->device, PV_ERR_ARGUMENT, "a stream of %s; one of the communicator's %s",
               stream->device->name, comm->device->name);
    // What others wait for goes first; a copy that waits for nobody goes first where it is on the lane of the messages.
    if (exchange->copied) PV_TRY(copy_to_oneself(exchange, stream, send, receive));
    const double start_s = pv_clock_s();
    PV_TRY(pv_comm_count_time(start_s, comm->ops->exchange_start(exchange, stream, send, receive)));
    exchange->in_flight = 1;
    return exchange->copied ? PV_OK : copy_to_oneself(exchange, stream, send, receive);
}

pv_status pv_exchange_wait_on(pv_exchange *exchange, pv_stream *stream)
{
    PV_REQUIRE_GIVEN(exchange);
    PV_REQUIRE_GIVEN(stream);
    const pv_comm *comm = exchange->comm;
    if (comm->device->ops->is_host) return pv_exchange_wait(exchange);
    PV_REQUIRE(exchange->in_flight, PV_ERR_ARGUMENT, "the exchange has not been started");
    exchange->in_flight = 0;
    PV_TRY(comm->ops->exchange_join(exchange, stream));
    return exchange->copied ? pv_stream_follow_event(stream, exchange->copied) : PV_OK;
}

pv_status pv_exchange_start(pv_exchange *exchange, const void *send, void *receive)
{
    PV_REQUIRE_GIVEN(exchange);
    return pv_exchange_start_on(exchange, exchange->comm->device->stream, send, receive);
}

pv_status pv_exchange_test(pv_exchange *exchange, int *done)
{
    PV_REQUIRE_GIVEN(exchange);
    PV_REQUIRE_GIVEN(done);
    PV_REQUIRE(exchange->in_flight, PV_ERR_ARGUMENT, "the exchange has not been started");
    PV_TRY(exchange->comm->ops->exchange_progress(exchange, 0, done));
    return *done && exchange->copied ? pv_event_test(exchange->copied, done) : PV_OK;
}

pv_status pv_exchange_wait(pv_exchange *exchange)
{
    PV_REQUIRE_GIVEN(exchange);
    pv_device *device = exchange->comm->device;
    if (!device->ops->is_host) {
        PV_TRY(pv_exchange_wait_on(exchange, device->stream));
        return pv_stream_wait(device->stream);
    }
    PV_REQUIRE(exchange->in_flight, PV_ERR_ARGUMENT, "the exchange has not been started");
    int done;
    const double start_s = pv_clock_s();
    exchange->in_flight = 0;
    return pv_comm_count_time(start_s, exchange->comm->ops->exchange_progress(exchange, 1, &done));
}
