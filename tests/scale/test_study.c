// SPDX-License-Identifier: Apache-2.0
#include "scale/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness.h"
#include "scale/figure.h"
#include "scale/lines.h"
#include "scale/outcar_times.h"
#include "scale/results_times.h"
#include "scale/table.h"
#include "write_file.h"

#define DATA "tests/scale/data/"

static const pv_scale_settings usual = {.most = 2048.0};

// Three iterations foretell ten; the processor's time does as the clock's on a machine of one's own.
static void processor_time_foretells_too(void **state)
{
    (void)state;
    const char *const names[] = {DATA "hfo2_24_r1_nelm3.OUTCAR", DATA "hfo2_24_r2_nelm3.OUTCAR",
                                 DATA "hfo2_24_r1_full.OUTCAR", DATA "hfo2_24_r2_full.OUTCAR"};
    pv_scale_settings by_cpu = usual;
    pv_scale_study study;
    by_cpu.by_cpu = 1;
    assert_ok(pv_scale_study_open(4, names, &by_cpu, &study));
    for (int i = 0; i < 4; i++) {
        const pv_scale_run *run = &study.run[i];
        assert_true(run->times.elapsed_s == run->times.total_cpu_s);
        if (!isnan(run->error)) assert_true(fabs(run->error) < 0.02);
    }
    pv_scale_study_release(&study);
    pv_run_times nothing = {.steps = 0};
    assert_fails(PV_ERR_INPUT, pv_run_times_take_cpu(&nothing, "OUTCAR"));
}

// Real runs of this program on one and two cores: from three iterations the time of all ten within 2 %, from one within
// 10 %, as the docs say.
static void short_runs_foretell_long_ones(void **state)
{
    (void)state;
    static const char *const names[] = {DATA "hfo2_24_r2_full.OUTCAR",  DATA "hfo2_24_r1_nelm3.OUTCAR",
                                        DATA "hfo2_24_r2_nelm3.OUTCAR", DATA "hfo2_24_r1_nelm1.OUTCAR",
                                        DATA "hfo2_24_r2_nelm1.OUTCAR", DATA "hfo2_24_r1_full.OUTCAR"};
    pv_scale_study s;
    assert_ok(pv_scale_study_open(6, names, &usual, &s));
    assert_string_equal(s.unit, "cores");
    assert_int_equal(s.settings.iterations, 10);
    int checked = 0;
    for (int i = 0; i < s.runs; i++) {
        const pv_scale_run *run = &s.run[i];
        if (run->times.steps < 10) {
            assert_int_equal(s.run[run->full].times.steps, 10);
            assert_true(fabs(run->error) < (run->times.steps == 3 ? 0.02 : 0.1));
            assert_int_equal(isnan(run->prediction.error), run->times.steps == 1);
            assert_true(!(run->prediction.error > 0.05));
            checked++;
        } else {
            assert_true(isnan(run->error) && run->prediction.is_measured && run->is_point);
        }
    }
    assert_int_equal(checked, 4);
    assert_string_equal(s.run[s.reference].name, DATA "hfo2_24_r1_full.OUTCAR");
    assert_int_equal(s.lines, 1);
    assert_int_equal(s.line[0].points, 2);
    assert_near(s.run[s.line[0].run[1]].efficiency, 15.109 / 8.902 / 2.0, 1e-3);
    assert_int_equal(s.line[0].crossing[0].is_model, 1);
    assert_true(s.line[0].crossing[0].count > 2.0);
    pv_scale_study_release(&s);
}

