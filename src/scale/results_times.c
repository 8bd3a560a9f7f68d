// SPDX-License-Identifier: Apache-2.0
#include "scale/results_times.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/json_read.h"
#include "base/mem.h"
#include "dft/files/text.h"

static double number_in(pv_json_value object, const char *name)
{
    pv_json_value value;
    double number;
    return pv_json_member(object, name, &value) && pv_json_as_number(value, &number) ? number : NAN;
}

// Negative and absurd ones are none.
static int count_in(pv_json_value object, const char *name)
{
    const double number = number_in(object, name);
    return number >= 1.0 && number <= 1e9 ? (int)number : 0;
}

static int length_in(pv_json_value object, const char *name)
{
    pv_json_value list;
    return pv_json_member(object, name, &list) ? pv_json_length(list) : 0;
}

static void take_machine(pv_json_value root, pv_run_times *t)
{
    pv_json_value machine, value;
    if (!pv_json_member(root, "machine", &machine)) return;
    t->ranks = count_in(machine, "ranks");
    t->threads = count_in(machine, "threads");
    t->nodes = count_in(machine, "nodes");
    t->gpus = count_in(machine, "gpus");
    t->groups = count_in(machine, "kpoint_groups");
    t->threads = t->threads > 0 && t->threads < 10000 ? t->threads : 1;
    t->cores = t->ranks < 100000 ? t->ranks * t->threads : t->ranks;
    if (pv_json_member(machine, "transport", &value)) pv_json_as_text(value, sizeof t->transport, t->transport);
}

// As an OUTCAR lists them: kinds, in the order of the atoms.
static void take_elements(pv_json_value list, char elements[64])
{
    pv_json_value at;
    char name[16], last[16] = "";
    size_t used = 0;
    for (int more = pv_json_first(list, &at); more; more = pv_json_next(list, &at)) {
        if (!pv_json_as_text(at, sizeof name, name) || strcmp(name, last) == 0) continue;
        if (used < 64) used += (size_t)snprintf(elements + used, 64 - used, "%s%s", used > 0 ? " " : "", name);
        snprintf(last, sizeof last, "%s", name);
    }
}

static void take_system(pv_json_value root, pv_run_times *t)
{
    pv_json_value values, spin, kpoint, system;
    if (pv_json_member(root, "system", &system)) {
        t->electrons = fmax(number_in(system, "electrons"), 0.0);
        t->cutoff_ev = fmax(number_in(system, "cutoff_ev"), 0.0);
        t->volume_angstrom3 = fmax(number_in(system, "volume_angstrom3"), 0.0);
        if (pv_json_member(system, "elements", &values)) take_elements(values, t->elements);
    }
    t->atoms = length_in(root, "forces_ev_angstrom");
    t->kpoints = length_in(root, "weights");
    t->spins = length_in(root, "eigenvalues_ev");
    if (pv_json_member(root, "eigenvalues_ev", &values) && pv_json_first(values, &spin) && pv_json_first(spin, &kpoint))
        t->bands = pv_json_length(kpoint);
}

static void take_sums(pv_json_value root, pv_run_times *t)
{
    pv_json_value seconds, value;
    if (pv_json_member(root, "converged", &value)) pv_json_as_bool(value, &t->converged);
    if (!pv_json_member(root, "seconds", &seconds)) return;
    t->elapsed_s = number_in(seconds, "total");
    t->setup_s = number_in(seconds, "setup");
    t->fock_s = number_in(seconds, "exchange_builds");
    t->comm_s = number_in(seconds, "communication");
    t->hybrid = t->fock_s > 0.0;
    const double way_s = number_in(seconds, "exchange_messages");
    t->way_s = way_s > 0.0 ? way_s : NAN;
    t->waited_s = way_s > 0.0 ? number_in(seconds, "exchange_waits") : NAN;
    t->is_whole = t->elapsed_s >= 0.0 && t->setup_s >= 0.0;
    t->after_s = fmax(t->elapsed_s - t->setup_s - pv_run_times_steps(t), 0.0);
}

// Seconds of iterations, which are whole numbers of neither sign nor place.
static pv_status take_steps(pv_json_value root, const char *name, pv_run_times *t)
{
    pv_json_value list, exchange, doubles, at, fock_at, double_at;
    PV_REQUIRE(pv_json_member(root, "iteration_seconds", &list) && pv_json_length(list) > 0, PV_ERR_INPUT,
               "%s has no \"iteration_seconds\": a results.json of parseval dft is accepted", name);
    PV_TRY(PV_ALLOC(pv_json_length(list), &t->step));
    snprintf(t->part[0], PV_TIMES_NAME, "FOCK");
    snprintf(t->part[1], PV_TIMES_NAME, "FOCKDP");
    int has_fock = pv_json_member(root, "iteration_exchange_seconds", &exchange) && pv_json_first(exchange, &fock_at);
    int has_double =
        pv_json_member(root, "iteration_exchange_double_seconds", &doubles) && pv_json_first(doubles, &double_at);
    t->parts = has_double ? 2 : 1;
    for (int more = pv_json_first(list, &at); more; more = pv_json_next(list, &at)) {
        pv_step_times *step = &t->step[t->steps];
        PV_REQUIRE(pv_json_as_number(at, &step->loop_s) && step->loop_s >= 0.0 && step->loop_s < 1e9, PV_ERR_INPUT,
                   "%s: iteration %d has no number of seconds", name, t->steps + 1);
        double fock_s;
        if (has_fock && pv_json_as_number(fock_at, &fock_s) && fock_s >= 0.0) step->part_s[0] = fock_s;
        if (has_double && pv_json_as_number(double_at, &fock_s) && fock_s >= 0.0) step->part_s[1] = fock_s;
        has_fock = has_fock && pv_json_next(exchange, &fock_at);
        has_double = has_double && pv_json_next(doubles, &double_at);
        t->steps++;
    }
    return PV_OK;
}

pv_status pv_results_times_parse(const char *data, size_t length, const char *name, pv_run_times *times_p)
{
    pv_run_times t = {.program = "parseval",
                      .loop_plus_s = NAN,
                      .elapsed_s = NAN,
                      .setup_s = NAN,
                      .after_s = NAN,
                      .fock_s = NAN,
                      .comm_s = NAN,
                      .way_s = NAN,
                      .waited_s = NAN};
    pv_json_value root;
    PV_REQUIRE(pv_json_read(data, length, &root), PV_ERR_INPUT, "%s is not whole, or no JSON", name);
    const pv_status status = take_steps(root, name, &t);
    if (status != PV_OK) {
        pv_run_times_release(&t);
        return status;
    }
    take_machine(root, &t);
    take_system(root, &t);
    take_sums(root, &t);
    *times_p = t;
    return PV_OK;
}

pv_status pv_results_times_read(const char *path, pv_run_times *times_p)
{
    PV_TEXT_PARSE_FILE(path, pv_results_times_parse, times_p);
}
