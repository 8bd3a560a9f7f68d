// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2 3 4 7
// devices: cuda apart
// Sums and broadcasts of arrays of the device, in the order of streams.
#include <stdlib.h>
#include <string.h>

#include "comm/arrays.h"
#include "device/vector.h"
#include "over_transports.h"
#include "placed.h"

// Of this rank; adding them in another order gives other bits.
static double number_of(int rank, int64_t i, int turn)
{
    return (1.0 + 0.37 * (double)((i * 7 + rank * 13 + turn) % 1001)) * (rank % 2 ? 1e-9 : 1.0) / 3.0;
}

static double sum_of(int ranks, int64_t i, int turn)
{
    double sum = number_of(0, i, turn);
    for (int rank = 1; rank < ranks; rank++) sum += number_of(rank, i, turn);
    return sum;
}

static void sum_once(pv_comm *comm, pv_stream *stream, int64_t count, int turn)
{
    const size_t bytes = (size_t)count * sizeof(double);
    pv_buffer *values = placed(comm, bytes);
    double *host = malloc(bytes + 1);
    for (int64_t i = 0; i < count; i++) host[i] = number_of(pv_comm_rank(comm), i, turn);
    put(comm, pv_buffer_data(values), host, bytes);
    assert_ok(pv_comm_sum_on(comm, stream, count, pv_buffer_data(values)));
    assert_ok(pv_stream_wait(stream));
    get(comm, host, pv_buffer_data(values), bytes);
    for (int64_t i = 0; i < count; i++) {
        const double expected = sum_of(pv_comm_size(comm), i, turn);
        if (host[i] != expected) fail_msg("number %lld is %.17g, expected %.17g", (long long)i, host[i], expected);
    }
    free(host);
    pv_buffer_destroy(values);
}

// Both ways of adding, more than a piece, room that grows and is used again.
static void sum_many_sizes(pv_comm *comm)
{
    pv_stream *stream;
    const int64_t large = PV_ARRAYS_MOST + 77, counts[] = {0, 1, 2, 511, 4099, large, 5, 600001, 100003};
    assert_ok(pv_stream_create(pv_comm_device(comm), &stream));
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (counts[i] <= 4099 || pv_comm_size(comm) < 7 || counts[i] == large)
            sum_once(comm, stream, counts[i], (int)i);
    assert_fails(PV_ERR_ARGUMENT, pv_comm_sum_on(comm, stream, -1, NULL));
    pv_stream_destroy(stream);
}

static void sums_have_the_same_bits_everywhere(void **state)
{
    (void)state;
    over_transports(sum_many_sizes);
    over_nodes(60, sum_many_sizes);
}

// What a stream is given before and after a sum; the host looks at the end. Ranks are not equally fast.
static void sum_in_turn(pv_comm *comm)
{
    enum { COUNT = 3000, TURNS = 9 };
    const double size = pv_comm_size(comm);
    static double host[COUNT];
    pv_stream *streams[2];
    pv_buffer *values = placed(comm, sizeof host);
    for (int i = 0; i < COUNT; i++) host[i] = i;
    put(comm, pv_buffer_data(values), host, sizeof host);
    for (int s = 0; s < 2; s++) assert_ok(pv_stream_create(pv_comm_device(comm), &streams[s]));
    for (int turn = 0; turn < TURNS; turn++) {
        pv_stream *stream = streams[turn / 3 % 2];
        if (turn > 0 && turn % 3 == 0) assert_ok(pv_stream_follow(stream, streams[1 - turn / 3 % 2]));
        if ((turn + pv_comm_rank(comm)) % 3 == 0)
            for (int i = 0; i < 20; i++) assert_ok(pv_vector_scale(stream, COUNT, 1.0, pv_buffer_data(values)));
        assert_ok(pv_vector_scale(stream, COUNT, 2.0 / size, pv_buffer_data(values)));
        assert_ok(pv_comm_sum_on(comm, stream, COUNT, pv_buffer_data(values)));
    }
    assert_ok(pv_stream_wait(streams[(TURNS - 1) / 3 % 2]));
    get(comm, host, pv_buffer_data(values), sizeof host);
    for (int i = 0; i < COUNT; i++) assert_near(host[i], (double)i * (1 << TURNS), 1e-12 * i * (1 << TURNS));
    for (int s = 0; s < 2; s++) pv_stream_destroy(streams[s]);
    pv_buffer_destroy(values);
}

static void sums_keep_the_order_of_streams(void **state)
{
    (void)state;
    over_transports(sum_in_turn);
    over_nodes(60, sum_in_turn);
}

static void broadcast_many_sizes(pv_comm *comm)
{
    pv_stream *stream = pv_device_stream(pv_comm_device(comm));
    const size_t sizes[] = {0, 1, 8, 1001, 70003, 8 * (size_t)PV_ARRAYS_MOST + 12345, 12};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        pv_buffer *data = placed(comm, sizes[s]);
        unsigned char *host = malloc(sizes[s] + 1);
        for (size_t i = 0; i < sizes[s]; i++)
            host[i] = (unsigned char)(pv_comm_rank(comm) == 0 ? (i * 7 + s) % 251 : 255);
        put(comm, pv_buffer_data(data), host, sizes[s]);
        assert_ok(pv_comm_broadcast_on(comm, stream, sizes[s], pv_buffer_data(data)));
        assert_ok(pv_comm_sum_on(comm, stream, 0, NULL));
        assert_ok(pv_stream_wait(stream));
        get(comm, host, pv_buffer_data(data), sizes[s]);
        for (size_t i = 0; i < sizes[s]; i++)
            if (host[i] != (i * 7 + s) % 251) fail_msg("byte %zu of %zu is %d", i, sizes[s], host[i]);
        free(host);
        pv_buffer_destroy(data);
    }
}

static void rank_0_tells_everybody(void **state)
{
    (void)state;
    over_transports(broadcast_many_sizes);
    over_nodes(60, broadcast_many_sizes);
}

// Parts of a communicator sum apart from each other and from the whole.
static void sum_in_parts(pv_comm *comm)
{
    pv_comm *part;
    pv_stream *stream = pv_device_stream(pv_comm_device(comm));
    assert_ok(pv_comm_split(comm, pv_comm_rank(comm) % 2, 0, &part));
    for (int turn = 0; turn < 3; turn++) {
        sum_once(part, stream, 700, turn);
        sum_once(comm, stream, 900, turn);
    }
    pv_comm_close(part);
}

static void parts_have_sums_of_their_own(void **state)
{
    (void)state;
    over_transports(sum_in_parts);
}

PV_TEST_MAIN(PV_TEST(sums_have_the_same_bits_everywhere), PV_TEST(sums_keep_the_order_of_streams),
             PV_TEST(rank_0_tells_everybody), PV_TEST(parts_have_sums_of_their_own))