static void transports_and_crossings(void **state)
{
    (void)state;
    static const char *const names[] = {DATA "vasp_128_nccl.OUTCAR", DATA "vasp_16_nccl.OUTCAR",
                                        DATA "vasp_8_nccl.OUTCAR", DATA "vasp_16_mpi.OUTCAR", DATA "vasp_8_mpi.OUTCAR"};
    pv_scale_settings settings = usual;
    settings.unit = PV_SCALE_GPUS;
    settings.reference = names[2];
    settings.iterations = 19;
    pv_scale_study s;
    assert_ok(pv_scale_study_open(5, names, &settings, &s));
    assert_int_equal(s.lines, 2);
    const pv_scale_line *nccl = &s.line[1], *mpi = &s.line[0];
    assert_string_equal(mpi->transport, "mpi");
    assert_int_equal(mpi->points, 2);
    assert_int_equal(nccl->points, 3);
    const pv_scale_run *last = &s.run[nccl->run[2]];
    assert_int_equal(last->count, 128);
    assert_near(last->prediction.total_s, 30.0 + 19 * 13.0 + 2.0, 1e-3);
    assert_near(last->speedup, (58.0 + 19 * 118.0 + 4.0) / last->prediction.total_s, 1e-5);
    assert_near(last->efficiency, last->speedup / 16.0, 1e-9);
    // 70 % lies between 16 and 128 GPUs, on the straight line over the logarithm.
    const pv_scale_run *middle = &s.run[nccl->run[1]];
    const pv_scale_crossing *x = &nccl->crossing[0];
    assert_int_equal(x->is_model, 0);
    assert_near(middle->efficiency + (last->efficiency - middle->efficiency) * log(x->count / 16.0) / log(8.0), 0.7,
                1e-9);
    pv_scale_study_release(&s);
    settings.reference = "nobody";
    assert_fails(PV_ERR_INPUT, pv_scale_study_open(5, names, &settings, &s));
}

static void what_does_not_belong_is_refused(void **state)
{
    (void)state;
    static const char *const mixed[] = {DATA "vasp_8_mpi.OUTCAR", DATA "hfo2_24_r1_full.OUTCAR"};
    pv_scale_study s;
    assert_fails(PV_ERR_INPUT, pv_scale_study_open(2, mixed, &usual, &s));
    assert_non_null(strstr(pv_last_error(), "has 96 atoms"));
    pv_scale_settings forced = usual;
    forced.force = 1;
    assert_ok(pv_scale_study_open(2, mixed, &forced, &s));
    pv_scale_study_release(&s);
    static const char *const missing[] = {DATA "nowhere"};
    assert_fails(PV_ERR_INPUT, pv_scale_study_open(1, missing, &usual, &s));

    char path[] = "/tmp/parseval-outcar-XXXXXX";
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    FILE *file = fdopen(descriptor, "wb");
    static const char head[] = " vasp.6.3\n running on    4 total cores\n";
    fputs(head, file);
    fflush(file);
    const char *const cut[] = {path};
    assert_fails(PV_ERR_INPUT, pv_scale_study_open(1, cut, &usual, &s));
    assert_non_null(strstr(pv_last_error(), "no LOOP line"));
    fputs("--- Iteration      1(   1)  ---\n      LOOP:  cpu time    1.0: real time    2.0\n", file);
    fclose(file);
    assert_fails(PV_ERR_INPUT, pv_scale_study_open(1, cut, &usual, &s));
    assert_non_null(strstr(pv_last_error(), "cut off after iteration 1"));
    assert_ok(pv_scale_study_open(1, cut, &forced, &s));
    assert_near(s.run[0].prediction.total_s, 2.0, 1e-9);
    pv_scale_study_release(&s);
    remove(path);
}

// A file with some of its times changed.
static void assert_refused(const char *text, const char *words)
{
    char path[] = "/tmp/parseval-outcar-XXXXXX";
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    FILE *file = fdopen(descriptor, "wb");
    fputs(text, file);
    fclose(file);
    const char *const names[] = {path};
    pv_scale_study s;
    assert_fails(PV_ERR_INPUT, pv_scale_study_open(1, names, &usual, &s));
    if (!strstr(pv_last_error(), words)) fail_msg("\"%s\" lacks \"%s\"", pv_last_error(), words);
    remove(path);
}

#define RUN(cores, loop, elapsed)                                                                                      \
    " vasp.6.3\n running on    " cores " total cores\n--- Iteration      1(   1)  ---\n      LOOP:  cpu time    1.0: " \
    "real time    " loop "\n General timing and accounting\n Elapsed time (sec): " elapsed "\n"

