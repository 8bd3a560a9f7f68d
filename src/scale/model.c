// SPDX-License-Identifier: Apache-2.0
#include "scale/model.h"

#include <math.h>

enum { TERMS = 3, MOST_SAMPLES = 64 };

#define ENOUGH 0.1 // error of a fit with measured communication

pv_scale_rates pv_scale_rates_h200(void)
{
    return (pv_scale_rates){.node_bytes_per_s = 370e9,
                            .network_bytes_per_s = 50e9,
                            .efficiency = 0.86,
                            .overhead_s = 0.6e-6,
                            .node_gpus = 8};
}

pv_scale_rates pv_scale_rates_cores(void)
{
    pv_scale_rates rates = pv_scale_rates_h200();
    rates.node_bytes_per_s = 5e9;
    rates.network_bytes_per_s = 0.4e9;
    rates.node_gpus = 64;
    return rates;
}

// u: seconds of a byte that each sends, evenly to the others.
static double seconds_of_byte(const pv_scale_rates *r, double count)
{
    const double node = fmin(count, r->node_gpus);
    return fmax((node - 1.0) / count / r->node_bytes_per_s,
                (count - node) / count / (r->efficiency * r->network_bytes_per_s));
}

static double seconds_of_messages(const pv_scale_rates *r, double rounds, double count)
{
    return rounds * fmax(count - r->node_gpus, 0.0) * r->overhead_s;
}

static double term(const pv_scale_rates *r, int which, double count)
{
    return which == 0 ? 1.0 / count : which == 1 ? 1.0 : seconds_of_byte(r, count) / count;
}

// Solves the normal equations of the `used` terms; relative errors count alike.
static int solve(int count, const pv_scale_sample *samples, const double *seconds, const pv_scale_rates *r,
                 const int used[TERMS], double x[TERMS])
{
    double a[TERMS][TERMS + 1] = {{0.0}};
    for (int i = 0; i < count; i++)
        for (int p = 0; p < TERMS; p++)
            for (int q = 0; q <= TERMS; q++) {
                const double left = used[p] ? term(r, p, samples[i].count) : 0.0;
                const double right = q == TERMS ? seconds[i] : used[q] ? term(r, q, samples[i].count) : 0.0;
                a[p][q] += left * right / (samples[i].seconds * samples[i].seconds);
            }
    for (int p = 0; p < TERMS; p++)
        if (!used[p]) a[p][p] = 1.0;
    for (int p = 0; p < TERMS; p++) {
        const double scale = a[p][p];
        if (!(fabs(scale) > 1e-300)) return 0;
        for (int q = p; q <= TERMS; q++) a[p][q] /= scale;
        for (int row = 0; row < TERMS; row++) {
            const double factor = a[row][p];
            for (int q = p; row != p && q <= TERMS; q++) a[row][q] -= factor * a[p][q];
        }
    }
    for (int p = 0; p < TERMS; p++) x[p] = a[p][TERMS];
    return 1;
}

// Non-negative least squares over every choice of terms: there are seven.
static void fit_terms(int count, const pv_scale_sample *samples, const double *seconds, const pv_scale_rates *r,
                      const int allowed[TERMS], double best[TERMS])
{
    double best_error = INFINITY;
    for (int set = 1; set < 1 << TERMS; set++) {
        int used[TERMS], terms = 0, is_allowed = 1;
        double x[TERMS], error = 0.0;
        for (int p = 0; p < TERMS; p++) {
            used[p] = set >> p & 1;
            terms += used[p];
            is_allowed &= !used[p] || allowed[p];
        }
        if (!is_allowed || terms > count || !solve(count, samples, seconds, r, used, x)) continue;
        for (int p = 0; p < TERMS; p++) is_allowed &= isfinite(x[p]) && x[p] >= 0.0;
        for (int i = 0; is_allowed && i < count; i++) {
            double sum = -seconds[i];
            for (int p = 0; p < TERMS; p++) sum += x[p] * term(r, p, samples[i].count);
            error += pow(sum / samples[i].seconds, 2);
        }
        if (!is_allowed || error > best_error * (1.0 - 1e-9) - 1e-20) continue;
        best_error = error;
        for (int p = 0; p < TERMS; p++) best[p] = x[p];
    }
}

