// SPDX-License-Identifier: Apache-2.0
#include "dns/output.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"

// The columns of series.csv after the step.
static const struct column {
    const char *name;
    size_t offset;
} columns[] = {
    {"time", offsetof(pv_dns_record, time)},
    {"dt", offsetof(pv_dns_record, dt)},
    {"cfl", offsetof(pv_dns_record, cfl)},
    {"energy", offsetof(pv_dns_record, energy)},
    {"enstrophy", offsetof(pv_dns_record, enstrophy)},
    {"dissipation", offsetof(pv_dns_record, dissipation)},
    {"injection", offsetof(pv_dns_record, injection)},
    {"helicity", offsetof(pv_dns_record, helicity)},
    {"rms", offsetof(pv_dns_record, rms)},
    {"integral_scale", offsetof(pv_dns_record, integral_scale)},
    {"taylor_scale", offsetof(pv_dns_record, taylor_scale)},
    {"reynolds_taylor", offsetof(pv_dns_record, reynolds_taylor)},
    {"kolmogorov", offsetof(pv_dns_record, kolmogorov)},
    {"kmax_eta", offsetof(pv_dns_record, kmax_eta)},
    {"skewness", offsetof(pv_dns_record, skewness)},
    {"flatness", offsetof(pv_dns_record, flatness)},
    {"divergence", offsetof(pv_dns_record, divergence)},
    {"scalar_variance", offsetof(pv_dns_record, scalar_variance)},
};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

const char *pv_dns_record_text(const pv_dns_record *r, char text[160])
{
    snprintf(text, 160, "step %7lld  t %9.5g  dt %8.3g  CFL %5.3f  E %.7g  eps %.6g  Re_lambda %6.1f  kmax eta %5.2f",
             (long long)r->step, r->time, r->dt, r->cfl, r->energy, r->dissipation, r->reynolds_taylor, r->kmax_eta);
    return text;
}

static pv_status open_to_append(const char *path, int is_new, FILE **out_p)
{
    // The file of an earlier run steps aside.
    char before[4096 + 8];
    snprintf(before, sizeof before, "%.4096s.before", path);
    if (is_new) rename(path, before);
    *out_p = fopen(path, is_new ? "w" : "a");
    PV_REQUIRE(*out_p, PV_ERR_IO, "cannot write %s: %s", path, strerror(errno));
    return PV_OK;
}

static pv_status finish(const char *path, FILE *out)
{
    const int failed = ferror(out);
    PV_REQUIRE(fclose(out) == 0 && !failed, PV_ERR_IO, "cannot write %s: %s", path, strerror(errno));
    return PV_OK;
}

pv_status pv_dns_series_add(const char *path, const pv_dns_record *record, int is_new)
{
    FILE *out;
    PV_TRY(open_to_append(path, is_new, &out));
    if (is_new) {
        fprintf(out, "step");
        for (int c = 0; c < COLUMNS; c++) fprintf(out, ",%s", columns[c].name);
        fprintf(out, "\n");
    }
    fprintf(out, "%lld", (long long)record->step);
    for (int c = 0; c < COLUMNS; c++)
        fprintf(out, ",%.17g", *(const double *)((const char *)record + columns[c].offset));
    fprintf(out, "\n");
    return finish(path, out);
}

pv_status pv_dns_spectra_add(const char *path, const pv_dns_record *record, const pv_dns_shells *shells, int is_new)
{
    FILE *out;
    PV_TRY(open_to_append(path, is_new, &out));
    if (is_new)
        fprintf(out,
                "# shells n - 1/2 <= k / %.17g < n + 1/2, all to the corners; flux: what the nonlinear term takes from "
                "all up to k\n"
                "time,k,energy,transfer,flux,dissipation\n",
                shells->width);
    double flux = 0.0;
    for (int n = 0; n < shells->count; n++) {
        flux -= shells->transfer[n];
        fprintf(out, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", record->time, n * shells->width,
                shells->energy[n] / shells->width, shells->transfer[n] / shells->width, flux,
                shells->dissipation[n] / shells->width);
    }
    return finish(path, out);
}
