// SPDX-License-Identifier: Apache-2.0
#include "device/stopwatch.h"

#include <stdlib.h>

#include "device/vector.h"
#include "over_devices.h"

enum { COUNT = 4096, ROUNDS = 300 };

// More laps than it has marks: what was read is kept, parts grow, and what no lap names counts nowhere.
static void parts_add_up(pv_device *device)
{
    pv_stopwatch *watch;
    pv_buffer *buffer;
    double before = 0.0, first, second, unused;
    assert_ok(pv_stopwatch_create(device, 3, &watch));
    assert_ok(pv_buffer_create(device, COUNT * sizeof(double), &buffer));
    double *x = pv_buffer_data(buffer);
    assert_ok(pv_stream_zero(pv_device_stream(device), x, COUNT * sizeof(double)));
    for (int round = 0; round < ROUNDS; round++) {
        assert_ok(pv_stopwatch_start(watch));
        assert_ok(pv_vector_scale(pv_device_stream(device), COUNT, 2.0, x));
        assert_ok(pv_stopwatch_lap(watch, 0));
        assert_ok(pv_vector_scale(pv_device_stream(device), COUNT, 2.0, x));
        assert_ok(pv_vector_scale(pv_device_stream(device), COUNT, 2.0, x));
        assert_ok(pv_stopwatch_lap(watch, 2));
        if (round == ROUNDS / 2) assert_ok(pv_stopwatch_read(watch, 0, &before));
    }
    assert_ok(pv_stopwatch_read(watch, 0, &first));
    assert_ok(pv_stopwatch_read(watch, 1, &unused));
    assert_ok(pv_stopwatch_read(watch, 2, &second));
    assert_true(before > 0.0 && first > before && second > 0.0);
    assert_true(unused == 0.0);
    pv_buffer_destroy(buffer);
    pv_stopwatch_destroy(watch);
    assert_ok(pv_stopwatch_start(NULL));
}
OVER_DEVICES(parts_add_up)

PV_TEST_MAIN(OVER_DEVICES_TEST(parts_add_up))
