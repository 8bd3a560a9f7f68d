// SPDX-License-Identifier: Apache-2.0
#include "dft/figure.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "base/check.h"
#include "base/mem.h"
#include "dft/files/eigenval_read.h"
#include "dft/files/kpoints.h"
#include "dft/files/poscar.h"
#include "dft/model/band_path.h"
#include "dft/model/units.h"
#include "dft/solve/dos.h"
#include "io/plot.h"

// What is shown around the gap or the Fermi energy, eV, and a little more where the bands end. Bands that begin above
// below_ev are shown to their bottom, if that is above lowest_ev.
static const double below_ev = 9.0, lowest_ev = 20.0, above_ev = 7.0, margin_ev = 0.5;
enum { DOS_POINTS = 1601 };

typedef struct folder {
    const char *name;
    pv_cell *cell;
    pv_bands *bands;
    pv_kpoints *lines;         // of KPOINTS in line mode, the points of EIGENVAL, or of KPOINTS_OPT, the last of them
    int first;                 // point of EIGENVAL that is the first of lines
    double zero_ev, gap_ev;
    const char *energy_label;
    double range[2];           // of energies that are shown, from zero_ev
} folder;

// ---- Reading -----------------------------------------------------------------------------------------------------

static const char *path_of(const folder *folder, const char *file, char path[4096])
{
    snprintf(path, 4096, "%s/%s", folder->name, file);
    return path;
}

// Whether the points are the last `count` of EIGENVAL, which rounds them.
static int are_last(const pv_bands *bands, const pv_kpoints *points)
{
    const int first = bands->kpoints - points->count;
    if (first < 0) return 0;
    for (int k = 0; k < points->count; k++)
        for (int i = 0; i < 3; i++)
            if (fabs(bands->kpoint[first + k][i] - points->fractional[k][i]) > 1e-5) return 0;
    return 1;
}

static pv_status read_lines(folder *folder)
{
    static const char *const files[] = {"KPOINTS", "KPOINTS_OPT"};
    char path[4096];
    for (size_t i = 0; i < sizeof files / sizeof *files && !folder->lines; i++) {
        pv_kpoints *kpoints;
        if (access(path_of(folder, files[i], path), R_OK) != 0) continue;
        PV_TRY(pv_kpoints_read(path, folder->cell, 0.5, 1, &kpoints));
        if (kpoints->is_path && are_last(folder->bands, kpoints)) folder->lines = kpoints;
        else pv_kpoints_destroy(kpoints);
    }
    if (folder->lines) folder->first = folder->bands->kpoints - folder->lines->count;
    return PV_OK;
}

static size_t states_of(const pv_bands *bands)
{
    return (size_t)bands->spins * (size_t)bands->kpoints * (size_t)bands->bands;
}

#define FILLING_ROUNDED 1.5e-6         // as solve/occupation.c has it, after the file's six digits

// Whether a state that fills the bands is neither full nor empty. Points of weight 0 say nothing.
static int is_partly_filled(const pv_bands *bands, size_t state)
{
    const double f = bands->filling[state];
    const size_t kpoint = state / (size_t)bands->bands % (size_t)bands->kpoints;
    return bands->weight[kpoint] > 0.0 && fabs(f) > FILLING_ROUNDED && fabs(f - 1.0) > FILLING_ROUNDED;
}

// A gap needs every state full or empty, as dft/gap.h wants it; without fillings the run counts as a metal.
static void find_gap(const pv_bands *bands, double *top_p, double *gap_p)
{
    double top = -INFINITY, bottom = INFINITY;
    int partly = 0;
    *top_p = *gap_p = 0.0;
    if (!bands->filling) return;
    for (size_t i = 0; i < states_of(bands); i++) {
        partly += is_partly_filled(bands, i);
        if (bands->filling[i] > 0.5) top = fmax(top, bands->eigenvalue_ev[i]);
        else bottom = fmin(bottom, bands->eigenvalue_ev[i]);
    }
    if (!isfinite(top)) return;
    *top_p = top;
    if (!partly && isfinite(bottom) && bottom > top) *gap_p = bottom - top;
}

static pv_status choose_zero(folder *folder)
{
    char path[4096];
    double top, fermi;
    find_gap(folder->bands, &top, &folder->gap_ev);
    folder->zero_ev = top;
    folder->energy_label = "E − E_{VBM} (eV)";
    if (folder->gap_ev > 0.0) return PV_OK;
    folder->energy_label = "E − E_{F} (eV)";
    if (access(path_of(folder, "DOSCAR", path), R_OK) != 0) return PV_OK; // the highest state that is half filled
    PV_TRY(pv_doscar_read_fermi(path, &fermi));
    folder->zero_ev = fermi;
    return PV_OK;
}

