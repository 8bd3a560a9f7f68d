// SPDX-License-Identifier: Apache-2.0
// Spectra that end early, against the sums that they stand for.
// ranks: 1 2 3 4 7
// devices: cuda
#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include <mpi.h>

#include <parseval/comm_mpi.h>
#include <parseval/parseval.h>

#include "harness.h"

typedef struct kept_case {
    int64_t shape[3], kept[3];
    pv_fft_type type;
    int as_is;
    int64_t pitch;
    pv_output output;
    pv_decomposition decomposition;
} kept_case;

static const kept_case cases[] = {
    {{8, 9, 6}, {2, 3, 0}, PV_C2C, 1, 8, PV_OUTPUT_TRANSPOSED_AXES, PV_DECOMPOSE_SLAB},
    {{8, 9, 6}, {2, 3, 0}, PV_C2C, 1, 0, PV_OUTPUT_NATURAL, PV_DECOMPOSE_AUTO},
    {{10, 9, 12}, {3, 2, 4}, PV_C2C, 0, 0, PV_OUTPUT_TRANSPOSED_OWNER, PV_DECOMPOSE_PENCIL},
    {{9, 12, 8}, {3, 4, 0}, PV_R2C, 0, 0, PV_OUTPUT_NATURAL, PV_DECOMPOSE_AUTO},
    {{64, 32, 2}, {21, 10, 0}, PV_C2C, 1, 4, PV_OUTPUT_TRANSPOSED_AXES, PV_DECOMPOSE_AUTO},
    {{32, 64, 3}, {9, 20, 0}, PV_C2C, 1, 0, PV_OUTPUT_TRANSPOSED_AXES, PV_DECOMPOSE_AUTO},
    {{1, 16, 12}, {0, 4, 5}, PV_C2C, 0, 0, PV_OUTPUT_NATURAL, PV_DECOMPOSE_AUTO},
};

static int64_t signed_index(int64_t i, int64_t length)
{
    return 2 * i > length ? i - length : i;
}

// A spectrum by signed index; that of a real field where the last axis is halved.
static double complex mode(const kept_case *c, int64_t k0, int64_t k1, int64_t k2)
{
    if (c->type == PV_R2C && (k2 < 0 || (k2 == 0 && (k1 < 0 || (k1 == 0 && k0 < 0)))))
        return conj(mode(c, -k0, -k1, -k2));
    const double x = sin(1.0 + 3.0 * (double)k0 + 5.0 * (double)k1 + 7.0 * (double)k2);
    return c->type == PV_R2C && k0 == 0 && k1 == 0 && k2 == 0 ? x : x + I * cos(x + (double)(k0 - k1));
}

// What the sums of a case take again and again: its modes, and the waves of each direction.
typedef struct sums {
    const kept_case *c;
    int64_t low[3], high[3];           // signed indices; along the last axis of `as_is` the points
    double complex *modes, *waves[3];  // [all indices], [shape]
} sums;

static void sums_open(const kept_case *c, sums *s)
{
    int64_t count = 1;
    s->c = c;
    for (int d = 0; d < 3; d++) {
        s->high[d] = c->kept[d] > 0 ? c->kept[d] : c->shape[d] > 1 ? (c->shape[d] - 1) / 2 : 0;
        s->low[d] = -s->high[d];
        if (c->as_is && d == 2) s->low[d] = 0, s->high[d] = c->shape[d] - 1;
        count *= s->high[d] - s->low[d] + 1;
        s->waves[d] = calloc((size_t)c->shape[d], sizeof *s->waves[d]);
        assert_non_null(s->waves[d]);
        for (int64_t x = 0; x < c->shape[d]; x++)
            s->waves[d][x] = cexp(2.0 * M_PI * I * (double)x / (double)c->shape[d]);
    }
    double complex *next = s->modes = calloc((size_t)count, sizeof *next);
    assert_non_null(next);
    for (int64_t i = s->low[0]; i <= s->high[0]; i++)
        for (int64_t j = s->low[1]; j <= s->high[1]; j++)
            for (int64_t k = s->low[2]; k <= s->high[2]; k++) *next++ = mode(c, i, j, k);
}

static void sums_close(sums *s)
{
    free(s->modes);
    for (int d = 0; d < 3; d++) free(s->waves[d]);
}

