// SPDX-License-Identifier: Apache-2.0
#include "scale/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/file_text.h"
#include "scale/lines.h"

static const char *plural(int count)
{
    return count == 1 ? "" : "s";
}

static const char *said(const char *transport)
{
    return *transport ? transport : "-";
}

// ---- For people --------------------------------------------------------------------------------------------------

// What a results.json does not say is left out.
static void print_head(FILE *out, const pv_scale_study *s)
{
    const pv_run_times *t = &s->run[0].times;
    const pv_scale_run *reference = &s->run[s->reference];
    fprintf(out, "%s:", t->program);
    if (t->atoms > 0) fprintf(out, " %d atom%s,", t->atoms, plural(t->atoms));
    if (t->electrons > 0.0) fprintf(out, " %g electrons,", t->electrons);
    fprintf(out, " %d band%s, %d k-point%s", t->bands, plural(t->bands), t->kpoints, plural(t->kpoints));
    if (t->cutoff_ev > 0.0) fprintf(out, ", ENCUT = %.2f eV", t->cutoff_ev);
    fprintf(out, "%s%s\n", t->spins == 2 ? ", ISPIN = 2" : "", t->hybrid ? ", exact exchange" : "");
    fprintf(out, "totals are of %d iteration%s; speed-up and efficiency against %s (%d %.*s)\n\n",
            s->settings.iterations, plural(s->settings.iterations), reference->name, reference->count,
            (int)strlen(s->unit) - (reference->count == 1), s->unit);
}

static int widest_name(const pv_scale_study *s)
{
    int width = 3;
    for (int i = 0; i < s->runs; i++)
        if ((int)strlen(s->run[i].name) > width) width = (int)strlen(s->run[i].name);
    return width;
}

static void print_share(FILE *out, double part_s, double elapsed_s)
{
    if (isfinite(part_s) && elapsed_s > 0.0)
        fprintf(out, " %6.1f", 100.0 * part_s / elapsed_s);
    else
        fprintf(out, " %6s", "-");
}

static void print_expected(FILE *out, const pv_prediction *p)
{
    if (p->is_measured)
        fprintf(out, "%4s", "");
    else if (isnan(p->error))
        fprintf(out, "%4s", "?");
    else
        fprintf(out, "%4.1f", 100.0 * p->error);
}

static void print_runs(FILE *out, const pv_scale_study *s)
{
    const int width = widest_name(s);
    fprintf(out, "%-*s %6s %-9s %4s %9s %9s %9s %8s %10s %5s %9s %6s %6s %6s %6s\n", width, "run", s->unit, "transport",
            "it", "LOOP s", "LOOP+ s", "init s", "after s", "total s", "+- %", "speed-up", "eff %", "comm %", "exx %",
            "hid %");
    for (int i = 0; i < s->runs; i++) {
        const pv_scale_run *run = &s->run[i];
        const pv_run_times *t = &run->times;
        fprintf(out, "%-*s %6d %-9s %4d %9.3f", width, run->name, run->count, said(t->transport), t->steps,
                pv_run_times_steps(t) / t->steps);
        if (isfinite(t->loop_plus_s))
            fprintf(out, " %9.3f", t->loop_plus_s);
        else
            fprintf(out, " %9s", "-");
        fprintf(out, " %9.3f %8.3f %10.3f%s", pv_run_times_before(t), pv_run_times_after(t), run->prediction.total_s,
                run->prediction.is_measured ? " " : "*");
        print_expected(out, &run->prediction);
        fprintf(out, " %9.2f %6.1f", run->speedup, 100.0 * run->efficiency);
        print_share(out, t->comm_s, t->elapsed_s);
        print_share(out, t->hybrid ? t->fock_s : NAN, t->elapsed_s);
        print_share(out, t->way_s - t->waited_s, t->way_s);
        fputc('\n', out);
    }
}

