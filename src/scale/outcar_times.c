// SPDX-License-Identifier: Apache-2.0
#include "scale/outcar_times.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "dft/files/text.h"

#define MOST_SECONDS 1e9 // thirty years

typedef struct reader {
    pv_text text;
    pv_run_times *times;
    int room;    // of times->step
    int in_step; // between "Iteration" and its LOOP
    pv_step_times step;
    int filled_lines;
} reader;

// ---- Words -------------------------------------------------------------------------------------------------------

// Where `what` begins in a line; NULL: nowhere.
static const char *find(pv_word line, const char *what)
{
    const size_t length = strlen(what);
    for (const char *at = line.begin; line.end - at >= (ptrdiff_t)length; at++) {
        at = memchr(at, *what, (size_t)(line.end - at) - length + 1);
        if (!at) return NULL;
        if (memcmp(at, what, length) == 0) return at;
    }
    return NULL;
}

// The line behind `what`.
static int behind(pv_word line, const char *what, pv_word *rest)
{
    const char *at = find(line, what);
    if (!at) return 0;
    *rest = (pv_word){at + strlen(what), line.end};
    return 1;
}

static int is_name(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

// The value of "KEY = value" or "KEY= value;" anywhere in the line.
static int value_of(pv_word line, const char *key, pv_word *value)
{
    pv_word rest;
    if (!behind(line, key, &rest)) return 0;
    const char *at = rest.begin - strlen(key);
    if (at > line.begin && is_name(at[-1])) return 0;
    while (rest.begin < rest.end && *rest.begin == ' ') rest.begin++;
    if (rest.begin == rest.end || *rest.begin != '=') return 0;
    rest.begin++;
    if (!pv_word_next(&rest, value)) return 0;
    while (value->end > value->begin && value->end[-1] == ';') value->end--;
    return value->end > value->begin;
}

static void take_int(pv_word line, const char *key, int *value)
{
    pv_word word;
    int number;
    if (value_of(line, key, &word) && pv_word_int(word, &number) && number >= 0) *value = number;
}

static void take_real(pv_word line, const char *key, double *value)
{
    pv_word word;
    double number;
    if (value_of(line, key, &word) && pv_word_real(word, &number)) *value = number;
}

static int next_int(pv_word *rest, int *value)
{
    pv_word word;
    int number;
    if (!pv_word_next(rest, &word) || !pv_word_int(word, &number) || number < 1) return 0;
    *value = number;
    return 1;
}

static void copy(pv_word word, size_t size, char *to)
{
    size_t length = (size_t)(word.end - word.begin);
    if (length >= size) length = size - 1;
    memcpy(to, word.begin, length);
    to[length] = '\0';
}

// ---- Machine and system ------------------------------------------------------------------------------------------

static void read_program(pv_word line, pv_run_times *t)
{
    pv_word rest = line, word, second;
    if (!pv_word_next(&rest, &word)) return;
    if (word.end - word.begin > 5 && memcmp(word.begin, "vasp.", 5) == 0) copy(word, sizeof t->program, t->program);
    if (!pv_word_is(word, "parseval") || !pv_word_next(&rest, &second)) return;
    const int length = (int)(second.end - second.begin);
    snprintf(t->program, sizeof t->program, "parseval %.*s", length, second.begin);
}

static void read_machine(pv_word line, pv_run_times *t)
{
    pv_word rest, word;
    int count;
    if (behind(line, "running on", &rest) && next_int(&rest, &count)) {
        if (find(rest, "total cores")) t->cores = count;
        if (find(rest, "GPUs")) t->gpus = count;
    } else if (find(line, "mpi-ranks") && behind(line, "running", &rest) && next_int(&rest, &t->ranks)) {
        if (behind(line, "with", &rest)) next_int(&rest, &t->threads);
        if (behind(line, "rank, on", &rest)) next_int(&rest, &t->nodes);
    } else if (behind(line, "each k-point on", &rest) && next_int(&rest, &count) && behind(line, "cores,", &rest)) {
        next_int(&rest, &t->groups);
    } else if (find(line, "GPUs detected")) {
        rest = pv_word_trim(line);
        while (pv_word_next(&rest, &word))
            if (pv_word_int(word, &count) && count > 0) t->gpus = count;
    } else if (behind(line, "transport:", &rest) && pv_word_next(&rest, &word)) {
        copy(word, sizeof t->transport, t->transport);
    } else if (value_of(line, "LUSENCCL", &word)) {
        const int off = find(word, "F") || find(word, "f");
        snprintf(t->transport, sizeof t->transport, "%s", off ? "mpi" : "nccl");
    }
}

static void read_exchange(pv_word line, pv_run_times *t)
{
    pv_word word, rest;
    if (value_of(line, "LHFCALC", &word)) t->hybrid = find(word, "T") || find(word, "t");
    if (value_of(line, "PRECFOCK", &word)) copy(word, sizeof t->exchange_precision, t->exchange_precision);
    take_real(line, "AEXX", &t->exchange_share);
    take_real(line, "HFSCREEN", &t->screening);
    if (!behind(line, "exchange grid", &rest)) return;
    for (int i = 0; i < 3; i++)
        if (!next_int(&rest, &t->exchange_grid[i])) return;
}

// "VRHFIN =Hf: ...", a kind of atoms each.
static void read_element(pv_word line, pv_run_times *t)
{
    pv_word word;
    if (!value_of(line, "VRHFIN", &word)) return;
    const char *colon = memchr(word.begin, ':', (size_t)(word.end - word.begin));
    const size_t used = strlen(t->elements), room = sizeof t->elements - used;
    const int length = (int)((colon ? colon : word.end) - word.begin);
    snprintf(t->elements + used, room, "%s%.*s", used > 0 ? " " : "", length, word.begin);
}

static void read_system(pv_word line, pv_run_times *t)
{
    pv_word word, rest;
    take_int(line, "NKPTS", &t->kpoints);
    take_int(line, "NBANDS", &t->bands);
    take_int(line, "NIONS", &t->atoms);
    take_int(line, "ISPIN", &t->spins);
    take_int(line, "NELM", &t->steps_max);
    take_real(line, "NELECT", &t->electrons);
    take_real(line, "ENCUT", &t->cutoff_ev);
    read_exchange(line, t);
    read_element(line, t);
    if (behind(line, "volume of cell :", &rest) && pv_word_next(&rest, &word)) pv_word_real(word, &t->volume_angstrom3);
}

// ---- Times -------------------------------------------------------------------------------------------------------

// "NAME:  cpu time  1.2: real time  1.3", VASP 5's "VPU time" too.
static pv_status read_timer(reader *r, pv_word line, pv_word *name, double *real_s, double *cpu_s, int *is_timer)
{
    pv_word rest, own, word;
    char shown[PV_WORD_SHOWN];
    *is_timer = 0;
    *cpu_s = 0.0;
    const char *colon = memchr(line.begin, ':', (size_t)(line.end - line.begin));
    if (!colon) return PV_OK;
    rest = (pv_word){colon + 1, line.end};
    if (!find(rest, "cpu time") && !find(rest, "VPU time")) return PV_OK;
    *name = pv_word_trim((pv_word){line.begin, colon});
    if (behind(rest, "cpu time", &own) || behind(rest, "VPU time", &own)) {
        const char *end = memchr(own.begin, ':', (size_t)(own.end - own.begin));
        if (end) (void)pv_word_real(pv_word_trim((pv_word){own.begin, end}), cpu_s);
    }
    const int found =
        (behind(rest, "real time", &rest) || behind(rest, ": CPU time", &rest)) && pv_word_next(&rest, &word);
    if (found && *word.begin == '*' && pv_word_is(*name, "LOOP+")) return PV_OK; // VASP's has no room beyond a day
    PV_REQUIRE(found && pv_word_real(word, real_s) && *real_s >= 0.0 && *real_s < MOST_SECONDS, PV_ERR_INPUT,
               "%s:%d: \"%s\" has no number of seconds, 0 to %g, after \"real time\"", r->text.name, r->text.line,
               pv_word_show(pv_word_trim(line), shown), MOST_SECONDS);
    *is_timer = 1;
    return PV_OK;
}

static int part_of(pv_run_times *t, pv_word name)
{
    for (int p = 0; p < t->parts; p++)
        if (pv_word_is(name, t->part[p])) return p;
    if (t->parts == PV_TIMES_PARTS || name.end - name.begin >= PV_TIMES_NAME || name.end == name.begin) return -1;
    copy(name, PV_TIMES_NAME, t->part[t->parts]);
    return t->parts++;
}

static pv_status end_step(reader *r, double loop_s, double loop_cpu_s)
{
    pv_run_times *t = r->times;
    if (t->steps == r->room) {
        pv_step_times *step;
        const int room = r->room > 0 ? 2 * r->room : 32;
        PV_TRY(PV_ALLOC(room, &step));
        if (t->steps > 0) memcpy(step, t->step, (size_t)t->steps * sizeof *step);
        pv_mem_free(t->step);
        t->step = step;
        r->room = room;
    }
    r->step.loop_s = loop_s;
    r->step.loop_cpu_s = loop_cpu_s;
    t->step[t->steps++] = r->step;
    r->in_step = 0;
    return PV_OK;
}

static pv_status take_timer(reader *r, pv_word name, double real_s, double cpu_s)
{
    pv_run_times *t = r->times;
    if (pv_word_is(name, "LOOP")) return end_step(r, real_s, cpu_s);
    if (pv_word_is(name, "LOOP+")) {
        t->loop_plus_s = (isnan(t->loop_plus_s) ? 0.0 : t->loop_plus_s) + real_s;
        t->loop_plus_cpu_s += cpu_s;
        t->ionic_steps++;
        return PV_OK;
    }
    const int part = r->in_step ? part_of(t, name) : -1;
    if (part < 0) return PV_OK;
    r->step.part_s[part] += real_s;
    r->step.part_cpu_s[part] += cpu_s;
    return PV_OK;
}

static pv_status read_end(reader *r, pv_word line)
{
    pv_run_times *t = r->times;
    const struct {
        const char *name;
        double *value;
    } entries[] = {{"Elapsed time (sec):", &t->elapsed_s},
                   {"Total CPU time used (sec):", &t->total_cpu_s},
                   {"Initialization (sec):", &t->setup_s},
                   {"After the last iteration (sec):", &t->after_s},
                   {"Exact exchange (sec):", &t->fock_s},
                   {"Messages of exchange (sec):", &t->way_s},
                   {"of which waited for (sec):", &t->waited_s},
                   {"Communication (sec):", &t->comm_s}};
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        pv_word rest, word;
        char shown[PV_WORD_SHOWN];
        if (!behind(line, entries[i].name, &rest)) continue;
        PV_REQUIRE(pv_word_next(&rest, &word) && pv_word_real(word, entries[i].value) && *entries[i].value >= 0.0 &&
                       *entries[i].value < MOST_SECONDS,
                   PV_ERR_INPUT, "%s:%d: \"%s\" has no number of seconds, 0 to %g", r->text.name, r->text.line,
                   pv_word_show(pv_word_trim(line), shown), MOST_SECONDS);
    }
    return PV_OK;
}