static double complex wave(const sums *s, int d, int64_t k, int64_t x)
{
    const int64_t n = s->c->shape[d];
    return s->waves[d][(k * x % n + n) % n];
}

// The field at a point: the sum over what is kept.
static double complex field(const sums *s, const int64_t x[3])
{
    const int64_t depth = s->high[2] - s->low[2] + 1;
    const double complex *row = s->modes;
    double complex sum = 0.0;
    for (int64_t i = s->low[0]; i <= s->high[0]; i++) {
        double complex plane = 0.0;
        for (int64_t j = s->low[1]; j <= s->high[1]; j++, row += depth) {
            double complex line = 0.0;
            for (int64_t k = 0; k < depth && !s->c->as_is; k++) line += row[k] * wave(s, 2, s->low[2] + k, x[2]);
            plane += (s->c->as_is ? row[x[2]] : line) * wave(s, 1, j, x[1]);
        }
        sum += plane * wave(s, 0, i, x[0]);
    }
    return sum;
}

typedef struct values {
    const kept_case *c;
    pv_precision precision;
    void *data;
} values;

static void put(const values *v, int real, int64_t at, double complex z)
{
    double *d = v->data;
    float *f = v->data;
    if (real) {
        if (v->precision == PV_FP64)
            d[at] = creal(z);
        else
            f[at] = (float)creal(z);
    } else if (v->precision == PV_FP64) {
        d[2 * at] = creal(z), d[2 * at + 1] = cimag(z);
    } else {
        f[2 * at] = (float)creal(z), f[2 * at + 1] = (float)cimag(z);
    }
}

static double complex get(const values *v, int real, int64_t at)
{
    const double *d = v->data;
    const float *f = v->data;
    if (real) return v->precision == PV_FP64 ? d[at] : f[at];
    return v->precision == PV_FP64 ? d[2 * at] + I * d[2 * at + 1] : f[2 * at] + I * f[2 * at + 1];
}

// Runs over this rank's points of a layout: writes what they should be, or returns the largest difference from it.
static double visit(const values *v, const pv_layout *layout, int rank, int is_space, int writes, double factor)
{
    const kept_case *c = v->c;
    const pv_box *box = &layout->boxes[rank];
    double worst = 0.0;
    int64_t x[3];
    sums s;
    sums_open(c, &s);
    for (x[0] = box->lower[0]; x[0] < box->upper[0]; x[0]++)
        for (x[1] = box->lower[1]; x[1] < box->upper[1]; x[1]++)
            for (x[2] = box->lower[2]; x[2] < box->upper[2]; x[2]++) {
                const int real = is_space && c->type == PV_R2C;
                int64_t at = pv_layout_offset(layout, rank, x), k[3];
                if (is_space && c->pitch > 0) at = at / c->shape[2] * c->pitch + x[2];
                for (int d = 0; d < 3; d++)
                    k[d] = c->kept[d] > 0 ? signed_index(x[d], 2 * c->kept[d] + 1) : signed_index(x[d], c->shape[d]);
                if (c->as_is || c->type == PV_R2C) k[2] = x[2];
                // Half of an even length stands for both signs; the field has no such wave.
                const int middle = (c->type == PV_R2C && 2 * x[2] == c->shape[2]) ||
                                   (!c->as_is && c->kept[2] == 0 && 2 * x[2] == c->shape[2]);
                const double complex z = factor * (is_space ? field(&s, x) : middle ? 0.0 : mode(c, k[0], k[1], k[2]));
                if (writes)
                    put(v, real, at, z);
                else
                    worst = fmax(worst, cabs(get(v, real, at) - z));
            }
    sums_close(&s);
    return worst;
}

// As buffers of the device, with a copy on the host.
static void transform(pv_fft_plan *plan, pv_device *device, int forward, void *in_host, size_t in_bytes, void *out_host,
                      size_t out_bytes)
{
    pv_buffer *in = NULL, *out = NULL;
    assert_ok(pv_buffer_create(device, in_bytes, &in));
    assert_ok(pv_buffer_create(device, out_bytes, &out));
    if (in_bytes > 0) assert_ok(pv_buffer_write(in, 0, in_host, in_bytes));
    assert_ok((forward ? pv_fft_forward : pv_fft_inverse)(plan, pv_buffer_data(in), pv_buffer_data(out)));
    assert_ok(pv_stream_wait(pv_device_stream(device)));
    if (out_bytes > 0) assert_ok(pv_buffer_read(out, 0, out_host, out_bytes));
    pv_buffer_destroy(in);
    pv_buffer_destroy(out);
}

