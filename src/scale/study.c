// SPDX-License-Identifier: Apache-2.0
#include "scale/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/check.h"
#include "base/log.h"
#include "base/mem.h"
#include "scale/results_times.h"

#define ROUNDS_OF_BLOCK                                                                                                \
    14.0 // messages to all others for a block of bands: twelve sums over ranks, bands there and back

enum { MOST_CORES = 10000000 };

static const double levels[PV_SCALE_LEVELS] = {0.7, 0.5};

// ---- Reading -----------------------------------------------------------------------------------------------------

// OUTCAR of a folder, or results.json where a run wrote nothing else; or either of them itself.
static pv_status read_times(const char *name, char path[4096], pv_run_times *times_p)
{
    struct stat info;
    const int is_folder = stat(name, &info) == 0 && S_ISDIR(info.st_mode);
    const size_t length = strlen(name);
    int is_json = length > 5 && strcmp(name + length - 5, ".json") == 0;
    snprintf(path, 4096, is_folder ? "%s/OUTCAR" : "%s", name);
    if (is_folder && stat(path, &info) != 0) {
        snprintf(path, 4096, "%s/results.json", name);
        is_json = stat(path, &info) == 0;
        PV_REQUIRE(is_json, PV_ERR_INPUT, "%s has neither OUTCAR nor results.json; a folder where a run ended is "
                   "accepted", name);
    }
    return is_json ? pv_results_times_read(path, times_p) : pv_outcar_times_read(path, times_p);
}

// Times that nobody can have had make no study.
static pv_status check_times(const pv_run_times *t, const char *path)
{
    const double loops_s = pv_run_times_steps(t);
    PV_REQUIRE(loops_s > 0.0, PV_ERR_INPUT, "%s: its %d LOOP lines say 0 seconds; a run that took some is needed", path,
               t->steps);
    PV_REQUIRE(!t->is_whole || t->elapsed_s >= 0.9 * loops_s, PV_ERR_INPUT,
               "%s: its LOOPs take %.6g s, of %.6g s that elapsed; the file of one run is accepted, neither joined nor "
               "changed", path, loops_s, t->elapsed_s);
    PV_REQUIRE(t->cores <= MOST_CORES && t->gpus <= MOST_CORES, PV_ERR_INPUT,
               "%s: it ran on %d cores and %d GPUs; at most %d are accepted", path, t->cores, t->gpus, MOST_CORES);
    return PV_OK;
}

static pv_status check_run(const pv_run_times *t, const char *path, int force)
{
    PV_REQUIRE(t->steps > 0, PV_ERR_INPUT,
               "%s has no LOOP line: the run ended before its first iteration, or is not there yet", path);
    PV_REQUIRE(t->cores > 0, PV_ERR_INPUT, "%s does not say on how many cores it ran (\"running on N total cores\")",
               path);
    PV_REQUIRE(t->is_whole || force, PV_ERR_INPUT,
               "%s is cut off after iteration %d: \"General timing\" with \"Elapsed time (sec)\" is not there; "
               "--force takes the iterations without the time around them",
               path, t->steps);
    return check_times(t, path);
}

static pv_status read_run(const char *name, const pv_scale_settings *settings, pv_run_times *times_p)
{
    char path[4096];
    pv_run_times t;
    PV_TRY(read_times(name, path, &t));
    pv_status status = check_run(&t, path, settings->force);
    if (status == PV_OK && settings->by_cpu) status = pv_run_times_take_cpu(&t, path);
    if (status != PV_OK) {
        pv_run_times_release(&t);
        return status;
    }
    *times_p = t;
    return PV_OK;
}

typedef struct trait {
    const char *name;
    double first, other, tolerance;
} trait;

