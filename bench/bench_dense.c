// SPDX-License-Identifier: Apache-2.0
// Rates of dense algebra in the shapes of an eigensolver, one core: one JSON record a line. Overlaps are short and wide
// (V^T X), rotations tall (V c). The kernels are those that OpenBLAS has chosen; OPENBLAS_CORETYPE chooses others.
//
//   bench_dense [BANDS [LENGTH]]      bands, and numbers of a vector (56 and 8976: HfO2, 12 atoms, 34 Ha)
#include <stdio.h>
#include <stdlib.h>

#include <parseval/comm.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/mem.h"
#include "linalg/dense.h"

enum { ROUNDS = 40 };

typedef struct shape {
    const char *name;
    char op_a;
    int64_t m, n, k;
} shape;

// The fastest of many: what else the machine does should not count.
static double seconds_of(const pv_dense *dense, const shape *s, const double *a, const double *b, double *c)
{
    double best_s = 1e30;
    for (int round = 0; round < ROUNDS; round++) {
        const double start_s = pv_clock_s();
        pv_dense_gemm(dense, PV_SCALAR_REAL, s->op_a, 'N', s->m, s->n, s->k, 1.0, a, s->op_a == 'N' ? s->m : s->k, b,
                      s->k, 0.0, c, s->m);
        const double taken_s = pv_clock_s() - start_s;
        if (taken_s < best_s) best_s = taken_s;
    }
    return best_s;
}

static pv_status fill(int64_t count, double **numbers_p)
{
    PV_TRY(PV_ALLOC(count, numbers_p));
    for (int64_t i = 0; i < count; i++) (*numbers_p)[i] = (double)(i % 17) - 8.0;
    return PV_OK;
}

static pv_status measure(const pv_dense *dense, int64_t bands, int64_t length)
{
    const int64_t space = 4 * bands;
    const shape shapes[] = {{"overlap", 'C', space, bands, length},
                            {"rotation", 'N', length, bands, space},
                            {"square", 'N', 512, 512, 512}};
    double *a = NULL, *b = NULL, *c = NULL;
    const int64_t most = space * length > 512 * 512 ? space * length : 512 * 512;
    pv_status status = fill(most, &a);
    if (status == PV_OK) status = fill(most, &b);
    if (status == PV_OK) status = fill(most, &c);
    for (size_t i = 0; status == PV_OK && i < sizeof shapes / sizeof *shapes; i++) {
        const shape *s = &shapes[i];
        const double seconds = seconds_of(dense, s, a, b, c);
        printf("{\"bench\": \"dense\", \"shape\": \"%s\", \"m\": %lld, \"n\": %lld, \"k\": %lld, \"kernels\": \"%s\", "
               "\"seconds\": %.3e, \"gflops\": %.1f}\n",
               s->name, (long long)s->m, (long long)s->n, (long long)s->k, pv_dense_kernels(dense), seconds,
               2e-9 * (double)s->m * (double)s->n * (double)s->k / seconds);
    }
    pv_mem_free(a);
    pv_mem_free(b);
    pv_mem_free(c);
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
    pv_status status = pv_device_open("cpu:1", &device);
    if (status == PV_OK) status = pv_comm_open_self(device, &comm);
    if (status == PV_OK) status = pv_dense_open(comm, &dense);
    if (status == PV_OK) status = measure(dense, bands, length);
    if (status != PV_OK) fprintf(stderr, "bench_dense: %s\n", pv_last_error());
    pv_dense_close(dense);
    pv_comm_close(comm);
    pv_device_close(device);
    return status == PV_OK ? 0 : 1;
}