// What predictions stand on that is not in the files.
static void print_doubts(FILE *out, const pv_scale_study *s)
{
    int single = 0, doubles = 0, applications = 0;
    for (int i = 0; i < s->runs; i++) {
        const pv_scale_run *run = &s->run[i];
        single |= isnan(run->prediction.error);
        doubles |= run->prediction.assumes_double;
        applications |= run->prediction.assumes_applications;
        if (run->prediction.lacks_builds)
            fprintf(out, "! none of the iterations of %s builds exact exchange: %s\n", run->name,
                    run->prediction.by_profile ? "builds are taken to be as much slower or faster as the rest"
                                               : "its total has none; begin from orbitals (docs/scale.md)");
    }
    if (single)
        fputs("? one iteration does not tell how steady they are: errors of 3 to 8 % have been seen; NELM = 3 tells\n",
              out);
    if (applications)
        fputs("! no run tells of later iterations: they are taken to apply the Hamiltonian 0.46 times as often as the "
              "first\n", out);
    if (doubles)
        fputs("! no build in double precision was made: the last is taken to have one, 2.8 times as dear as single\n",
              out);
}

static void print_predictions(FILE *out, const pv_scale_study *s)
{
    int predicted = 0;
    for (int i = 0; i < s->runs; i++) predicted |= !s->run[i].prediction.is_measured;
    if (predicted && s->profile >= 0)
        fprintf(out,
                "* predicted: init + iterations + after, iterations beyond the run's own as in %s, each part as "
                "much slower or faster as in those it has\n",
                s->run[s->profile].name);
    else if (predicted)
        fprintf(out, "* predicted: init + iterations x mean LOOP + after%s\n",
                s->settings.builds > 0 ? ", builds of exchange apart" : "");
    print_doubts(out, s);
    for (int i = 0; i < s->runs; i++) {
        const pv_scale_run *run = &s->run[i];
        if (isnan(run->error)) continue;
        const pv_scale_run *full = &s->run[run->full];
        const double elapsed_s = full->times.elapsed_s;
        fprintf(out,
                "%s promised %.3f s for the %d iterations of %s, which took %.3f s: %+.2f %% (iterations %+.2f %%)",
                run->name, elapsed_s * (1.0 + run->error), full->times.steps, full->name, elapsed_s, 100.0 * run->error,
                100.0 * run->loops_error);
        if (run->checked_by >= 0) fprintf(out, ", by the later iterations of %s", s->run[run->checked_by].name);
        fputc('\n', out);
    }
}

static void print_crossings(FILE *out, const pv_scale_study *s)
{
    for (int l = 0; l < s->lines; l++) {
        const pv_scale_line *line = &s->line[l];
        if (line->points < 2) continue; // one run says nothing about more
        fprintf(out, "%s: efficiency falls under", said(line->transport));
        for (int c = 0; c < PV_SCALE_LEVELS; c++) {
            const pv_scale_crossing *x = &line->crossing[c];
            fprintf(out, "%s %.0f %%", c ? "," : "", 100.0 * x->level);
            if (isnan(x->count) && !pv_scale_line_has_model(line))
                fputs(" beyond the runs", out);
            else if (isnan(x->count))
                fprintf(out, " beyond %.0f %s (model)", s->settings.most, s->unit);
            else
                fprintf(out, " at %.*f %s (%s)", x->count < 100.0 ? 1 : 0, x->count, s->unit,
                        x->is_model ? "model" : "between runs");
        }
        fputc('\n', out);
    }
}

