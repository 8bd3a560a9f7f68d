// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2 3 4 7 8
// devices: cuda apart
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "comm/mpi/mpi_comm.h"
#include "over_transports.h"
#include "placed.h"

enum { WORDS = 40000 }; // most words of a message: both below and above what MPI sends at once

static uint32_t hash(int a, int b, int c)
{
    uint64_t x = (uint64_t)(a * 1000003 + b * 10007 + c + 1) * 0x9e3779b97f4a7c15u;
    x ^= x >> 29;
    return (uint32_t)((x * 0xbf58476d1ce4e5b9u) >> 32);
}

// Words that rank `from` sends to rank `to` in exchange `number`: often none, sometimes many.
static size_t words_of(int from, int to, int number)
{
    const uint32_t h = hash(from, to, number);
    if (h % 4 == 0) return 0;
    return h % 4 == 1 ? h % WORDS : h % 300;
}

typedef struct traffic {
    pv_exchange *exchange;
    uint32_t *send, *receive;              // as the host sees them
    pv_buffer *send_at, *receive_at;
    size_t send_words, receive_words;
} traffic;

// Messages to every rank, listed backwards, with gaps of one word between them.
static void traffic_create(pv_comm *comm, int number, traffic *made)
{
    const int size = pv_comm_size(comm), rank = pv_comm_rank(comm);
    pv_message send[16], receive[16];
    *made = (traffic){0};
    for (int i = 0; i < size; i++) {
        const int peer = size - 1 - i;
        const size_t out = words_of(rank, peer, number), in = words_of(peer, rank, number);
        send[i] = (pv_message){peer, 4 * made->send_words, 4 * out};
        receive[i] = (pv_message){peer, 4 * made->receive_words, 4 * in};
        made->send_words += out + 1;
        made->receive_words += in + 1;
    }
    assert_ok(pv_exchange_create(comm, size, send, size, receive, &made->exchange));
    made->send = calloc(made->send_words, 4);
    made->receive = calloc(made->receive_words, 4);
    assert_non_null(made->send);
    assert_non_null(made->receive);
    made->send_at = placed(comm, made->send_words * 4);
    made->receive_at = placed(comm, made->receive_words * 4);
}

static void traffic_fill(pv_comm *comm, int number, int turn, traffic *made)
{
    uint32_t *word = made->send;
    for (int peer = pv_comm_size(comm) - 1; peer >= 0; peer--) {
        const size_t words = words_of(pv_comm_rank(comm), peer, number);
        for (size_t i = 0; i < words; i++) *word++ = hash(pv_comm_rank(comm), peer, turn) + (uint32_t)i;
        *word++ = 0xdeadu;
    }
    memset(made->receive, 0, made->receive_words * 4);
    assert_ok(pv_buffer_write(made->send_at, 0, made->send, made->send_words * 4));
}

static void traffic_start(pv_comm *comm, traffic *made, void *receive)
{
    put(comm, receive, made->receive, made->receive_words * 4);
    assert_ok(pv_exchange_start(made->exchange, pv_buffer_data(made->send_at), receive));
}

static void traffic_check(pv_comm *comm, int number, int turn, const traffic *made, const void *receive)
{
    const uint32_t *word = made->receive;
    get(comm, made->receive, receive, made->receive_words * 4);
    for (int peer = pv_comm_size(comm) - 1; peer >= 0; peer--) {
        const size_t words = words_of(peer, pv_comm_rank(comm), number);
        for (size_t i = 0; i < words; i++)
            assert_int_equal(*word++, hash(peer, pv_comm_rank(comm), turn) + (uint32_t)i);
        assert_int_equal(*word++, 0);
    }
}

static void traffic_destroy(traffic *made)
{
    pv_exchange_destroy(made->exchange);
    pv_buffer_destroy(made->send_at);
    pv_buffer_destroy(made->receive_at);
    free(made->send);
    free(made->receive);
}

static void exchange_repeatedly(pv_comm *comm)
{
    traffic made;
    traffic_create(comm, 1, &made);
    pv_buffer *second = placed(comm, made.receive_words * 4);
    for (int turn = 0; turn < 4; turn++) {
        void *receive = pv_buffer_data(turn % 2 ? second : made.receive_at);
        traffic_fill(comm, 1, turn, &made);
        traffic_start(comm, &made, receive);
        int done = turn < 2;
        while (!done) assert_ok(pv_exchange_test(made.exchange, &done));
        assert_ok(pv_exchange_wait(made.exchange));
        traffic_check(comm, 1, turn, &made, receive);
    }
    pv_buffer_destroy(second);
    traffic_destroy(&made);
}