static void times_that_cannot_be_are_refused(void **state)
{
    (void)state;
    assert_refused(RUN("4", "0.0", "3.0"), "say 0 seconds");
    assert_refused(RUN("4", "2.0", "0.5"), "of 0.5 s that elapsed");
    assert_refused(RUN("4", "1e12", "1e12"), "0 to 1e+09");
    assert_refused(RUN("4", "nan", "3.0"), "no number of seconds");
    assert_refused(RUN("4", "2.0", "-1"), "no number of seconds");
    assert_refused(RUN("99999999", "2.0", "3.0"), "at most 10000000");
    assert_refused(RUN("0", "2.0", "3.0"), "on how many cores");
    static const char *const twice[] = {DATA "vasp_8_mpi.OUTCAR", DATA "../data/vasp_8_mpi.OUTCAR"};
    pv_scale_study s;
    assert_fails(PV_ERR_INPUT, pv_scale_study_open(2, twice, &usual, &s));
    assert_non_null(strstr(pv_last_error(), "are the same"));
}

#define HYBRID(elements, tags, share, grid)                                                                            \
    " parseval 0.1.0, files\n running on    2 total cores\n transport: mpi, device: cpu\n" tags elements                \
    "   LHFCALC =      T    on\n   AEXX    =     " share " share\n   exchange grid " grid "\n"                          \
    "------ Iteration      1(   1)  ------\n    FOCK:  cpu time    1.0: real time    1.0\n"                                   \
    "      LOOP:  cpu time    2.0: real time    2.0\n General timing and accounting\n Elapsed time (sec): 3.0\n"         \
    " Initialization (sec): 0.5\n Exact exchange (sec): 1.0\n Messages of exchange (sec): 0.25\n"                       \
    " Communication (sec): 0.5\n"

#define HFO2 " VRHFIN =Hf\n VRHFIN =O\n"
#define FAST " PRECFOCK = Fast\n"

// Exchange on another grid, or of another share, is another system: its builds cost several times as much.
static void exchange_and_elements_are_compared(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } others[] = {{HYBRID(HFO2, FAST, "0.2500", "20 20 20"), NULL},
                  {HYBRID(HFO2, FAST, "0.2500", "20 20 36"), "exchange's grid along c"},
                  {HYBRID(HFO2, " PRECFOCK = Single\n", "0.2500", "20 20 20"), "PRECFOCK ="},
                  {HYBRID(HFO2, "", "0.2500", "20 20 20"), NULL},
                  {HYBRID(HFO2, FAST, "0.2600", "20 20 20"), "for AEXX"},
                  {HYBRID(" VRHFIN =Zr\n VRHFIN =O: s2p4\n", FAST, "0.2500", "20 20 20"), "the elements Hf O"}};
    char folder[] = "/tmp/parseval-study-XXXXXX", paths[2][64];
    assert_non_null(mkdtemp(folder));
    for (int i = 0; i < 2; i++) snprintf(paths[i], sizeof paths[i], "%s/%d", folder, i);
    const char *const names[] = {paths[0], paths[1]};
    write_file(folder, "0", others[0].text);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        pv_scale_study s;
        write_file(folder, "1", others[i].text);
        if (others[i].words) {
            assert_fails(PV_ERR_INPUT, pv_scale_study_open(2, names, &usual, &s));
            if (!strstr(pv_last_error(), others[i].words)) fail_msg("\"%s\"", pv_last_error());
            continue;
        }
        assert_ok(pv_scale_study_open(2, names, &usual, &s));
        pv_scale_study_release(&s);
    }
    for (int i = 0; i < 2; i++) remove(paths[i]);
    rmdir(folder);
}