// Of all k-points and spins.
static void range_of_band(const folder *folder, int band, double range[2])
{
    range[0] = INFINITY;
    range[1] = -INFINITY;
    for (size_t i = (size_t)band; i < states_of(folder->bands); i += (size_t)folder->bands->bands) {
        range[0] = fmin(range[0], folder->bands->eigenvalue_ev[i] - folder->zero_ev);
        range[1] = fmax(range[1], folder->bands->eigenvalue_ev[i] - folder->zero_ev);
    }
}

static void choose_range(folder *folder)
{
    double lowest = INFINITY, highest = -INFINITY, band[2];
    for (int b = 0; b < folder->bands->bands; b++) {
        range_of_band(folder, b, band);
        highest = fmax(highest, band[1]);
        if (band[1] >= -below_ev) lowest = fmin(lowest, band[0]);
    }
    folder->range[0] = lowest >= -lowest_ev && isfinite(lowest) ? lowest - margin_ev : -below_ev;
    folder->range[1] = fmin(folder->gap_ev + above_ev, highest + margin_ev);
}

static pv_status read_folder(folder *folder)
{
    char path[4096];
    PV_TRY(pv_poscar_read(path_of(folder, "POSCAR", path), &folder->cell));
    PV_TRY(pv_eigenval_read(path_of(folder, "EIGENVAL", path), &folder->bands));
    PV_TRY(read_lines(folder));
    PV_TRY(choose_zero(folder));
    choose_range(folder);
    return PV_OK;
}

// ---- Bands -------------------------------------------------------------------------------------------------------

static const char *spin_label(const pv_bands *bands, int spin)
{
    return bands->spins == 1 ? NULL : spin == 0 ? "spin up" : "spin down";
}

// Before each jump of the way a point that is not drawn.
static int way_points(const pv_band_path *path)
{
    int points = 0;
    for (int i = 0; i < path->count; i++) points += 1 + path->begins[i];
    return points;
}

static void fill_band(const folder *folder, const pv_band_path *path, const double *eigenvalue_ev, double *x, double *y)
{
    for (int i = 0; i < path->count; i++) {
        if (path->begins[i]) {
            *x++ = NAN;
            *y++ = NAN;
        }
        *x++ = path->at[i];
        *y++ = eigenvalue_ev[(size_t)(folder->first + path->point[i]) * (size_t)folder->bands->bands] - folder->zero_ev;
    }
}

static void fill_curves(const folder *folder, const pv_band_path *path, int points, double *numbers,
                        pv_plot_curve *curves)
{
    const pv_bands *bands = folder->bands;
    for (int c = 0; c < bands->spins * bands->bands; c++) {
        const int spin = c / bands->bands, band = c % bands->bands;
        const size_t first = (size_t)spin * (size_t)bands->kpoints * (size_t)bands->bands + (size_t)band;
        double *x = numbers + 2 * (size_t)c * (size_t)points, *y = x + points;
        fill_band(folder, path, bands->eigenvalue_ev + first, x, y);
        curves[c] = (pv_plot_curve){.label = band == 0 ? spin_label(bands, spin) : NULL, .points = points,
                                    .x = x, .y = y, .colour = 1 + spin, .dashed = spin == 1};
    }
}

static pv_status plot_bands(const folder *folder, const pv_band_path *path, double *numbers, pv_plot_curve *curves,
                            pv_plot_tick *ticks)
{
    char file[4096];
    const double zero = 0.0;
    fill_curves(folder, path, way_points(path), numbers, curves);
    for (int t = 0; t < path->ticks; t++) ticks[t] = (pv_plot_tick){path->tick_at[t], path->tick_label[t]};
    const pv_plot plot = {.y_label = folder->energy_label,
                          .x_range = {0.0, path->at[path->count - 1]},
                          .y_range = {folder->range[0], folder->range[1]},
                          .x_ticks = ticks, .x_tick_count = path->ticks,
                          .y_lines = &zero, .y_line_count = 1,
                          .curves = curves, .curve_count = folder->bands->spins * folder->bands->bands};
    return pv_plot_write(path_of(folder, "bands.svg", file), &plot);
}

