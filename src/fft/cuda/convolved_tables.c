// SPDX-License-Identifier: Apache-2.0
// What the kernels of convolved lines read, in the order that convolved.cuh wants: the roots of the inner transform,
// the spectrum of what is convolved with, and Bluestein's chirp or Rader's order.
#include "base/check.h"
#include "base/mem.h"
#include "fft/cuda/pass_cuda.h"
#include "fft/lines/convolution.h"

static void store(pv_precision precision, void *table, int64_t count, const pv_lines_number *values)
{
    for (int64_t i = 0; i < count; i++)
        if (precision == PV_FP64) {
            ((double *)table)[2 * i] = (double)values[i].re;
            ((double *)table)[2 * i + 1] = (double)values[i].im;
        } else {
            ((float *)table)[2 * i] = (float)values[i].re;
            ((float *)table)[2 * i + 1] = (float)values[i].im;
        }
}

// numbers and order: room for n + points.
static pv_status fill(int64_t n, int64_t points, pv_precision precision, pv_lines_number *numbers, int64_t *order,
                      char *tables)
{
    const size_t size = 2 * pv_real_bytes(precision);
    char *spectrum = tables + (size_t)points * size, *last = spectrum + (size_t)points * size;
    for (int64_t k = 0; k < points; k++) numbers[k] = pv_lines_root(k, points);
    store(precision, tables, points, numbers);
    if (points == n - 1) {
        PV_TRY(pv_lines_rader_tables(n, order, numbers));
        for (int64_t k = 0; k < points; k++) ((int *)last)[k] = (int)order[k];
    } else {
        PV_TRY(pv_lines_bluestein_tables(n, points, numbers + points, numbers));
        store(precision, last, n, numbers + points);
    }
    store(precision, spectrum, points, numbers);
    return PV_OK;
}

pv_status pv_cuda_convolved_create(pv_device *device, int64_t n, pv_precision precision, pv_buffer **tables_p)
{
    const int64_t points = pv_cuda_convolved_points(n);
    const size_t bytes = (size_t)(2 * points + n) * 2 * pv_real_bytes(precision);
    pv_lines_number *numbers = NULL;
    int64_t *order = NULL;
    char *tables = NULL;
    pv_status status = PV_ALLOC(points + n, &numbers);
    if (status == PV_OK) status = PV_ALLOC(points + n, &order);
    if (status == PV_OK) status = PV_ALLOC(bytes, &tables);
    if (status == PV_OK) status = fill(n, points, precision, numbers, order, tables);
    if (status == PV_OK) status = pv_buffer_create(device, bytes, tables_p);
    if (status == PV_OK) status = pv_buffer_write(*tables_p, 0, tables, bytes);
    pv_mem_free(numbers);
    pv_mem_free(order);
    pv_mem_free(tables);
    return status;
}
