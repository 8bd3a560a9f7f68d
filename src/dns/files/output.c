// SPDX-License-Identifier: Apache-2.0
#include "dns/files/output.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"

// The columns of the series after the step.
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
};
enum { NUMBERS = sizeof columns / sizeof columns[0] };

// Behind these, of each scalar.
static const struct column scalar_columns[] = {
    {"scalar_variance", offsetof(pv_dns_record, scalar_variance)},
    {"scalar_dissipation", offsetof(pv_dns_record, scalar_dissipation)},
    {"scalar_production", offsetof(pv_dns_record, scalar_production)},
};
enum { SCALAR_NUMBERS = sizeof scalar_columns / sizeof scalar_columns[0] };

enum { SERIES_COLUMNS = 1 + NUMBERS + (SCALAR_NUMBERS + 1) * PV_DNS_MOST_SCALARS };
_Static_assert((int)SERIES_COLUMNS <= (int)PV_TABLE_COLUMNS, "room for the series");

static const char *const spectra_columns[] = {"time", "k", "energy", "transfer", "flux", "dissipation", NULL};
static const char *const scalar_spectra_columns[] = {"scalar_variance", "scalar_transfer", "scalar_flux",
                                                     "scalar_dissipation"};
enum {
    SPECTRA_COLUMNS = sizeof spectra_columns / sizeof spectra_columns[0] - 1,
    SCALAR_SPECTRA = sizeof scalar_spectra_columns / sizeof scalar_spectra_columns[0],
    MOST_SPECTRA = SPECTRA_COLUMNS + SCALAR_SPECTRA * PV_DNS_MOST_SCALARS
};
_Static_assert((int)MOST_SPECTRA <= (int)PV_TABLE_COLUMNS, "room for the spectra");

static const char *const structure_columns[] = {
    "time",           "axis",           "r",              "longitudinal_2",   "longitudinal_3", "longitudinal_4",
    "longitudinal_5", "longitudinal_6", "longitudinal_abs3", "transverse_2",  "transverse_3",   "transverse_4",
    "transverse_5",   "transverse_6",   "transverse_abs3", NULL};
enum { STRUCTURE_COLUMNS = sizeof structure_columns / sizeof structure_columns[0] - 1 };
_Static_assert(STRUCTURE_COLUMNS == 3 + 2 * PV_DNS_MOMENTS, "a column a moment");

// With so many decimals, or a power of ten where that would be a long row of digits.
static const char *short_text(char text[32], double value, int width, int decimals)
{
    snprintf(text, 32, fabs(value) < 1e6 ? "%*.*f" : "%*.*e", width, decimals, value);
    return text;
}

const char *pv_dns_record_text(const pv_dns_record *r, char text[256])
{
    char cfl[32], reynolds[32], resolution[32];
    // The step that led here.
    const double dt = r->dt_taken > 0.0 ? r->dt_taken : r->dt, courant = r->cfl * (dt / r->dt);
    snprintf(text, 256, "step %7lld  t %9.5g  dt %8.3g  CFL %s  E %.7g  eps %.6g  Re_lambda %s  kmax eta %s",
             (long long)r->step, r->time, dt, short_text(cfl, courant, 5, 3), r->energy, r->dissipation,
             short_text(reynolds, r->reynolds_taylor, 6, 1), short_text(resolution, r->kmax_eta, 5, 2));
    return text;
}

const char *pv_dns_table_name(pv_dns_table table)
{
    static const char *const names[] = {"series", "spectra", "structure"};
    return names[table];
}

const char *pv_dns_table_about(pv_dns_table table)
{
    static const char *const about[] = {
        "averages over the box at one time",
        "shells n - 1/2 <= k / (2 pi / largest side) < n + 1/2, all to the corners; flux: what the nonlinear term "
        "takes from all up to k",
        "moments of u(x + r e) - u(x) over all points, e along x (axis 1), y (2), z (3); transverse: mean of both "
        "components; abs3: of |u(x + r e) - u(x)|^3"};
    return about[table];
}

static void add_column(pv_table *table, const char *name)
{
    snprintf(table->name[table->columns++], sizeof table->name[0], "%s", name);
}

