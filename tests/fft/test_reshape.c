// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2 3 4 7
// long ranks: 8
// devices: cuda
// A reshape moves every element to its place, exactly: over all transports, element sizes, batches and layouts.
#include "harness.h"

#include <parseval/parseval.h>

#include "array.h"
#include "over_transports.h"
#include "random_boxes.h"

static const int64_t shapes[][3] = {{1, 1, 1},   {1, 1, 2},  {30, 31, 2}, {16, 16, 16},
                                    {3, 5, 129}, {1, 97, 1}, {7, 1, 9}};

enum { SHAPES = sizeof shapes / sizeof *shapes, LAYOUT_KINDS = 7 };

static pv_layout *layout_kind(int kind, dice *d, const int64_t shape[3], int ranks)
{
    pv_layout *layout = NULL;
    switch (kind) {
    case 0: assert_ok(pv_layout_slab(shape, ranks, 0, &layout)); return layout;
    case 1: assert_ok(pv_layout_slab(shape, ranks, 2, &layout)); return layout;
    case 2: return layout_bricks(shape, ranks, -1);
    case 3: return layout_bricks(shape, ranks, 1);
    case 4: return layout_on_one(shape, ranks, ranks - 1);
    default: return layout_random(d, shape, ranks);
    }
}

// An element is a run of 32-bit words that says where it belongs.
static void element_write(void *data, int64_t at, size_t bytes, int64_t item, int64_t index)
{
    uint32_t words[4] = {(uint32_t)(item * 1000003 + index + 1), (uint32_t)item, (uint32_t)index, 0xfeedu};
    memcpy((char *)data + (size_t)at * bytes, words, bytes);
}

static int64_t count_wrong(const array *a, size_t bytes)
{
    int64_t wrong = 0, count = pv_box_count(&a->box), point[3];
    for (int64_t item = 0; item < a->batch; item++) {
        for (int64_t i = 0; i < count; i++) {
            char expected[16];
            array_point(a, i, point);
            element_write(expected, 0, bytes, item, field_index(point, a->shape));
            wrong += memcmp((char *)a->data + (size_t)array_at(a, item, point) * bytes, expected, bytes) != 0;
        }
    }
    return wrong;
}

// Arrays count in reals of FP64 or FP32; two of them make an element of 16 or 8 bytes.
static void open_array(pv_comm *comm, const pv_layout *layout, int64_t batch, size_t bytes, array *a)
{
    const int rank = pv_comm_rank(comm);
    *a = array_describe(layout, rank, batch, bytes > 4, bytes == 16 ? PV_FP64 : PV_FP32, 0);
    array_allocate(a, 0);
    array_place(a, pv_comm_device(comm));
}

static void move(pv_comm *comm, pv_reshape *reshape, const array *in, const array *out)
{
    array_give(in);
    array_give(out);
    assert_ok(pv_reshape_execute(reshape, array_memory(in), array_memory(out)));
    assert_ok(pv_stream_wait(pv_device_stream(pv_comm_device(comm))));
    array_take(in);
    array_take(out);
}

static void check_reshape(pv_comm *comm, const pv_layout *from, const pv_layout *to, size_t bytes, int64_t batch)
{
    array in, out;
    open_array(comm, from, batch, bytes, &in);
    open_array(comm, to, batch, bytes, &out);
    int64_t count = pv_box_count(&in.box), point[3];
    for (int64_t item = 0; item < batch; item++) {
        for (int64_t i = 0; i < count; i++) {
            array_point(&in, i, point);
            element_write(in.data, array_at(&in, item, point), bytes, item, field_index(point, in.shape));
        }
    }
    pv_reshape *reshape = NULL;
    assert_ok(pv_reshape_create(comm, from, to, bytes, batch, &reshape));
    for (int time = 0; time < 2; time++) {
        if (out.bytes > 0) memset(out.data, 0xff, out.bytes);
        move(comm, reshape, &in, &out);
        int64_t wrong[3] = {count_wrong(&out, bytes), count_wrong(&in, bytes), batch * pv_box_count(&out.box)};
        assert_ok(pv_comm_reduce_i64(comm, PV_SUM, 3, wrong));
        if (wrong[0] || wrong[1]) {
            char texts[2][PV_LAYOUT_TEXT_BYTES];
            pv_layout_describe(from, texts[0], sizeof texts[0]);
            pv_layout_describe(to, texts[1], sizeof texts[1]);
            fail_msg("%s, shape %dx%dx%d, batch %d, %d bytes: from %s to %s, run %d: %d of %d elements wrong, %d of "
                     "the input changed", pv_comm_transport(comm), (int)from->shape[0], (int)from->shape[1],
                     (int)from->shape[2], (int)batch, (int)bytes, texts[0], texts[1], time, (int)wrong[0],
                     (int)wrong[2], (int)wrong[1]);
        }
    }
    pv_reshape_destroy(reshape);
    array_destroy(&in);
    array_destroy(&out);
}

