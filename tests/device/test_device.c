// SPDX-License-Identifier: Apache-2.0
#include "harness.h"

#include <stdlib.h>
#include <string.h>

#include <parseval/device.h>

#include "base/mem.h"
#include "device/device_ops.h"

static void cpu_opens_by_name(void **state)
{
    (void)state;
    pv_device *device = NULL;
    assert_ok(pv_device_open("cpu:3", &device));
    assert_string_equal(pv_device_name(device), "cpu:3");
    assert_int_equal(pv_device_threads(device), 3);
    assert_int_equal(pv_device_is_host(device), 1);
    pv_device_close(device);
    assert_ok(pv_device_open("cpu", &device));
    assert_true(pv_device_threads(device) >= 1);
    pv_device_close(device);
    pv_device_close(NULL);
}

static void wrong_names_are_told_off(void **state)
{
    (void)state;
    static const struct {
        const char *name, *said;
        pv_status status;
    } wrong[] = {
        {"gpu", "cpu", PV_ERR_ARGUMENT},
        {"", "known", PV_ERR_ARGUMENT},
        {NULL, "name is NULL", PV_ERR_ARGUMENT},
        {"cpu:", "number", PV_ERR_ARGUMENT},
        {"cpu:two", "number", PV_ERR_ARGUMENT},
        {"cpu:2x", "number", PV_ERR_ARGUMENT},
        {"cpu:-2", "number", PV_ERR_ARGUMENT},
        {"cpu:0", "threads", PV_ERR_ARGUMENT},
        {"cpu:99999999999999999999", "number", PV_ERR_ARGUMENT},
        {"a device name of more than thirty characters", "characters", PV_ERR_ARGUMENT},
    };
    const size_t before = pv_mem_live_bytes();
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        pv_device *untouched = (pv_device *)&wrong;
        assert_fails(wrong[i].status, pv_device_open(wrong[i].name, &untouched));
        assert_ptr_equal(untouched, &wrong);
        if (!strstr(pv_last_error(), wrong[i].said)) fail_msg("%s", pv_last_error());
    }
    assert_int_equal(pv_mem_live_bytes(), before);
}

static void null_is_told_off(void **state)
{
    (void)state;
    pv_buffer *buffer = NULL;
    pv_stream *stream = NULL;
    char bytes[8] = {0};
    assert_fails(PV_ERR_ARGUMENT, pv_device_open("cpu", NULL));
    assert_fails(PV_ERR_ARGUMENT, pv_buffer_create(NULL, 8, &buffer));
    assert_fails(PV_ERR_ARGUMENT, pv_buffer_write(NULL, 0, bytes, 8));
    assert_fails(PV_ERR_ARGUMENT, pv_stream_create(NULL, &stream));
    assert_fails(PV_ERR_ARGUMENT, pv_stream_wait(NULL));
    assert_fails(PV_ERR_ARGUMENT, pv_stream_copy(NULL, bytes, bytes, 8));
    assert_non_null(strstr(pv_last_error(), "stream is NULL"));
}

static void a_gpu_out_of_range_is_told_off(void **state)
{
    (void)state;
    int gpus = 0;
    pv_test_mute(1);
    const pv_status status = pv_device_count("cuda", &gpus);
    pv_test_mute(0);
    if (status != PV_OK) pv_test_skip("%s", pv_last_error());
    pv_device *device = NULL;
    assert_fails(PV_ERR_ARGUMENT, pv_device_open("cuda:4711", &device));
    assert_non_null(strstr(pv_last_error(), "GPUs 0 to"));
    assert_null(device);
}

// Before anything of CUDA begins, hence also where there is no driver.
static void multicast_is_forbidden(void **state)
{
    (void)state;
    int is_built = 0;
    pv_device *device = NULL;
    for (int i = 0; pv_device_known(i, &is_built) && strcmp(pv_device_known(i, &is_built), "cuda") != 0; i++) {}
    if (!is_built) pv_test_skip("device cuda is not built in");
    setenv("NCCL_NVLS_ENABLE", "1", 1);
    unsetenv("NVSHMEM_DISABLE_NVLS");
    pv_test_mute(1);
    if (pv_device_open("cuda", &device) == PV_OK) pv_device_close(device);
    pv_test_mute(0);
    assert_string_equal(getenv("NCCL_NVLS_ENABLE"), "0");
    assert_string_equal(getenv("NVSHMEM_DISABLE_NVLS"), "1");
}

static void a_known_device_that_is_not_built_says_so(void **state)
{
    (void)state;
    int is_built, found = 0;
    const char *name;
    for (int i = 0; (name = pv_device_known(i, &is_built)); i++) {
        if (is_built) continue;
        pv_device *device = NULL;
        assert_fails(PV_ERR_NOT_BUILT, pv_device_open(name, &device));
        assert_non_null(strstr(pv_last_error(), "not built in"));
        assert_non_null(strstr(pv_last_error(), "cpu:THREADS (built in)"));
        found++;
    }
    if (found == 0) pv_test_skip("every known device is built in");
}

PV_TEST_MAIN(PV_TEST(cpu_opens_by_name), PV_TEST(wrong_names_are_told_off), PV_TEST(null_is_told_off),
             PV_TEST(a_gpu_out_of_range_is_told_off), PV_TEST(multicast_is_forbidden),
             PV_TEST(a_known_device_that_is_not_built_says_so))
