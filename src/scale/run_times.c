// SPDX-License-Identifier: Apache-2.0
#include "scale/run_times.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"

void pv_run_times_release(pv_run_times *times)
{
    pv_mem_free(times->step);
    *times = (pv_run_times){0};
}

// Of the processor's time the file tells neither what came before the first step nor what came after the last one.
pv_status pv_run_times_take_cpu(pv_run_times *t, const char *name)
{
    double loops_s = 0.0;
    for (int i = 0; i < t->steps; i++) loops_s += t->step[i].loop_cpu_s;
    PV_REQUIRE(loops_s > 0.0 && t->total_cpu_s > 0.0, PV_ERR_INPUT,
               "%s does not tell the processor's time (\"cpu time\" of LOOP, \"Total CPU time used (sec)\"); --clock "
               "real does without", name);
    for (int i = 0; i < t->steps; i++) {
        t->step[i].loop_s = t->step[i].loop_cpu_s;
        memcpy(t->step[i].part_s, t->step[i].part_cpu_s, sizeof t->step[i].part_s);
    }
    t->elapsed_s = t->total_cpu_s;
    t->loop_plus_s = t->loop_plus_cpu_s > 0.0 ? t->loop_plus_cpu_s : NAN;
    t->setup_s = t->after_s = t->way_s = t->waited_s = NAN;
    t->fock_s = pv_run_times_sum(t, "FOCK", t->steps);
    t->comm_s = isnan(t->comm_s) ? NAN : pv_run_times_sum(t, "COMM", t->steps);
    return PV_OK;
}

int pv_run_times_are_ours(const pv_run_times *times)
{
    return strncmp(times->program, "parseval", 8) == 0;
}

// ---- Pieces of a run ---------------------------------------------------------------------------------------------

double pv_run_times_part(const pv_run_times *times, int step, const char *name)
{
    for (int p = 0; p < times->parts; p++)
        if (strcmp(times->part[p], name) == 0) return times->step[step].part_s[p];
    return 0.0;
}

double pv_run_times_sum(const pv_run_times *times, const char *name, int steps)
{
    double sum = 0.0;
    for (int i = 0; i < steps; i++) sum += pv_run_times_part(times, i, name);
    return sum;
}

double pv_run_times_steps(const pv_run_times *times)
{
    double sum = 0.0;
    for (int i = 0; i < times->steps; i++) sum += times->step[i].loop_s;
    return sum;
}

double pv_run_times_after(const pv_run_times *times)
{
    if (!isnan(times->after_s)) return times->after_s;
    return isnan(times->loop_plus_s) ? 0.0 : fmax(times->loop_plus_s - pv_run_times_steps(times), 0.0);
}

double pv_run_times_before(const pv_run_times *times)
{
    if (!isnan(times->setup_s)) return times->setup_s;
    if (isnan(times->elapsed_s)) return 0.0;
    return fmax(times->elapsed_s - pv_run_times_steps(times) - pv_run_times_after(times), 0.0);
}
