// SPDX-License-Identifier: Apache-2.0
// One transform of a test: what it is, its plan, and this rank's arrays.
#ifndef PV_TESTS_FFT_FFT_CASE_H
#define PV_TESTS_FFT_FFT_CASE_H

#include <stdio.h>

#include <parseval/fft.h>

#include "array.h"

typedef struct fft_case {
    pv_comm *comm;
    const char *transport;
    int64_t shape[3];
    pv_fft_type type;
    pv_precision precision;
    pv_fft_options options;
    int in_place;
} fft_case;

typedef struct fft_run {
    pv_fft_plan *plan;
    array space, spectrum;      // the same memory in place
} fft_run;

enum { FFT_CASE_TEXT = 320 };

static inline void fft_case_describe(const fft_case *c, char text[FFT_CASE_TEXT])
{
    static const char *const outputs[] = {"natural", "transposed owner", "transposed axes"};
    static const char *const decompositions[] = {"auto", "slab", "pencil"};
    const pv_layout *layouts[2] = {c->options.space, c->options.spectrum};
    char boxes[2][PV_LAYOUT_TEXT_BYTES] = {"default", "default"};
    for (int i = 0; i < 2; i++)
        if (layouts[i]) pv_layout_describe(layouts[i], boxes[i], sizeof boxes[i]);
    snprintf(text, FFT_CASE_TEXT, "%s, %dx%dx%d %s FP%d, batch %d, engine %s, %s, %s, %s, space %s, spectrum %s",
             c->transport, (int)c->shape[0], (int)c->shape[1], (int)c->shape[2], c->type == PV_C2C ? "C2C" : "R2C",
             c->precision == PV_FP64 ? 64 : 32, (int)c->options.batch, c->options.engine,
             decompositions[c->options.decomposition], outputs[c->options.output],
             c->in_place ? "in place" : "out of place", boxes[0], boxes[1]);
}

static inline void fft_run_open(const fft_case *c, fft_run *run)
{
    *run = (fft_run){0};
    pv_fft_options options = c->options;
    if (c->type == PV_R2C && c->in_place) options.padded = 1;
    assert_ok(pv_fft_plan_create(c->comm, c->shape, c->type, c->precision, &options, &run->plan));
    int rank = pv_comm_rank(c->comm);
    run->space = array_describe(pv_fft_plan_space(run->plan), rank, options.batch, c->type == PV_C2C, c->precision,
                                options.padded);
    run->spectrum = array_describe(pv_fft_plan_spectrum(run->plan), rank, options.batch, 1, c->precision, 0);
    assert_int_equal(run->space.bytes, pv_fft_plan_space_bytes(run->plan));
    assert_int_equal(run->spectrum.bytes, pv_fft_plan_spectrum_bytes(run->plan));
    pv_device *device = pv_comm_device(c->comm);
    array_allocate(&run->space, c->in_place ? run->spectrum.bytes : 0);
    array_place(&run->space, device);
    run->spectrum.data = run->space.data;
    run->spectrum.buffer = run->space.buffer;
    run->spectrum.room = run->space.room;
    if (c->in_place) return;
    run->spectrum.buffer = NULL;
    array_allocate(&run->spectrum, 0);
    array_place(&run->spectrum, device);
}

// A transform of arrays that are looked at on the host.
static inline pv_status fft_case_run(const fft_case *c, pv_status (*run)(pv_fft_plan *plan, const void *in, void *out),
                                     pv_fft_plan *plan, array *in, array *out)
{
    array_give(in);
    if (out->data != in->data) array_give(out);
    pv_status status = run(plan, array_memory(in), array_memory(out));
    if (status == PV_OK) status = pv_stream_wait(pv_device_stream(pv_comm_device(c->comm)));
    array_take(in);
    if (out->data != in->data) array_take(out);
    return status;
}

static inline pv_status fft_run_forward(const fft_case *c, fft_run *run)
{
    return fft_case_run(c, pv_fft_forward, run->plan, &run->space, &run->spectrum);
}

static inline pv_status fft_run_inverse(const fft_case *c, fft_run *run)
{
    return fft_case_run(c, pv_fft_inverse, run->plan, &run->spectrum, &run->space);
}

static inline void fft_run_close(const fft_case *c, fft_run *run)
{
    pv_fft_plan_destroy(run->plan);
    if (!c->in_place) array_destroy(&run->spectrum);
    array_destroy(&run->space);
}

// Points of the transform.
static inline double fft_case_points(const fft_case *c)
{
    return (double)c->shape[0] * (double)c->shape[1] * (double)c->shape[2];
}

// Relative distance in the 2-norm over all ranks and the batch, in units of eps. Collective.
static inline double fft_case_error(const fft_case *c, const array *a, double factor, field values, const void *context)
{
    double sums[2] = {0, 0};
    array_compare(a, factor, values, context, sums);
    assert_ok(pv_comm_reduce_f64(c->comm, PV_SUM, 2, sums));
    return sqrt(sums[0] / (sums[1] > 0 ? sums[1] : 1)) / array_epsilon(c->precision);
}

// What a good transform stays below, in units of eps; the constant pays for rounding single values.
static inline double fft_case_limit(const fft_case *c)
{
    return 1.0 + 0.5 * log2(fft_case_points(c));
}

#endif
