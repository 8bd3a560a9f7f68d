// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2 3 4
// The plan's forecast of memory is what a run holds at its peak, to a fifth.
#include <parseval/dft.h>

#include <math.h>

#include "base/mem.h"
#include "case.h"

static double forecast_of(const char *plan)
{
    const char *line = strstr(plan, "memory      ");
    double number;
    char unit;
    assert_non_null(line);
    assert_int_equal(sscanf(line, "memory %lf %cB a rank", &number, &unit), 2);
    return number * (unit == 'G' ? 1e9 : 1e6);
}

static void run_and_compare(const fixture *f, const char *poscar, const char *incar, const char *kpoints)
{
    char folder[64];
    make_case(f, poscar, incar, kpoints, folder);
    pv_dft_options options = pv_dft_options_defaults();
    options.directory = folder;
    pv_dft *dft;
    assert_ok(pv_dft_create(f->comm, &options, &dft));
    const double forecast = forecast_of(pv_dft_plan_text(dft));
    assert_ok(pv_dft_solve(dft));
    assert_ok(pv_dft_write_files(dft, folder));
    double held = (double)pv_mem_peak_bytes();
    assert_ok(pv_comm_reduce_f64(f->comm, PV_MAX, 1, &held));
    assert_near(forecast / held, 1.0, 0.2);
    pv_dft_destroy(dft);
    remove_case(f, folder);
}

// The peak is that of the process: small cases first.
static void memory_is_as_forecast(void **state)
{
    (void)state;
    fixture f = fixture_open();
    static const char small[] = "ENCUT = 200\nNBANDS = 8\nISMEAR = 0; SIGMA = 0.1\nNELM = 2\n";
    static const char hybrid[] = "ENCUT = 200\nNBANDS = 8\nISMEAR = 0; SIGMA = 0.1\nNELM = 8\nLHFCALC = T\n"
                                 "HFSCREEN = 0.2\nPRECFOCK = Fast\n";
    static const char medium[] = "ENCUT = 250\nNBANDS = 30\nISMEAR = 0; SIGMA = 0.1\nISPIN = 2\nNELM = 2\n";
    static const char shared[] = "ENCUT = 250\nNBANDS = 30\nISMEAR = 0; SIGMA = 0.1\nISPIN = 2\nNELM = 2\nKPAR = 1\n"
                                 "NPAR = 1\n";
    static const char cubic[] = "silicon\n5.43\n1 0 0\n0 1 0\n0 0 1\nSi\n8\nDirect\n0 0 0.01\n0 0.5 0.5\n0.5 0 0.5\n"
                                "0.5 0.5 0\n0.25 0.25 0.25\n0.25 0.75 0.75\n0.75 0.25 0.75\n0.75 0.75 0.25\n";
    run_and_compare(&f, SILICON("0.25 0.25 0.25"), small, "mesh\n0\nGamma\n2 2 2\n0 0 0\n");
    run_and_compare(&f, SILICON("0.25 0.25 0.25"), hybrid, "mesh\n0\nGamma\n2 2 2\n0 0 0\n");
    run_and_compare(&f, cubic, medium, "list\n3\nReciprocal\n0 0 0 1\n0.2 0.1 0.3 1\n0.1 0 0.4 1\n");
    run_and_compare(&f, cubic, shared, "list\n3\nReciprocal\n0 0 0 1\n0.2 0.1 0.3 1\n0.1 0 0.4 1\n");
    fixture_close(&f);
}

PV_TEST_MAIN(PV_TEST(memory_is_as_forecast))
