// SPDX-License-Identifier: Apache-2.0
#include "scale/read_runs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/check.h"
#include "base/log.h"
#include "scale/outcar_times.h"
#include "scale/results_times.h"

enum { MOST_CORES = 10000000 };

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
    if (!t->is_whole)
        pv_log(PV_LOG_WARN, "%s is cut off after iteration %d: its total lacks what came before and after iterations",
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

typedef struct word_trait {
    const char *name, *first, *other;
} word_trait;

static pv_status differ(int force, const char *text)
{
    if (force) {
        pv_log(PV_LOG_WARN, "%s: they are compared all the same", text);
        return PV_OK;
    }
    PV_FAIL(PV_ERR_INPUT, "%s: runs of one system are needed; --force compares them all the same", text);
}

static pv_status compare_words(const pv_scale_run *first, const pv_scale_run *other, int force)
{
    const pv_run_times *a = &first->times, *b = &other->times;
    const word_trait traits[] = {{"the elements", a->elements, b->elements},
                                 {"PRECFOCK =", a->exchange_precision, b->exchange_precision}};
    char text[512];
    for (size_t i = 0; i < sizeof traits / sizeof *traits; i++) {
        const word_trait *t = &traits[i];
        if (!*t->first || !*t->other || strcasecmp(t->first, t->other) == 0) continue;
        snprintf(text, sizeof text, "%.160s has %s %s, %.160s has %s", first->name, t->name, t->first, other->name,
                 t->other);
        PV_TRY(differ(force, text));
    }
    return PV_OK;
}

// 0 is "not said".
static pv_status compare(const pv_scale_run *first, const pv_scale_run *other, int force)
{
    const pv_run_times *a = &first->times, *b = &other->times;
    const int *grid = a->exchange_grid, *other_grid = b->exchange_grid;
    const trait traits[] = {{"atoms", a->atoms, b->atoms, 0.0},
                            {"electrons", a->electrons, b->electrons, 1e-3},
                            {"eV of ENCUT", a->cutoff_ev, b->cutoff_ev, 1e-2},
                            {"A^3 of volume", a->volume_angstrom3, b->volume_angstrom3, 1e-2},
                            {"k-points", a->kpoints, b->kpoints, 0.0},
                            {"bands", a->bands, b->bands, 0.0},
                            {"for ISPIN", a->spins, b->spins, 0.0},
                            {"for LHFCALC", a->hybrid + 1, b->hybrid + 1, 0.0},
                            {"for AEXX", a->exchange_share, b->exchange_share, 1e-6},
                            {"1/A of HFSCREEN", a->screening, b->screening, 1e-6},
                            {"points of exchange's grid along a", grid[0], other_grid[0], 0.0},
                            {"points of exchange's grid along b", grid[1], other_grid[1], 0.0},
                            {"points of exchange's grid along c", grid[2], other_grid[2], 0.0}};
    char text[512];
    for (size_t i = 0; i < sizeof traits / sizeof *traits; i++) {
        const trait *t = &traits[i];
        if (t->first == 0.0 || t->other == 0.0 || fabs(t->first - t->other) <= t->tolerance) continue;
        const double shift = strcmp(t->name, "for LHFCALC") == 0 ? 1.0 : 0.0;
        snprintf(text, sizeof text, "%.160s has %.9g %s, %.160s has %.9g", first->name, t->first - shift, t->name,
                 other->name, t->other - shift);
        PV_TRY(differ(force, text));
    }
    return compare_words(first, other, force);
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

pv_status pv_scale_read_runs(int count, const char *const *names, pv_scale_study *s)
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
