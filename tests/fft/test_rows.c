// SPDX-License-Identifier: Apache-2.0
// Rows of spectra to points and back, and a product on the way, against the sums that they stand for.
// ranks: 1 2
#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include <mpi.h>

#include <parseval/comm_mpi.h>

#include "fft/rows/rows.h"
#include "harness.h"

enum { KEPT = 4, ROWS = 11, FIELDS = 2, MOST = 32 };

typedef struct fixture {
    pv_device *device;
    pv_comm *comm;
    pv_rows *rows;
    pv_precision precision;
    int64_t n, pitch;
    void *field[FIELDS];
} fixture;

static double complex coefficient(int field, int64_t row, int64_t k)
{
    const double x = sin(1.0 + (double)(7 * field + 3 * row + 5 * k));
    return k == 0 ? x : x + I * cos(2.0 * x + (double)k);
}

static double point(const fixture *f, int field, int64_t row, int64_t i)
{
    double sum = creal(coefficient(field, row, 0));
    for (int64_t k = 1; k < KEPT; k++)
        sum += 2.0 * creal(coefficient(field, row, k) * cexp(2.0 * M_PI * I * (double)(k * i % f->n) / (double)f->n));
    return sum;
}

static double number(const fixture *f, int field, int64_t at)
{
    return f->precision == PV_FP64 ? ((double *)f->field[field])[at] : (double)((float *)f->field[field])[at];
}

static void open_rows(fixture *f, int64_t n, pv_precision precision)
{
    *f = (fixture){.precision = precision, .n = n, .pitch = n + 4};
    assert_ok(pv_device_open("cpu:2", &f->device));
    assert_ok(pv_comm_open_mpi(MPI_COMM_WORLD, f->device, NULL, &f->comm));
    const pv_rows_desc desc = {
        .comm = f->comm, .n = n, .kept = KEPT, .pitch = f->pitch, .count = ROWS, .precision = precision};
    assert_ok(pv_rows_create(&desc, &f->rows));
    for (int field = 0; field < FIELDS; field++) {
        f->field[field] = calloc((size_t)(ROWS * f->pitch), sizeof(double));
        for (int64_t row = 0; row < ROWS; row++)
            for (int64_t k = 0; k < f->pitch / 2; k++) {
                // What lies behind the kept ones must not matter.
                const double complex c = k < KEPT ? coefficient(field, row, k) : 1e3;
                const int64_t at = row * f->pitch + 2 * k;
                if (precision == PV_FP64)
                    ((double *)f->field[field])[at] = creal(c), ((double *)f->field[field])[at + 1] = cimag(c);
                else
                    ((float *)f->field[field])[at] = (float)creal(c),
                            ((float *)f->field[field])[at + 1] = (float)cimag(c);
            }
    }
}

static void close_rows(fixture *f)
{
    for (int field = 0; field < FIELDS; field++) free(f->field[field]);
    pv_rows_destroy(f->rows);
    pv_comm_close(f->comm);
    pv_device_close(f->device);
}

static void multiply_fp64(void *context, int thread, int64_t count, void *const *fields)
{
    const double *a = fields[0];
    double *b = fields[1];
    (void)context, (void)thread;
    for (int64_t i = 0; i < count; i++) b[i] *= a[i];
}

static void multiply_fp32(void *context, int thread, int64_t count, void *const *fields)
{
    const float *a = fields[0];
    float *b = fields[1];
    (void)context, (void)thread;
    for (int64_t i = 0; i < count; i++) b[i] *= a[i];
}

static void check(int64_t n, pv_precision precision)
{
    const double tolerance = precision == PV_FP64 ? 1e-11 : 1e-3;
    fixture f;
    open_rows(&f, n, precision);
    const pv_rows_product product = {
        .inputs = 2, .first_output = 1, .outputs = 1, .on_host = precision == PV_FP64 ? multiply_fp64 : multiply_fp32};
    assert_true(pv_rows_keeps_inputs(f.rows)); // the first field is seen again below
    assert_ok(pv_rows_multiply(f.rows, &product, f.field));
    for (int64_t row = 0; row < ROWS; row++)
        for (int64_t k = 0; k < KEPT; k++) {
            double complex sum = 0.0;
            for (int64_t i = 0; i < n; i++)
                sum += point(&f, 0, row, i) * point(&f, 1, row, i) *
                       cexp(-2.0 * M_PI * I * (double)(k * i % n) / (double)n);
            const double complex found =
                number(&f, 1, row * f.pitch + 2 * k) + I * number(&f, 1, row * f.pitch + 2 * k + 1);
            assert_near(cabs(found - sum), 0.0, tolerance * (double)n);
        }
    assert_ok(pv_rows_to_points(f.rows, f.field[0]));
    for (int64_t row = 0; row < ROWS; row++)
        for (int64_t i = 0; i < n; i++) assert_near(number(&f, 0, row * f.pitch + i), point(&f, 0, row, i), tolerance);
    assert_ok(pv_rows_to_modes(f.rows, f.field[0]));
    for (int64_t row = 0; row < ROWS; row++)
        for (int64_t k = 0; k < KEPT; k++)
            assert_near(number(&f, 0, row * f.pitch + 2 * k), (double)n * creal(coefficient(0, row, k)),
                        tolerance * (double)n);
    close_rows(&f);
}

static void rows_are_sums(void **state)
{
    (void)state;
    for (int precision = 0; precision < 2; precision++) {
        check(12, (pv_precision)precision);
        check(16, (pv_precision)precision);
        check(22, (pv_precision)precision);
    }
}

PV_TEST_MAIN(PV_TEST(rows_are_sums))