// 0 is "not said".
static pv_status compare(const pv_scale_run *first, const pv_scale_run *other, int force)
{
    const pv_run_times *a = &first->times, *b = &other->times;
    const trait traits[] = {{"atoms", a->atoms, b->atoms, 0.0},
                            {"electrons", a->electrons, b->electrons, 1e-3},
                            {"eV of ENCUT", a->cutoff_ev, b->cutoff_ev, 1e-2},
                            {"A^3 of volume", a->volume_angstrom3, b->volume_angstrom3, 1e-2},
                            {"k-points", a->kpoints, b->kpoints, 0.0},
                            {"bands", a->bands, b->bands, 0.0},
                            {"for ISPIN", a->spins, b->spins, 0.0},
                            {"for LHFCALC", a->hybrid + 1, b->hybrid + 1, 0.0}};
    for (size_t i = 0; i < sizeof traits / sizeof *traits; i++) {
        const trait *t = &traits[i];
        if (t->first == 0.0 || t->other == 0.0 || fabs(t->first - t->other) <= t->tolerance) continue;
        const double shift = strcmp(t->name, "for LHFCALC") == 0 ? 1.0 : 0.0;
        if (force)
            pv_log(PV_LOG_WARN, "%s has %.9g %s, %s has %.9g: they are compared all the same", first->name,
                   t->first - shift, t->name, other->name, t->other - shift);
        else
            PV_FAIL(PV_ERR_INPUT,
                    "%s has %.9g %s, %s has %.9g: runs of one system are needed; --force compares them all the same",
                    first->name, t->first - shift, t->name, other->name, t->other - shift);
    }
    return PV_OK;
}

// A run that is given twice would weigh twice.
static pv_status check_twice(int count, const char *const *names)
{
    for (int i = 1; i < count; i++)
        for (int k = 0; k < i; k++) {
            struct stat a, b;
            if (stat(names[i], &a) != 0 || stat(names[k], &b) != 0) continue;
            PV_REQUIRE(a.st_dev != b.st_dev || a.st_ino != b.st_ino, PV_ERR_INPUT,
                       "%s and %s are the same; each run is accepted once", names[k], names[i]);
        }
    return PV_OK;
}

static pv_status read_runs(int count, const char *const *names, pv_scale_study *s)
{
    PV_TRY(check_twice(count, names));
    for (int i = 0; i < count; i++) {
        s->run[i] = (pv_scale_run){.name = names[i], .error = NAN};
        PV_TRY(read_run(names[i], &s->settings, &s->run[i].times));
        s->runs++;
        PV_TRY(compare(&s->run[0], &s->run[i], s->settings.force));
    }
    return PV_OK;
}

// ---- Units and order ---------------------------------------------------------------------------------------------

// VASP drives a GPU by each rank, and does not always say so; runs of this program do.
static pv_status choose_unit(pv_scale_study *s)
{
    pv_scale_unit unit = s->settings.unit;
    int all_gpus = 1;
    for (int i = 0; i < s->runs; i++) all_gpus &= s->run[i].times.gpus > 0;
    if (unit == PV_SCALE_AUTO) unit = all_gpus ? PV_SCALE_GPUS : PV_SCALE_CORES;
    for (int i = 0; i < s->runs; i++) {
        const pv_run_times *t = &s->run[i].times;
        const int gpus = t->gpus > 0 ? t->gpus : t->ranks;
        PV_REQUIRE(unit != PV_SCALE_GPUS || t->gpus > 0 || !pv_run_times_are_ours(t), PV_ERR_ARGUMENT,
                   "--unit gpus, but %s used no GPU; cores and ranks are accepted", s->run[i].name);
        s->run[i].count = unit == PV_SCALE_GPUS ? gpus : unit == PV_SCALE_RANKS ? t->ranks : t->cores;
    }
    s->unit = unit == PV_SCALE_GPUS ? "GPUs" : unit == PV_SCALE_RANKS ? "ranks" : "cores";
    return PV_OK;
}