static void print_model(FILE *out, const pv_scale_study *s, const pv_scale_line *line)
{
    const pv_scale_model *m = &line->model;
    const pv_scale_rates *r = &m->rates;
    fprintf(out, "%s: model %.4g s + %.4g s / P + %.3g GB / P", said(line->transport), m->serial_s, m->work_s,
            m->bytes / 1e9);
    if (m->ring_bytes > 0.0)
        fprintf(out, " + %.3g GB of exchange's ring beside builds of %.4g s / P", m->ring_bytes / 1e9, m->builds_s);
    fprintf(out, ", sent by each at %.3g GB/s in a node of %d, %.2g x %.3g GB/s beyond, + %.3g rounds of messages at "
                 "%.2g us\n",
            r->node_bytes_per_s / 1e9, r->node_gpus, r->efficiency, r->network_bytes_per_s / 1e9, m->rounds,
            1e6 * r->overhead_s);
    fprintf(out, "%s: ", said(line->transport));
    if (isnan(line->last_error) && m->error > 0.02)
        fprintf(out, "two runs make the model, which meets them within %.2g %% only\n", 100.0 * m->error);
    else if (isnan(line->last_error))
        fputs("two runs make the model, and none is left to tell its error\n", out);
    else
        fprintf(out, "the model meets its %d runs within %.2g %%; from the others it tells that on %d %s to %+.2g %%\n",
                m->points, 100.0 * m->error, s->run[line->run[line->points - 1]].count, s->unit,
                100.0 * line->last_error);
}

// A model would have but messages for that.
static void print_slower(FILE *out, const pv_scale_study *s, const pv_scale_line *line)
{
    const pv_scale_run *few = &s->run[line->run[0]], *many = &s->run[line->run[line->points - 1]];
    if (many->prediction.total_s > few->prediction.total_s)
        fprintf(out,
                "! %d %s took longer than %d: a machine that others use, or ranks that share cores, would do so%s\n",
                many->count, s->unit, few->count,
                pv_scale_line_has_model(line) ? "; the model takes it for messages" : "");
}

static void print_models(FILE *out, const pv_scale_study *s)
{
    int models = 0;
    for (int l = 0; l < s->lines; l++) {
        const pv_scale_line *line = &s->line[l];
        if (line->points < 2) continue;
        print_slower(out, s, line);
        models++;
        if (pv_scale_line_has_model(line))
            print_model(out, s, line);
        else
            fprintf(out, "%s: nothing got faster with more %s: no model is made of that\n", said(line->transport),
                    s->unit);
    }
    if (models == 0) fprintf(out, "a model needs runs on two numbers of %s at least\n", s->unit);
    const int kpoints = s->run[0].times.kpoints, most = s->run[s->runs - 1].count;
    if (models > 0 && kpoints > 1 && most <= kpoints)
        fprintf(out,
                "! no run has more %s than the %d k-points, which are worked on apart: what sharing bands costs beyond "
                "them is in no model; parseval plan dft counts it\n",
                s->unit, kpoints);
}

static const pv_scale_run *at_count(const pv_scale_study *s, const pv_scale_line *line, int count)
{
    for (int p = 0; p < line->points; p++)
        if (s->run[line->run[p]].count == count) return &s->run[line->run[p]];
    return NULL;
}

// Counts that at least two transports have.
static void print_transports(FILE *out, const pv_scale_study *s)
{
    int last = 1, begun = 0;
    if (s->lines < 2) return;
    for (int i = 0; i < s->runs; i++) {
        const int count = s->run[i].count;
        const pv_scale_run *first = NULL;
        int found = 0;
        if (count == last) continue;
        last = count;
        for (int l = 0; l < s->lines; l++) found += at_count(s, &s->line[l], count) != NULL;
        if (found < 2) continue;
        if (!begun++) {
            fprintf(out, "\ntransports, total s (and times the first)\n%6s", s->unit);
            for (int l = 0; l < s->lines; l++) fprintf(out, " %18s", said(s->line[l].transport));
            fputc('\n', out);
        }
        fprintf(out, "%6d", count);
        for (int l = 0; l < s->lines; l++) {
            const pv_scale_run *run = at_count(s, &s->line[l], count);
            if (!run)
                fprintf(out, " %18s", "-");
            else if (!first)
                fprintf(out, " %10.3f        ", run->prediction.total_s);
            else
                fprintf(out, " %10.3f (%5.2f)", run->prediction.total_s,
                        run->prediction.total_s / first->prediction.total_s);
            if (run && !first) first = run;
        }
        fputc('\n', out);
    }
    if (begun) fputc('\n', out);
}

