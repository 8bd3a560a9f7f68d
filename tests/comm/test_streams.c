// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2 3 4
// devices: cuda apart
// Exchanges, posts and waits in the order of streams: the host gives it all away and looks at the end.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "device/vector.h"
#include "over_transports.h"
#include "placed.h"

#if PV_HAVE_CUDA
#include <parseval/device_cuda.h>
#endif

enum { TURNS = 6, MOST_RANKS = 8, MOST_SHARE = 700001 };

// Doubles for each rank; on GPUs more than mpi stages at once.
static int share(void)
{
    return test_device() && !is_apart() ? MOST_SHARE : 20011;
}

typedef struct all_to_all {
    pv_comm *comm;
    pv_stream *stream;
    pv_exchange *exchange;
    pv_buffer *sent, *received, *sum;    // a share for each rank
} all_to_all;

static void all_to_all_create(pv_comm *comm, all_to_all *made)
{
    const int size = pv_comm_size(comm);
    const size_t share_bytes = (size_t)share() * sizeof(double);
    pv_message messages[MOST_RANKS];
    for (int i = 0; i < size; i++) messages[i] = (pv_message){i, (size_t)i * share_bytes, share_bytes};
    *made = (all_to_all){.comm = comm};
    assert_ok(pv_stream_create(pv_comm_device(comm), &made->stream));
    assert_ok(pv_exchange_create(comm, size, messages, size, messages, &made->exchange));
    made->sent = placed(comm, (size_t)size * share_bytes);
    made->received = placed(comm, (size_t)size * share_bytes);
    made->sum = placed(comm, (size_t)size * share_bytes);
    static double ones[MOST_RANKS * MOST_SHARE];
    for (int i = 0; i < size * share(); i++) ones[i] = pv_comm_rank(comm) + 1;
    put(comm, pv_buffer_data(made->sent), ones, (size_t)size * share_bytes);
    assert_ok(pv_stream_zero(made->stream, pv_buffer_data(made->sum), (size_t)size * share_bytes));
}

static void all_to_all_destroy(all_to_all *made)
{
    pv_exchange_destroy(made->exchange);
    pv_buffer_destroy(made->sent);
    pv_buffer_destroy(made->received);
    pv_buffer_destroy(made->sum);
    pv_stream_destroy(made->stream);
}

// What is sent doubles every turn, right before it leaves and right after it has left.
static void run_turn(all_to_all *made)
{
    const int64_t count = (int64_t)pv_comm_size(made->comm) * share();
    void *sent = pv_buffer_data(made->sent), *received = pv_buffer_data(made->received);
    assert_ok(pv_vector_scale(made->stream, count, 2, sent));
    assert_ok(pv_exchange_start_on(made->exchange, made->stream, sent, received));
    assert_ok(pv_exchange_wait_on(made->exchange, made->stream));
    assert_ok(pv_vector_axpy(made->stream, count, 1, received, pv_buffer_data(made->sum)));
}

static void check_sum(all_to_all *made, int turns)
{
    const int size = pv_comm_size(made->comm);
    static double seen[MOST_RANKS * MOST_SHARE];
    assert_ok(pv_stream_wait(made->stream));
    get(made->comm, seen, pv_buffer_data(made->sum), (size_t)size * (size_t)share() * sizeof *seen);
    for (int i = 0; i < size * share(); i++) {
        const double expected = (i / share() + 1) * (double)((2 << turns) - 2);
        if (seen[i] != expected) fail_msg("value %d is %g, expected %g", i, seen[i], expected);
    }
}

static void exchange_in_turn(pv_comm *comm)
{
    all_to_all made;
    all_to_all_create(comm, &made);
    for (int turn = 0; turn < TURNS; turn++) run_turn(&made);
    check_sum(&made, TURNS);
    all_to_all_destroy(&made);
}

static void exchanges_keep_the_order_of_a_stream(void **state)
{
    (void)state;
    over_schedules(exchange_in_turn);
}