static void complete_rates(pv_scale_study *s)
{
    const pv_scale_rates usual = strcmp(s->unit, "GPUs") == 0 ? pv_scale_rates_h200() : pv_scale_rates_cores();
    pv_scale_rates *rates = &s->settings.rates;
    if (rates->node_bytes_per_s == 0.0) rates->node_bytes_per_s = usual.node_bytes_per_s;
    if (rates->network_bytes_per_s == 0.0) rates->network_bytes_per_s = usual.network_bytes_per_s;
    if (rates->efficiency == 0.0) rates->efficiency = usual.efficiency;
    if (rates->overhead_s == 0.0) rates->overhead_s = usual.overhead_s;
    if (rates->node_gpus == 0) rates->node_gpus = usual.node_gpus;
}

static int in_order(const void *left, const void *right)
{
    const pv_scale_run *a = left, *b = right;
    if (a->count != b->count) return a->count < b->count ? -1 : 1;
    const int transport = strcmp(a->times.transport, b->times.transport);
    if (transport) return transport;
    if (a->times.steps != b->times.steps) return a->times.steps < b->times.steps ? -1 : 1;
    return strcmp(a->name, b->name);
}

static int same_machine(const pv_scale_run *a, const pv_scale_run *b)
{
    return a->count == b->count && strcmp(a->times.transport, b->times.transport) == 0 &&
           a->times.ranks == b->times.ranks;
}

// ---- Predictions -------------------------------------------------------------------------------------------------

// The profile of the other runs: the one with the most iterations.
static pv_status predict(pv_scale_study *s)
{
    int most = 0;
    for (int i = 1; i < s->runs; i++)
        if (s->run[i].times.steps > s->run[most].times.steps) most = i;
    if (s->settings.iterations == 0) s->settings.iterations = s->run[most].times.steps;
    PV_REQUIRE(s->settings.builds <= s->settings.iterations, PV_ERR_ARGUMENT,
               "--builds %d of %d iterations; at most one in each is accepted", s->settings.builds,
               s->settings.iterations);
    s->profile = -1;
    for (int i = 0; i < s->runs; i++) {
        const pv_run_times *profile = &s->run[most].times;
        s->run[i].prediction =
            pv_predict(&s->run[i].times, i == most ? NULL : profile, s->settings.iterations, s->settings.builds);
        if (s->run[i].prediction.by_profile) s->profile = most;
    }
    return PV_OK;
}

// Runs that went on to the end tell how good what shorter ones on the same machine promised of them was. The profile
// is another machine's, where there is one as long: a run must not foretell itself.
static void check_prediction(pv_scale_study *s, pv_scale_run *run)
{
    int by = -1;
    for (int i = 0; i < s->runs; i++) {
        const int is_longer = s->run[i].times.steps > s->run[run->full].times.steps;
        if (same_machine(run, &s->run[i]) && s->run[i].times.is_whole && is_longer) run->full = i;
    }
    const pv_run_times *full = &s->run[run->full].times;
    if (full->steps <= run->times.steps) return;
    for (int i = 0; i < s->runs && by < 0; i++)
        if (s->run[i].times.steps >= full->steps && !same_machine(run, &s->run[i])) by = i;
    run->checked_by = by;
    run->error = pv_predict(&run->times, by < 0 ? NULL : &s->run[by].times, full->steps, s->settings.builds).total_s /
                     full->elapsed_s -
                 1.0;
}

// ---- Lines -------------------------------------------------------------------------------------------------------

static double rounds_of(const pv_run_times *t)
{
    double applications = 0.0;
    for (int i = 0; i < t->steps; i++) applications += (double)t->step[i].applications;
    const double states = (double)t->bands * t->kpoints * (t->spins > 0 ? t->spins : 1);
    return states > 0.0 ? ROUNDS_OF_BLOCK * applications / states * t->kpoints / fmax(t->groups, 1.0) : 0.0;
}

static pv_scale_sample sample_of(const pv_scale_run *run, int iterations)
{
    const pv_run_times *t = &run->times;
    const double scale = (double)iterations / t->steps;
    const double ring_wait_s = t->waited_s > 0.0 ? fmin(t->waited_s, t->comm_s) : 0.0;
    return (pv_scale_sample){.count = run->count,
                             .seconds = run->prediction.total_s,
                             .comm_s = (t->comm_s - ring_wait_s) * scale,
                             .builds_s = t->fock_s * scale,
                             .ring_s = t->way_s * scale};
}

