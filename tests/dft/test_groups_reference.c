// SPDX-License-Identifier: Apache-2.0
// ranks: 4
// labels: slow
// Cases with results of another program, in two groups of two ranks.
#include <parseval/dft.h>

#include <string.h>

#include "case.h"
#include "shared.h"

static void copy_input(const char *from, const char *folder, const char *name, const char *more)
{
    char path[8192], text[8192] = "";
    snprintf(path, sizeof path, "%s/%s", from, name);
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    const size_t length = fread(text, 1, sizeof text - 1, in);
    fclose(in);
    assert_in_range(length, 1, sizeof text - 64);
    strcat(text, more);
    write_file(folder, name, text);
}

static void compare(const char *case_folder, const char *folder)
{
    char command[16384];
    snprintf(command, sizeof command, "python3 %s/../compare.py %s %s/results.json > /dev/null", case_folder,
             case_folder, folder);
    assert_int_equal(system(command), 0);
}

static void run_case(const char *name)
{
    char shared[4096], from[4608], pseudo[4608], folder[64] = "/tmp/parseval_case_XXXXXX", path[512];
    snprintf(shared, sizeof shared, "%s", shared_or_skip(""));
    snprintf(from, sizeof from, "%s/reference/dft/%s", shared, name);
    snprintf(pseudo, sizeof pseudo, "%s/pseudo", shared);
    fixture f = fixture_open();
    if (pv_test_rank() == 0) {
        assert_non_null(mkdtemp(folder));
        copy_input(from, folder, "POSCAR", "");
        copy_input(from, folder, "KPOINTS", "");
        copy_input(from, folder, "INCAR", "\nKPAR = 2\n");
    }
    assert_ok(pv_comm_broadcast(f.comm, 0, sizeof folder, folder));
    pv_dft_options options = pv_dft_options_defaults();
    options.directory = folder;
    options.pseudo_directory = pseudo;
    pv_dft *dft;
    assert_ok(pv_dft_create(f.comm, &options, &dft));
    assert_non_null(strstr(pv_dft_plan_text(dft), "2 of 2 ranks"));
    assert_ok(pv_dft_solve(dft));
    snprintf(path, sizeof path, "%s/results.json", folder);
    assert_ok(pv_dft_write_results(dft, path));
    pv_dft_destroy(dft);
    if (pv_test_rank() == 0) compare(from, folder);
    remove_case(&f, folder);
    fixture_close(&f);
}

static void silicon(void **state)
{
    (void)state;
    run_case("si2_pbe_222");
}

static void aluminium(void **state)
{
    (void)state;
    run_case("al_pbe_444_mp");
}

PV_TEST_MAIN(PV_TEST(silicon), PV_TEST(aluminium))
