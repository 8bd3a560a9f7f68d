// SPDX-License-Identifier: Apache-2.0
#include "cli/fft/field.h"

#include <complex.h>
#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "base/rng.h"

enum { SEED_EXACT = 20, SEED_RANDOM = 21 };

// ---- One factor of the exact field ----------------------------------------------------------------------------

// A direct sum over all points of a long axis would take hours: there, only some points are not zero.
static const int64_t most_products = (int64_t)1 << 22;

typedef struct factor {
    int64_t length, count;      // points of the axis, and how many are not zero
    uint64_t stream;
    int is_complex;
} factor;

static factor factor_of(const pv_fft_array *space, int axis, int64_t batch)
{
    int64_t length = space->shape[axis];
    int64_t count = most_products / length;
    return (factor){.length = length,
                    .count = count < 1 ? 1 : count > length ? length : count,
                    .stream = (uint64_t)(3 * batch + axis),
                    .is_complex = space->is_complex};
}

static int64_t factor_position(const factor *f, int64_t index)
{
    return (int64_t)((__int128)index * f->length / f->count);
}

// Parts are integers of magnitude 1 to 8: products of three are exact in FP32.
static double complex factor_value(const factor *f, int64_t index)
{
    uint32_t bits[4];
    pv_rng_bits(SEED_EXACT, f->stream, (uint64_t)index, bits);
    double re = (1 + bits[0] % 8) * (bits[1] % 2 ? 1.0 : -1.0);
    double im = (1 + bits[2] % 8) * (bits[3] % 2 ? 1.0 : -1.0);
    return f->is_complex ? CMPLX(re, im) : CMPLX(re, 0.0);
}

static void write_factor(const factor *f, int64_t lower, int64_t upper, long double complex *values)
{
    memset(values, 0, (size_t)(upper - lower) * sizeof *values);
    for (int64_t i = 0; i < f->count; i++) {
        int64_t position = factor_position(f, i);
        if (position >= lower && position < upper) values[position - lower] = factor_value(f, i);
    }
}

static long double complex factor_coefficient(const factor *f, int64_t wave)
{
    const long double turn = 2.0L * acosl(-1.0L) / (long double)f->length;
    long double complex sum = 0.0L;
    for (int64_t i = 0; i < f->count; i++) {
        int64_t phase = (int64_t)((__int128)wave * factor_position(f, i) % f->length);
        sum += factor_value(f, i) * CMPLXL(cosl(turn * (long double)phase), -sinl(turn * (long double)phase));
    }
    return sum;
}

static void write_factor_spectrum(const factor *f, int64_t lower, int64_t upper, long double complex *values)
{
#pragma omp parallel for schedule(static)
    for (int64_t wave = lower; wave < upper; wave++) values[wave - lower] = factor_coefficient(f, wave);
}

// ---- The exact field on a rank's box --------------------------------------------------------------------------

typedef void (*factor_writer)(const factor *f, int64_t lower, int64_t upper, long double complex *values);

typedef struct product {
    long double complex *values[3];
    int64_t lower[3];
} product;

static void free_product(product *p)
{
    for (int axis = 0; axis < 3; axis++) pv_mem_free(p->values[axis]);
}

static pv_status make_product(const pv_fft_array *array, const pv_fft_array *space, int64_t batch, factor_writer write,
                              product *p)
{
    *p = (product){0};
    for (int axis = 0; axis < 3; axis++) {
        int64_t lower = array->box.lower[axis], upper = array->box.upper[axis];
        p->lower[axis] = lower;
        pv_status status = array->lines > 0 ? PV_ALLOC(upper - lower, &p->values[axis]) : PV_OK;
        if (status != PV_OK) {
            free_product(p);
            return status;
        }
        factor f = factor_of(space, axis, batch);
        if (array->lines > 0) write(&f, lower, upper, p->values[axis]);
    }
    return PV_OK;
}

static long double complex line_factor(const pv_fft_array *array, const product *p, int64_t line)
{
    int64_t point[3];
    pv_fft_array_point(array, line, point);
    int slowest = array->order[0], middle = array->order[1];
    return p->values[slowest][point[slowest] - p->lower[slowest]] *
           p->values[middle][point[middle] - p->lower[middle]];
}

static void store(const pv_fft_array *array, void *line, int64_t index, double complex value)
{
    if (array->precision == PV_FP64) {
        if (array->is_complex) ((double complex *)line)[index] = value;
        else ((double *)line)[index] = creal(value);
    } else {
        if (array->is_complex) ((float complex *)line)[index] = (float complex)value;
        else ((float *)line)[index] = (float)creal(value);
    }
}

static double complex load(const pv_fft_array *array, const void *line, int64_t index)
{
    if (array->precision == PV_FP64)
        return array->is_complex ? ((const double complex *)line)[index] : ((const double *)line)[index];
    return array->is_complex ? ((const float complex *)line)[index] : ((const float *)line)[index];
}

static void write_product(void *context, const pv_fft_array *space, int64_t first, int64_t count, char *values)
{
    const product *p = context;
    const long double complex *along = p->values[space->order[2]];
    const size_t row_bytes = pv_fft_array_row_bytes(space);
#pragma omp parallel for schedule(static)
    for (int64_t row = 0; row < count; row++) {
        double complex prefix = (double complex)line_factor(space, p, (first + row) % space->lines);
        void *line = values + (size_t)row * row_bytes;
        for (int64_t i = 0; i < space->length; i++) store(space, line, i, prefix * (double complex)along[i]);
    }
}

