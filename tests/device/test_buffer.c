// SPDX-License-Identifier: Apache-2.0
#include "harness.h"

#include <string.h>

#include "over_devices.h"

static void what_is_written_is_read(pv_device *device)
{
    const size_t before = pv_memory_live_bytes();
    const char in[] = "0123456789";
    char out[sizeof in] = "";
    pv_buffer *buffer = NULL;
    assert_ok(pv_buffer_create(device, 100, &buffer));
    assert_int_equal(pv_buffer_bytes(buffer), 100);
    assert_int_equal((uintptr_t)pv_buffer_data(buffer) % 64, 0);
    assert_true(pv_memory_live_bytes() >= before + 100);
    assert_ok(pv_buffer_write(buffer, 89, in, sizeof in));
    assert_ok(pv_buffer_read(buffer, 89, out, sizeof out));
    assert_string_equal(out, in);
    assert_ok(pv_buffer_write(buffer, 100, in, 0));
    pv_buffer_destroy(buffer);
    assert_int_equal(pv_memory_live_bytes(), before);
    assert_true(pv_memory_peak_bytes() >= before + 100);
}

static void ranges_outside_are_refused(pv_device *device)
{
    char host[8] = "";
    pv_buffer *buffer = NULL;
    assert_ok(pv_buffer_create(device, 8, &buffer));
    assert_fails(PV_ERR_ARGUMENT, pv_buffer_write(buffer, 1, host, 8));
    assert_fails(PV_ERR_ARGUMENT, pv_buffer_read(buffer, 9, host, 0));
    assert_fails(PV_ERR_ARGUMENT, pv_buffer_read(buffer, SIZE_MAX, host, 2));
    assert_non_null(strstr(pv_last_error(), "buffer of 8 bytes"));
    pv_buffer_destroy(buffer);
}

static void nothing_is_a_valid_size(pv_device *device)
{
    pv_buffer *buffer = NULL;
    assert_ok(pv_buffer_create(device, 0, &buffer));
    assert_null(pv_buffer_data(buffer));
    pv_buffer_destroy(buffer);
    pv_buffer_destroy(NULL);
}

static void borrowed_memory_stays_with_its_owner(pv_device *device)
{
    pv_buffer *owned = NULL, *borrowed = NULL;
    assert_ok(pv_buffer_create(device, 16, &owned));
    assert_ok(pv_buffer_borrow(device, pv_buffer_data(owned), 16, &borrowed));
    assert_ok(pv_buffer_write(borrowed, 0, "through", 8));
    pv_buffer_destroy(borrowed);
    char out[8] = "";
    assert_ok(pv_buffer_read(owned, 0, out, 8));
    assert_string_equal(out, "through");
    pv_buffer_destroy(owned);
    assert_fails(PV_ERR_ARGUMENT, pv_buffer_borrow(device, NULL, 16, &borrowed));
}

static void failed_creation_leaves_the_output(pv_device *device)
{
    pv_buffer *untouched = (pv_buffer *)&device;
    assert_fails(PV_ERR_MEMORY, pv_buffer_create(device, SIZE_MAX / 2, &untouched));
    assert_ptr_equal(untouched, &device);
}

OVER_DEVICES(what_is_written_is_read)
OVER_DEVICES(ranges_outside_are_refused)
OVER_DEVICES(nothing_is_a_valid_size)
OVER_DEVICES(borrowed_memory_stays_with_its_owner)
OVER_DEVICES(failed_creation_leaves_the_output)

PV_TEST_MAIN(OVER_DEVICES_TEST(what_is_written_is_read), OVER_DEVICES_TEST(ranges_outside_are_refused),
             OVER_DEVICES_TEST(nothing_is_a_valid_size), OVER_DEVICES_TEST(borrowed_memory_stays_with_its_owner),
             OVER_DEVICES_TEST(failed_creation_leaves_the_output))
