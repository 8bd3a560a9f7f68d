// SPDX-License-Identifier: Apache-2.0
#include "comm/exchange.h"

#include <limits.h>
#include <string.h>

#include "harness.h"

static void lists_are_sorted_without_empties(void **state)
{
    (void)state;
    const pv_message messages[] = {{5, 100, 7}, {0, 0, 3}, {2, 50, 0}, {3, 60, 9}, {1, 10, 40}};
    pv_message_list list;
    assert_ok(pv_message_list_create("send", 6, 3, 5, messages, &list));
    assert_int_equal(list.count, 3);
    assert_int_equal(list.messages[0].rank, 0);
    assert_int_equal(list.messages[1].rank, 1);
    assert_int_equal(list.messages[2].rank, 5);
    assert_int_equal(list.messages[2].offset_bytes, 100);
    assert_int_equal(list.self.bytes, 9);
    assert_int_equal(list.self.offset_bytes, 60);
    assert_int_equal(pv_message_list_bytes(&list, 1), 40);
    assert_int_equal(pv_message_list_bytes(&list, 2), 0);
    pv_message_list_destroy(&list);
}

static void nothing_to_say_is_a_list(void **state)
{
    (void)state;
    pv_message_list list;
    assert_ok(pv_message_list_create("send", 4, 1, 0, NULL, &list));
    assert_int_equal(list.count, 0);
    assert_int_equal(list.self.bytes, 0);
    assert_int_equal(pv_message_list_bytes(&list, 0), 0);
    pv_message_list_destroy(&list);
}

static void wrong_ranks_are_named(void **state)
{
    (void)state;
    pv_message_list list = {.count = -7};
    const pv_message beyond[] = {{1, 0, 1}, {4, 0, 1}}, below[] = {{-1, 0, 1}},
                     twice[] = {{2, 0, 1}, {1, 0, 1}, {2, 8, 0}};
    assert_fails(PV_ERR_ARGUMENT, pv_message_list_create("send", 4, 0, 2, beyond, &list));
    assert_non_null(strstr(pv_last_error(), "rank 4"));
    assert_fails(PV_ERR_ARGUMENT, pv_message_list_create("receive", 4, 0, 1, below, &list));
    assert_fails(PV_ERR_ARGUMENT, pv_message_list_create("send", 4, 0, 3, twice, &list));
    assert_non_null(strstr(pv_last_error(), "two send messages for rank 2"));
    assert_fails(PV_ERR_ARGUMENT, pv_message_list_create("send", 4, 0, -1, NULL, &list));
    assert_int_equal(list.count, -7);
}

static void pieces_cover_a_message(void **state)
{
    (void)state;
    const size_t sizes[] = {
        1, PV_PIECE_BYTES - 1, PV_PIECE_BYTES, PV_PIECE_BYTES + 1, (size_t)10 << 30, ((size_t)1 << 40) + 5};
    for (int i = 0; i < 6; i++) {
        size_t sum = 0;
        const int64_t count = pv_piece_count(sizes[i], PV_PIECE_BYTES);
        for (int64_t piece = 0; piece < count; piece++) {
            const size_t bytes = pv_piece_bytes(sizes[i], PV_PIECE_BYTES, piece);
            assert_in_range(bytes, 1, PV_PIECE_BYTES);
            if (piece + 1 < count) assert_int_equal(bytes, PV_PIECE_BYTES);
            sum += bytes;
        }
        assert_int_equal(sum, sizes[i]);
    }
    assert_int_equal(pv_piece_count(0, PV_PIECE_BYTES), 0);
}

static void int_is_left_in_time(void **state)
{
    (void)state;
    int value = 0;
    assert_ok(pv_int_from_size(INT_MAX, "a count", &value));
    assert_int_equal(value, INT_MAX);
    assert_fails(PV_ERR_UNSUPPORTED, pv_int_from_size((size_t)INT_MAX + 1, "a count", &value));
    assert_non_null(strstr(pv_last_error(), "a count is 2147483648"));
}

// Digests of 512 ranks, each sending to every third one; `slip` bytes too many from rank 7 to rank 10.
static void digest_of_many(int64_t total[2], size_t slip)
{
    enum { SIZE = 512 };
    total[0] = total[1] = 0;
    for (int rank = 0; rank < SIZE; rank++) {
        pv_message send[SIZE], receive[SIZE];
        int count = 0;
        for (int peer = rank % 3; peer < SIZE; peer += 3) {
            send[count] = (pv_message){peer, 0, (size_t)(1 + rank * 1000 + peer)};
            receive[count] = (pv_message){peer, 0, (size_t)(1 + peer * 1000 + rank)};
            if (rank == 7 && peer == 10) send[count].bytes += slip;
            count++;
        }
        pv_message_list sent, received;
        int64_t digest[2];
        assert_ok(pv_message_list_create("send", SIZE, rank, count, send, &sent));
        assert_ok(pv_message_list_create("receive", SIZE, rank, count, receive, &received));
        pv_exchange_digest(rank, &sent, &received, digest);
        total[0] += digest[0];
        total[1] += digest[1];
        pv_message_list_destroy(&sent);
        pv_message_list_destroy(&received);
    }
}

static void digests_cancel_when_all_match(void **state)
{
    (void)state;
    int64_t total[2];
    digest_of_many(total, 0);
    assert_int_equal(total[0], 0);
    assert_int_equal(total[1], 0);
    digest_of_many(total, 1);
    assert_true(total[0] != 0 || total[1] != 0);
}

PV_TEST_MAIN(PV_TEST(lists_are_sorted_without_empties), PV_TEST(nothing_to_say_is_a_list),
             PV_TEST(wrong_ranks_are_named), PV_TEST(pieces_cover_a_message), PV_TEST(int_is_left_in_time),
             PV_TEST(digests_cancel_when_all_match))
