// SPDX-License-Identifier: Apache-2.0
// Stopped and restarted runs.
// ranks: 1 2 3 4
// devices: cuda
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "run.h"

static void name_file(char path[64])
{
    snprintf(path, 64, "dns_checkpoint_%d_%d.h5", pv_test_size(), getenv("PARSEVAL_TEST_DEVICE") != NULL);
}

static void remove_files(const run *r)
{
    char path[64], other[96];
    name_file(path);
    assert_ok(pv_comm_barrier(r->comm));
    if (pv_test_rank() == 0) {
        snprintf(other, sizeof other, "%s.previous", path);
        unlink(path);
        unlink(other);
    }
    assert_ok(pv_comm_barrier(r->comm));
}

static pv_dns_params forced_case(int scheme, int forcing)
{
    pv_dns_params p = cube_of(16, 0.05, 0.02, 0.4);
    p.flow = PV_FLOW_RANDOM;
    p.k_peak = 2.0;
    p.scheme = scheme;
    p.forcing = forcing;
    p.scalars = p.schmidts = p.scalar_gradients[0] = p.scalar_gradients[2] = 2;
    p.schmidt[1] = 0.7;
    p.scalar_gradient[0][1] = -0.5;
    p.scalar_gradient[2][0] = 0.2;
    return p;
}

static void march(pv_dns *dns, int steps)
{
    for (int i = 0; i < steps; i++) assert_ok(pv_dns_step(dns));
}

// Twice ten steps are twenty, bit for bit.
static void goes_on_bit_for_bit(void **state)
{
    (void)state;
    char path[64];
    name_file(path);
    run r;
    run_open(&r);
    for (int scheme = PV_SCHEME_AB2; scheme <= PV_SCHEME_RK4; scheme++) {
        static const int forcings[] = {PV_FORCING_FROZEN, PV_FORCING_OU, PV_FORCING_POWER};
        pv_dns_params p = forced_case(scheme, forcings[scheme]);
        pv_dns_record whole = run_to_end(&r, &p), restarted;
        pv_dns_destroy(r.dns);
        r.dns = NULL;
        assert_ok(pv_dns_create(r.comm, &p, &r.dns));
        march(r.dns, 10);
        pv_status status = pv_dns_save(r.dns, path);
        if (status == PV_ERR_NOT_BUILT) pv_test_skip("no HDF5 in this build");
        assert_ok(status);
        p.restart = path;
        restarted = run_to_end(&r, &p);
        assert_int_equal(restarted.step, whole.step);
        assert_memory_equal(&restarted, &whole, sizeof whole);
    }
    remove_files(&r);
    run_close(&r);
}

static void changes_grid_and_precision(void **state)
{
    (void)state;
    char path[64];
    name_file(path);
    run r;
    run_open(&r);
    pv_dns_params p = forced_case(PV_SCHEME_AB2, PV_FORCING_NONE);
    assert_ok(pv_dns_create(r.comm, &p, &r.dns));
    march(r.dns, 5);
    pv_dns_record before, after;
    assert_ok(pv_dns_observe(r.dns, &before));
    pv_status status = pv_dns_save(r.dns, path);
    if (status == PV_ERR_NOT_BUILT) pv_test_skip("no HDF5 in this build");
    assert_ok(status);
    pv_dns_destroy(r.dns);
    r.dns = NULL;
    p.restart = path;
    p.grid[0] = 24;
    p.grid[1] = 20;
    assert_ok(pv_dns_create(r.comm, &p, &r.dns));
    assert_ok(pv_dns_observe(r.dns, &after));
    assert_near(after.energy, before.energy, 1e-14);
    assert_near(after.enstrophy, before.enstrophy, 1e-13);
    assert_near(after.helicity, before.helicity, 1e-13);
    pv_dns_destroy(r.dns);
    r.dns = NULL;
    p.precision = PV_FP32;
    for (int d = 0; d < 3; d++) p.grid[d] = 12;
    assert_ok(pv_dns_create(r.comm, &p, &r.dns));
    assert_ok(pv_dns_observe(r.dns, &after));
    assert_true(after.energy < before.energy && after.energy > 0.8 * before.energy);
    remove_files(&r);
    run_close(&r);
}

static void refuses_what_is_damaged(void **state)
{
    (void)state;
    char path[64];
    name_file(path);
    run r;
    run_open(&r);
    pv_dns_params p = forced_case(PV_SCHEME_AB2, PV_FORCING_NONE);
    assert_ok(pv_dns_create(r.comm, &p, &r.dns));
    pv_status status = pv_dns_save(r.dns, path);
    if (status == PV_ERR_NOT_BUILT) pv_test_skip("no HDF5 in this build");
    assert_ok(status);
    assert_ok(pv_dns_save(r.dns, path));
    pv_dns_destroy(r.dns);
    r.dns = NULL;
    p.restart = path;
    // A whole one of another box: the one before it is of that box, too.
    p.length_y *= 2.0;
    pv_test_mute(1);
    status = pv_dns_create(r.comm, &p, &r.dns);
    pv_test_mute(0);
    assert_int_equal(status, PV_ERR_INPUT);
    assert_non_null(strstr(pv_last_error(), "along y"));
    assert_null(strstr(pv_last_error(), ".previous"));
    p.length_y /= 2.0;
    if (pv_test_rank() == 0) assert_int_equal(truncate(path, 20000), 0);
    assert_ok(pv_comm_barrier(r.comm));
    pv_test_mute(1);
    status = pv_dns_create(r.comm, &p, &r.dns);
    pv_test_mute(0);
    assert_true(status != PV_OK);
    if (pv_test_rank() == 0) assert_non_null(strstr(pv_last_error(), ".previous"));
    char previous[96];
    snprintf(previous, sizeof previous, "%s.previous", path);
    p.restart = previous;
    assert_ok(pv_dns_create(r.comm, &p, &r.dns));
    pv_dns_destroy(r.dns);
    r.dns = NULL;
    // The older one damaged: the newer one is named, whole or not.
    if (pv_test_rank() == 0) assert_int_equal(truncate(previous, 20000), 0);
    assert_ok(pv_comm_barrier(r.comm));
    pv_test_mute(1);
    status = pv_dns_create(r.comm, &p, &r.dns);
    pv_test_mute(0);
    assert_true(status != PV_OK);
    char offer[112];
    snprintf(offer, sizeof offer, "the one after it is there: restart = %s", path);
    if (pv_test_rank() == 0) assert_non_null(strstr(pv_last_error(), offer));
    remove_files(&r);
    run_close(&r);
}

PV_TEST_MAIN(PV_TEST(goes_on_bit_for_bit), PV_TEST(changes_grid_and_precision), PV_TEST(refuses_what_is_damaged))
