// SPDX-License-Identifier: Apache-2.0
#include "scale/lines.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"

// messages to all others for a block of bands: twelve sums over ranks, bands there and back
#define ROUNDS_OF_BLOCK 14.0

static const double levels[PV_SCALE_LEVELS] = {0.7, 0.5};

int pv_scale_same_machine(const pv_scale_run *a, const pv_scale_run *b)
{
    return a->count == b->count && strcmp(a->times.transport, b->times.transport) == 0 &&
           a->times.ranks == b->times.ranks;
}

static double rounds_of(const pv_run_times *t)
{
    double applications = 0.0;
    for (int i = 0; i < t->steps; i++) applications += (double)t->step[i].applications;
    const double states = (double)t->bands * t->kpoints * (t->spins > 0 ? t->spins : 1);
    return states > 0.0 ? ROUNDS_OF_BLOCK * applications / states * t->kpoints / fmax(t->groups, 1.0) : 0.0;
}

// What the files say of a run's own iterations, carried to those of its prediction: messages of the ring with the
// builds of exchange, what other communication takes with all else.
static pv_scale_sample sample_of(const pv_scale_run *run)
{
    const pv_run_times *t = &run->times;
    const pv_prediction *p = &run->prediction;
    const double fock_s = t->fock_s > 0.0 ? t->fock_s : 0.0;
    const double own_s = pv_run_times_before(t) + pv_run_times_steps(t) + pv_run_times_after(t);
    const double ring_wait_s = t->waited_s > 0.0 ? fmin(t->waited_s, t->comm_s) : 0.0;
    const double rest = own_s > fock_s ? (p->total_s - p->builds_s) / (own_s - fock_s) : 1.0;
    const double builds = fock_s > 0.0 ? p->builds_s / fock_s : 0.0;
    return (pv_scale_sample){.count = run->count,
                             .seconds = p->total_s,
                             .comm_s = (t->comm_s - ring_wait_s) * rest,
                             .builds_s = fock_s * builds,
                             .ring_s = t->way_s * builds};
}

static void fit_model(pv_scale_study *s, pv_scale_line *line)
{
    pv_scale_sample samples[64];
    const int count = line->points < 64 ? line->points : 64;
    double rounds = 0.0;
    for (int p = 0; p < count; p++) {
        const pv_scale_run *run = &s->run[line->run[p]];
        samples[p] = sample_of(run);
        rounds = fmax(rounds, rounds_of(&run->times) * s->settings.iterations / run->times.steps);
    }
    line->model = pv_scale_model_fit(count, samples, rounds, &s->settings.rates);
    line->last_error = NAN;
    if (count < 3) return;
    const double last = samples[count - 1].count, seconds = samples[count - 1].seconds;
    const pv_scale_model without = pv_scale_model_fit(count - 1, samples, rounds, &s->settings.rates);
    line->last_error = pv_scale_model_seconds(&without, last) / seconds - 1.0;
}

int pv_scale_line_has_model(const pv_scale_line *line)
{
    return line->points > 1 && line->model.work_s > 0.0;
}

double pv_scale_line_efficiency(const pv_scale_study *s, const pv_scale_line *line, double count)
{
    const pv_scale_run *reference = &s->run[s->reference];
    return reference->prediction.total_s * reference->count / (pv_scale_model_seconds(&line->model, count) * count);
}

// Between two points efficiency is a straight line over the logarithm of the count.
static pv_scale_crossing find_crossing(const pv_scale_study *s, const pv_scale_line *line, double level)
{
    const pv_scale_run *last = NULL;
    for (int p = 0; p < line->points; p++) {
        const pv_scale_run *run = &s->run[line->run[p]];
        if (run->efficiency < level && last) {
            const double part = (last->efficiency - level) / (last->efficiency - run->efficiency);
            const double a = log((double)last->count), b = log((double)run->count);
            return (pv_scale_crossing){level, exp(a + part * (b - a)), 0};
        }
        if (run->efficiency < level) return (pv_scale_crossing){level, run->count, 0};
        last = run;
    }
    double low = last ? last->count : 1.0, high = s->settings.most;
    if (!(high > low) || !pv_scale_line_has_model(line) || pv_scale_line_efficiency(s, line, high) >= level)
        return (pv_scale_crossing){level, NAN, 1};
    for (int i = 0; i < 60; i++) {
        const double middle = sqrt(low * high);
        if (pv_scale_line_efficiency(s, line, middle) < level)
            high = middle;
        else
            low = middle;
    }
    return (pv_scale_crossing){level, high, 1};
}

static pv_scale_line *line_of(pv_scale_study *s, const char *transport)
{
    for (int l = 0; l < s->lines; l++)
        if (strcmp(s->line[l].transport, transport) == 0) return &s->line[l];
    return NULL;
}

// A single core or GPU talks to nobody: its run begins every line that has none of its own, whatever its transport.
static void add_single(pv_scale_study *s, pv_scale_line *line)
{
    const pv_scale_run *first = &s->run[0];
    if (first->count > 1 || (line->points > 0 && s->run[line->run[0]].count == 1)) return;
    int best = -1;
    for (int i = 0; i < s->runs; i++)
        if (s->run[i].is_point && s->run[i].count == 1 && best < 0) best = i;
    memmove(line->run + 1, line->run, (size_t)line->points * sizeof *line->run);
    line->run[0] = best;
    line->points++;
}

pv_status pv_scale_lines_make(pv_scale_study *s)
{
    for (int i = 0; i < s->runs; i++) // the longest of equals comes last
        s->run[i].is_point = i + 1 == s->runs || !pv_scale_same_machine(&s->run[i], &s->run[i + 1]);
    PV_TRY(PV_ALLOC(s->runs, &s->line));
    for (int i = 0; i < s->runs; i++) {
        const char *transport = s->run[i].times.transport;
        if (!s->run[i].is_point || (s->run[i].count == 1 && s->run[s->runs - 1].count > 1)) continue;
        pv_scale_line *line = line_of(s, transport);
        if (!line) {
            line = &s->line[s->lines++];
            line->transport = transport;
            PV_TRY(PV_ALLOC(s->runs + 1, &line->run));
        }
        line->run[line->points++] = i;
    }
    for (int l = 0; l < s->lines; l++) add_single(s, &s->line[l]);
    return PV_OK;
}

void pv_scale_lines_rate(pv_scale_study *s)
{
    const pv_scale_run *reference = &s->run[s->reference];
    for (int i = 0; i < s->runs; i++) {
        s->run[i].speedup = reference->prediction.total_s / s->run[i].prediction.total_s;
        s->run[i].efficiency = s->run[i].speedup * reference->count / s->run[i].count;
    }
    for (int l = 0; l < s->lines; l++) {
        fit_model(s, &s->line[l]);
        for (int c = 0; c < PV_SCALE_LEVELS; c++) s->line[l].crossing[c] = find_crossing(s, &s->line[l], levels[c]);
    }
}