static void uneven_exchanges_arrive(void **state)
{
    (void)state;
    over_schedules(exchange_repeatedly);
}

// More pairs of buffers than requests are kept for.
static void exchange_many_buffers(pv_comm *comm)
{
    traffic made;
    traffic_create(comm, 2, &made);
    pv_buffer *block = placed(comm, 7 * made.receive_words * 4);
    for (int turn = 0; turn < 14; turn++) {
        void *receive = (uint32_t *)pv_buffer_data(block) + (size_t)(turn % 7) * made.receive_words;
        traffic_fill(comm, 2, turn, &made);
        traffic_start(comm, &made, receive);
        assert_ok(pv_exchange_wait(made.exchange));
        traffic_check(comm, 2, turn, &made, receive);
    }
    pv_buffer_destroy(block);
    traffic_destroy(&made);
}

static void buffers_may_change(void **state)
{
    (void)state;
    over_schedules(exchange_many_buffers);
}

// Started in the same order, waited for in different orders, with a reduction in between.
static void exchange_several(pv_comm *comm)
{
    enum { MANY = 5 };
    traffic made[MANY];
    for (int i = 0; i < MANY; i++) traffic_create(comm, i, &made[i]);
    for (int turn = 0; turn < 2; turn++) {
        for (int i = 0; i < MANY; i++) {
            traffic_fill(comm, i, turn + i, &made[i]);
            traffic_start(comm, &made[i], pv_buffer_data(made[i].receive_at));
        }
        double one = 1;
        if (turn == 1) assert_ok(pv_comm_reduce_f64(comm, PV_SUM, 1, &one));
        for (int k = 0; k < MANY; k++) {
            const int i = pv_comm_rank(comm) % 2 ? MANY - 1 - k : k;
            assert_ok(pv_exchange_wait(made[i].exchange));
            traffic_check(comm, i, turn + i, &made[i], pv_buffer_data(made[i].receive_at));
        }
    }
    for (int i = 0; i < MANY; i++) traffic_destroy(&made[i]);
}

static void several_are_in_flight(void **state)
{
    (void)state;
    over_schedules(exchange_several);
}

static void exchange_pieces(pv_comm *comm)
{
    if (strcmp(pv_comm_transport(comm), "self") == 0) return;
    // Streams that run late take a turn of the processor for each step of a piece.
    ((pv_mpi_comm *)comm->state)->piece_bytes = is_apart() ? 20000 : 1000;
    exchange_repeatedly(comm);
    ((pv_mpi_comm *)comm->state)->piece_bytes = 1000;
    char big[4096], all[8 * 4096];
    memset(big, 'a' + pv_comm_rank(comm), sizeof big);
    assert_ok(pv_comm_gather(comm, sizeof big, big, all));
    for (int rank = 0; rank < pv_comm_size(comm); rank++)
        for (int i = 0; i < 4096; i += 511) assert_int_equal(all[rank * 4096 + i], 'a' + rank);
    const int root = pv_comm_size(comm) - 1;
    assert_ok(pv_comm_broadcast(comm, root, sizeof big, big));
    for (int i = 0; i < 4096; i += 511) assert_int_equal(big[i], 'a' + root);
}

static void large_messages_go_in_pieces(void **state)
{
    (void)state;
    over_schedules(exchange_pieces);
}

// One buffer holds what is sent and what is received; the last rank only receives, the first only sends.
static void exchange_in_one_buffer(pv_comm *comm)
{
    enum { SHARE = 20000 };
    const int size = pv_comm_size(comm), rank = pv_comm_rank(comm);
    static char buffer[2 * SHARE];
    pv_buffer *both = placed(comm, sizeof buffer);
    void *at = pv_buffer_data(both);
    const pv_message send = {rank + 1, 0, SHARE}, receive = {rank - 1, SHARE, SHARE};
    pv_exchange *exchange;
    assert_ok(pv_exchange_create(comm, rank < size - 1, &send, rank > 0, &receive, &exchange));
    memset(buffer, rank + 1, sizeof buffer);
    put(comm, at, buffer, sizeof buffer);
    assert_ok(pv_exchange_start(exchange, at, at));
    assert_ok(pv_exchange_wait(exchange));
    get(comm, buffer, at, sizeof buffer);
    for (int i = 0; i < SHARE; i += 999) {
        assert_int_equal(buffer[i], rank + 1);
        assert_int_equal(buffer[SHARE + i], rank > 0 ? rank : rank + 1);
    }
    pv_exchange_destroy(exchange);
    pv_buffer_destroy(both);
}

