// SPDX-License-Identifier: Apache-2.0
// One case of bench_fft.c: both sides planned on the same memory, their spectra compared, their runs timed in turn.
#ifndef PV_BENCH_FFT_CONTEST_H
#define PV_BENCH_FFT_CONTEST_H

#include <math.h>

#include <mpi.h>
#include <parseval/comm.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/mem.h"
#include "fftw_side.h"

enum side { FFTW_SIDE, PARSEVAL_SIDE, SIDES };
enum { OUT_OF_PLACE, IN_PLACE, PLACES };
enum { FORWARD, INVERSE, DIRECTIONS };

typedef struct contest {
    int64_t shape[3];
    pv_fft_type type;
    pv_precision precision;
    pv_comm *comm;
    void *a, *b;                            // input and output; in place: a alone
    size_t array_bytes;
    fftw_side fftw[PLACES];
    fftw_share share;
    pv_fft_plan *plans[PLACES];
    int place[SIDES];                       // the faster one
    double best_s[SIDES][DIRECTIONS];
} contest;

typedef struct contest_effort {
    const char *engine;
    double seconds;                         // of a case, about
    int64_t rounds;
} contest_effort;

// ---- The same input on both sides, and the same spectrum? ------------------------------------------------------

static double sign_of(int64_t index, uint64_t salt)
{
    uint64_t x = ((uint64_t)index + salt) * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    return (x ^ (x >> 31)) & 1 ? 1.0 : -1.0;
}

static void set_real(void *values, pv_precision precision, int64_t index, double value)
{
    if (precision == PV_FP64) ((double *)values)[index] = value;
    else ((float *)values)[index] = (float)value;
}

static double real_at(const void *values, pv_precision precision, int64_t index)
{
    return precision == PV_FP64 ? ((const double *)values)[index] : ((const float *)values)[index];
}

static void fill(const contest *c, int64_t start, int64_t planes, int64_t row)
{
    int64_t reals = (c->type == PV_R2C ? 1 : 2) * c->shape[2];
    for (int64_t line = 0; line < planes * c->shape[1]; line++)
        for (int64_t i = 0; i < reals; i++) {
            int64_t index = (start * c->shape[1] + line) * reals + i;
            set_real(c->a, c->precision, line * row + i, sign_of(index, 1) + 0.5 * sign_of(index, 2));
        }
}

// A sum over the spectrum with random signs and the norm, which any layout must agree on: sums = {re, im, norm^2}.
static pv_status probe(const contest *c, const void *spectrum, int64_t start, int64_t planes, double sums[3])
{
    int64_t columns = c->type == PV_R2C ? c->shape[2] / 2 + 1 : c->shape[2];
    sums[0] = sums[1] = sums[2] = 0.0;
    for (int64_t line = 0; line < planes * c->shape[0]; line++) {
        double sign = sign_of(start + line / c->shape[0], 3) * sign_of(line % c->shape[0], 4);
        for (int64_t i = 0; i < columns; i++) {
            double re = real_at(spectrum, c->precision, 2 * (line * columns + i));
            double im = real_at(spectrum, c->precision, 2 * (line * columns + i) + 1);
            sums[0] += sign * sign_of(i, 5) * re;
            sums[1] += sign * sign_of(i, 5) * im;
            sums[2] += re * re + im * im;
        }
    }
    return pv_comm_reduce_f64(c->comm, PV_SUM, 3, sums);
}

static pv_status compare_spectra(contest *c, int place)
{
    int rank = pv_comm_rank(c->comm), is_padded = place == IN_PLACE;
    int64_t reals = (c->type == PV_R2C ? 1 : 2) * c->shape[2], padded = 2 * (c->shape[2] / 2 + 1);
    void *out = place == IN_PLACE ? c->a : c->b;
    double fftw[3], ours[3];

    fill(c, c->share.start, c->share.planes, c->type == PV_R2C ? padded : reals);
    fftw_side_execute(&c->fftw[place], FORWARD);
    PV_TRY(probe(c, out, c->share.spectrum_start, c->share.spectrum_planes, fftw));

    const pv_box *space = &pv_fft_plan_space(c->plans[place])->boxes[rank];
    const pv_box *spectrum = &pv_fft_plan_spectrum(c->plans[place])->boxes[rank];
    fill(c, space->lower[0], space->upper[0] - space->lower[0], c->type == PV_R2C && is_padded ? padded : reals);
    PV_TRY(pv_fft_forward(c->plans[place], c->a, out));
    PV_TRY(probe(c, out, spectrum->lower[1], spectrum->upper[1] - spectrum->lower[1], ours));

    double difference = hypot(fftw[0] - ours[0], fftw[1] - ours[1]) / sqrt(fftw[2]);
    double most = c->precision == PV_FP64 ? 1e-12 : 1e-4;
    PV_REQUIRE(difference <= most, PV_ERR_INTERNAL, "the spectra differ by %.3g of their norm; %.3g is accepted",
               difference, most);
    return PV_OK;
}

