// SPDX-License-Identifier: Apache-2.0
// DOSCAR: the density of states and its integral.
#include <math.h>

#include "base/check.h"
#include "dft/files/eigenval_head.h"
#include "dft/files/run.h"

#define LEAST 1e-30                    // tails of the smearing below it only trouble readers

static void put_number(FILE *out, double value)
{
    fprintf(out, "  %14.7E", fabs(value) < LEAST ? 0.0 : value);
}

static void put(FILE *out, const pv_run *run)
{
    const pv_run_dos *dos = &run->dos;
    pv_eigenval_put_head(out, run, 0, run->results->spins);
    fprintf(out, "%16.8f%16.8f%7d%16.8f%16.8f\n", dos->energy_ev[dos->points - 1], dos->energy_ev[0], dos->points,
            run->results->fermi_ev, 1.0);
    for (int i = 0; i < dos->points; i++) {
        fprintf(out, "%14.6f", dos->energy_ev[i]);
        for (int spin = 0; spin < run->results->spins; spin++)
            put_number(out, dos->density[spin * dos->points + i]);
        for (int spin = 0; spin < run->results->spins; spin++)
            put_number(out, dos->integral[spin * dos->points + i]);
        fputc('\n', out);
    }
}

pv_status pv_doscar_write(const char *path, const pv_run *run)
{
    PV_REQUIRE(run->results && run->dos.points > 0, PV_ERR_ARGUMENT,
               "DOSCAR of a run without a density of states, for %s", path);
    return pv_run_write(path, put, run);
}