static void one_buffer_is_enough(void **state)
{
    (void)state;
    over_schedules(exchange_in_one_buffer);
}

static void exchange_nothing(pv_comm *comm)
{
    pv_exchange *exchange;
    assert_ok(pv_exchange_create(comm, 0, NULL, 0, NULL, &exchange));
    assert_ok(pv_exchange_start(exchange, NULL, NULL));
    assert_ok(pv_exchange_wait(exchange));
    pv_exchange_destroy(exchange);
}

static void nothing_can_be_exchanged(void **state)
{
    (void)state;
    over_schedules(exchange_nothing);
}

static void exchange_mismatch(pv_comm *comm)
{
    const int size = pv_comm_size(comm), rank = pv_comm_rank(comm), next = (rank + 1) % size;
    const pv_message send = {next, 0, 64}, receive = {(rank + size - 1) % size, 0, rank == 0 ? 65 : 64};
    pv_exchange *exchange = NULL;
    assert_fails(rank == 0 ? PV_ERR_MISMATCH : PV_ERR_PEER, pv_exchange_create(comm, 1, &send, 1, &receive, &exchange));
    assert_non_null(strstr(pv_last_error(), size == 1 ? "64 bytes to itself" : "64 bytes to rank 0, which expects 65"));
    // Rank 0 names a rank that does not exist; the others learn it instead of waiting.
    const pv_message wrong = {rank == 0 ? size : next, 0, 64};
    assert_fails(rank == 0 ? PV_ERR_ARGUMENT : PV_ERR_PEER, pv_exchange_create(comm, 1, &wrong, 0, NULL, &exchange));
    assert_null(exchange);
}

static void mismatches_fail_everywhere(void **state)
{
    (void)state;
    over_transports(exchange_mismatch);
}

// The same bits as a sum in rank order, on every rank.
static void reduce(pv_comm *comm)
{
    enum { MOST = 70000 };
    static const int64_t counts[] = {1, 5, 1000, MOST};
    const int size = pv_comm_size(comm), rank = pv_comm_rank(comm);
    double *values = malloc(MOST * sizeof *values);
    assert_non_null(values);
    for (int k = 0; k < 4; k++) {
        for (int64_t i = 0; i < counts[k]; i++) values[i] = exp2(hash(rank, (int)i, 3) % 60) / 3 - 1e9;
        assert_ok(pv_comm_reduce_f64(comm, PV_SUM, counts[k], values));
        for (int64_t i = 0; i < counts[k]; i++) {
            double sum = exp2(hash(0, (int)i, 3) % 60) / 3 - 1e9;
            for (int r = 1; r < size; r++) sum += exp2(hash(r, (int)i, 3) % 60) / 3 - 1e9;
            assert_memory_equal(&sum, &values[i], sizeof sum);
        }
        for (int64_t i = 0; i < counts[k]; i++) values[i] = (double)((rank + i) % size);
        assert_ok(pv_comm_reduce_f64(comm, k % 2 ? PV_MAX : PV_MIN, counts[k], values));
        for (int64_t i = 0; i < counts[k]; i++) assert_true(values[i] == (k % 2 ? size - 1 : 0));
    }
    free(values);
    double odd[2] = {rank == size - 1 ? NAN : rank, rank};
    assert_ok(pv_comm_reduce_f64(comm, PV_MAX, 2, odd));
    assert_true(isnan(odd[0]));
    assert_true(odd[1] == size - 1);
    int64_t whole[3] = {(int64_t)1 << 40, rank, -rank};
    assert_ok(pv_comm_reduce_i64(comm, PV_SUM, 1, whole));
    assert_ok(pv_comm_reduce_i64(comm, PV_MAX, 1, whole + 1));
    assert_ok(pv_comm_reduce_i64(comm, PV_MIN, 1, whole + 2));
    assert_int_equal(whole[0], (int64_t)size << 40);
    assert_int_equal(whole[1], size - 1);
    assert_int_equal(whole[2], 1 - size);
    assert_ok(pv_comm_reduce_f64(comm, PV_SUM, 0, NULL));
    assert_fails(PV_ERR_ARGUMENT, pv_comm_reduce_i64(comm, (pv_reduce)7, 1, whole));
}