// VASP writes the count behind its own step's LOOP line: it belongs to the step that ended last.
static void read_applications(reader *r, pv_word line)
{
    pv_word rest, word;
    double count;
    if (r->times->steps < 1 || !behind(line, "eigenvalue-minimisations", &rest) || !behind(rest, ":", &rest)) return;
    if (pv_word_next(&rest, &word) && pv_word_real(word, &count) && count >= 0.0 && count < 1e15)
        r->times->step[r->times->steps - 1].applications = (int64_t)count;
}

static pv_status read_line(reader *r, pv_word line)
{
    pv_run_times *t = r->times;
    pv_word name;
    double real_s = 0.0, cpu_s;
    int is_timer;
    if (r->filled_lines++ == 0) read_program(line, t);
    PV_TRY(read_timer(r, line, &name, &real_s, &cpu_s, &is_timer));
    if (is_timer) return take_timer(r, name, real_s, cpu_s);
    if (find(line, " Iteration ") && find(line, "-----")) {
        r->step = (pv_step_times){0};
        r->in_step = 1;
        return PV_OK;
    }
    if (find(line, "aborting loop because EDIFF")) t->converged = 1;
    read_applications(r, line);
    if (find(line, "General timing and accounting")) t->is_whole = 1;
    if (t->is_whole) return read_end(r, line);
    if (t->steps == 0 && !r->in_step) {
        read_machine(line, t);
        read_system(line, t);
    }
    return PV_OK;
}