// The first has no number.
static void add_scalar_column(pv_table *table, const char *name, int scalar)
{
    char numbered[32];
    snprintf(numbered, sizeof numbered, "%s_%d", name, scalar);
    add_column(table, scalar == 1 ? name : numbered);
}

// The first scalar's are there without it, too.
static void begin_series(int scalars, pv_table *table)
{
    add_column(table, "step");
    for (int c = 0; c < NUMBERS; c++) add_column(table, columns[c].name);
    for (int scalar = 1; scalar == 1 || scalar <= scalars; scalar++)
        for (int c = 0; c < SCALAR_NUMBERS; c++) add_scalar_column(table, scalar_columns[c].name, scalar);
    for (int scalar = 1; scalar <= scalars; scalar++) add_scalar_column(table, "mixed_skewness", scalar);
}

void pv_dns_table_begin(pv_dns_table which, int scalars, pv_table *table)
{
    table->columns = 0;
    if (which == PV_DNS_SERIES) begin_series(scalars, table);
    if (which == PV_DNS_SPECTRA) {
        for (int c = 0; spectra_columns[c]; c++) add_column(table, spectra_columns[c]);
        for (int scalar = 1; scalar <= scalars; scalar++)
            for (int c = 0; c < SCALAR_SPECTRA; c++) add_scalar_column(table, scalar_spectra_columns[c], scalar);
    }
    if (which == PV_DNS_STRUCTURE)
        for (int c = 0; structure_columns[c]; c++) add_column(table, structure_columns[c]);
}

static const double *number_of(const pv_dns_record *record, const struct column *column)
{
    return (const double *)((const char *)record + column->offset);
}

pv_status pv_dns_series_add(const pv_dns_record *record, pv_table *table)
{
    // The table takes as many as it has: of all scalars, or of the first for none.
    const int scalars = (table->columns - 1 - NUMBERS) / (SCALAR_NUMBERS + 1), budgets = scalars > 0 ? scalars : 1;
    double row[SERIES_COLUMNS] = {(double)record->step};
    for (int c = 0; c < NUMBERS; c++) row[1 + c] = *number_of(record, &columns[c]);
    for (int i = 0; i < SCALAR_NUMBERS * budgets; i++)
        row[1 + NUMBERS + i] = number_of(record, &scalar_columns[i % SCALAR_NUMBERS])[i / SCALAR_NUMBERS];
    for (int i = 0; i < scalars; i++)
        row[1 + NUMBERS + SCALAR_NUMBERS * budgets + i] = record->mixed_skewness[i];
    return pv_table_add(table, row);
}

pv_status pv_dns_spectra_add(double time, const pv_dns_shells *shells, pv_table *table)
{
    double flux = 0.0, scalar_flux[PV_DNS_MOST_SCALARS] = {0.0};
    for (int n = 0; n < shells->count; n++) {
        flux -= shells->transfer[n];
        double row[MOST_SPECTRA] = {time,
                                    n * shells->width,
                                    shells->energy[n] / shells->width,
                                    shells->transfer[n] / shells->width,
                                    flux,
                                    shells->dissipation[n] / shells->width};
        for (int i = 0; i < shells->scalars; i++) {
            const int at = i * shells->count + n;
            scalar_flux[i] -= shells->scalar_transfer[at];
            double *of = row + SPECTRA_COLUMNS + i * SCALAR_SPECTRA;
            of[0] = shells->scalar_variance[at] / shells->width;
            of[1] = shells->scalar_transfer[at] / shells->width;
            of[2] = scalar_flux[i];
            of[3] = shells->scalar_dissipation[at] / shells->width;
        }
        PV_TRY(pv_table_add(table, row));
    }
    return PV_OK;
}

pv_status pv_dns_structure_add(double time, const pv_dns_structure *f, pv_table *table)
{
    for (int axis = 0; axis < 3; axis++)
        for (int i = 0; i < f->count[axis]; i++) {
            double row[STRUCTURE_COLUMNS] = {time, axis + 1, f->r[axis][i]};
            memcpy(row + 3, f->longitudinal[axis][i], sizeof f->longitudinal[axis][i]);
            memcpy(row + 3 + PV_DNS_MOMENTS, f->transverse[axis][i], sizeof f->transverse[axis][i]);
            PV_TRY(pv_table_add(table, row));
        }
    return PV_OK;
}