// Of ten iterations four build: messages under way go with builds, what else is sent with all else, so that neither is
// more than the total, whatever is predicted.
static void messages_go_with_what_sends_them(void **state)
{
    (void)state;
    static const char text[] = HYBRID(HFO2, FAST, "0.2500", "20 20 20");
    pv_run_times t;
    assert_ok(pv_outcar_times_parse(text, strlen(text), "OUTCAR", &t));
    const pv_prediction ten = pv_predict(&t, NULL, 10, 4);
    assert_near(ten.builds_s, 4.0, 1e-9);
    assert_near(ten.total_s, 0.5 + 10 * 1.0 + 4.0, 1e-9);
    pv_run_times_release(&t);
    char folder[] = "/tmp/parseval-study-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/OUTCAR", folder);
    write_file(folder, "OUTCAR", text);
    const char *const names[] = {folder};
    pv_scale_settings settings = usual;
    settings.iterations = 10;
    settings.builds = 4;
    pv_scale_study s;
    assert_ok(pv_scale_study_open(1, names, &settings, &s));
    const pv_scale_model *m = &s.line[0].model;
    assert_near(m->builds_s, 2 * 4.0, 1e-6); // of one core
    assert_near(pv_scale_model_seconds(m, 2.0), 14.5, 0.01);
    const double sent_s = m->bytes * 0.25 / m->rates.node_bytes_per_s; // a half of its half to the other
    assert_near(sent_s, 0.5 * (14.5 - 4.0) / (2.5 - 1.0), 0.01);
    assert_near(m->ring_bytes * 0.5 / m->rates.node_bytes_per_s, 4.0 * 0.25, 0.01);
    pv_scale_study_release(&s);
    remove(path);
    rmdir(folder);
}

// What a run with --results alone leaves: two ranks, eleven iterations, seven builds of exchange.
static void results_json_will_do(void **state)
{
    (void)state;
    static const char *const names[] = {DATA "si.results.json"};
    pv_scale_study s;
    assert_ok(pv_scale_study_open(1, names, &usual, &s));
    const pv_run_times *t = &s.run[0].times;
    assert_int_equal(t->steps, 11);
    assert_int_equal(t->ranks, 2);
    assert_int_equal(t->cores, 2);
    assert_string_equal(t->transport, "shared");
    assert_int_equal(t->atoms, 2);
    assert_int_equal(t->bands, 8);
    assert_int_equal(t->kpoints, 8);
    assert_int_equal(t->hybrid, 1);
    assert_true(t->is_whole && t->converged);
    int builds = 0;
    for (int i = 0; i < t->steps; i++) builds += pv_run_times_part(t, i, "FOCK") > 0.0;
    assert_int_equal(builds, 7);
    assert_near(s.run[0].prediction.total_s, t->elapsed_s, 1e-9);
    pv_scale_study_release(&s);
    static const char said[] = "{\"iteration_seconds\": [1], \"system\": {\"elements\": [\"Hf\", \"Hf\", \"O\"], "
                               "\"volume_angstrom3\": 2.5, \"cutoff_ev\": 400, \"electrons\": null}}";
    pv_run_times wrong;
    assert_ok(pv_results_times_parse(said, strlen(said), "results.json", &wrong));
    assert_string_equal(wrong.elements, "Hf O");
    assert_near(wrong.volume_angstrom3, 2.5, 0.0);
    assert_near(wrong.cutoff_ev, 400.0, 0.0);
    assert_near(wrong.electrons, 0.0, 0.0);
    pv_run_times_release(&wrong);
    static const char *const texts[] = {"{}", "[", "{\"iteration_seconds\": []}",
                                        "{\"iteration_seconds\": [1, \"x\"]}"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_fails(PV_ERR_INPUT, pv_results_times_parse(texts[i], strlen(texts[i]), "results.json", &wrong));
}

static char *text_of(const char *folder, const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    char *text = calloc(1, 1 << 17);
    assert_true(fread(text, 1, (1 << 17) - 1, in) > 100);
    fclose(in);
    remove(path);
    return text;
}

// Eight and sixteen GPUs of a run with sixteen k-points say nothing of more.
static void kpoints_are_no_measure_of_bands(void **state)
{
    (void)state;
    static const char *const names[] = {DATA "vasp_8_nccl.OUTCAR", DATA "vasp_16_nccl.OUTCAR"};
    pv_scale_settings settings = usual;
    settings.unit = PV_SCALE_GPUS;
    pv_scale_study s;
    assert_ok(pv_scale_study_open(2, names, &settings, &s));
    for (int i = 0; i < 2; i++) s.run[i].times.kpoints = 16;
    char *table = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&table, &length);
    pv_scale_table_print(out, &s);
    fclose(out);
    assert_non_null(strstr(table, "! no run has more GPUs than the 16 k-points"));
    free(table);
    pv_scale_study_release(&s);
}

