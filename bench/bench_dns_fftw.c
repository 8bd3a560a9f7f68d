// SPDX-License-Identifier: Apache-2.0
// What bench_dns computes, as one writes it with FFTW-MPI alone: whole spectra with the upper third masked, nine
// transforms in place with the transposition left out, u x w, exponential AB2 with its coefficients in tables.
//
//   mpirun -n R bench_dns_fftw [N [STEPS]]      one JSON record; energy and enstrophy are those of bench_dns
#include <complex.h>
#include <fftw3-mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"

static const double viscosity = 1.0 / 1600.0, dt = 1e-3;

typedef struct solver {
    ptrdiff_t n, half, planes, first_plane, rows, first_row, numbers; // rows: of ky, after a transform
    double *work[6];
    fftw_complex *u[3], *before[3];
    double *decay, *phi1, *phi2; // e^z - 1, dt phi1, dt phi2; 0 where a mode is not kept
    fftw_plan forward[6], inverse[6];
} solver;

static double wave(ptrdiff_t i, ptrdiff_t n)
{
    return (double)(2 * i > n ? i - n : i);
}

static void tabulate(solver *s)
{
    const double keep = (double)((s->n - 1) / 3);
    for (ptrdiff_t y = 0; y < s->rows; y++)
        for (ptrdiff_t z = 0; z < s->n; z++)
            for (ptrdiff_t x = 0; x < s->half; x++) {
                const ptrdiff_t i = (y * s->n + z) * s->half + x;
                const double kx = (double)x, ky = wave(s->first_row + y, s->n), kz = wave(z, s->n);
                const double k2 = kx * kx + ky * ky + kz * kz, a = -viscosity * k2 * dt;
                if (kx > keep || fabs(ky) > keep || fabs(kz) > keep || k2 == 0.0) continue;
                const double one = expm1(a) / a, two = a > -1e-3 ? 0.5 + a / 6.0 + a * a / 24.0 : (one - 1.0) / a;
                s->decay[i] = a * one;
                s->phi1[i] = dt * one;
                s->phi2[i] = dt * two;
            }
}

static void set_flow(solver *s)
{
    const double h = 2.0 * M_PI / (double)s->n, scale = 1.0 / pow((double)s->n, 3.0);
    for (int c = 0; c < 3; c++) {
        for (ptrdiff_t z = 0; z < s->planes; z++)
            for (ptrdiff_t y = 0; y < s->n; y++)
                for (ptrdiff_t x = 0; x < s->n; x++) {
                    const double cz = cos((double)(s->first_plane + z) * h), a = (double)x * h, b = (double)y * h;
                    const double value = c == 0 ? sin(a) * cos(b) * cz : c == 1 ? -cos(a) * sin(b) * cz : 0.0;
                    s->work[c][(z * s->n + y) * 2 * s->half + x] = value;
                }
        fftw_execute(s->forward[c]);
        for (ptrdiff_t i = 0; i < s->numbers; i++)
            s->u[c][i] = s->phi1[i] != 0.0 ? ((fftw_complex *)s->work[c])[i] * scale : 0.0;
    }
}

static void open_solver(solver *s, ptrdiff_t n)
{
    *s = (solver){.n = n, .half = n / 2 + 1};
    const ptrdiff_t room = fftw_mpi_local_size_3d_transposed(n, n, s->half, MPI_COMM_WORLD, &s->planes, &s->first_plane,
                                                             &s->rows, &s->first_row);
    s->numbers = s->rows * n * s->half;
    for (int c = 0; c < 6; c++) {
        s->work[c] = fftw_alloc_real((size_t)(2 * room));
        s->forward[c] = fftw_mpi_plan_dft_r2c_3d(n, n, n, s->work[c], (fftw_complex *)s->work[c], MPI_COMM_WORLD,
                                                 FFTW_MEASURE | FFTW_MPI_TRANSPOSED_OUT);
        s->inverse[c] = fftw_mpi_plan_dft_c2r_3d(n, n, n, (fftw_complex *)s->work[c], s->work[c], MPI_COMM_WORLD,
                                                 FFTW_MEASURE | FFTW_MPI_TRANSPOSED_IN);
    }
    for (int c = 0; c < 3; c++) {
        s->u[c] = fftw_alloc_complex((size_t)room);
        s->before[c] = fftw_alloc_complex((size_t)room);
    }
    double **tables[3] = {&s->decay, &s->phi1, &s->phi2};
    for (int t = 0; t < 3; t++) *tables[t] = calloc((size_t)room, sizeof(double));
    tabulate(s);
    set_flow(s);
}

static void close_solver(solver *s)
{
    for (int c = 0; c < 6; c++) {
        fftw_destroy_plan(s->forward[c]);
        fftw_destroy_plan(s->inverse[c]);
        fftw_free(s->work[c]);
    }
    for (int c = 0; c < 3; c++) {
        fftw_free(s->u[c]);
        fftw_free(s->before[c]);
    }
    free(s->decay);
    free(s->phi1);
    free(s->phi2);
}