// ---- One case ---------------------------------------------------------------------------------------------------

static pv_status make_plans(contest *c, const contest_effort *effort, pv_workspace **workspace_p)
{
    size_t needed = 0;
    for (int place = 0; place < PLACES; place++) {
        pv_fft_options options = pv_fft_options_defaults();
        options.decomposition = PV_DECOMPOSE_SLAB;
        options.output = PV_OUTPUT_TRANSPOSED_AXES;
        options.rigor = PV_MEASURE;
        options.engine = effort->engine;
        options.padded = place == IN_PLACE && c->type == PV_R2C;
        options.defer_workspace = 1;
        PV_TRY(pv_fft_plan_create(c->comm, c->shape, c->type, c->precision, &options, &c->plans[place]));
        size_t bytes = pv_fft_plan_workspace_bytes(c->plans[place]);
        needed = bytes > needed ? bytes : needed;
        bytes = pv_fft_plan_space_bytes(c->plans[place]);
        c->array_bytes = bytes > c->array_bytes ? bytes : c->array_bytes;
        bytes = pv_fft_plan_spectrum_bytes(c->plans[place]);
        c->array_bytes = bytes > c->array_bytes ? bytes : c->array_bytes;
    }
    PV_TRY(pv_workspace_create(c->comm, needed, workspace_p));
    for (int place = 0; place < PLACES; place++) PV_TRY(pv_fft_plan_set_workspace(c->plans[place], *workspace_p));
    return PV_OK;
}

static pv_status make_memory(contest *c, pv_buffer **a_p, pv_buffer **b_p)
{
    c->share = fftw_share_of(c->shape, c->type, c->precision, MPI_COMM_WORLD);
    if (c->share.bytes > c->array_bytes) c->array_bytes = c->share.bytes;
    pv_status status = pv_buffer_create(pv_comm_device(c->comm), c->array_bytes, a_p);
    if (status == PV_OK) status = pv_buffer_create(pv_comm_device(c->comm), c->array_bytes, b_p);
    PV_TRY(pv_comm_agree(c->comm, status));
    c->a = pv_buffer_data(*a_p);
    c->b = pv_buffer_data(*b_p);
    return PV_OK;
}

static pv_status make_fftw(contest *c)
{
    for (int place = 0; place < PLACES; place++) {
        c->fftw[place] = fftw_side_create(c->shape, c->type, c->precision, c->a, place == IN_PLACE ? c->a : c->b,
                                          MPI_COMM_WORLD);
        PV_REQUIRE(fftw_side_is_planned(&c->fftw[place]), PV_ERR_UNSUPPORTED, "FFTW-MPI has no plan for this case");
    }
    return PV_OK;
}

static pv_status run_one(contest *c, enum side side, int place, int direction, double *seconds)
{
    void *out = place == IN_PLACE ? c->a : c->b;
    PV_TRY(pv_comm_barrier(c->comm));
    double start = pv_clock_s();
    if (side == FFTW_SIDE) fftw_side_execute(&c->fftw[place], direction);
    else if (direction == FORWARD) PV_TRY(pv_fft_forward(c->plans[place], c->a, out));
    else PV_TRY(pv_fft_inverse(c->plans[place], out, c->a));
    *seconds = pv_clock_s() - start;
    return PV_OK;
}

// Not timed: without it the values overflow after a few round trips.
static void rescale(contest *c)
{
    double factor = 1.0 / ((double)c->shape[0] * (double)c->shape[1] * (double)c->shape[2]);
    if (c->precision == PV_FP64)
        for (size_t i = 0; i < c->array_bytes / 8; i++) ((double *)c->a)[i] *= factor;
    else
        for (size_t i = 0; i < c->array_bytes / 4; i++) ((float *)c->a)[i] *= (float)factor;
}

