// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2 3 4 7
// long ranks: 8
// devices: cuda apart
#include <stdio.h>
#include <string.h>

#include "comm/shared/shared_comm.h"
#include "over_transports.h"
#include "placed.h"

enum { POSTED = 1, TAKEN = 2 };

static int reaches(pv_window *window, int rank)
{
    return pv_window_base(window, rank) != NULL;
}

static void check_reach(pv_comm *comm)
{
    const int size = pv_comm_size(comm), rank = pv_comm_rank(comm);
    const int pretended = strcmp(pv_comm_transport(comm), by_stores()) == 0 ? pv_comm_node_size(comm) : 1;
    const size_t bytes = rank % 3 == 2 ? 0 : (size_t)(rank + 1) * 1000;
    pv_window *window;
    assert_ok(pv_window_create(comm, bytes, &window));
    assert_int_equal(pv_window_bytes(window), bytes);
    assert_non_null(pv_window_base(window, rank));
    assert_null(pv_window_base(window, -1));
    assert_null(pv_window_base(window, size));
    int reached = 0;
    for (int peer = 0; peer < size; peer++) reached += reaches(window, peer);
    assert_int_equal(reached, pretended);
    static char mine[16000];
    get(comm, mine, pv_window_base(window, rank), bytes);
    for (size_t i = 0; i < bytes; i++) assert_int_equal(mine[i], 0);
    pv_window_destroy(window);
}

static void windows_differ_between_ranks(void **state)
{
    (void)state;
    over_nodes(60, check_reach);
}

// Every rank stores a word into every reachable window; who has seen the post sees the word.
static void store_everywhere(pv_comm *comm)
{
    const int size = pv_comm_size(comm), rank = pv_comm_rank(comm);
    pv_window *window;
    assert_ok(pv_window_create(comm, (size_t)size * 3 * sizeof(int), &window));
    for (int turn = 1; turn <= 20; turn++) {
        for (int step = 0; step < size; step++) {
            const int peer = (rank + step) % size;
            if (!reaches(window, peer)) continue;
            int words[3];
            for (int i = 0; i < 3; i++) words[i] = 1000 * turn + 10 * rank + i;
            put(comm, (int *)pv_window_base(window, peer) + 3 * rank, words, sizeof words);
            pv_window_post(window, peer, POSTED, (uint64_t)turn);
        }
        for (int peer = 0; peer < size; peer++) {
            if (!reaches(window, peer)) continue;
            assert_ok(pv_window_wait(window, peer, POSTED, (uint64_t)turn));
            int words[3];
            get(comm, words, (const int *)pv_window_base(window, rank) + 3 * peer, sizeof words);
            for (int i = 0; i < 3; i++) assert_int_equal(words[i], 1000 * turn + 10 * peer + i);
            pv_window_post(window, peer, TAKEN, (uint64_t)turn);
        }
        for (int peer = 0; peer < size; peer++)
            if (reaches(window, peer)) assert_ok(pv_window_wait(window, peer, TAKEN, (uint64_t)turn));
    }
    pv_window_destroy(window);
}

static void stores_arrive_with_the_post(void **state)
{
    (void)state;
    over_nodes(60, store_everywhere);
}

// A token goes round the ranks of a node, each of which adds one to it.
static void pass_token(pv_comm *comm)
{
    enum { TURNS = 50 };
    const int rank = pv_comm_rank(comm), size = pv_comm_size(comm);
    pv_window *window;
    assert_ok(pv_window_create(comm, sizeof(int64_t), &window));
    int first = rank, last = rank;
    while (first > 0 && reaches(window, first - 1)) first--;
    while (last < size - 1 && reaches(window, last + 1)) last++;
    const int count = last - first + 1, place = rank == first ? count : rank - first;
    const int next = rank == last ? first : rank + 1, previous = rank == first ? last : rank - 1;
    void *mine = pv_window_base(window, rank), *his = pv_window_base(window, next);
    int64_t token = 1;
    if (rank == first) {
        put(comm, his, &token, sizeof token);
        pv_window_post(window, next, 0, 1);
    }
    for (int turn = 1; turn <= TURNS; turn++) {
        assert_ok(pv_window_wait(window, previous, 0, (uint64_t)turn));
        get(comm, &token, mine, sizeof token);
        assert_int_equal(token, (turn - 1) * count + place);
        if (rank == first && turn == TURNS) break;
        token++;
        put(comm, his, &token, sizeof token);
        pv_window_post(window, next, 0, (uint64_t)turn + (rank == first));
    }
    pv_window_destroy(window);
}

