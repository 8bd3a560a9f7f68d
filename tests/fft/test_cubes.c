// SPDX-License-Identifier: Apache-2.0
// labels: cuda
// Convolutions of boxes, and the sums of pairs, by every method of every device against FFTW in double precision.
#include "harness.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <fftw3.h>
#include <parseval/parseval.h>

#include "../device/over_devices.h"
#include "fft/cubes/cubes.h"

enum { KINDS = 3, BATCH = 2, SMALL = 50000, LARGE = 500000 };

static const char *const methods[] = {"cluster", "planes", "cufft", "plan"};
enum { METHODS = sizeof methods / sizeof *methods };

// All that have a kernel of their own, and some that have none.
static const int64_t shapes[][3] = {{32, 32, 32}, {36, 36, 36}, {40, 40, 40}, {42, 42, 42}, {45, 45, 45}, {48, 48, 48},
                                    {50, 50, 50}, {54, 54, 54}, {56, 56, 56}, {60, 60, 60}, {63, 63, 63}, {64, 64, 64},
                                    {70, 70, 70}, {72, 72, 72}, {45, 48, 48}, {48, 48, 50}, {54, 54, 56}, {60, 60, 64},
                                    {1, 1, 1},    {5, 6, 7},    {31, 4, 12},  {8, 16, 64},  {96, 96, 60}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static double number(uint64_t seed, int64_t i) // in [-0.5, 0.5)
{
    uint64_t h = (seed + 1) * 0x9e3779b97f4a7c15u + (uint64_t)i * 0xbf58476d1ce4e5b9u;
    h = (h ^ (h >> 31)) * 0x94d049bb133111ebu;
    h = (h ^ (h >> 29)) * 0xbf58476d1ce4e5b9u;
    return (double)(h >> 11) / (double)(1ull << 53) - 0.5;
}

// Products of real fields that change sign along x and z.
static const double kappa[3] = {0.5, 0, -0.5};

// Whether kappa + g lies in the ball of waves that fits the box: nothing else is kept, as in exact exchange.
static int is_kept(const int64_t n[3], int turned, const int64_t g[3])
{
    double square = 0;
    for (int d = 0; d < 3; d++) {
        const double wave = (double)g[d] + (turned ? kappa[d] : 0);
        const double at = 2 * fmin(fabs(wave), fabs(wave - (double)n[d])) / (double)n[d];
        square += at * at;
    }
    return square <= 1;
}

static double *factor_create(const int64_t n[3])
{
    const int64_t points = n[0] * n[1] * n[2];
    double *factor = malloc((size_t)points * sizeof *factor);
    assert_non_null(factor);
    for (int64_t i = 0; i < points; i++)
        factor[i] = is_kept(n, 0, (int64_t[3]){i / (n[1] * n[2]), i / n[2] % n[1], i % n[2]})
                        ? number(7, i) / (double)points
                        : 0;
    return factor;
}

static double complex *field_create(int64_t count, uint64_t seed, int is_real)
{
    double complex *x = malloc((size_t)count * sizeof *x);
    assert_non_null(x);
    // What single precision holds exactly.
    for (int64_t i = 0; i < count; i++)
        x[i] = (float)number(seed, 2 * i) + (is_real ? 0 : I * (float)number(seed, 2 * i + 1));
    return x;
}

static void convolve(const int64_t n[3], const double *factor, double complex *x)
{
    const int64_t points = n[0] * n[1] * n[2];
    fftw_plan forward = fftw_plan_dft_3d((int)n[0], (int)n[1], (int)n[2], x, x, FFTW_FORWARD, FFTW_ESTIMATE);
    fftw_plan inverse = fftw_plan_dft_3d((int)n[0], (int)n[1], (int)n[2], x, x, FFTW_BACKWARD, FFTW_ESTIMATE);
    fftw_execute(forward);
    for (int64_t i = 0; i < points; i++) x[i] *= factor[i];
    fftw_execute(inverse);
    fftw_destroy_plan(forward);
    fftw_destroy_plan(inverse);
}

// ---- Arrays of a precision on a device ---------------------------------------------------------------------------

static pv_buffer *upload(pv_device *device, pv_precision precision, int64_t count, int parts, const double *from,
                         int step)
{
    const size_t real_bytes = precision == PV_FP32 ? 4 : 8, bytes = (size_t)count * (size_t)parts * real_bytes;
    pv_buffer *buffer = NULL;
    char *host = malloc(bytes);
    assert_non_null(host);
    for (int64_t i = 0; i < count; i++)
        for (int p = 0; p < parts; p++) {
            const double value = from ? from[i * step + p] : NAN;
            if (precision == PV_FP32)
                ((float *)host)[i * parts + p] = (float)value;
            else
                ((double *)host)[i * parts + p] = value;
        }
    assert_ok(pv_buffer_create(device, bytes, &buffer));
    assert_ok(pv_buffer_write(buffer, 0, host, bytes));
    free(host);
    return buffer;
}

// Largest difference over the root mean square of what is expected. expected has one complex number a point.
static double error_of(const pv_buffer *buffer, pv_precision precision, int64_t box, int64_t count, int parts,
                       const double complex *expected)
{
    const size_t bytes = (size_t)count * (size_t)parts * (precision == PV_FP32 ? 4 : 8);
    double largest = 0, square = 0;
    char *host = malloc(bytes);
    assert_non_null(host);
    assert_ok(pv_buffer_read(buffer, (size_t)box * bytes, host, bytes));
    for (int64_t i = 0; i < count; i++)
        for (int p = 0; p < parts; p++) {
            const double e = p == 0 ? creal(expected[i]) : cimag(expected[i]);
            const double v =
                precision == PV_FP32 ? (double)((float *)host)[i * parts + p] : ((double *)host)[i * parts + p];
            if (!(fabs(v - e) <= largest)) largest = fabs(v - e); // NaN too
            square += e * e;
        }
    free(host);
    return largest / sqrt(square / (double)count);
}

static double limit_of(pv_precision precision)
{
    return precision == PV_FP32 ? 4e-6 : 4e-15;
}

// The method by this name where it can do it: NULL otherwise, and for large boxes where it treats all alike.
static pv_cubes *open_method(pv_device *device, const char *method, const int64_t n[3], pv_precision precision)
{
    pv_cubes *cubes = NULL;
    if (strcmp(method, "cluster") != 0 && strcmp(method, "planes") != 0 && n[0] * n[1] * n[2] > SMALL) return NULL;
    pv_test_mute(1);
    const pv_status status = pv_cubes_create(device, method, n, precision, BATCH, &cubes);
    pv_test_mute(0);
    if (status == PV_OK) {
        assert_string_equal(pv_cubes_method(cubes), method);
        return cubes;
    }
    assert_true(status == PV_ERR_UNSUPPORTED || status == PV_ERR_NOT_BUILT);
    return NULL;
}

// ---- Convolutions ------------------------------------------------------------------------------------------------

// More boxes than a method works on at once, of three kinds, so that three references are enough.
static int64_t count_for(const pv_device *device, int64_t points)
{
    return pv_device_is_host(device) ? 4 : points < SMALL ? 203 : points < LARGE ? 37 : 5;
}

static void check_convolution(pv_device *device, pv_cubes *cubes, const int64_t n[3], pv_precision precision,
                              int in_place)
{
    const int64_t points = n[0] * n[1] * n[2], count = count_for(device, points);
    double *factor = factor_create(n);
    double complex *x = malloc((size_t)(count * points) * sizeof *x), *kinds = field_create(KINDS * points, 1, 0);
    assert_non_null(x);
    for (int64_t b = 0; b < count; b++) memcpy(x + b * points, kinds + b % KINDS * points, (size_t)points * sizeof *x);
    pv_buffer *f = upload(device, precision, points, 1, factor, 1);
    pv_buffer *in = upload(device, precision, count * points, 2, (double *)x, 2);
    pv_buffer *out = in_place ? in : upload(device, precision, count * points, 2, NULL, 2);
    pv_stream *stream = pv_device_stream(device);
    assert_ok(pv_cubes_convolve(cubes, stream, pv_buffer_data(f), count, pv_buffer_data(in), pv_buffer_data(out)));
    assert_ok(pv_stream_wait(stream));
    for (int k = 0; k < KINDS; k++) convolve(n, factor, kinds + k * points);
    for (int64_t b = 0; b < count; b++) {
        const double error = error_of(out, precision, b, points, 2, kinds + b % KINDS * points);
        if (!(error <= limit_of(precision)))
            fail_msg("%d x %d x %d, %s: box %d of %d has an error of %g, accepted %g", (int)n[0], (int)n[1], (int)n[2],
                     pv_cubes_text(cubes), (int)b, (int)count, error, limit_of(precision));
    }
    if (!in_place) {
        for (int64_t b = 0; b < count; b++) assert_true(error_of(in, precision, b, points, 2, x + b * points) == 0);
        pv_buffer_destroy(out);
    }
    pv_buffer_destroy(in);
    pv_buffer_destroy(f);
    free(factor);
    free(kinds);
    free(x);
}

static void convolves(pv_device *device)
{
    for (int s = 0; s < SHAPES; s++)
        for (int m = 0; m < METHODS; m++)
            for (int p = 0; p < 2; p++) {
                const pv_precision precision = p == 0 ? PV_FP32 : PV_FP64;
                pv_cubes *cubes = open_method(device, methods[m], shapes[s], precision);
                if (!cubes) continue;
                check_convolution(device, cubes, shapes[s], precision, (s + m + p) % 2);
                pv_cubes_destroy(cubes);
            }
}

// ---- Pairs -------------------------------------------------------------------------------------------------------

static double complex phase_at(const int64_t n[3], int d, int64_t i)
{
    return cexp(-2 * I * M_PI * kappa[d] * (double)i / (double)n[d]);
}

static double complex phase_of(const int64_t n[3], int turned, int64_t i)
{
    if (!turned) return 1;
    return phase_at(n, 0, i / (n[1] * n[2])) * phase_at(n, 1, i / n[2] % n[1]) * phase_at(n, 2, i % n[2]);
}

// Fields and their sums: FIELDS of them, source and target of each other and of themselves.
enum { FIELDS = 5, PAIRS = 5 };
static const struct {
    int source, target, acts_back;
} pairs_of[PAIRS] = {{0, 1, 1}, {0, 2, 1}, {1, 1, 0}, {3, 4, 1}, {4, 0, 0}};
static const double weight_of[PAIRS] = {0.5, -1, 2, 0.25, 1.5}, back_of[PAIRS] = {1.5, 0.75, 0, -2, 0};

static void expect_pairs(const int64_t n[3], const double *factor, int turned, const double complex *field,
                         double complex *sum)
{
    const int64_t points = n[0] * n[1] * n[2];
    double complex *v = malloc((size_t)points * sizeof *v), *phase = malloc((size_t)points * sizeof *phase);
    assert_non_null(v);
    assert_non_null(phase);
    for (int64_t i = 0; i < points; i++) phase[i] = phase_of(n, turned, i);
    for (int p = 0; p < PAIRS; p++) {
        const double complex *s = field + pairs_of[p].source * points, *t = field + pairs_of[p].target * points;
        double complex *s_sum = sum + pairs_of[p].source * points, *t_sum = sum + pairs_of[p].target * points;
        for (int64_t i = 0; i < points; i++) v[i] = conj(s[i]) * t[i] * phase[i];
        convolve(n, factor, v);
        for (int64_t i = 0; i < points; i++) {
            v[i] *= conj(phase[i]);
            t_sum[i] += weight_of[p] * s[i] * v[i];
            if (pairs_of[p].acts_back) s_sum[i] += back_of[p] * t[i] * conj(v[i]);
        }
    }
    free(phase);
    free(v);
}

static void put_complex(char *field, char *sum, int64_t bytes, pv_complex_pair list[PAIRS])
{
    for (int p = 0; p < PAIRS; p++)
        list[p] = (pv_complex_pair){.source = field + pairs_of[p].source * bytes,
                                    .target = field + pairs_of[p].target * bytes,
                                    .source_sum = pairs_of[p].acts_back ? sum + pairs_of[p].source * bytes : NULL,
                                    .target_sum = sum + pairs_of[p].target * bytes,
                                    .source_weight = back_of[p],
                                    .target_weight = weight_of[p]};
}

// The first two pairs share a transform.
static void put_real(char *field, char *sum, int64_t bytes, pv_real_pair list[PAIRS - 1])
{
    for (int p = 0; p < PAIRS; p++) {
        pv_real_pair *pair = &list[p > 0 ? p - 1 : 0];
        const int at = p == 1;
        if (!at) *pair = (pv_real_pair){.source = field + pairs_of[p].source * bytes};
        pair->target[at] = field + pairs_of[p].target * bytes;
        pair->target_sum[at] = sum + pairs_of[p].target * bytes;
        pair->target_weight[at] = weight_of[p];
        pair->source_weight[at] = back_of[p];
        if (pairs_of[p].acts_back) pair->source_sum = sum + pairs_of[p].source * bytes;
    }
}

// A factor on kappa + g is even when factor[-g - 2 kappa] = factor[g].
static double *turned_factor_create(const int64_t n[3], int turned)
{
    const int64_t points = n[0] * n[1] * n[2];
    double *factor = malloc((size_t)points * sizeof *factor);
    assert_non_null(factor);
    for (int64_t i = 0; i < points; i++) {
        const int64_t g[3] = {i / (n[1] * n[2]), i / n[2] % n[1], i % n[2]};
        int64_t mirror = 0;
        for (int d = 0; d < 3; d++) {
            const int64_t twice = turned ? (int64_t)(2 * kappa[d]) : 0;
            mirror = mirror * n[d] + (2 * n[d] - g[d] - twice) % n[d];
        }
        factor[i] = is_kept(n, turned, g) ? number(7, mirror < i ? mirror : i) : 0;
    }
    return factor;
}

static pv_buffer *upload_phase(pv_device *device, const int64_t n[3], pv_precision precision, const void *phase[3])
{
    const int64_t total = n[0] + n[1] + n[2];
    double complex *list = malloc((size_t)total * sizeof *list);
    assert_non_null(list);
    for (int64_t d = 0, at = 0; d < 3; at += n[d++])
        for (int64_t i = 0; i < n[d]; i++) list[at + i] = phase_at(n, (int)d, i);
    pv_buffer *buffer = upload(device, precision, total, 2, (double *)list, 2);
    for (int64_t d = 0, at = 0; d < 3; at += n[d++])
        phase[d] = (char *)pv_buffer_data(buffer) + at * (precision == PV_FP32 ? 8 : 16);
    free(list);
    return buffer;
}

static void check_pairs(pv_device *device, pv_cubes *cubes, const int64_t n[3], pv_precision precision, int is_real,
                        int turned)
{
    const int64_t points = n[0] * n[1] * n[2];
    const int parts = is_real ? 1 : 2;
    const int64_t bytes = points * parts * (precision == PV_FP32 ? 4 : 8);
    double *factor = turned_factor_create(n, turned);
    double complex *field = field_create(FIELDS * points, 2, is_real), *sum = field_create(FIELDS * points, 4, is_real);
    pv_buffer *f = upload(device, precision, points, 1, factor, 1), *list;
    pv_buffer *a = upload(device, precision, FIELDS * points, parts, (double *)field, 2);
    pv_buffer *c = upload(device, precision, FIELDS * points, parts, (double *)sum, 2);
    pv_complex_pair complex_list[PAIRS];
    pv_real_pair real_list[PAIRS - 1];
    put_complex(pv_buffer_data(a), pv_buffer_data(c), bytes, complex_list);
    put_real(pv_buffer_data(a), pv_buffer_data(c), bytes, real_list);
    assert_ok(pv_buffer_create(device, sizeof complex_list + sizeof real_list, &list));
    if (is_real)
        assert_ok(pv_buffer_write(list, 0, real_list, sizeof real_list));
    else
        assert_ok(pv_buffer_write(list, 0, complex_list, sizeof complex_list));
    pv_cubes_pairs pairs = {.is_real = is_real, .count = is_real ? PAIRS - 1 : PAIRS, .list = pv_buffer_data(list)};
    pv_buffer *phase = upload_phase(device, n, precision, pairs.phase);
    if (!turned) pairs.phase[0] = NULL;
    pv_stream *stream = pv_device_stream(device);
    assert_ok(pv_cubes_run_pairs(cubes, stream, pv_buffer_data(f), &pairs));
    assert_ok(pv_stream_wait(stream));
    expect_pairs(n, factor, turned, field, sum);
    for (int t = 0; t < FIELDS; t++) {
        const double error = error_of(c, precision, t, points, parts, sum + t * points);
        if (!(error <= 4 * limit_of(precision)))
            fail_msg("%d x %d x %d, %s, %s fields%s: sum %d has an error of %g, accepted %g", (int)n[0], (int)n[1],
                     (int)n[2], pv_cubes_text(cubes), is_real ? "real" : "complex", turned ? ", turned" : "", t, error,
                     4 * limit_of(precision));
    }
    pv_buffer *const buffers[] = {f, a, c, list, phase};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) pv_buffer_destroy(buffers[i]);
    free(factor);
    free(field);
    free(sum);
}