static pv_status draw_bands(const folder *folder, int *drawn_p)
{
    const pv_bands *bands = folder->bands;
    pv_band_path *path;
    PV_TRY(pv_band_path_create(folder->cell, bands->kpoints - folder->first,
                               (const double (*)[3])bands->kpoint + folder->first, bands->weight + folder->first,
                               folder->lines, &path));
    *drawn_p = path->count > 1 && path->at[path->count - 1] > 0.0;
    pv_status status = PV_OK;
    if (*drawn_p) {
        double *numbers = NULL;
        pv_plot_curve *curves = NULL;
        pv_plot_tick *ticks = NULL;
        const size_t count = (size_t)bands->spins * (size_t)bands->bands;
        status = PV_ALLOC(2 * count * (size_t)way_points(path), &numbers);
        if (status == PV_OK) status = PV_ALLOC(count, &curves);
        if (status == PV_OK) status = PV_ALLOC(path->ticks, &ticks);
        if (status == PV_OK) status = plot_bands(folder, path, numbers, curves, ticks);
        pv_mem_free(numbers);
        pv_mem_free(curves);
        pv_mem_free(ticks);
    }
    pv_band_path_destroy(path);
    return status;
}

// ---- Density of states -------------------------------------------------------------------------------------------

static pv_status plot_dos(const folder *folder, const pv_dos *dos)
{
    char file[4096];
    const double zero = 0.0;
    pv_plot_curve curves[2];
    for (int i = 0; i < dos->points; i++) dos->energy_ha[i] = dos->energy_ha[i] * PV_HARTREE_EV - folder->zero_ev;
    for (int spin = 0; spin < dos->spins; spin++) {
        double *density = dos->density + (size_t)spin * (size_t)dos->points;
        for (int i = 0; i < dos->points; i++) density[i] *= (spin == 0 ? 1.0 : -1.0) / PV_HARTREE_EV;
        curves[spin] = (pv_plot_curve){.label = spin_label(folder->bands, spin), .points = dos->points,
                                       .x = dos->energy_ha, .y = density, .colour = 1 + spin, .filled = 1};
    }
    const pv_plot plot = {.x_label = folder->energy_label,
                          .y_label = "density of states (1/eV)",
                          .x_range = {folder->range[0], folder->range[1]},
                          .x_lines = &zero, .x_line_count = 1,
                          .y_lines = &zero, .y_line_count = dos->spins == 2,
                          .curves = curves, .curve_count = dos->spins};
    return pv_plot_write(path_of(folder, "dos.svg", file), &plot);
}

// Weights of a path mean nothing, and points of weight 0 add nothing.
static pv_status draw_dos(const folder *folder, double width_ev, int *drawn_p)
{
    const pv_bands *bands = folder->bands;
    double *eigenvalues_ha;
    double weight = 0.0;
    for (int k = 0; k < bands->kpoints; k++) weight += bands->weight[k];
    *drawn_p = !(folder->lines && folder->first == 0) && weight > 0.0;
    if (!*drawn_p) return PV_OK;
    PV_TRY(PV_ALLOC(states_of(bands), &eigenvalues_ha));
    for (size_t i = 0; i < states_of(bands); i++) eigenvalues_ha[i] = bands->eigenvalue_ev[i] / PV_HARTREE_EV;
    const pv_dft_params params = {
        .spins = bands->spins, .bands = bands->bands, .smearing = PV_SMEARING_GAUSSIAN,
        .smearing_ha = width_ev / PV_HARTREE_EV,
        .dos = {DOS_POINTS, (folder->range[0] + folder->zero_ev) / PV_HARTREE_EV,
                (folder->range[1] + folder->zero_ev) / PV_HARTREE_EV}};
    pv_dos *dos;
    pv_status status = pv_dos_create(&params, bands->kpoints, bands->weight, NULL, eigenvalues_ha, &dos);
    if (status == PV_OK) {
        status = plot_dos(folder, dos);
        pv_dos_destroy(dos);
    }
    pv_mem_free(eigenvalues_ha);
    return status;
}

pv_status pv_figures_write(const char *directory, double width_ev, pv_figures *figures_p)
{
    PV_REQUIRE(width_ev > 0.0, PV_ERR_ARGUMENT, "Gaussians of width %g eV; must be positive", width_ev);
    folder folder = {.name = directory};
    pv_figures figures = {0};
    pv_status status = read_folder(&folder);
    if (status == PV_OK) status = draw_bands(&folder, &figures.bands);
    if (status == PV_OK) status = draw_dos(&folder, width_ev, &figures.dos);
    figures.gap_ev = folder.gap_ev;
    if (status == PV_OK) *figures_p = figures;
    pv_kpoints_destroy(folder.lines);
    pv_bands_destroy(folder.bands);
    pv_cell_destroy(folder.cell);
    return status;
}
