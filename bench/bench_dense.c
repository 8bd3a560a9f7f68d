// SPDX-License-Identifier: Apache-2.0
// Rates of dense algebra in the shapes of an eigensolver, one core or one GPU: one JSON record a line. Overlaps are
// short and wide (V^T X), rotations tall (V c); eigenproblems and Cholesky factors have one to four times the bands.
// The kernels are those that OpenBLAS has chosen; OPENBLAS_CORETYPE chooses others.
//
//   bench_dense [BANDS [LENGTH [DEVICE]]]   bands, numbers of a vector (56 and 8976: HfO2, 12 atoms, 34 Ha), "cpu:1"
#include <stdio.h>
#include <stdlib.h>

#include <parseval/comm.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/mem.h"
#include "device/array.h"
#include "linalg/dense.h"

enum { ROUNDS = 20, SMALL_ROUNDS = 4 };

typedef struct shape {
    const char *name;
    char op_a;
    int64_t m, n, k;
} shape;

// The fastest of many: what else the machine does should not count.
static pv_status time_product(const pv_dense *dense, const shape *s, const double *a, const double *b, double *c,
                              double *best_s)
{
    *best_s = 1e30;
    for (int round = 0; round < ROUNDS; round++) {
        const double start_s = pv_clock_s();
        PV_TRY(pv_dense_gemm(dense, PV_SCALAR_REAL, s->op_a, 'N', s->m, s->n, s->k, 1.0, a,
                             s->op_a == 'N' ? s->m : s->k, b, s->k, 0.0, c, s->m));
        PV_TRY(pv_stream_wait(pv_device_stream(pv_dense_device(dense))));
        const double taken_s = pv_clock_s() - start_s;
        if (taken_s < *best_s) *best_s = taken_s;
    }
    return PV_OK;
}

// Of a matrix that is positive and not diagonal, whose upper triangle counts.
static pv_status time_small(pv_dense *dense, int64_t n, const double *matrix, double *work, double *values,
                            double *eigen_s, double *factor_s)
{
    *eigen_s = *factor_s = 1e30;
    for (int round = 0; round < SMALL_ROUNDS; round++) {
        int positive;
        double range[2];
        PV_TRY(pv_array_write(pv_dense_device(dense), work, matrix, (size_t)(n * n) * sizeof *work));
        const double start_s = pv_clock_s();
        PV_TRY(pv_dense_heevd(dense, PV_SCALAR_REAL, n, work, values));
        const double middle_s = pv_clock_s();
        PV_TRY(pv_array_write(pv_dense_device(dense), work, matrix, (size_t)(n * n) * sizeof *work));
        const double begin_s = pv_clock_s();
        PV_TRY(pv_dense_potrf(dense, PV_SCALAR_REAL, n, work, &positive, range));
        const double factored_s = pv_clock_s() - begin_s;
        if (middle_s - start_s < *eigen_s) *eigen_s = middle_s - start_s;
        if (factored_s < *factor_s) *factor_s = factored_s;
    }
    return PV_OK;
}

static pv_status fill(pv_device *device, int64_t count, double *host, double **numbers_p)
{
    PV_TRY(PV_ARRAY(device, "numbers", count, numbers_p));
    for (int64_t i = 0; i < count; i++) host[i] = (double)(i % 17) - 8.0;
    return pv_array_write(device, *numbers_p, host, (size_t)count * sizeof *host);
}

static pv_status measure_products(const pv_dense *dense, int64_t bands, int64_t length, const double *a,
                                  const double *b, double *c)
{
    const int64_t space = 4 * bands;
    const shape shapes[] = {{"overlap", 'C', space, bands, length},
                            {"rotation", 'N', length, bands, space},
                            {"square", 'N', 512, 512, 512}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const shape *s = &shapes[i];
        double seconds;
        PV_TRY(time_product(dense, s, a, b, c, &seconds));
        printf("{\"bench\": \"dense\", \"shape\": \"%s\", \"m\": %lld, \"n\": %lld, \"k\": %lld, \"kernels\": \"%s\", "
               "\"seconds\": %.3e, \"gflops\": %.1f}\n",
               s->name, (long long)s->m, (long long)s->n, (long long)s->k, pv_dense_kernels(dense), seconds,
               2e-9 * (double)s->m * (double)s->n * (double)s->k / seconds);
    }
    return PV_OK;
}

static pv_status measure_small(pv_dense *dense, int64_t bands, double *matrix, double *work, double *values)
{
    for (int64_t n = bands; n <= 4 * bands; n += bands) {
        double eigen_s, factor_s;
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = 0; i < n; i++)
                matrix[j * n + i] = (i == j ? (double)(n + j) : 0.0) + 1.0 / (1.0 + (double)((i - j) * (i - j)));
        PV_TRY(time_small(dense, n, matrix, work, values, &eigen_s, &factor_s));
        printf("{\"bench\": \"dense\", \"order\": %lld, \"kernels\": \"%s\", \"eigenproblem_s\": %.3e, "
               "\"cholesky_s\": %.3e}\n",
               (long long)n, pv_dense_kernels(dense), eigen_s, factor_s);
    }
    return PV_OK;
}

static pv_status measure(pv_dense *dense, int64_t bands, int64_t length)
{
    pv_device *device = pv_dense_device(dense);
    double *a = NULL, *b = NULL, *c = NULL, *host = NULL;
    const int64_t space = 4 * bands, larger = length > space ? length : space;
    const int64_t most = space * larger > 512 * 512 ? space * larger : 512 * 512;
    pv_status status = PV_ALLOC(most, &host);
    if (status == PV_OK) status = fill(device, most, host, &a);
    if (status == PV_OK) status = fill(device, most, host, &b);
    if (status == PV_OK) status = fill(device, most, host, &c);
    if (status == PV_OK) status = measure_products(dense, bands, length, a, b, c);
    double *values = NULL;
    if (status == PV_OK) status = PV_ALLOC(space, &values);
    if (status == PV_OK) status = measure_small(dense, bands, host, c, values);
    pv_mem_free(values);
    pv_mem_free(host);
    pv_array_destroy(device, a);
    pv_array_destroy(device, b);
    pv_array_destroy(device, c);
    return status;
}

int main(int argc, char **argv)
{
    const int64_t bands = argc > 1 ? atoll(argv[1]) : 56, length = argc > 2 ? atoll(argv[2]) : 8976;
    pv_device *device = NULL;
    pv_comm *comm = NULL;
    pv_dense *dense = NULL;
    if (bands < 1 || length < 1) {
        fprintf(stderr, "bench_dense: bands and length must be positive\n");
        return 2;
    }
    pv_status status = pv_device_open(argc > 3 ? argv[3] : "cpu:1", &device);
    if (status == PV_OK) status = pv_comm_open_self(device, &comm);
    if (status == PV_OK) status = pv_dense_open(comm, &dense);
    if (status == PV_OK) status = measure(dense, bands, length);
    if (status != PV_OK) fprintf(stderr, "bench_dense: %s\n", pv_last_error());
    pv_dense_close(dense);
    pv_comm_close(comm);
    pv_device_close(device);
    return status == PV_OK ? 0 : 1;
}