pv_status pv_field_write_exact(const pv_fft_array *space)
{
    for (int64_t batch = 0; batch < space->batch; batch++) {
        product p;
        PV_TRY(make_product(space, space, batch, write_factor, &p));
        pv_status status = pv_fft_array_write(space, batch * space->lines, space->lines, write_product, &p);
        free_product(&p);
        if (status != PV_OK) return status;
    }
    return PV_OK;
}

static pv_status relative_l2(pv_comm *comm, pv_status mine, double difference, double reference, double *error_p)
{
    pv_status status = pv_comm_agree(comm, mine);
    if (status != PV_OK) return status;
    double sums[2] = {difference, reference};
    status = pv_comm_reduce_f64(comm, PV_SUM, 2, sums);
    if (status == PV_OK) *error_p = sqrt(sums[0] / sums[1]);
    return status;
}

static double norm_squared(double complex value)
{
    return creal(value) * creal(value) + cimag(value) * cimag(value);
}

// Sums of squares of differences from what is expected, and of the latter.
typedef struct comparison {
    const product *exact;       // of the exact field
    double factor;              // of the random field
    double difference, reference;
} comparison;

static void compare_product(void *context, const pv_fft_array *spectrum, int64_t first, int64_t count, char *values)
{
    comparison *c = context;
    const long double complex *along = c->exact->values[spectrum->order[2]];
    const size_t row_bytes = pv_fft_array_row_bytes(spectrum);
    double difference = 0.0, reference = 0.0;
#pragma omp parallel for schedule(static) reduction(+ : difference, reference)
    for (int64_t row = 0; row < count; row++) {
        long double complex prefix = line_factor(spectrum, c->exact, (first + row) % spectrum->lines);
        const void *line = values + (size_t)row * row_bytes;
        for (int64_t i = 0; i < spectrum->length; i++) {
            long double complex exact = prefix * along[i];
            difference += norm_squared((double complex)(load(spectrum, line, i) - exact));
            reference += norm_squared((double complex)exact);
        }
    }
    c->difference += difference;
    c->reference += reference;
}

pv_status pv_field_spectrum_error(pv_comm *comm, const pv_fft_array *spectrum, const pv_fft_array *space,
                                  double *error_p)
{
    comparison c = {0};
    pv_status status = PV_OK;
    for (int64_t batch = 0; batch < spectrum->batch && status == PV_OK; batch++) {
        product p;
        status = make_product(spectrum, space, batch, write_factor_spectrum, &p);
        if (status != PV_OK) break;
        c.exact = &p;
        status = pv_fft_array_read(spectrum, batch * spectrum->lines, spectrum->lines, compare_product, &c);
        free_product(&p);
    }
    return relative_l2(comm, status, c.difference, c.reference, error_p);
}

// ---- The random field -----------------------------------------------------------------------------------------

static double complex random_value(const pv_fft_array *space, int64_t batch, const int64_t point[3])
{
    uint64_t index = ((uint64_t)point[0] * (uint64_t)space->shape[1] + (uint64_t)point[1]) * (uint64_t)space->shape[2] +
                     (uint64_t)point[2];
    uint32_t bits[4];
    pv_rng_bits(SEED_RANDOM, (uint64_t)batch, index, bits);
    // 24 bits a part: exact in FP32 too.
    double re = (double)(bits[0] >> 8) * 0x1p-24 - 0.5, im = (double)(bits[1] >> 8) * 0x1p-24 - 0.5;
    return space->is_complex ? CMPLX(re, im) : CMPLX(re, 0.0);
}

static void write_random(void *context, const pv_fft_array *space, int64_t first, int64_t count, char *values)
{
    const size_t row_bytes = pv_fft_array_row_bytes(space);
    (void)context;
#pragma omp parallel for schedule(static)
    for (int64_t row = 0; row < count; row++) {
        int64_t batch = (first + row) / space->lines, line = (first + row) % space->lines, point[3];
        pv_fft_array_point(space, line, point);
        void *there = values + (size_t)row * row_bytes;
        for (int64_t i = 0; i < space->length; i++, point[space->order[2]]++)
            store(space, there, i, random_value(space, batch, point));
    }
}

pv_status pv_field_write_random(const pv_fft_array *space)
{
    return pv_fft_array_write(space, 0, space->batch * space->lines, write_random, NULL);
}

static void compare_random(void *context, const pv_fft_array *space, int64_t first, int64_t count, char *values)
{
    comparison *c = context;
    const size_t row_bytes = pv_fft_array_row_bytes(space);
    double difference = 0.0, reference = 0.0;
#pragma omp parallel for schedule(static) reduction(+ : difference, reference)
    for (int64_t row = 0; row < count; row++) {
        int64_t batch = (first + row) / space->lines, line = (first + row) % space->lines, point[3];
        pv_fft_array_point(space, line, point);
        const void *there = values + (size_t)row * row_bytes;
        for (int64_t i = 0; i < space->length; i++, point[space->order[2]]++) {
            double complex exact = random_value(space, batch, point);
            difference += norm_squared(c->factor * load(space, there, i) - exact);
            reference += norm_squared(exact);
        }
    }
    c->difference += difference;
    c->reference += reference;
}

pv_status pv_field_random_error(pv_comm *comm, const pv_fft_array *space, double factor, double *error_p)
{
    comparison c = {.factor = factor};
    pv_status status = pv_fft_array_read(space, 0, space->batch * space->lines, compare_random, &c);
    return relative_l2(comm, status, c.difference, c.reference, error_p);
}
