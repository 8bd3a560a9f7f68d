// SPDX-License-Identifier: Apache-2.0
#include "scale/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "scale/lines.h"
#include "scale/read_runs.h"

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
// is another run's that is as long, of the same machine where there is one: a run must not foretell itself.
static void check_prediction(pv_scale_study *s, pv_scale_run *run)
{
    int by = -1;
    for (int i = 0; i < s->runs; i++) {
        const int is_longer = s->run[i].times.steps > s->run[run->full].times.steps;
        if (pv_scale_same_machine(run, &s->run[i]) && s->run[i].times.is_whole && is_longer) run->full = i;
    }
    const pv_run_times *full = &s->run[run->full].times;
    if (full->steps <= run->times.steps) return;
    for (int i = 0; i < s->runs; i++) {
        if (i == run->full || s->run[i].times.steps < full->steps) continue;
        if (by < 0 || pv_scale_same_machine(run, &s->run[i])) by = i;
    }
    run->checked_by = by;
    const pv_run_times *profile = by < 0 ? NULL : &s->run[by].times;
    const pv_prediction promise = pv_predict(&run->times, profile, full->steps, s->settings.builds);
    run->error = promise.total_s / full->elapsed_s - 1.0;
    run->loops_error = promise.steps_s / pv_run_times_steps(full) - 1.0;
}

// ---- The reference -----------------------------------------------------------------------------------------------

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

// ---- The study ---------------------------------------------------------------------------------------------------

pv_status pv_scale_study_open(int count, const char *const *names, const pv_scale_settings *settings,
                              pv_scale_study *study_p)
{
    pv_scale_study s = {.settings = *settings};
    PV_REQUIRE(count > 0, PV_ERR_ARGUMENT, "no run is given; folders with an OUTCAR are accepted");
    PV_TRY(PV_ALLOC(count, &s.run));
    pv_status status = pv_scale_read_runs(count, names, &s);
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
        status = pv_scale_lines_make(&s);
    }
    if (status == PV_OK) status = choose_reference(&s);
    if (status != PV_OK) {
        pv_scale_study_release(&s);
        return status;
    }
    pv_scale_lines_rate(&s);
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
