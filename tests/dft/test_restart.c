// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2 3
// What a run leaves is where another goes on, with other ranks, k-points, bands, cutoff or spins.
#include "dft/keep.h"
#include "restart_case.h"

static void the_same_input_converges_at_once(void **state)
{
    (void)state;
    restart_case c;
    restart_open(&c);
    const outcome first = restart_scratch(&c, plain, six_bands, two_points);
    const outcome again = restart_run(&c, plain, six_bands, two_points);
    assert_true(first.steps > 4);
    assert_int_equal(again.steps, 2);
    assert_near(again.energy, first.energy, 1e-9);
    for (int i = 0; i < 10; i++) assert_near(again.eigenvalues[i], first.eigenvalues[i], 1e-6);
    restart_close(&c);
}

static void ranks_are_free(void **state)
{
    (void)state;
    restart_case c;
    restart_open(&c);
    restart_input(&c, plain, six_bands, two_points);
    pv_comm *alone;
    outcome one = {0};
    assert_ok(pv_comm_split(c.f.comm, pv_test_rank() == 0 ? 0 : -1, 0, &alone));
    if (alone) assert_ok(restart_try_on(alone, &c, 0, &one));
    pv_comm_close(alone);
    assert_ok(pv_comm_broadcast(c.f.comm, 0, sizeof one, &one));
    const outcome all = restart_run(&c, plain, six_bands, two_points);
    assert_int_equal(all.steps, 2);
    assert_near(all.energy, one.energy, 1e-9);
    restart_close(&c);
}

// Every pair: what is made from scratch is also found from what another calculation has left.
static void other_parameters_find_their_own_ground_state(void **state)
{
    (void)state;
    restart_case c;
    restart_open(&c);
    static const struct {
        const char *incar, *kpoints;
    } runs[] = {
        {INCAR("NBANDS = 6\n"), MESH("1 1 1")},                       // real orbitals
        {INCAR("NBANDS = 9\n"), "list\n1\nReciprocal\n0.25 0 0 1\n"}, // complex ones near them
        {INCAR("NBANDS = 5\nENCUT = 140\n"), MESH("2 1 1")},
        {INCAR("NBANDS = 7\nISPIN = 2\nMAGMOM = 2*0.1\n"), MESH("1 2 1")},
    };
    enum { RUNS = sizeof runs / sizeof *runs };
    outcome scratch[RUNS];
    static const char *const names[RUNS] = {"0.h5", "1.h5", "2.h5", "3.h5"};
    for (int from = 0; from < RUNS; from++) {
        restart_path(&c, names[from], c.checkpoint);
        scratch[from] = restart_run(&c, plain, runs[from].incar, runs[from].kpoints);
    }
    c.read_only = 1;
    for (int from = 0; from < RUNS; from++) {
        restart_path(&c, names[from], c.checkpoint);
        for (int to = 0; to < RUNS; to++) {
            if (from == to) continue;
            const outcome o = restart_run(&c, plain, runs[to].incar, runs[to].kpoints);
            assert_near(o.energy, scratch[to].energy, 2e-9);
            assert_near(o.eigenvalues[3], scratch[to].eigenvalues[3], 1e-5);
        }
        restart_remove(&c, names[from]);
    }
    restart_close(&c);
}

static void atoms_may_move_but_not_change(void **state)
{
    (void)state;
    restart_case c;
    outcome o;
    restart_open(&c);
    const char moved[] = SILICON("2.7", "0.26 0.24 0.25");
    const outcome scratch = restart_scratch(&c, moved, six_bands, gamma_point);
    restart_scratch(&c, plain, six_bands, gamma_point);
    const outcome from = restart_run(&c, moved, six_bands, gamma_point);
    assert_near(from.energy, scratch.energy, 1e-9);
    assert_true(from.steps > 2 && from.steps <= scratch.steps);

    pv_test_mute(1);
    assert_int_equal(restart_try(&c, SILICON("2.71", "0.27 0.24 0.25"), six_bands, gamma_point, &o), PV_ERR_INPUT);
    assert_non_null(strstr(pv_last_error(), "component 2 of lattice vector 1 is 2.700000 Angstrom there, 2.710000"));
    const char carbon[] = "carbon\n1.0\n0.0 2.7 2.7\n2.7 0.0 2.7\n2.7 2.7 0.0\nC\n2\nDirect\n0 0 0\n0.27 0.24 0.25\n";
    assert_int_equal(restart_try(&c, carbon, six_bands, gamma_point, &o), PV_ERR_INPUT);
    assert_non_null(strstr(pv_last_error(), "atom 1 is Si there, C in POSCAR"));
    pv_test_mute(0);
    restart_close(&c);
}