static void check_shape(pv_comm *comm, const int64_t shape[3], uint64_t seed)
{
    static const size_t sizes[] = {4, 8, 16};
    int ranks = pv_comm_size(comm), turn = (int)seed;
    dice d = {.seed = seed};
    for (int a = 0; a < LAYOUT_KINDS; a++) {
        for (int b = 0; b < LAYOUT_KINDS; b++) {
            // Ranks that take turns on few cores are slow, and so are plans on GPUs.
            if ((ranks > 4 && dice_throw(&d, 2)) || (test_device() && dice_throw(&d, 3))) continue;
            pv_layout *from = layout_kind(a, &d, shape, ranks), *to = layout_kind(b, &d, shape, ranks);
            check_reshape(comm, from, to, sizes[turn % 3], turn / 3 % 2 ? 3 : 1);
            turn++;
            pv_layout_destroy(from);
            pv_layout_destroy(to);
        }
    }
}

static void every_element_finds_its_place(void **state)
{
    (void)state;
    pv_device *device = test_device_open("cpu");
    for (int t = 0; t < TRANSPORT_CASES; t++) {
        pv_comm *comm = NULL;
        if (!transport_open(t, device, &comm)) continue;
        for (int s = 0; s < SHAPES; s++) check_shape(comm, shapes[s], (uint64_t)(100 * t + s));
        pv_comm_close(comm);
    }
    pv_device_close(device);
}

// Several reshapes alive at once, run in turns.
static void reshapes_do_not_disturb_each_other(void **state)
{
    (void)state;
    const int64_t shape[3] = {9, 10, 11};
    pv_device *device = test_device_open("cpu");
    for (int t = 0; t < TRANSPORT_CASES; t++) {
        pv_comm *comm = NULL;
        if (!transport_open(t, device, &comm)) continue;
        dice d = {.seed = 77};
        pv_layout *layouts[4];
        array arrays[4];
        pv_reshape *reshapes[4];
        for (int i = 0; i < 4; i++) {
            layouts[i] = layout_random(&d, shape, pv_comm_size(comm));
            open_array(comm, layouts[i], 1, 8, &arrays[i]);
        }
        for (int i = 0; i < 4; i++)
            assert_ok(pv_reshape_create(comm, layouts[i], layouts[(i + 1) % 4], 8, 1, &reshapes[i]));
        uint64_t seed = 5;
        array_fill(&arrays[0], field_random, &seed);
        for (int turn = 0; turn < 8; turn++)
            move(comm, reshapes[turn % 4], &arrays[turn % 4], &arrays[(turn + 1) % 4]);
        for (int i = 0; i < 4; i++) {
            double sums[2] = {0, 0};
            array_compare(&arrays[i], 1, field_random, &seed, sums);
            assert_true(sums[0] == 0);
            pv_reshape_destroy(reshapes[i]);
            array_destroy(&arrays[i]);
            pv_layout_destroy(layouts[i]);
        }
        pv_comm_close(comm);
    }
    pv_device_close(device);
}

PV_TEST_MAIN(PV_TEST(every_element_finds_its_place), PV_TEST(reshapes_do_not_disturb_each_other))