static void sums_pairs(pv_device *device)
{
    for (int s = 0; s < SHAPES; s++)
        for (int m = 0; m < METHODS; m++)
            for (int i = 0; i < 6; i++) {
                const pv_precision precision = i % 2 == 0 ? PV_FP32 : PV_FP64;
                pv_cubes *cubes = open_method(device, methods[m], shapes[s], precision);
                if (!cubes) continue;
                check_pairs(device, cubes, shapes[s], precision, i >= 2, i >= 4);
                pv_cubes_destroy(cubes);
            }
}

// ---- Choices -----------------------------------------------------------------------------------------------------

static void chooses_and_refuses(pv_device *device)
{
    pv_cubes *cubes = NULL;
    assert_fails(PV_ERR_ARGUMENT, pv_cubes_create(device, "magic", shapes[0], PV_FP32, 1, &cubes));
    assert_non_null(strstr(pv_last_error(), "plan"));
#if PV_HAVE_CUDA
    assert_fails(PV_ERR_UNSUPPORTED, pv_cubes_create(device, pv_device_is_host(device) ? "cluster" : "plan", shapes[0],
                                                     PV_FP32, 1, &cubes));
#else
    assert_fails(PV_ERR_NOT_BUILT, pv_cubes_create(device, "cluster", shapes[0], PV_FP32, 1, &cubes));
#endif
    assert_fails(PV_ERR_SHAPE, pv_cubes_create(device, NULL, (int64_t[3]){8, 0, 8}, PV_FP32, 1, &cubes));
    assert_fails(PV_ERR_ARGUMENT, pv_cubes_create(device, NULL, shapes[0], PV_FP32, 0, &cubes));
    assert_null(cubes);
    for (int s = 0; s < SHAPES; s++) {
        assert_ok(pv_cubes_create(device, "auto", shapes[s], PV_FP32, 1, &cubes));
        if (strcmp(pv_cubes_method(cubes), "cluster") == 0)
            assert_int_equal(pv_cubes_kind_of(shapes[s], PV_FP32), PV_CUBES_IN_CLUSTERS);
        assert_fails(PV_ERR_ARGUMENT, pv_cubes_convolve(cubes, pv_device_stream(device), NULL, 1, NULL, NULL));
        assert_ok(pv_cubes_convolve(cubes, pv_device_stream(device), NULL, 0, NULL, NULL));
        pv_cubes_destroy(cubes);
        cubes = NULL;
    }
}

