// SPDX-License-Identifier: Apache-2.0
#include "scale/outcar_times.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness.h"

#define DATA "tests/scale/data/"

// In the format of VASP 6, four iterations of 118 s on eight ranks.
static void vasp_says(void **state)
{
    (void)state;
    pv_run_times t;
    assert_ok(pv_outcar_times_read(DATA "vasp_8_nccl.OUTCAR", &t));
    assert_string_equal(t.program, "vasp.6.3.2");
    assert_int_equal(t.ranks, 8);
    assert_int_equal(t.threads, 8);
    assert_int_equal(t.nodes, 1);
    assert_int_equal(t.cores, 64);
    assert_int_equal(t.groups, 8);
    assert_int_equal(t.gpus, 0);
    assert_string_equal(t.transport, "nccl");
    assert_int_equal(t.atoms, 96);
    assert_int_equal(t.bands, 512);
    assert_int_equal(t.kpoints, 8);
    assert_int_equal(t.hybrid, 1);
    assert_near(t.cutoff_ev, 400.0, 1e-9);
    assert_near(t.electrons, 768.0, 1e-9);
    assert_near(t.volume_angstrom3, 1122.11, 1e-9);
    assert_int_equal(t.steps, 4);
    assert_int_equal(t.steps_max, 4);
    assert_int_equal(t.ionic_steps, 1);
    assert_int_equal(t.step[3].applications, 8192);
    assert_near(t.step[2].loop_s, 118.0, 1e-9);
    assert_near(pv_run_times_part(&t, 1, "RMM-DIIS"), 94.4, 1e-6);
    assert_near(pv_run_times_part(&t, 1, "FOCK"), 0.0, 0.0);
    assert_int_equal(t.is_whole, 1);
    assert_near(pv_run_times_before(&t), 58.0, 1e-3);
    assert_near(pv_run_times_steps(&t), 472.0, 1e-9);
    assert_near(pv_run_times_after(&t), 4.0, 1e-3);
    pv_run_times_release(&t);
}

static void vasp_5_says(void **state)
{
    (void)state;
    pv_run_times t;
    assert_ok(pv_outcar_times_read(DATA "vasp_5.OUTCAR", &t));
    assert_int_equal(t.cores, 32);
    assert_int_equal(t.ranks, 32);
    assert_string_equal(t.transport, "");
    pv_run_times_release(&t);
    static const char older[] = " vasp.4.6\n running on 4 nodes\n running on    4 total cores\n"
                                "------ Iteration      1(   1)  ------\n"
                                "      LOOP:  VPU time   12.50: CPU time   13.25\n";
    assert_ok(pv_outcar_times_parse(older, strlen(older), "OUTCAR", &t));
    assert_near(t.step[0].loop_s, 13.25, 1e-9);
    pv_run_times_release(&t);
    // Cut off within the line of a timer, which counts as little as what would follow.
    static const char cut[] = " vasp.4.6\n running on    4 total cores\n------ Iteration      1(   1)  ------\n"
                              "      LOOP:  cpu time   12.50: real time   13.25\n"
                              "------ Iteration      1(   2)  ------\n      LOOP:  cpu time   12.50: rea";
    assert_ok(pv_outcar_times_parse(cut, strlen(cut), "OUTCAR", &t));
    assert_int_equal(t.steps, 1);
    assert_int_equal(t.is_whole, 0);
    assert_int_equal(t.is_whole, 0);
    pv_run_times_release(&t);
    // A day and more: no blank before a number of ten places, and LOOP+ does not fit.
    static const char longer[] = " vasp.6.4.3\n running   64 mpi-ranks, with    8 threads/rank, on    8 nodes\n"
                                 "--------------------------------------- Iteration      1(   1)  ----\n"
                                 "      LOOP:  cpu time86400.1250: real time86400.2500\n"
                                 "     LOOP+:  cpu time**********: real time**********\n"
                                 " General timing and accounting informations for this job:\n"
                                 "                         Elapsed time (sec):   123456.789\n";
    assert_ok(pv_outcar_times_parse(longer, strlen(longer), "OUTCAR", &t));
    assert_near(t.step[0].loop_s, 86400.25, 1e-9);
    assert_int_equal(t.ranks, 64);
    assert_int_equal(t.cores, 512);
    assert_int_equal(t.is_whole, 1);
    assert_true(isnan(t.loop_plus_s));
    assert_near(pv_run_times_before(&t), 123456.789 - 86400.25, 1e-6);
    pv_run_times_release(&t);
}

// A real run of this program.
static void parseval_says(void **state)
{
    (void)state;
    pv_run_times t;
    assert_ok(pv_outcar_times_read(DATA "hfo2_24_r2_full.OUTCAR", &t));
    assert_string_equal(t.program, "parseval 0.1.0");
    assert_int_equal(t.ranks, 2);
    assert_int_equal(t.cores, 2);
    assert_string_equal(t.transport, "shared");
    assert_int_equal(t.steps, 10);
    assert_int_equal(t.converged, 1);
    assert_int_equal(t.hybrid, 0);
    assert_near(t.setup_s, 0.328, 1e-9);
    assert_near(t.comm_s, 0.555, 1e-9);
    assert_near(pv_run_times_before(&t) + pv_run_times_steps(&t) + pv_run_times_after(&t), t.elapsed_s, 0.005);
    pv_run_times_release(&t);
}

static void bad_files_are_told_off(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"hello\n", "no OUTCAR"},
        {"", "no OUTCAR"},
        {" vasp.6.1\n--- Iteration 1( 1) ---\n      LOOP:  cpu time  ********: real time  ********\n", "OUTCAR:3: "},
        {" vasp.6.1\n--- Iteration 1( 1) ---\n      LOOP:  cpu time  1.0\n", "no number of seconds"},
        {" vasp.6.1\n General timing and accounting\n Elapsed time (sec): N/A\n", "OUTCAR:3: "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pv_run_times t;
        assert_fails(PV_ERR_INPUT, pv_outcar_times_parse(cases[i].text, strlen(cases[i].text), "OUTCAR", &t));
        if (!strstr(pv_last_error(), cases[i].words)) fail_msg("\"%s\" lacks \"%s\"", pv_last_error(), cases[i].words);
    }
    pv_run_times t;
    assert_fails(PV_ERR_INPUT, pv_outcar_times_read(DATA "not_there", &t));
}

PV_TEST_MAIN(PV_TEST(vasp_says), PV_TEST(vasp_5_says), PV_TEST(parseval_says), PV_TEST(bad_files_are_told_off))