// Two exchanges in flight, ended in the other order; started on a stream and waited for by the host.
static void exchange_at_once(pv_comm *comm)
{
    all_to_all a, b;
    all_to_all_create(comm, &a);
    all_to_all_create(comm, &b);
    const int64_t count = (int64_t)pv_comm_size(comm) * share();
    void *first = pv_buffer_data(a.sent), *second = pv_buffer_data(b.sent);
    assert_ok(pv_vector_scale(a.stream, count, 2, first));
    assert_ok(pv_exchange_start_on(a.exchange, a.stream, first, pv_buffer_data(a.received)));
    assert_ok(pv_vector_scale(b.stream, count, 2, second));
    assert_ok(pv_exchange_start_on(b.exchange, b.stream, second, pv_buffer_data(b.received)));
    assert_fails(PV_ERR_ARGUMENT, pv_exchange_start_on(b.exchange, b.stream, second, pv_buffer_data(b.received)));
    assert_ok(pv_exchange_wait_on(b.exchange, b.stream));
    assert_ok(pv_vector_axpy(b.stream, count, 1, pv_buffer_data(b.received), pv_buffer_data(b.sum)));
    int done = 0;
    while (!done) assert_ok(pv_exchange_test(a.exchange, &done));
    assert_ok(pv_exchange_wait(a.exchange));
    assert_ok(pv_vector_axpy(a.stream, count, 1, pv_buffer_data(a.received), pv_buffer_data(a.sum)));
    check_sum(&a, 1);
    check_sum(&b, 1);
    assert_fails(PV_ERR_ARGUMENT, pv_exchange_wait_on(a.exchange, a.stream));
    all_to_all_destroy(&b);
    all_to_all_destroy(&a);
}

static void exchanges_may_be_mixed(void **state)
{
    (void)state;
    over_schedules(exchange_at_once);
}

// A number goes round the ranks that reach each other; each adds one on its stream.
static void pass_number(pv_comm *comm)
{
    const int size = pv_comm_size(comm), rank = pv_comm_rank(comm);
    const double zero = 0, one = 1;
    pv_window *window;
    pv_stream *stream;
    pv_buffer *unit = placed(comm, sizeof one);
    put(comm, pv_buffer_data(unit), &one, sizeof one);
    assert_ok(pv_stream_create(pv_comm_device(comm), &stream));
    assert_ok(pv_window_create(comm, sizeof(double), &window));
    int first = rank, last = rank;
    while (first > 0 && pv_window_base(window, first - 1)) first--;
    while (last < size - 1 && pv_window_base(window, last + 1)) last++;
    const int next = rank == last ? first : rank + 1, previous = rank == first ? last : rank - 1;
    double *mine = pv_window_base(window, rank), *his = pv_window_base(window, next);
    put(comm, mine, &zero, sizeof zero);
    assert_ok(pv_comm_barrier(comm));
    // Alone, what is copied to oneself is in place.
    for (int turn = 0; turn < TURNS; turn++) {
        if (turn > 0 || rank != first) assert_ok(pv_window_wait_on(window, stream, previous, 0, PV_WINDOW_NEXT));
        assert_ok(pv_vector_axpy(stream, 1, 1, pv_buffer_data(unit), mine));
        if (his != mine) assert_ok(pv_stream_copy(stream, his, mine, sizeof *mine));
        assert_ok(pv_window_post_on(window, stream, next, 0, PV_WINDOW_NEXT));
    }
    assert_ok(pv_stream_wait(stream));
    if (rank == first) assert_ok(pv_window_wait_on(window, stream, previous, 0, TURNS));
    assert_ok(pv_stream_wait(stream));
    double seen;
    get(comm, &seen, mine, sizeof seen);
    if (rank == first) assert_true(seen == TURNS * (last - first + 1));
    pv_window_destroy(window);
    pv_stream_destroy(stream);
    pv_buffer_destroy(unit);
}

static void posts_go_round_on_streams(void **state)
{
    (void)state;
    over_nodes(60, pass_number);
}