void pv_scale_table_print(FILE *out, const pv_scale_study *s)
{
    print_head(out, s);
    print_runs(out, s);
    print_predictions(out, s);
    print_transports(out, s);
    print_crossings(out, s);
    print_models(out, s);
}

// ---- CSV ---------------------------------------------------------------------------------------------------------

static void put_name(FILE *out, const char *name) // quoted: folders may have commas
{
    fputc('"', out);
    for (; *name; name++) fprintf(out, *name == '"' ? "\"\"" : "%c", *name);
    fputc('"', out);
}

static void put_seconds(FILE *out, double value)
{
    if (isfinite(value))
        fprintf(out, ",%.6g", value);
    else
        fputc(',', out);
}

// Where efficiency falls under a level: between runs (total_is_measured 1), or by the model.
static void put_thresholds(FILE *out, const pv_scale_study *s, const pv_scale_line *line)
{
    for (int c = 0; line->points > 1 && c < PV_SCALE_LEVELS; c++) {
        const pv_scale_crossing *x = &line->crossing[c];
        if (isnan(x->count)) continue;
        fputs("threshold,,", out);
        put_name(out, line->transport);
        fprintf(out, ",%.4g,%d,,,,,,%d,,%g,,,,,,\n", x->count, s->settings.iterations, !x->is_model, x->level);
    }
}

static void put_rows(FILE *out, const pv_scale_study *s)
{
    fprintf(out,
            "kind,run,transport,%s,iterations,loop_s,loop_plus_s,init_s,after_s,total_s,total_is_measured,speedup,"
            "efficiency,communication_s,exchange_s,exchange_messages_s,exchange_waits_s,prediction_error,"
            "expected_error\n",
            s->unit);
    for (int i = 0; i < s->runs; i++) {
        const pv_scale_run *run = &s->run[i];
        const pv_run_times *t = &run->times;
        fputs("run,", out);
        put_name(out, run->name);
        fputc(',', out);
        put_name(out, t->transport);
        fprintf(out, ",%d,%d", run->count, t->steps);
        put_seconds(out, pv_run_times_steps(t) / t->steps);
        put_seconds(out, t->loop_plus_s);
        put_seconds(out, pv_run_times_before(t));
        put_seconds(out, pv_run_times_after(t));
        put_seconds(out, run->prediction.total_s);
        fprintf(out, ",%d", run->prediction.is_measured);
        put_seconds(out, run->speedup);
        put_seconds(out, run->efficiency);
        put_seconds(out, t->comm_s);
        put_seconds(out, t->fock_s);
        put_seconds(out, t->way_s);
        put_seconds(out, t->waited_s);
        put_seconds(out, run->error);
        put_seconds(out, run->prediction.error);
        fputc('\n', out);
    }
    for (int l = 0; l < s->lines; l++) put_thresholds(out, s, &s->line[l]);
    for (int l = 0; l < s->lines; l++)
        for (double count = 1.0; pv_scale_line_has_model(&s->line[l]) && count <= s->settings.most; count *= 2.0) {
            const double total_s = pv_scale_model_seconds(&s->line[l].model, count);
            fputs("model,,", out);
            put_name(out, s->line[l].transport);
            fprintf(out, ",%.0f,%d,,,,,%.6g,0,%.6g,%.6g,,,,,,\n", count, s->settings.iterations, total_s,
                    s->run[s->reference].prediction.total_s / total_s,
                    pv_scale_line_efficiency(s, &s->line[l], count));
        }
}

pv_status pv_scale_csv_write(const char *path, const pv_scale_study *s)
{
    pv_file_text text;
    PV_TRY(pv_file_text_begin(path, &text));
    put_rows(text.out, s);
    return pv_file_text_end(&text);
}