static void tables_and_figures(void **state)
{
    (void)state;
    static const char *const names[] = {DATA "vasp_8_nccl.OUTCAR", DATA "vasp_16_nccl.OUTCAR",
                                        DATA "vasp_16_mpi.OUTCAR", DATA "vasp_8_mpi.OUTCAR"};
    char folder[] = "/tmp/parseval-scale-XXXXXX", path[256];
    assert_non_null(mkdtemp(folder));
    pv_scale_settings settings = usual;
    settings.unit = PV_SCALE_GPUS;
    pv_scale_study s;
    assert_ok(pv_scale_study_open(4, names, &settings, &s));
    snprintf(path, sizeof path, "%s/study.csv", folder);
    assert_ok(pv_scale_csv_write(path, &s));
    assert_ok(pv_scale_figures_write(folder, &s));
    char *text = text_of(folder, "study.csv");
    assert_non_null(strstr(text, "kind,run,transport,GPUs,"));
    assert_non_null(strstr(text, "\nmodel,,\"nccl\",2048,4,,,,,"));
    free(text);
    text = text_of(folder, "scaling_time.svg");
    static const char *const parts[] = {">model, NCCL<",  ">model, MPI<",        ">MPI<", ">ideal<", ">2048<",
                                        "Number of GPUs", "Time of 4 iterations"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!strstr(text, parts[i])) fail_msg("'%s' is not in the figure", parts[i]);
    free(text);
    text = text_of(folder, "scaling_speedup.svg");
    static const char *const scales[] = {">Speed-up against 8 GPUs<", ">ideal<", ">70 %<", ">50 %<", ">model, NCCL<"};
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++)
        if (!strstr(text, scales[i])) fail_msg("'%s' is not in the figure", scales[i]);
    free(text);
    text = text_of(folder, "scaling_efficiency.svg");
    assert_non_null(strstr(text, "Parallel efficiency (%)"));
    assert_non_null(strstr(text, ">70 %<"));
    free(text);
    char *table = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&table, &length);
    pv_scale_table_print(out, &s);
    fclose(out);
    assert_null(strstr(table, "than the 8 k-points"));
    static const char *const lines[] = {"totals are of 4 iterations", "    16    368.000            291.000 ( 0.79)",
                                        "nccl: model ", "nccl: two runs make the model", "* predicted: "};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (!strstr(table, lines[i])) fail_msg("'%s' is not in %s", lines[i], table);
    assert_null(strstr(table, "took longer than"));
    free(table);
    // As where others use the machine.
    s.run[s.line[0].run[1]].prediction.total_s = 2.0 * s.run[s.line[0].run[0]].prediction.total_s;
    out = open_memstream(&table, &length);
    pv_scale_table_print(out, &s);
    fclose(out);
    assert_non_null(strstr(table, "! 16 GPUs took longer than 8: "));
    free(table);
    pv_scale_lines_rate(&s);
    assert_false(pv_scale_line_has_model(&s.line[0]));
    out = open_memstream(&table, &length);
    pv_scale_table_print(out, &s);
    fclose(out);
    assert_non_null(strstr(table, "nothing got faster with more GPUs: no model is made of that"));
    assert_null(strstr(table, "the model takes it"));
    free(table);
    pv_scale_study_release(&s);
    rmdir(folder);
}

PV_TEST_MAIN(PV_TEST(short_runs_foretell_long_ones), PV_TEST(processor_time_foretells_too),
             PV_TEST(transports_and_crossings), PV_TEST(what_does_not_belong_is_refused),
             PV_TEST(times_that_cannot_be_are_refused), PV_TEST(exchange_and_elements_are_compared),
             PV_TEST(messages_go_with_what_sends_them), PV_TEST(results_json_will_do),
             PV_TEST(kpoints_are_no_measure_of_bands), PV_TEST(tables_and_figures))
