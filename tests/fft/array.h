// SPDX-License-Identifier: Apache-2.0
// One rank's part of a field, with guards behind it, and values that depend on the grid point alone.
#ifndef PV_TESTS_FFT_ARRAY_H
#define PV_TESTS_FFT_ARRAY_H

#include <complex.h>
#include <float.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "fft/layout/box.h"
#include "fft/layout/layout.h"

#include <parseval/device.h>

enum { ARRAY_GUARD_BYTES = 64, ARRAY_GUARD = 0x5a };

typedef struct array {
    pv_box box;
    int64_t shape[3], strides[3], batch, batch_stride;
    int is_complex;
    pv_precision precision;
    size_t bytes, room;
    void *data;                 // room bytes, then a guard; on the host
    pv_buffer *buffer;          // the same on a device that is not the host; else NULL
} array;

// padded: real rows hold 2 (n / 2 + 1) reals.
static inline array array_describe(const pv_layout *layout, int rank, int64_t batch, int is_complex,
                                   pv_precision precision, int padded)
{
    array a = {.box = layout->boxes[rank], .batch = batch, .is_complex = is_complex, .precision = precision};
    int64_t stride = 1;
    for (int i = 2; i >= 0; i--) {
        int axis = layout->order[i];
        int64_t extent = pv_box_extent(&a.box, axis);
        if (axis == 2 && padded && !is_complex) extent = 2 * (extent / 2 + 1);
        a.shape[axis] = layout->shape[axis];
        a.strides[axis] = stride;
        stride *= extent;
    }
    a.batch_stride = pv_box_is_empty(&a.box) ? 0 : stride;
    a.bytes = (size_t)(batch * a.batch_stride) * (is_complex ? 2 : 1) * (precision == PV_FP64 ? 8 : 4);
    return a;
}

// Memory for the larger of the array and `room` bytes.
static inline void array_allocate(array *a, size_t room)
{
    a->room = a->bytes > room ? a->bytes : room;
    assert_ok(pv_mem_alloc(a->room + ARRAY_GUARD_BYTES, 1, &a->data));
    memset((char *)a->data + a->room, ARRAY_GUARD, ARRAY_GUARD_BYTES);
}

// Gives the array a copy on a device that is not the host.
static inline void array_place(array *a, pv_device *device)
{
    if (!pv_device_is_host(device)) assert_ok(pv_buffer_create(device, a->room + ARRAY_GUARD_BYTES, &a->buffer));
}

// Where the device finds the array; copies to and from there, guard included.
static inline void *array_memory(const array *a) { return a->buffer ? pv_buffer_data(a->buffer) : a->data; }
static inline void array_give(const array *a)
{
    if (a->buffer) assert_ok(pv_buffer_write(a->buffer, 0, a->data, a->room + ARRAY_GUARD_BYTES));
}
static inline void array_take(const array *a)
{
    if (a->buffer) assert_ok(pv_buffer_read(a->buffer, 0, a->data, a->room + ARRAY_GUARD_BYTES));
}

// Checks that nothing was written behind the array.
static inline void array_destroy(array *a)
{
    if (!a->data) return;
    const unsigned char *guard = (const unsigned char *)a->data + a->room;
    for (int i = 0; i < ARRAY_GUARD_BYTES; i++) assert_int_equal(guard[i], ARRAY_GUARD);
    pv_mem_free(a->data);
    pv_buffer_destroy(a->buffer);
    a->data = NULL;
    a->buffer = NULL;
}

// Point number `index` of the box, last axis fastest whatever the order in memory.
static inline void array_point(const array *a, int64_t index, int64_t point[3])
{
    for (int axis = 2; axis >= 0; axis--) {
        int64_t extent = pv_box_extent(&a->box, axis);
        point[axis] = a->box.lower[axis] + index % extent;
        index /= extent;
    }
}

static inline int64_t array_at(const array *a, int64_t item, const int64_t point[3])
{
    int64_t at = item * a->batch_stride;
    for (int axis = 0; axis < 3; axis++) at += (point[axis] - a->box.lower[axis]) * a->strides[axis];
    return at;
}

static inline double complex array_get(const array *a, int64_t at)
{
    if (a->precision == PV_FP64) {
        const double *values = a->data;
        return a->is_complex ? values[2 * at] + I * values[2 * at + 1] : values[at];
    }
    const float *values = a->data;
    return a->is_complex ? (double)values[2 * at] + I * (double)values[2 * at + 1] : (double)values[at];
}

static inline void array_set(array *a, int64_t at, double complex value)
{
    if (a->precision == PV_FP64) {
        double *values = a->data;
        values[a->is_complex ? 2 * at : at] = creal(value);
        if (a->is_complex) values[2 * at + 1] = cimag(value);
    } else {
        float *values = a->data;
        values[a->is_complex ? 2 * at : at] = (float)creal(value);
        if (a->is_complex) values[2 * at + 1] = (float)cimag(value);
    }
}

static inline double array_epsilon(pv_precision precision)
{
    return precision == PV_FP64 ? DBL_EPSILON : FLT_EPSILON;
}

// A value of a field: item of a batch, grid point, shape of the grid.
typedef double complex (*field)(const void *context, int64_t item, const int64_t point[3], const int64_t shape[3]);

static inline int64_t field_index(const int64_t point[3], const int64_t shape[3])
{
    return (point[0] * shape[1] + point[1]) * shape[2] + point[2];
}

// Uniform in [-1/2, 1/2), rounded to what FP32 holds; context is the seed (uint64_t).
static inline double complex field_random(const void *context, int64_t item, const int64_t point[3],
                                          const int64_t shape[3])
{
    uint64_t seed = *(const uint64_t *)context, index = (uint64_t)field_index(point, shape);
    double re = (float)(pv_rng_uniform(seed, (uint64_t)(2 * item), index) - 0.5);
    double im = (float)(pv_rng_uniform(seed, (uint64_t)(2 * item + 1), index) - 0.5);
    return re + I * im;
}

// Values of the whole grid, [item][point]; context is that array.
static inline double complex field_table(const void *context, int64_t item, const int64_t point[3],
                                         const int64_t shape[3])
{
    const double complex *values = context;
    return values[item * shape[0] * shape[1] * shape[2] + field_index(point, shape)];
}

static inline void array_fill(array *a, field values, const void *context)
{
    int64_t count = pv_box_count(&a->box), point[3];
    for (int64_t item = 0; item < a->batch; item++) {
        for (int64_t i = 0; i < count; i++) {
            array_point(a, i, point);
            array_set(a, array_at(a, item, point), values(context, item, point, a->shape));
        }
    }
}

// sums[0] += |factor a - values|^2, sums[1] += |values|^2 over this rank's points; real arrays meet the real part.
static inline void array_compare(const array *a, double factor, field values, const void *context, double sums[2])
{
    int64_t count = pv_box_count(&a->box), point[3];
    for (int64_t item = 0; item < a->batch; item++) {
        for (int64_t i = 0; i < count; i++) {
            array_point(a, i, point);
            double complex expected = values(context, item, point, a->shape);
            if (!a->is_complex) expected = creal(expected);
            double complex off = factor * array_get(a, array_at(a, item, point)) - expected;
            sums[0] += creal(off) * creal(off) + cimag(off) * cimag(off);
            sums[1] += creal(expected) * creal(expected) + cimag(expected) * cimag(expected);
        }
    }
}

#endif
