// SPDX-License-Identifier: Apache-2.0
// Runs one test function over every device that is built in and opens on this machine.
#ifndef PV_TESTS_OVER_DEVICES_H
#define PV_TESTS_OVER_DEVICES_H

#include <stdio.h>

#include <parseval/device.h>

#include "device/device_ops.h"
#include "harness.h"

static inline void over_devices(void (*run)(pv_device *device))
{
    int is_built;
    const char *name;
    for (int i = 0; (name = pv_device_known(i, &is_built)); i++) {
        if (!is_built) continue;
        pv_device *device = NULL;
        pv_test_mute(1);
        pv_status status = pv_device_open(name, &device);
        pv_test_mute(0);
        // A build with CUDA may run on a machine without a GPU.
        if (status == PV_ERR_DEVICE) {
            printf("SKIP: device %s: %s\n", name, pv_last_error());
            continue;
        }
        assert_int_equal(status, PV_OK);
        run(device);
        pv_device_close(device);
    }
}

#define OVER_DEVICES(function)                         \
    static void function##_everywhere(void **state)    \
    {                                                  \
        (void)state;                                   \
        over_devices(function);                        \
    }
#define OVER_DEVICES_TEST(function) {#function, function##_everywhere}

#endif