// Everybody stores into everybody's window, all posts and all waits at once, without a look by the host.
static void store_to_peers(pv_comm *comm)
{
    const int size = pv_comm_size(comm), rank = pv_comm_rank(comm);
    enum { WORDS = 5000, ARRIVED = 1, CONSUMED = 2 };
    const size_t bytes = WORDS * sizeof(double);
    static double ones[WORDS], seen[MOST_RANKS * WORDS];
    pv_stream *stream;
    pv_window *window;
    pv_buffer *from = placed(comm, bytes), *sum = placed(comm, (size_t)size * bytes);
    for (int i = 0; i < WORDS; i++) ones[i] = rank + 1;
    put(comm, pv_buffer_data(from), ones, bytes);
    assert_ok(pv_stream_create_urgent(pv_comm_device(comm), &stream));
    assert_ok(pv_stream_zero(stream, pv_buffer_data(sum), (size_t)size * bytes));
    assert_ok(pv_window_create(comm, (size_t)size * bytes, &window));
    for (int turn = 0; turn < TURNS; turn++) {
        assert_ok(pv_vector_scale(stream, WORDS, 2, pv_buffer_data(from)));
        if (turn > 0) assert_ok(pv_window_wait_on(window, stream, PV_WINDOW_PEERS, CONSUMED, (uint64_t)turn));
        for (int peer = 0; peer < size; peer++) {
            char *his = pv_window_base(window, peer);
            if (his) assert_ok(pv_stream_copy(stream, his + (size_t)rank * bytes, pv_buffer_data(from), bytes));
        }
        if (turn % 2) {
            assert_ok(pv_window_meet_on(window, stream, PV_WINDOW_PEERS, ARRIVED, PV_WINDOW_NEXT));
        } else {
            assert_ok(pv_window_post_on(window, stream, PV_WINDOW_PEERS, ARRIVED, PV_WINDOW_NEXT));
            assert_ok(pv_window_wait_on(window, stream, PV_WINDOW_PEERS, ARRIVED, PV_WINDOW_NEXT));
        }
        assert_ok(pv_vector_axpy(stream, size * WORDS, 1, pv_window_base(window, rank), pv_buffer_data(sum)));
        assert_ok(pv_window_post_on(window, stream, PV_WINDOW_PEERS, CONSUMED, PV_WINDOW_NEXT));
    }
    assert_ok(pv_stream_wait(stream));
    get(comm, seen, pv_buffer_data(sum), (size_t)size * bytes);
    for (int i = 0; i < size * WORDS; i++) {
        const int peer = i / WORDS;
        const double expected = pv_window_base(window, peer) ? (peer + 1) * (double)((2 << TURNS) - 2) : 0;
        if (seen[i] != expected) fail_msg("value %d is %g, expected %g", i, seen[i], expected);
    }
    pv_window_destroy(window);
    pv_stream_destroy(stream);
    pv_buffer_destroy(from);
    pv_buffer_destroy(sum);
}

static void posts_reach_all_peers_at_once(void **state)
{
    (void)state;
    over_nodes(60, store_to_peers);
}

// On host devices the wait fails, on others the stream does, and goes on.
static void wait_in_vain(pv_comm *comm)
{
    const int size = pv_comm_size(comm), rank = pv_comm_rank(comm);
    pv_window *window;
    pv_stream *stream;
    assert_ok(pv_stream_create(pv_comm_device(comm), &stream));
    assert_ok(pv_window_create(comm, 64, &window));
    const int silent = pv_window_base(window, (rank + 1) % size) ? (rank + 1) % size : rank;
    comm->timeout_s = 0.05;
    pv_test_mute(1);
    pv_status status = pv_window_wait_on(window, stream, silent, 3, 5);
    if (status == PV_OK) status = pv_window_wait_on(window, stream, silent, 3, 6);
    if (status == PV_OK) status = pv_stream_wait(stream);
    pv_test_mute(0);
    comm->timeout_s = 60;
    assert_int_equal(status, PV_ERR_TIMEOUT);
    char who[128];
    snprintf(who, sizeof who, "waited 0.05 s for counter 3 from rank %d to reach 5; it is 0", silent);
    if (!strstr(pv_last_error(), who)) fail_msg("%s", pv_last_error());
    assert_ok(pv_stream_wait(stream));
    assert_ok(pv_comm_barrier(comm));
    assert_fails(PV_ERR_ARGUMENT, pv_window_wait_on(window, stream, silent, PV_WINDOW_FLAGS, 1));
    assert_fails(PV_ERR_ARGUMENT, pv_window_post_on(window, stream, size, 0, 1));
    pv_window_destroy(window);
    pv_stream_destroy(stream);
}