static void posts_go_round_a_ring(void **state)
{
    (void)state;
    over_nodes(60, pass_token);
}

// Exchanges and windows at once: one rank waits for a post from another that waits for a message from it.
static void mix(pv_comm *comm)
{
    const int size = pv_comm_size(comm), rank = pv_comm_rank(comm);
    static char from[200000], to[200000];
    pv_buffer *from_at = placed(comm, sizeof from), *to_at = placed(comm, sizeof to);
    const pv_message send = {(rank + 1) % size, 0, sizeof from}, receive = {(rank + size - 1) % size, 0, sizeof to};
    pv_exchange *exchange;
    pv_window *window;
    assert_ok(pv_exchange_create(comm, 1, &send, 1, &receive, &exchange));
    assert_ok(pv_window_create(comm, 64, &window));
    const int peer = rank % 2 ? rank - 1 : rank + 1 < size ? rank + 1 : rank;
    const int is_peer_reached = reaches(window, peer);
    memset(from, rank + 1, sizeof from);
    put(comm, pv_buffer_data(from_at), from, sizeof from);
    assert_ok(pv_exchange_start(exchange, pv_buffer_data(from_at), pv_buffer_data(to_at)));
    if (rank % 2 == 0 && is_peer_reached && peer != rank) assert_ok(pv_window_wait(window, peer, 3, 1));
    assert_ok(pv_exchange_wait(exchange));
    if (rank % 2 == 1 && is_peer_reached) pv_window_post(window, peer, 3, 1);
    get(comm, to, pv_buffer_data(to_at), sizeof to);
    assert_int_equal(to[0], receive.rank + 1);
    assert_int_equal(to[sizeof to - 1], receive.rank + 1);
    pv_window_destroy(window);
    pv_exchange_destroy(exchange);
    pv_buffer_destroy(from_at);
    pv_buffer_destroy(to_at);
}

static void waits_keep_exchanges_alive(void **state)
{
    (void)state;
    over_nodes(60, mix);
    over_transport(by_stores(), PV_MPI_RING, 2, 60, mix);
}

// Large enough for huge pages, with odd sizes that end inside one.
static void use_large(pv_comm *comm)
{
    const int size = pv_comm_size(comm), rank = pv_comm_rank(comm);
    const size_t bytes = ((size_t)5 << 20) + 777 * (size_t)rank;
    static char seen[6 << 20];
    const size_t before = pv_memory_live_bytes();
    pv_window *window;
    assert_ok(pv_window_create(comm, bytes, &window));
    assert_true(pv_memory_live_bytes() >= before + bytes);
    const int peer = reaches(window, (rank + 1) % size) ? (rank + 1) % size : rank;
    char *his = pv_window_base(window, peer), *mine = pv_window_base(window, rank);
    assert_int_equal((uintptr_t)mine % 64, 0);
    assert_int_equal((uintptr_t)his % 64, 0);
    const size_t his_bytes = ((size_t)5 << 20) + 777 * (size_t)peer;
    get(comm, seen, his, his_bytes);
    for (size_t i = 0; i < his_bytes; i += 4001) assert_int_equal(seen[i], 0);
    assert_ok(pv_comm_barrier(comm));
    memset(seen, 'a' + rank, his_bytes);
    put(comm, his, seen, his_bytes);
    assert_ok(pv_comm_barrier(comm));
    get(comm, seen, mine, bytes);
    int writer = reaches(window, (rank + size - 1) % size) && peer != rank ? (rank + size - 1) % size : -1;
    if (writer >= 0) {
        assert_int_equal(seen[0], 'a' + writer);
        assert_int_equal(seen[bytes - 1], 'a' + writer);
    }
    pv_window_destroy(window);
    assert_int_equal(pv_memory_live_bytes(), before);
}

static void large_windows_are_counted(void **state)
{
    (void)state;
    over_nodes(60, use_large);
}

static void split_and_store(pv_comm *comm)
{
    const int rank = pv_comm_rank(comm);
    pv_comm *part;
    assert_ok(pv_comm_split(comm, rank % 2, -rank, &part));
    assert_in_range(pv_comm_node_size(part), 1, pv_comm_node_size(comm));
    store_everywhere(part);
    pass_token(part);
    pv_comm_close(part);
}

static void parts_have_windows(void **state)
{
    (void)state;
    over_nodes(60, split_and_store);
}