// Spectra of u x w in the last three work fields.
static void evaluate(solver *s)
{
    fftw_complex *f[6];
    for (int c = 0; c < 6; c++) f[c] = (fftw_complex *)s->work[c];
    for (ptrdiff_t y = 0; y < s->rows; y++)
        for (ptrdiff_t z = 0; z < s->n; z++) {
            const double ky = wave(s->first_row + y, s->n), kz = wave(z, s->n);
            for (ptrdiff_t x = 0; x < s->half; x++) {
                const ptrdiff_t i = (y * s->n + z) * s->half + x;
                const double kx = (double)x;
                const double complex u = s->u[0][i], v = s->u[1][i], w = s->u[2][i];
                f[0][i] = u;
                f[1][i] = v;
                f[2][i] = w;
                f[3][i] = I * (ky * w - kz * v);
                f[4][i] = I * (kz * u - kx * w);
                f[5][i] = I * (kx * v - ky * u);
            }
        }
    for (int c = 0; c < 6; c++) fftw_execute(s->inverse[c]);
    double *const *a = s->work;
    for (ptrdiff_t i = 0; i < s->planes * s->n * 2 * s->half; i++) {
        const double p = a[3][i], q = a[4][i], r = a[5][i];
        a[3][i] = a[1][i] * r - a[2][i] * q;
        a[4][i] = a[2][i] * p - a[0][i] * r;
        a[5][i] = a[0][i] * q - a[1][i] * p;
    }
    for (int c = 3; c < 6; c++) fftw_execute(s->forward[c]);
}

// u = (1 + decay) u + (phi1 of the term) + phi2 (term - before); `order` 1: without phi2, 0: phi2 alone, u stays.
static void update(solver *s, int order)
{
    const double scale = 1.0 / pow((double)s->n, 3.0);
    for (ptrdiff_t y = 0; y < s->rows; y++)
        for (ptrdiff_t z = 0; z < s->n; z++)
            for (ptrdiff_t x = 0; x < s->half; x++) {
                const ptrdiff_t i = (y * s->n + z) * s->half + x;
                if (s->phi1[i] == 0.0) continue;
                const double k[3] = {(double)x, wave(s->first_row + y, s->n), wave(z, s->n)};
                double complex term[3];
                for (int c = 0; c < 3; c++) term[c] = ((fftw_complex *)s->work[3 + c])[i] * scale;
                const double complex along =
                    (k[0] * term[0] + k[1] * term[1] + k[2] * term[2]) / (k[0] * k[0] + k[1] * k[1] + k[2] * k[2]);
                for (int c = 0; c < 3; c++) {
                    term[c] -= k[c] * along;
                    if (order > 0) s->u[c][i] += s->decay[i] * s->u[c][i] + s->phi1[i] * term[c];
                    if (order != 1) s->u[c][i] += s->phi2[i] * (term[c] - s->before[c][i]);
                    if (order > 0) s->before[c][i] = term[c];
                }
            }
}

static void sums(const solver *s, double *energy_p, double *enstrophy_p)
{
    double sum[2] = {0.0, 0.0}, all[2];
    for (ptrdiff_t y = 0; y < s->rows; y++)
        for (ptrdiff_t z = 0; z < s->n; z++)
            for (ptrdiff_t x = 0; x < s->half; x++) {
                const ptrdiff_t i = (y * s->n + z) * s->half + x;
                const double ky = wave(s->first_row + y, s->n), kz = wave(z, s->n),
                             k2 = (double)(x * x) + ky * ky + kz * kz;
                double e = 0.0;
                for (int c = 0; c < 3; c++) e += (x == 0 ? 0.5 : 1.0) * creal(s->u[c][i] * conj(s->u[c][i]));
                sum[0] += e;
                sum[1] += k2 * e;
            }
    MPI_Allreduce(sum, all, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    *energy_p = all[0];
    *enstrophy_p = all[1];
}

int main(int argc, char **argv)
{
    int rank, ranks;
    double energy, enstrophy;
    solver s;
    MPI_Init(&argc, &argv);
    fftw_mpi_init();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int steps = argc > 2 ? atoi(argv[2]) : 20;
    open_solver(&s, argc > 1 ? atoi(argv[1]) : 128);
    evaluate(&s); // the first step as bench_dns has it: Euler and a correction
    update(&s, 1);
    evaluate(&s);
    update(&s, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    double taken = pv_clock_s();
    for (int i = 1; i < steps; i++) {
        evaluate(&s);
        update(&s, 2);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    taken = (pv_clock_s() - taken) / (steps > 1 ? steps - 1 : 1);
    sums(&s, &energy, &enstrophy);
    if (rank == 0)
        printf("{\"bench\": \"dns_fftw\", \"grid\": \"%tdx%tdx%td\", \"precision\": \"fp64\", \"transforms\": 9, "
               "\"scheme\": "
               "\"ab2\", \"ranks\": %d, \"ms_a_step\": %.3f, \"steps\": %d, \"energy\": %.15g, \"enstrophy\": %.15g}\n",
               s.n, s.n, s.n, ranks, 1e3 * taken, steps, energy, enstrophy);
    close_solver(&s);
    fftw_mpi_cleanup();
    MPI_Finalize();
    return 0;
}
