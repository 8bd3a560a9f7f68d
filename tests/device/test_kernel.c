// SPDX-License-Identifier: Apache-2.0
#include "harness.h"

#include <string.h>

#include "base/mem.h"
#include "device/kernel.h"
#include "device/vector.h"
#include "over_devices.h"

// Beyond the size below which the cpu runs serially, and not a multiple of any vector or block.
enum { N = 40007 };

static double *host_values(double first)
{
    double *values = NULL;
    assert_ok(PV_ALLOC(N, &values));
    for (int i = 0; i < N; i++) values[i] = first + i;
    return values;
}

static void scale_and_axpy_touch_every_point_once(pv_device *device)
{
    pv_stream *stream = NULL;
    pv_buffer *x = NULL, *y = NULL;
    double *x_host = host_values(1), *y_host = host_values(-5);
    assert_ok(pv_stream_create(device, &stream));
    assert_ok(pv_buffer_create(device, N * sizeof(double), &x));
    assert_ok(pv_buffer_create(device, N * sizeof(double), &y));
    assert_ok(pv_buffer_write(x, 0, x_host, N * sizeof(double)));
    assert_ok(pv_buffer_write(y, 0, y_host, N * sizeof(double)));

    assert_ok(pv_vector_scale(stream, N - 1, 2, pv_buffer_data(x)));
    assert_ok(pv_vector_axpy(stream, N, 0.5, pv_buffer_data(x), pv_buffer_data(y)));
    assert_ok(pv_stream_wait(stream));

    assert_ok(pv_buffer_read(y, 0, y_host, N * sizeof(double)));
    for (int i = 0; i < N - 1; i++) assert_near(y_host[i], (i - 5) + (i + 1), 0);
    assert_near(y_host[N - 1], (N - 6) + 0.5 * N, 0);    // left out by scale
    pv_mem_free(x_host);
    pv_mem_free(y_host);
    pv_buffer_destroy(x);
    pv_buffer_destroy(y);
    pv_stream_destroy(stream);
}

static void no_points_and_fewer_than_none(pv_device *device)
{
    pv_stream *stream = NULL;
    assert_ok(pv_stream_create(device, &stream));
    assert_ok(pv_vector_scale(stream, 0, 2, NULL));
    assert_fails(PV_ERR_ARGUMENT, pv_vector_scale(stream, -1, 2, NULL));
    assert_non_null(strstr(pv_last_error(), "scale"));
    pv_stream_destroy(stream);
    pv_stream_destroy(NULL);
}

static void streams_follow_each_other_on_one_device(pv_device *device)
{
    pv_device *other = NULL;
    pv_stream *first = NULL, *second = NULL, *foreign = NULL;
    pv_buffer *x = NULL;
    double value = 3;
    assert_ok(pv_stream_create(device, &first));
    assert_ok(pv_stream_create(device, &second));
    assert_ok(pv_buffer_create(device, sizeof value, &x));
    assert_ok(pv_buffer_write(x, 0, &value, sizeof value));
    assert_ok(pv_vector_scale(first, 1, 5, pv_buffer_data(x)));
    assert_ok(pv_stream_follow(second, first));
    assert_ok(pv_vector_scale(second, 1, 2, pv_buffer_data(x)));
    assert_ok(pv_stream_wait(second));
    assert_ok(pv_buffer_read(x, 0, &value, sizeof value));
    assert_near(value, 30, 0);

    assert_ok(pv_device_open(pv_device_name(device), &other));
    assert_ok(pv_stream_create(other, &foreign));
    assert_fails(PV_ERR_ARGUMENT, pv_stream_follow(foreign, first));
    pv_buffer_destroy(x);
    pv_stream_destroy(foreign);
    pv_device_close(other);
    pv_stream_destroy(second);
    pv_stream_destroy(first);
}

OVER_DEVICES(scale_and_axpy_touch_every_point_once)
OVER_DEVICES(no_points_and_fewer_than_none)
OVER_DEVICES(streams_follow_each_other_on_one_device)

PV_TEST_MAIN(OVER_DEVICES_TEST(scale_and_axpy_touch_every_point_once), OVER_DEVICES_TEST(no_points_and_fewer_than_none),
             OVER_DEVICES_TEST(streams_follow_each_other_on_one_device))