static void ask_and_get_no_answer(pv_comm *comm)
{
    const int size = pv_comm_size(comm), rank = pv_comm_rank(comm);
    pv_window *window;
    assert_ok(pv_window_create(comm, 8, &window));
    for (int peer = 0; peer < size; peer++)
        if (reaches(window, peer)) pv_window_post(window, peer, 2, 7);
    assert_ok(pv_stream_wait(pv_device_stream(pv_comm_device(comm))));
    assert_ok(pv_comm_barrier(comm));
    for (int peer = 0; peer < size; peer++) {
        if (reaches(window, peer)) assert_ok(pv_window_wait(window, peer, 2, 7));
        else assert_fails(PV_ERR_ARGUMENT, pv_window_wait(window, peer, 2, 7));
    }
    const int silent = reaches(window, (rank + 1) % size) ? (rank + 1) % size : rank;
    comm->timeout_s = 0.05;
    assert_fails(PV_ERR_TIMEOUT, pv_window_wait(window, silent, 2, 8));
    comm->timeout_s = 60;
    char who[128];
    snprintf(who, sizeof who, "rank %d waited 0.05 s for counter 2 from rank %d to reach 8; it is 7", rank, silent);
    assert_non_null(strstr(pv_last_error(), who));
    assert_ok(pv_comm_barrier(comm));
    pv_window_destroy(window);
}

static void waits_end_in_time(void **state)
{
    (void)state;
    over_nodes(60, ask_and_get_no_answer);
}

// A rank whose process is not the one that it was stands for one that has been killed.
static void wait_for_one_that_has_gone(pv_comm *comm)
{
    const int size = pv_comm_size(comm), gone = (pv_comm_rank(comm) + 1) % size;
    pv_stream *stream = pv_device_stream(pv_comm_device(comm));
    pv_window *window;
    assert_ok(pv_window_create(comm, 8, &window));
    if (gone != pv_comm_rank(comm) && reaches(window, gone)) {
        const pv_shared_comm *shared = comm->state;
        pv_process *process = &shared->processes[shared->slots[gone]];
        assert_int_not_equal(process->pid, 0);
        pv_window_post(window, (pv_comm_rank(comm) + size - 1) % size, POSTED, 1);
        process->start++;
        int host_waits = !test_device(); // as it does where ranks share a GPU
        if (test_device()) {
            pv_test_mute(1);
            pv_status status = pv_window_wait_on(window, stream, gone, TAKEN, 1);
            host_waits = status != PV_OK;
            if (status == PV_OK) status = pv_stream_wait(stream);
            pv_test_mute(0);
            assert_int_equal(status, PV_ERR_COMM);
        } else {
            assert_fails(PV_ERR_COMM, pv_window_wait(window, gone, TAKEN, 1));
        }
        char who[64];
        snprintf(who, sizeof who, "rank %d", gone);
        assert_non_null(strstr(pv_last_error(), who));
        assert_non_null(strstr(pv_last_error(), "has ended"));
        process->start--;
        assert_int_equal(pv_window_wait(window, gone, POSTED, 1) == PV_OK, host_waits);
    }
    assert_ok(pv_comm_barrier(comm));
    pv_window_destroy(window);
}

static void waits_for_killed_ranks_end(void **state)
{
    (void)state;
    if (is_apart()) return;
    over_transport(by_stores(), PV_MPI_AUTO, 0, 600, wait_for_one_that_has_gone);
}

static void do_without_segments(pv_comm *comm)
{
    ((pv_shared_comm *)comm->state)->use_mpi_windows = 1;
    check_reach(comm);
    store_everywhere(comm);
    pass_token(comm);
    use_large(comm);
}

static void mpi_windows_serve_too(void **state)
{
    (void)state;
    if (test_device()) pv_test_skip("MPI's windows are of the host");
    over_transport("shared", PV_MPI_AUTO, 0, 60, do_without_segments);
    over_transport("shared", PV_MPI_AUTO, 3, 60, do_without_segments);
}

PV_TEST_MAIN(PV_TEST(windows_differ_between_ranks), PV_TEST(stores_arrive_with_the_post),
             PV_TEST(posts_go_round_a_ring), PV_TEST(waits_keep_exchanges_alive), PV_TEST(large_windows_are_counted),
             PV_TEST(parts_have_windows), PV_TEST(waits_end_in_time), PV_TEST(waits_for_killed_ranks_end),
             PV_TEST(mpi_windows_serve_too))