static void tags_say_what_is_read(void **state)
{
    (void)state;
    restart_case c;
    outcome o;
    char path[128];
    restart_open(&c);
    const outcome scratch = restart_scratch(&c, plain, six_bands, gamma_point);
    assert_int_equal(restart_run(&c, plain, INCAR("NBANDS = 6\nISTART = 0\n"), gamma_point).steps, scratch.steps);
    // Orbitals alone, density alone.
    assert_true(restart_run(&c, plain, INCAR("NBANDS = 6\nICHARG = 0\n"), gamma_point).steps <= 4);
    const outcome density = restart_run(&c, plain, INCAR("NBANDS = 6\nISTART = 0\nICHARG = 1\n"), gamma_point);
    assert_near(density.energy, scratch.energy, 1e-9);
    assert_true(density.steps < scratch.steps);
    // What is not to be written is not there.
    restart_remove(&c, "parseval.h5");
    restart_run(&c, plain, INCAR("NBANDS = 6\nLWAVE = F\nLCHARG = F\n"), gamma_point);
    assert_int_equal(access(restart_path(&c, "parseval.h5", path), F_OK), -1);
    pv_test_mute(1);
    assert_int_equal(restart_try(&c, plain, INCAR("NBANDS = 6\nICHARG = 11\n"), gamma_point, &o), PV_ERR_INPUT);
    assert_non_null(strstr(pv_last_error(), "there is none"));
    pv_test_mute(0);
    restart_close(&c);
}

static void a_stopped_run_goes_on(void **state)
{
    (void)state;
    restart_case c;
    outcome o;
    char path[128];
    restart_open(&c);
    const outcome scratch = restart_scratch(&c, plain, six_bands, two_points);
    restart_remove(&c, "parseval.h5");
    c.stop_after = 1;
    pv_test_mute(1);
    assert_int_equal(restart_try(&c, plain, six_bands, two_points, &o), PV_ERR_STOPPED);
    assert_non_null(strstr(pv_last_error(), "in the first step (signal 15, Terminated)"));
    assert_int_equal(access(restart_path(&c, "parseval.h5", path), F_OK), -1);
    c.stop_after = 25;
    assert_int_equal(restart_try(&c, plain, six_bands, two_points, &o), PV_ERR_STOPPED);
    assert_non_null(strstr(pv_last_error(), " (signal 15, Terminated); the same command goes on"));
    c.stop_after = 0;
    restart_write(&c, "STOPCAR", "LABORT = .TRUE.\n");
    assert_int_equal(restart_try(&c, plain, six_bands, two_points, &o), PV_ERR_STOPPED);
    pv_test_mute(0);
    assert_int_equal(access(restart_path(&c, "STOPCAR", path), F_OK), -1);
    const outcome rest = restart_run(&c, plain, six_bands, two_points);
    assert_near(rest.energy, scratch.energy, 1e-9);
    assert_true(rest.steps + 3 <= scratch.steps + 3);
    restart_close(&c);
}

// A process that is killed loses no more than what came after its last exchange.
static void steps_with_exchange_are_kept(void **state)
{
    (void)state;
    static const struct {
        double seconds, build_s, interval_s;
        int kept;
    } cases[] = {{3.0, 0.0, 1e9, 0}, {1.0, 0.5, 1e9, 0}, {3.0, 0.5, 1e9, 1}, {1.0, 0.0, 0.0, 1}};
    restart_case c;
    restart_open(&c);
    restart_input(&c, plain, six_bands, gamma_point);
    pv_system *system;
    pv_scf *scf;
    assert_ok(pv_system_create(c.f.comm, c.folder, NULL, "auto", &system));
    assert_ok(pv_scf_create(system, &scf));
    scf->steps = 1;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pv_dft_options options = pv_dft_options_defaults();
        options.directory = c.folder;
        options.checkpoint = c.checkpoint;
        options.checkpoint_interval_s = cases[i].interval_s;
        pv_keep keep = pv_keep_begin(&options, scf, 1);
        const pv_scf_step step = {.step = 1, .seconds = cases[i].seconds, .build_s = cases[i].build_s};
        assert_ok(pv_keep_after_step(&keep, &step));
        assert_int_equal(access(c.checkpoint, F_OK) == 0, cases[i].kept);
        restart_remove(&c, "parseval.h5");
    }
    pv_scf_destroy(scf);
    pv_system_destroy(system);
    restart_close(&c);
}

// Wherever it is caught: by the eigensolver, or while exchange is built.
static void a_stopped_hybrid_goes_on(void **state)
{
    (void)state;
    restart_case c;
    outcome o;
    const char hybrid[] = INCAR("NBANDS = 6\nLHFCALC = T\nHFSCREEN = 0.2\n");
    restart_open(&c);
    const outcome scratch = restart_scratch(&c, plain, hybrid, two_points);
    restart_remove(&c, "parseval.h5");
    int stops = 0;
    for (int asked = 20; asked < 500; asked = asked * 3 / 2) {
        c.stop_after = asked;
        pv_test_mute(1);
        const pv_status status = restart_try(&c, plain, hybrid, two_points, &o);
        pv_test_mute(0);
        if (status == PV_OK) break; // it was converged before
        assert_int_equal(status, PV_ERR_STOPPED);
        stops++;
    }
    c.stop_after = 0;
    const outcome rest = restart_run(&c, plain, hybrid, two_points);
    assert_true(stops > 2);
    assert_near(rest.energy, scratch.energy, 1e-9);
    restart_close(&c);
}

PV_TEST_MAIN(PV_TEST(the_same_input_converges_at_once), PV_TEST(ranks_are_free),
             PV_TEST(other_parameters_find_their_own_ground_state), PV_TEST(atoms_may_move_but_not_change),
             PV_TEST(tags_say_what_is_read), PV_TEST(a_stopped_run_goes_on),
             PV_TEST(steps_with_exchange_are_kept), PV_TEST(a_stopped_hybrid_goes_on))
