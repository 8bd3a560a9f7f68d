// SPDX-License-Identifier: Apache-2.0
#include "device/reduce.h"

#include <math.h>

#include "harness.h"

typedef struct value_arguments {
    double *parts;
    const double *x;
} value_arguments;

PV_KERNEL_FUNCTION void value_at(value_arguments a, int64_t i, double term[2])
{
    term[0] = a.x[i];
    term[1] = a.x[i] * a.x[i];
}

// The CPU's side alone: tests have no CUDA sources.
#undef PV_KERNEL_DECLARE_CUDA
#undef PV_KERNEL_ON_CUDA
#define PV_KERNEL_DECLARE_CUDA(kernel)
#define PV_KERNEL_ON_CUDA(kernel) 0
PV_REDUCTION(value_sum, value_arguments, 2, PV_REDUCE_ADD, value_at)
PV_REDUCTION(value_max, value_arguments, 2, PV_REDUCE_MAX, value_at)

enum { MOST = 100003 };

static void folds_every_term_once(void **state)
{
    (void)state;
    static const int64_t counts[] = {0, 1, 7, 1023, 1024, 1025, MOST};
    static double x[MOST];
    pv_device *device;
    pv_buffer *parts;
    for (int64_t i = 0; i < MOST; i++) x[i] = (double)(i + 1);
    assert_ok(pv_device_open("cpu:2", &device));
    assert_ok(pv_buffer_create(device, sizeof(double) * 2 * PV_REDUCE_PARTS, &parts));
    value_arguments a = {.parts = pv_buffer_data(parts), .x = x};
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        const double n = (double)counts[c];
        double sum[2], max[2];
        assert_ok(pv_reduction_run(pv_device_stream(device), &value_sum, counts[c], &a, parts, sum));
        assert_ok(pv_reduction_run(pv_device_stream(device), &value_max, counts[c], &a, parts, max));
        assert_near(sum[0], n * (n + 1.0) / 2.0, 0.0);
        assert_near(sum[1] / fmax(1.0, n * (n + 1.0) * (2.0 * n + 1.0) / 6.0), n > 0.0, 1e-14);
        assert_near(max[0], n, 0.0);
        assert_near(max[1], n * n, 0.0);
    }
    pv_buffer_destroy(parts);
    pv_device_close(device);
}

static void a_nan_is_not_lost(void **state)
{
    (void)state;
    double x[50] = {1.0}, max[2];
    pv_device *device;
    pv_buffer *parts;
    assert_ok(pv_device_open("cpu", &device));
    assert_ok(pv_buffer_create(device, sizeof(double) * 2 * PV_REDUCE_PARTS, &parts));
    value_arguments a = {.parts = pv_buffer_data(parts), .x = x};
    x[20] = NAN;
    assert_ok(pv_reduction_run(pv_device_stream(device), &value_max, 50, &a, parts, max));
    assert_true(max[0] != max[0]);
    pv_buffer_destroy(parts);
    assert_ok(pv_buffer_create(device, 8, &parts));
    assert_fails(PV_ERR_ARGUMENT, pv_reduction_run(pv_device_stream(device), &value_max, 50, &a, parts, max));
    pv_buffer_destroy(parts);
    pv_device_close(device);
}

PV_TEST_MAIN(PV_TEST(folds_every_term_once), PV_TEST(a_nan_is_not_lost))
