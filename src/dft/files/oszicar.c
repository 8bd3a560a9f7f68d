// SPDX-License-Identifier: Apache-2.0
// OSZICAR: a line a step of the self-consistent loop, a line for the whole.
#include <math.h>

#include "base/check.h"
#include "dft/files/run_text.h"
#include "dft/model/units.h"

static void put_head(FILE *out, const pv_run *run)
{
    (void)run;
    fputs("       N       E                     dE             d eps       ncg     rms          rms(c)\n", out);
}

static void put_step(FILE *out, const pv_run *run, int number)
{
    const pv_run_step *step = &run->step[number - 1];
    fprintf(out, "DAV: %3d   %19.12E   %12.5E   %12.5E %6lld   %9.3E", number, step->energy_ev, step->change_ev,
            step->band_change_ev, (long long)step->applications, step->residual);
    if (isfinite(step->density_residual)) fprintf(out, "    %9.3E", step->density_residual);
    fputc('\n', out);
}

static void put_whole(FILE *out, const pv_run *run)
{
    const double free_ev = run->results->energy_ha * PV_HARTREE_EV;
    const double sigma0_ev = run->results->energy_sigma0_ha * PV_HARTREE_EV;
    fprintf(out, "%4d F= %.8E E0= %.8E  d E =%.6E", 1, free_ev, sigma0_ev, free_ev);
    if (run->results->spins == 2) fprintf(out, "  mag= %12.4f", pv_run_magnetisation(run));
    fputc('\n', out);
}

const pv_run_text pv_oszicar_text = {"OSZICAR", put_head, put_step, put_whole};

pv_status pv_oszicar_write(const char *path, const pv_run *run)
{
    PV_REQUIRE(run->results && run->step, PV_ERR_ARGUMENT, "OSZICAR of a run without steps or results, for %s", path);
    return pv_run_text_write(&pv_oszicar_text, path, run);
}