static void fit_model(pv_scale_study *s, pv_scale_line *line)
{
    pv_scale_sample samples[64];
    const int count = line->points < 64 ? line->points : 64;
    double rounds = 0.0;
    for (int p = 0; p < count; p++) {
        const pv_scale_run *run = &s->run[line->run[p]];
        samples[p] = sample_of(run, s->settings.iterations);
        rounds = fmax(rounds, rounds_of(&run->times) * s->settings.iterations / run->times.steps);
    }
    line->model = pv_scale_model_fit(count, samples, rounds, &s->settings.rates);
    line->last_error = NAN;
    if (count < 3) return;
    const double last = samples[count - 1].count, seconds = samples[count - 1].seconds;
    const pv_scale_model without = pv_scale_model_fit(count - 1, samples, rounds, &s->settings.rates);
    line->last_error = pv_scale_model_seconds(&without, last) / seconds - 1.0;
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
    if (!(high > low) || pv_scale_line_efficiency(s, line, high) >= level) return (pv_scale_crossing){level, NAN, 1};
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

static pv_status make_lines(pv_scale_study *s)
{
    for (int i = 0; i < s->runs; i++) // the longest of equals comes last
        s->run[i].is_point = i + 1 == s->runs || !same_machine(&s->run[i], &s->run[i + 1]);
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

static size_t length_without_slashes(const char *name)
{
    size_t length = strlen(name);
    while (length > 1 && name[length - 1] == '/') length--;
    return length;
}

static int is_same_name(const char *a, const char *b)
{
    const size_t length = length_without_slashes(a);
    return length == length_without_slashes(b) && memcmp(a, b, length) == 0;
}

static pv_status choose_reference(pv_scale_study *s)
{
    const char *wanted = s->settings.reference;
    s->reference = -1;
    for (int i = 0; i < s->runs && s->reference < 0; i++)
        if (wanted ? is_same_name(s->run[i].name, wanted) : s->run[i].is_point) s->reference = i;
    PV_REQUIRE(s->reference >= 0, PV_ERR_INPUT, "--reference %s is none of the %d runs given; the first of them is %s",
               wanted, s->runs, s->run[0].name);
    return PV_OK;
}

static void rate(pv_scale_study *s)
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

// ---- The study ---------------------------------------------------------------------------------------------------

pv_status pv_scale_study_open(int count, const char *const *names, const pv_scale_settings *settings,
                              pv_scale_study *study_p)
{
    pv_scale_study s = {.settings = *settings};
    PV_REQUIRE(count > 0, PV_ERR_ARGUMENT, "no run is given; folders with an OUTCAR are accepted");
    PV_TRY(PV_ALLOC(count, &s.run));
    pv_status status = read_runs(count, names, &s);
    if (status == PV_OK) status = choose_unit(&s);
    if (status == PV_OK) {
        complete_rates(&s);
        qsort(s.run, (size_t)s.runs, sizeof *s.run, in_order);
        status = predict(&s);
    }
    if (status == PV_OK) {
        for (int i = 0; i < s.runs; i++) {
            s.run[i].full = i;
            check_prediction(&s, &s.run[i]);
        }
        status = make_lines(&s);
    }
    if (status == PV_OK) status = choose_reference(&s);
    if (status != PV_OK) {
        pv_scale_study_release(&s);
        return status;
    }
    rate(&s);
    *study_p = s;
    return PV_OK;
}

void pv_scale_study_release(pv_scale_study *study)
{
    for (int i = 0; study->run && i < study->runs; i++) pv_run_times_release(&study->run[i].times);
    for (int l = 0; study->line && l < study->lines; l++) pv_mem_free(study->line[l].run);
    pv_mem_free(study->run);
    pv_mem_free(study->line);
    *study = (pv_scale_study){0};
}