static pv_status run_pair(contest *c, enum side side, int place, double seconds[DIRECTIONS])
{
    PV_TRY(run_one(c, side, place, FORWARD, &seconds[FORWARD]));
    PV_TRY(run_one(c, side, place, INVERSE, &seconds[INVERSE]));
    rescale(c);
    return PV_OK;
}

// Chooses each side's place and says how long a forward and inverse of both take.
static pv_status try_places(contest *c, double *pair_s_p)
{
    enum { MOST = 15 };
    const int trials = c->array_bytes < ((size_t)64 << 20) ? MOST : 3;
    *pair_s_p = 0.0;
    for (int side = 0; side < SIDES; side++) {
        double times[PLACES];
        for (int place = 0; place < PLACES; place++) {
            double sums[MOST], seconds[DIRECTIONS];
            for (int trial = -1; trial < trials; trial++) {
                PV_TRY(run_pair(c, (enum side)side, place, seconds));
                if (trial >= 0) sums[trial] = seconds[FORWARD] + seconds[INVERSE];
            }
            PV_TRY(pv_comm_reduce_f64(c->comm, PV_MAX, trials, sums));
            times[place] = pv_timing_of(sums, trials).median_s;
        }
        c->place[side] = times[IN_PLACE] < times[OUT_OF_PLACE] ? IN_PLACE : OUT_OF_PLACE;
        *pair_s_p += times[c->place[side]];
    }
    return PV_OK;
}

static pv_status run_round(contest *c, int repeat, double *seconds)
{
    for (int i = 0; i < repeat; i++)
        for (int side = 0; side < SIDES; side++) {
            double pair[DIRECTIONS];
            PV_TRY(run_pair(c, (enum side)side, c->place[side], pair));
            for (int direction = 0; direction < DIRECTIONS; direction++)
                seconds[(side * DIRECTIONS + direction) * repeat + i] = pair[direction];
        }
    PV_TRY(pv_comm_reduce_f64(c->comm, PV_MAX, SIDES * DIRECTIONS * repeat, seconds));
    for (int side = 0; side < SIDES; side++)
        for (int direction = 0; direction < DIRECTIONS; direction++) {
            double median_s = pv_timing_of(&seconds[(side * DIRECTIONS + direction) * repeat], repeat).median_s;
            double *best_s = &c->best_s[side][direction];
            if (*best_s == 0.0 || median_s < *best_s) *best_s = median_s;
        }
    return PV_OK;
}

static pv_status run_rounds(contest *c, const contest_effort *effort)
{
    double pair_s = 0.0;
    PV_TRY(try_places(c, &pair_s));
    double wanted = effort->seconds / ((double)effort->rounds * pair_s);
    int repeat = wanted < 3.0 ? 3 : wanted > 2000.0 ? 2000 : (int)wanted;
    double *seconds = NULL;
    pv_status status = pv_comm_agree(c->comm, PV_ALLOC(SIDES * DIRECTIONS * repeat, &seconds));
    for (int64_t round = 0; round < effort->rounds && status == PV_OK; round++) status = run_round(c, repeat, seconds);
    pv_mem_free(seconds);
    return status;
}

// Sets c->place and c->best_s, and what this rank sends to others in one direction.
static pv_status contest_run(contest *c, const contest_effort *effort, double *sent_bytes_p)
{
    pv_workspace *workspace = NULL;
    pv_buffer *a = NULL, *b = NULL;
    pv_status status = make_plans(c, effort, &workspace);
    if (status == PV_OK) status = make_memory(c, &a, &b);
    if (status == PV_OK) status = pv_comm_agree(c->comm, make_fftw(c));
    for (int place = 0; place < PLACES && status == PV_OK; place++) status = compare_spectra(c, place);
    if (status == PV_OK) status = run_rounds(c, effort);
    if (status == PV_OK) *sent_bytes_p = (double)pv_fft_plan_sent_bytes(c->plans[OUT_OF_PLACE]);
    for (int place = 0; place < PLACES; place++) {
        fftw_side_destroy(&c->fftw[place]);
        pv_fft_plan_destroy(c->plans[place]);
    }
    pv_workspace_destroy(workspace);
    pv_buffer_destroy(b);
    pv_buffer_destroy(a);
    return status;
}

#endif