// What takes `seconds` of samples on more than one GPU at unit(P) each, by least squares; NaN: nothing was measured.
static double amount_of(int samples, const double *seconds, const double *unit)
{
    double sum = 0.0, squares = 0.0;
    for (int i = 0; i < samples; i++) {
        if (!(seconds[i] >= 0.0) || unit[i] == 0.0) continue;
        sum += unit[i] * seconds[i];
        squares += unit[i] * unit[i];
    }
    return squares > 0.0 ? sum / squares : NAN;
}

static double bytes_of_communication(int count, const pv_scale_sample *samples, double rounds, const pv_scale_rates *r)
{
    double seconds[MOST_SAMPLES] = {0.0}, unit[MOST_SAMPLES] = {0.0};
    for (int i = 0; i < count; i++) {
        const double comm_s = samples[i].comm_s - seconds_of_messages(r, rounds, samples[i].count);
        seconds[i] = isnan(comm_s) ? NAN : fmax(comm_s, 0.0);
        unit[i] = seconds_of_byte(r, samples[i].count) / samples[i].count;
    }
    return amount_of(count, seconds, unit);
}

static void fit_ring(int count, const pv_scale_sample *samples, pv_scale_model *m)
{
    double seconds[MOST_SAMPLES] = {0.0}, unit[MOST_SAMPLES] = {0.0}, builds_s = 0.0;
    int known = 0;
    for (int i = 0; i < count; i++) {
        seconds[i] = samples[i].ring_s > 0.0 ? samples[i].ring_s : NAN;
        unit[i] = seconds_of_byte(&m->rates, samples[i].count);
        known += samples[i].builds_s > 0.0;
        builds_s += samples[i].builds_s > 0.0 ? samples[i].builds_s * samples[i].count : 0.0;
    }
    const double bytes = amount_of(count, seconds, unit);
    m->ring_bytes = isnan(bytes) ? 0.0 : bytes;
    m->builds_s = known > 0 ? builds_s / known : 0.0;
}

// Of the ring what builds do not hide.
static double seconds_of_ring(const pv_scale_model *m, double count)
{
    return fmax(m->ring_bytes * seconds_of_byte(&m->rates, count) - m->builds_s / count, 0.0);
}

// bytes: V, or NaN where it is to be fitted, too.
static void fit_rest(int count, const pv_scale_sample *samples, double bytes, pv_scale_model *m)
{
    const pv_scale_rates *rates = &m->rates;
    double x[TERMS] = {0.0}, rest[MOST_SAMPLES];
    for (int i = 0; i < count; i++) {
        const double known = isnan(bytes) ? 0.0 : bytes * term(rates, 2, samples[i].count);
        rest[i] = fmax(samples[i].seconds - known - seconds_of_ring(m, samples[i].count) -
                           seconds_of_messages(rates, m->rounds, samples[i].count),
                       0.01 * samples[i].seconds);
    }
    int beyond_node = 0; // inside one, V is a mixture of the other two
    for (int i = 0; i < count; i++) beyond_node |= samples[i].count > rates->node_gpus;
    const int allowed[TERMS] = {1, count > 1, isnan(bytes) && count > 2 && beyond_node};
    fit_terms(count, samples, rest, rates, allowed, x);
    m->work_s = x[0];
    m->serial_s = x[1];
    m->bytes = isnan(bytes) ? x[2] : bytes;
    m->error = 0.0;
    for (int i = 0; i < count; i++)
        m->error = fmax(m->error, fabs(pv_scale_model_seconds(m, samples[i].count) / samples[i].seconds - 1.0));
}

// Communication that does not become less as bytes would, for it is waiting, explains nothing, and is not looked at.
pv_scale_model pv_scale_model_fit(int count, const pv_scale_sample *samples, double rounds, const pv_scale_rates *rates)
{
    pv_scale_model m = {.rounds = rounds, .rates = *rates, .points = count};
    if (count > MOST_SAMPLES) count = MOST_SAMPLES;
    const double bytes = bytes_of_communication(count, samples, rounds, rates);
    fit_ring(count, samples, &m);
    fit_rest(count, samples, bytes, &m);
    pv_scale_model without = m;
    if (isnan(bytes) || m.error < ENOUGH) return m;
    fit_rest(count, samples, NAN, &without);
    return without.error < m.error ? without : m;
}

double pv_scale_model_seconds(const pv_scale_model *m, double count)
{
    return m->serial_s + m->work_s / count + m->bytes * term(&m->rates, 2, count) + seconds_of_ring(m, count) +
           seconds_of_messages(&m->rates, m->rounds, count);
}
