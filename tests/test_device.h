// SPDX-License-Identifier: Apache-2.0
// The device that the environment asks a test to run on. PARSEVAL_TEST_DEVICE=cuda: GPUs, over which the ranks are
// spread; skipped where there is none.
#ifndef PV_TESTS_TEST_DEVICE_H
#define PV_TESTS_TEST_DEVICE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <parseval/device.h>

#include "harness.h"

// NULL: the tests run on the host.
static inline const char *test_device(void)
{
    return getenv("PARSEVAL_TEST_DEVICE");
}

static inline int test_device_count(void)
{
    int count = 0;
    pv_test_mute(1);
    const pv_status status = pv_device_count(test_device(), &count);
    pv_test_mute(0);
    if (status == PV_ERR_DEVICE || status == PV_ERR_NOT_BUILT) pv_test_skip("%s", pv_last_error());
    assert_int_equal(status, PV_OK);
    return count;
}

// host: the name where the tests run on the host.
static inline pv_device *test_device_open(const char *host)
{
    char name[32];
    pv_device *device;
    snprintf(name, sizeof name, "%s", host);
    if (test_device()) snprintf(name, sizeof name, "%s:%d", test_device(), pv_test_rank() % test_device_count());
    assert_ok(pv_device_open(name, &device));
    return device;
}

// The transport by which ranks of a node store into each other's memory; PARSEVAL_TEST_STORES=nvshmem on GPUs.
static inline const char *by_stores(void)
{
    const char *asked = getenv("PARSEVAL_TEST_STORES");
    if (!test_device() || strcmp(test_device(), "apart") == 0) return "shared";
    return asked ? asked : "peer";
}

#endif
