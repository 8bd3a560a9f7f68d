// SPDX-License-Identifier: Apache-2.0
#include "harness.h"

#include <string.h>

#include "device/vector.h"
#include "over_devices.h"

enum { N = 1 << 20 };

static void fill_host(pv_buffer *host, double first)
{
    double *values = pv_buffer_data(host);
    for (int i = 0; i < N; i++) values[i] = first + i;
}

// To the device, through a kernel, back: in the order of one stream, without a wait in between.
static void copies_keep_the_order(pv_device *device)
{
    const size_t bytes = N * sizeof(double), before = pv_memory_live_bytes();
    pv_buffer *in, *out, *x;
    pv_stream *stream;
    assert_ok(pv_stream_create_urgent(device, &stream));
    assert_ok(pv_buffer_create_host(device, bytes, &in));
    assert_ok(pv_buffer_create_host(device, bytes, &out));
    assert_ok(pv_buffer_create(device, bytes, &x));
    assert_true(pv_memory_live_bytes() >= before + 3 * bytes);
    fill_host(in, 1);
    memset(pv_buffer_data(out), 0, bytes);
    assert_ok(pv_stream_copy(stream, pv_buffer_data(x), pv_buffer_data(in), bytes));
    assert_ok(pv_vector_scale(stream, N, 3, pv_buffer_data(x)));
    assert_ok(pv_stream_copy(stream, pv_buffer_data(out), pv_buffer_data(x), bytes));
    assert_ok(pv_stream_zero(stream, pv_buffer_data(x), bytes));
    assert_ok(pv_stream_copy(stream, pv_buffer_data(in), pv_buffer_data(x), 0));
    assert_ok(pv_stream_wait(stream));
    const double *found = pv_buffer_data(out);
    for (int i = 0; i < N; i++) assert_true(found[i] == 3 * (1.0 + i));
    double zero = 1;
    assert_ok(pv_buffer_read(x, bytes - sizeof zero, &zero, sizeof zero));
    assert_true(zero == 0);
    pv_buffer_destroy(in);
    pv_buffer_destroy(out);
    pv_buffer_destroy(x);
    pv_stream_destroy(stream);
    assert_int_equal(pv_memory_live_bytes(), before);
}

static void events_order_streams_and_tell_the_time(pv_device *device)
{
    pv_buffer *x;
    pv_stream *first, *second;
    pv_event *begin, *end;
    const double one = 1;
    assert_ok(pv_stream_create(device, &first));
    assert_ok(pv_stream_create(device, &second));
    assert_ok(pv_event_create(device, &begin));
    assert_ok(pv_event_create(device, &end));
    assert_ok(pv_buffer_create(device, N * sizeof(double), &x));
    assert_ok(pv_stream_zero(first, pv_buffer_data(x), N * sizeof(double)));
    assert_ok(pv_stream_copy(first, pv_buffer_data(x), &one, sizeof one));
    assert_ok(pv_event_record(begin, first));
    for (int turn = 0; turn < 10; turn++) {
        pv_stream *now = turn % 2 ? second : first, *next = turn % 2 ? first : second;
        assert_ok(pv_vector_scale(now, N, 2, pv_buffer_data(x)));
        assert_ok(pv_event_record(end, now));
        assert_ok(pv_stream_follow_event(next, end));
    }
    double seconds = -1, value = 0;
    assert_ok(pv_event_seconds(begin, end, &seconds));
    assert_true(seconds >= 0);
    int done = 0;
    assert_ok(pv_event_test(end, &done));
    assert_true(done);
    assert_ok(pv_buffer_read(x, 0, &value, sizeof value));
    assert_true(value == 1024);
    pv_event_destroy(begin);
    pv_event_destroy(end);
    pv_event_destroy(NULL);
    pv_buffer_destroy(x);
    pv_stream_destroy(first);
    pv_stream_destroy(second);
}

static void a_device_has_a_stream_and_a_count(pv_device *device)
{
    int count = 0;
    assert_ok(pv_device_count(pv_device_name(device), &count));
    assert_true(count >= 1);
    assert_non_null(pv_device_stream(device));
    assert_ok(pv_stream_wait(pv_device_stream(device)));
    pv_device *other;
    pv_event *foreign;
    assert_ok(pv_device_open(pv_device_name(device), &other));
    assert_ok(pv_event_create(other, &foreign));
    assert_fails(PV_ERR_ARGUMENT, pv_event_record(foreign, pv_device_stream(device)));
    assert_fails(PV_ERR_ARGUMENT, pv_stream_follow_event(pv_device_stream(device), foreign));
    pv_event_destroy(foreign);
    pv_device_close(other);
}

// Whoever is waited for acts, and is told when he is late.
typedef struct acts {
    int progressed, released;
} acts;

static void act(void *context)
{
    ((acts *)context)->progressed++;
}

static void end(void *context)
{
    ((acts *)context)->released++;
}

static void guards_come_and_go(pv_device *device)
{
    acts seen = {0};
    pv_guard one = {.progress = act, .release = end, .limit_s = 1e9, .context = &seen}, two = one;
    pv_guard_set(device, &one);
    pv_guard_set(device, &two);
    assert_ok(pv_stream_wait(pv_device_stream(device)));
    pv_guard_lift(device, &one);
    pv_guard_lift(device, &one);
    assert_ptr_equal(device->guards, &two);
    pv_guard_lift(device, &two);
    assert_null(device->guards);
    assert_int_equal(seen.released, 0);
}

OVER_DEVICES(copies_keep_the_order)
OVER_DEVICES(events_order_streams_and_tell_the_time)
OVER_DEVICES(a_device_has_a_stream_and_a_count)
OVER_DEVICES(guards_come_and_go)

PV_TEST_MAIN(OVER_DEVICES_TEST(copies_keep_the_order), OVER_DEVICES_TEST(events_order_streams_and_tell_the_time),
             OVER_DEVICES_TEST(a_device_has_a_stream_and_a_count), OVER_DEVICES_TEST(guards_come_and_go))