static void waits_on_streams_end_in_time(void **state)
{
    (void)state;
    over_nodes(60, wait_in_vain);
}

// The last rank comes after the others have given up; they get an error, and nobody hangs.
static void exchange_without_one(pv_comm *comm)
{
    const int is_last = pv_comm_rank(comm) == pv_comm_size(comm) - 1;
    all_to_all made;
    all_to_all_create(comm, &made);
    assert_ok(pv_comm_barrier(comm));
    if (strcmp(pv_comm_transport(comm), "peer") == 0) comm->timeout_s = 0.5; // of NCCL's it is set when it opens
    if (is_last) sleep((unsigned)comm->timeout_s + 2);
    pv_test_mute(1);
    pv_status status = pv_exchange_start_on(made.exchange, made.stream, pv_buffer_data(made.sent),
                                            pv_buffer_data(made.received));
    if (status == PV_OK) status = pv_exchange_wait_on(made.exchange, made.stream);
    if (status == PV_OK) status = pv_stream_wait(made.stream);
    pv_test_mute(0);
    if (!is_last) assert_int_equal(status, PV_ERR_TIMEOUT);
    comm->timeout_s = 60;
    assert_ok(pv_comm_barrier(comm));
    all_to_all_destroy(&made);
}

static void a_silent_rank_does_not_hang_the_others(void **state)
{
    (void)state;
    if (!test_device() || is_apart() || pv_test_size() == 1)
        pv_test_skip("needs GPUs and two ranks; test_limits.c is the same for MPI");
    over_transport("peer", PV_MPI_AUTO, 0, 60, exchange_without_one);
    over_nccl(3, exchange_without_one);
}

#if PV_HAVE_CUDA

// The turns of exchange_in_turn, and posts to all peers, captured once and replayed.
static void replay(pv_comm *comm)
{
    all_to_all made;
    pv_window *window;
    cudaGraph_t graph;
    cudaGraphExec_t run;
    all_to_all_create(comm, &made);
    assert_ok(pv_window_create(comm, 64, &window));
    assert_ok(pv_stream_wait(made.stream));
    cudaStream_t stream = pv_stream_cuda(made.stream);
    assert_int_equal(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
    run_turn(&made);
    assert_ok(pv_window_meet_on(window, made.stream, PV_WINDOW_PEERS, 0, PV_WINDOW_NEXT));
    assert_int_equal(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    assert_int_equal(cudaGraphInstantiate(&run, graph, 0), cudaSuccess);
    for (int turn = 0; turn < TURNS; turn++) assert_int_equal(cudaGraphLaunch(run, stream), cudaSuccess);
    check_sum(&made, TURNS);
    for (int peer = 0; peer < pv_comm_size(comm); peer++)
        if (peer != pv_comm_rank(comm) && pv_window_base(window, peer))
            assert_ok(pv_window_wait(window, peer, 0, TURNS));
    assert_ok(pv_comm_barrier(comm));
    cudaGraphExecDestroy(run);
    cudaGraphDestroy(graph);
    pv_window_destroy(window);
    all_to_all_destroy(&made);
}

static void graphs_replay_exchanges(void **state)
{
    (void)state;
    if (!test_device() || is_apart()) pv_test_skip("needs GPUs");
    over_transport("peer", PV_MPI_AUTO, 0, 60, replay);
    over_nccl(60, replay);
}

#else

static void graphs_replay_exchanges(void **state)
{
    (void)state;
    pv_test_skip("CUDA is not built in");
}

#endif

PV_TEST_MAIN(PV_TEST(exchanges_keep_the_order_of_a_stream), PV_TEST(exchanges_may_be_mixed),
             PV_TEST(posts_go_round_on_streams), PV_TEST(posts_reach_all_peers_at_once),
             PV_TEST(waits_on_streams_end_in_time), PV_TEST(a_silent_rank_does_not_hang_the_others),
             PV_TEST(graphs_replay_exchanges))