static void reductions_give_the_same_bits(void **state)
{
    (void)state;
    over_transports(reduce);
}

static void spread(pv_comm *comm)
{
    const int size = pv_comm_size(comm), rank = pv_comm_rank(comm);
    for (int root = 0; root < size; root++) {
        char word[32] = "";
        if (rank == root) memcpy(word, "Marc-Antoine Parseval", 22);
        assert_ok(pv_comm_broadcast(comm, root, sizeof word, word));
        assert_string_equal(word, "Marc-Antoine Parseval");
    }
    int64_t mine[2] = {rank, -rank}, all[16];
    assert_ok(pv_comm_gather(comm, sizeof mine, mine, all));
    for (int r = 0; r < size; r++) assert_true(all[2 * r] == r && all[2 * r + 1] == -r);
    assert_ok(pv_comm_gather(comm, 0, NULL, NULL));
    assert_ok(pv_comm_barrier(comm));
    assert_fails(PV_ERR_ARGUMENT, pv_comm_broadcast(comm, size, 1, mine));
}

static void broadcast_and_gather_reach_all(void **state)
{
    (void)state;
    over_transports(spread);
}

static void agree(pv_comm *comm)
{
    const int size = pv_comm_size(comm), rank = pv_comm_rank(comm), bad = size - 1;
    assert_ok(pv_comm_agree(comm, PV_OK));
    pv_status mine = PV_OK;
    pv_test_mute(1);
    if (rank == bad) mine = pv_fail(PV_ERR_MEMORY, "somewhere", "%d bytes wanted", 42);
    assert_fails(rank == bad ? PV_ERR_MEMORY : PV_ERR_PEER, pv_comm_agree(comm, mine));
    assert_non_null(strstr(pv_last_error(), "42 bytes wanted"));
    char who[64];
    snprintf(who, sizeof who, "rank %d failed with PV_ERR_MEMORY", bad);
    if (rank != bad) assert_non_null(strstr(pv_last_error(), who));
    // All fail, each in its own way: everyone keeps its own.
    assert_fails(rank % 2 ? PV_ERR_IO : PV_ERR_SHAPE, pv_comm_agree(comm, rank % 2 ? PV_ERR_IO : PV_ERR_SHAPE));
    assert_ok(pv_comm_agree(comm, PV_OK));
}

static void one_failure_is_everybodys(void **state)
{
    (void)state;
    over_transports(agree);
}

static void split(pv_comm *comm)
{
    const int size = pv_comm_size(comm), rank = pv_comm_rank(comm);
    pv_comm *part, *none;
    assert_ok(pv_comm_split(comm, rank % 2, -rank, &part)); // backwards
    const int expected = rank % 2 ? size / 2 : (size + 1) / 2;
    assert_int_equal(pv_comm_size(part), expected);
    assert_int_equal(pv_comm_rank(part), expected - 1 - rank / 2);
    assert_string_equal(pv_comm_transport(part), pv_comm_transport(comm));
    assert_ptr_equal(pv_comm_device(part), pv_comm_device(comm));
    exchange_repeatedly(part);
    int64_t sum = rank;
    assert_ok(pv_comm_reduce_i64(part, PV_SUM, 1, &sum));
    int64_t by_hand = 0;
    for (int r = rank % 2; r < size; r += 2) by_hand += r;
    assert_int_equal(sum, by_hand);
    assert_ok(pv_comm_split(comm, rank == 0 ? 0 : -1, 0, &none));
    if (rank == 0) assert_int_equal(pv_comm_size(none), 1);
    else assert_null(none);
    pv_comm_close(none);
    pv_comm_close(part);
}

static void parts_work_alone(void **state)
{
    (void)state;
    over_transports(split);
}

PV_TEST_MAIN(PV_TEST(uneven_exchanges_arrive), PV_TEST(buffers_may_change), PV_TEST(several_are_in_flight),
             PV_TEST(large_messages_go_in_pieces), PV_TEST(one_buffer_is_enough), PV_TEST(nothing_can_be_exchanged),
             PV_TEST(mismatches_fail_everywhere),
             PV_TEST(reductions_give_the_same_bits), PV_TEST(broadcast_and_gather_reach_all),
             PV_TEST(one_failure_is_everybodys), PV_TEST(parts_work_alone))
