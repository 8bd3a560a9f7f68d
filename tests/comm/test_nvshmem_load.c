// SPDX-License-Identifier: Apache-2.0
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if PV_HAVE_CUDA
#include "comm/nvshmem/nvshmem_load.h"

// FAKES, from CMake, is the folder of plug-ins that stand for ours.
static pv_status load(const char *name, const pv_nvshmem_plugin **plugin_p)
{
    char path[1024];
    snprintf(path, sizeof path, FAKES "/%s", name);
    setenv("PARSEVAL_NVSHMEM_PLUGIN", path, 1);
    return pv_nvshmem_load(plugin_p);
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *name, *said;
        pv_status status;
    } wrong[] = {
        {"nowhere.so", "nowhere.so: cannot open", PV_ERR_NOT_BUILT},
        {"nowhere.so", "pip package nvidia-nvshmem", PV_ERR_NOT_BUILT},
        {"libfake_abi.so", "interface 99, this library wants 1", PV_ERR_UNSUPPORTED},
        {"libfake_version.so", "is version 3.4.6, libparseval_nvshmem.so was built for 3.4.5", PV_ERR_UNSUPPORTED}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const pv_nvshmem_plugin *plugin = NULL;
        assert_fails(wrong[i].status, load(wrong[i].name, &plugin));
        if (!strstr(pv_last_error(), wrong[i].said)) fail_msg("%s", pv_last_error());
        assert_null(plugin);
    }
}

static void without_a_name_it_is_looked_for_beside_the_program(void **state)
{
    (void)state;
    const pv_nvshmem_plugin *plugin = NULL;
    unsetenv("PARSEVAL_NVSHMEM_PLUGIN");
    pv_test_mute(1);
    const pv_status status = pv_nvshmem_load(&plugin);
    pv_test_mute(0);
    if (status == PV_OK) return;
    assert_int_equal(status, PV_ERR_NOT_BUILT);
    assert_non_null(strstr(pv_last_error(), "tests/libparseval_nvshmem.so, "));
}

static void what_fits_is_kept(void **state)
{
    (void)state;
    const pv_nvshmem_plugin *plugin, *again;
    assert_ok(load("libfake_right.so", &plugin));
    assert_ok(load("nowhere.so", &again));
    assert_ptr_equal(plugin, again);
}

PV_TEST_MAIN(PV_TEST(what_does_not_fit_is_refused), PV_TEST(without_a_name_it_is_looked_for_beside_the_program),
             PV_TEST(what_fits_is_kept))
#else
static void there_is_a_loader(void **state)
{
    (void)state;
    pv_test_skip("transport nvshmem is for GPUs, which this build leaves out");
}

PV_TEST_MAIN(PV_TEST(there_is_a_loader))
#endif
