// SPDX-License-Identifier: Apache-2.0
// OSZICAR: a line a step of the self-consistent loop, a line for the whole.
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/report.h"
#include "dft/files/run.h"
#include "dft/model/units.h"

static const char head[] =
    "       N       E                     dE             d eps       ncg     rms          rms(c)\n";

static void put_step(FILE *out, int number, const pv_run_step *step)
{
    fprintf(out, "DAV: %3d   %19.12E   %12.5E   %12.5E %6lld   %9.3E", number, step->energy_ev, step->change_ev,
            step->band_change_ev, (long long)step->applications, step->residual);
    if (isfinite(step->density_residual)) fprintf(out, "    %9.3E", step->density_residual);
    fputc('\n', out);
}

static void put(FILE *out, const pv_run *run)
{
    fputs(head, out);
    for (int i = 0; i < run->steps; i++) put_step(out, i + 1, &run->step[i]);
    const double free_ev = run->results->energy_ha * PV_HARTREE_EV;
    const double sigma0_ev = run->results->energy_sigma0_ha * PV_HARTREE_EV;
    fprintf(out, "%4d F= %.8E E0= %.8E  d E =%.6E", 1, free_ev, sigma0_ev, free_ev);
    if (run->results->spins == 2) fprintf(out, "  mag= %12.4f", pv_run_magnetisation(run));
    fputc('\n', out);
}

pv_status pv_oszicar_write(const char *path, const pv_run *run)
{
    PV_REQUIRE(run->results && run->step, PV_ERR_ARGUMENT, "OSZICAR of a run without steps or results, for %s", path);
    return pv_run_write(path, put, run);
}

pv_status pv_oszicar_add(const char *path, int number, const pv_run_step *step)
{
    if (number == 1) PV_TRY(pv_file_replace(path, head));
    FILE *out = fopen(path, "a");
    PV_REQUIRE(out, PV_ERR_IO, "cannot open %s: %s", path, strerror(errno));
    put_step(out, number, step);
    const int failed = ferror(out) | fclose(out);
    PV_REQUIRE(!failed, PV_ERR_IO, "cannot write %s: %s", path, strerror(errno));
    return PV_OK;
}