// ---- The file ----------------------------------------------------------------------------------------------------

// A file that is being copied, or whose disk is full, ends within a line, which tells nothing.
static size_t whole_lines(const char *data, size_t length)
{
    while (length > 0 && data[length - 1] != '\n') length--;
    return length;
}

pv_status pv_outcar_times_parse(const char *data, size_t length, const char *name, pv_run_times *times_p)
{
    pv_run_times times = {
        .loop_plus_s = NAN, .elapsed_s = NAN, .setup_s = NAN, .after_s = NAN, .fock_s = NAN, .comm_s = NAN,
        .way_s = NAN, .waited_s = NAN};
    reader r = {.text = pv_text_of(data, whole_lines(data, length), name), .times = &times};
    pv_word line;
    pv_status status = PV_OK;
    while (status == PV_OK && pv_text_filled_line(&r.text, &line)) status = read_line(&r, line);
    if (status == PV_OK && times.program[0] == '\0')
        status =
            pv_fail(PV_ERR_INPUT, __func__, "%s is no OUTCAR: it begins with neither \"vasp.\" nor \"parseval\"", name);
    if (status == PV_OK && times.is_whole && isnan(times.elapsed_s)) times.is_whole = 0;
    if (times.ranks == 0) times.ranks = times.cores;
    if (times.threads == 0) times.threads = 1;
    if (times.cores == 0) times.cores = times.ranks * times.threads;
    if (status != PV_OK) {
        pv_run_times_release(&times);
        return status;
    }
    *times_p = times;
    return PV_OK;
}

pv_status pv_outcar_times_read(const char *path, pv_run_times *times_p)
{
    PV_TEXT_PARSE_FILE(path, pv_outcar_times_parse, times_p);
}