static void says_which_kernels(void **state)
{
    (void)state;
    static const struct {
        int64_t shape[3];
        pv_cubes_kind single, twice;
    } known[] = {{{60, 60, 60}, PV_CUBES_IN_CLUSTERS, PV_CUBES_BY_OWN_PLANES},
                 {{96, 96, 60}, PV_CUBES_BY_OWN_PLANES, PV_CUBES_BY_OWN_PLANES},
                 {{48, 48, 50}, PV_CUBES_IN_CLUSTERS, PV_CUBES_BY_ANY},
                 {{50, 48, 48}, PV_CUBES_BY_ANY, PV_CUBES_BY_ANY},
                 {{60, 60, 30}, PV_CUBES_BY_ANY, PV_CUBES_BY_ANY}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        assert_int_equal(pv_cubes_kind_of(known[i].shape, PV_FP32), known[i].single);
        assert_int_equal(pv_cubes_kind_of(known[i].shape, PV_FP64), known[i].twice);
    }
}

OVER_DEVICES(convolves)
OVER_DEVICES(sums_pairs)
OVER_DEVICES(chooses_and_refuses)
PV_TEST_MAIN(OVER_DEVICES_TEST(convolves), OVER_DEVICES_TEST(sums_pairs), OVER_DEVICES_TEST(chooses_and_refuses),
             PV_TEST(says_which_kernels))
