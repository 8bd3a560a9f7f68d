// SPDX-License-Identifier: Apache-2.0
// EIGENVAL: the bands of every k-point.
#include <math.h>

#include "base/check.h"
#include "dft/files/eigenval_head.h"
#include "dft/files/run.h"

static void put_point(FILE *out, const pv_run *run, int k)
{
    const pv_results *r = run->results;
    fprintf(out, "\n  %14.7E  %14.7E  %14.7E  %14.7E\n", r->kpoint[k][0], r->kpoint[k][1], r->kpoint[k][2],
            r->weight[k]);
    for (int b = 0; b < r->bands; b++) {
        fprintf(out, "%5d", b + 1);
        for (int spin = 0; spin < r->spins; spin++)
            fprintf(out, "   %13.6f", r->eigenvalue_ev[((int64_t)spin * r->kpoints + k) * r->bands + b]);
        for (int spin = 0; spin < r->spins; spin++) fprintf(out, "   %9.6f", pv_run_filling(run, spin, k, b));
        fputc('\n', out);
    }
}

static void put(FILE *out, const pv_run *run)
{
    const pv_results *results = run->results;
    pv_eigenval_put_head(out, run, 1, results->spins);
    fprintf(out, "%7.0f%7d%7d\n", run->params->electrons, results->kpoints, results->bands);
    for (int k = 0; k < results->kpoints; k++) put_point(out, run, k);
}

pv_status pv_eigenval_write(const char *path, const pv_run *run)
{
    PV_REQUIRE(run->results && run->results->eigenvalue_ev && run->results->occupation, PV_ERR_ARGUMENT,
               "EIGENVAL of a run without eigenvalues or occupations, for %s", path);
    return pv_run_write(path, put, run);
}