static void check(pv_comm *comm, const kept_case *c, pv_precision precision)
{
    pv_fft_options options = pv_fft_options_defaults();
    for (int d = 0; d < 3; d++) options.kept[d] = c->kept[d];
    options.last_axis_as_is = c->as_is;
    options.space_pitch = c->pitch;
    options.output = c->output;
    options.decomposition = c->decomposition;
    pv_fft_plan *plan = NULL;
    assert_ok(pv_fft_plan_create(comm, c->shape, c->type, precision, &options, &plan));
    const size_t space_bytes = pv_fft_plan_space_bytes(plan), spectrum_bytes = pv_fft_plan_spectrum_bytes(plan);
    const pv_layout *space = pv_fft_plan_space(plan), *spectrum = pv_fft_plan_spectrum(plan);
    const int rank = pv_comm_rank(comm);
    values at_points = {c, precision, calloc(1, space_bytes + 16)},
           at_modes = {c, precision, calloc(1, spectrum_bytes + 16)};
    const double points = (double)(c->shape[0] * c->shape[1] * (c->as_is ? 1 : c->shape[2])),
                 tolerance = precision == PV_FP64 ? 1e-12 : 2e-4;
    visit(&at_modes, spectrum, rank, 0, 1, 1.0);
    transform(plan, pv_comm_device(comm), 0, at_modes.data, spectrum_bytes, at_points.data, space_bytes);
    assert_near(visit(&at_points, space, rank, 1, 0, 1.0), 0.0, tolerance * sqrt(points));
    visit(&at_points, space, rank, 1, 1, 1.0);
    transform(plan, pv_comm_device(comm), 1, at_points.data, space_bytes, at_modes.data, spectrum_bytes);
    assert_near(visit(&at_modes, spectrum, rank, 0, 0, points), 0.0, tolerance * points);
    free(at_points.data);
    free(at_modes.data);
    pv_fft_plan_destroy(plan);
}

static void spectra_end_early(void **state)
{
    (void)state;
    pv_device *device = NULL;
    pv_comm *comm = NULL;
    const char *name = getenv("PARSEVAL_TEST_DEVICE");
    assert_ok(pv_device_open(name ? name : "cpu", &device));
    assert_ok(pv_comm_open_mpi(MPI_COMM_WORLD, device, NULL, &comm));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int precision = 0; precision < 2; precision++) check(comm, &cases[i], (pv_precision)precision);
    pv_comm_close(comm);
    pv_device_close(device);
}

static void wrong_requests_are_told(void **state)
{
    (void)state;
    pv_device *device = NULL;
    pv_comm *comm = NULL;
    pv_fft_plan *plan = NULL;
    assert_ok(pv_device_open("cpu", &device));
    assert_ok(pv_comm_open_mpi(MPI_COMM_WORLD, device, NULL, &comm));
    const pv_status expected = pv_comm_rank(comm) == 0 ? PV_ERR_ARGUMENT : PV_ERR_PEER; // rank 0 speaks for all
    pv_fft_options options = pv_fft_options_defaults();
    options.kept[0] = 4;
    assert_fails(expected, pv_fft_plan_create(comm, (int64_t[3]){9, 8, 8}, PV_C2C, PV_FP64, &options, &plan));
    options.kept[0] = 2;
    options.kept[2] = 2;
    assert_fails(expected, pv_fft_plan_create(comm, (int64_t[3]){9, 8, 8}, PV_R2C, PV_FP64, &options, &plan));
    options.kept[2] = 0;
    options.space_pitch = 7;
    assert_fails(expected, pv_fft_plan_create(comm, (int64_t[3]){9, 8, 8}, PV_C2C, PV_FP64, &options, &plan));
    pv_comm_close(comm);
    pv_device_close(device);
}

PV_TEST_MAIN(PV_TEST(spectra_end_early), PV_TEST(wrong_requests_are_told))
