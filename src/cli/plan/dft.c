// SPDX-License-Identifier: Apache-2.0
#include "cli/plan/dft.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/check.h"
#include "base/file_replace.h"
#include "cli/plan/figure.h"
#include "dft/measure_rates.h"
#include "dft/model/exchange_grid.h"
#include "dft/model/units.h"
#include "dft/rates_file.h"
#include "dft/run_files.h"
#include "fft/cubes/cubes.h"

// ---- What is assumed ---------------------------------------------------------------------------------------------

static const char *kernels_of(const int64_t grid[3], pv_precision precision)
{
    switch (pv_cubes_kind_of(grid, precision)) {
    case PV_CUBES_IN_CLUSTERS: return "in clusters by a kernel of this grid";
    case PV_CUBES_BY_OWN_PLANES: return "by planes with kernels of this grid";
    default: return "with kernels for any grid";
    }
}

static void print_system(const pv_system *s, const pv_dft_work *w, int on_gpus)
{
    const pv_dft_params *p = &s->params;
    char functional[96];
    int64_t grid[3];
    double reach;
    pv_functional_text(&p->functional, sizeof functional, functional);
    printf("system      %d atoms, %g electrons, %d bands (%g filled)%s; %s\n", s->cell->atoms, p->electrons, p->bands,
           w->occupied, p->spins == 2 ? ", two spins" : "", functional);
    printf("cutoff      %.3f Ha = %.2f eV: %.0f plane waves, %" PRId64 " x %" PRId64 " x %" PRId64 " points\n",
           p->cutoff_ha, p->cutoff_ha * PV_HARTREE_EV, w->plane_waves, s->shape[0], s->shape[1], s->shape[2]);
    printf("k-points    %d of %d in the mesh, %.0f %% of the states real\n", s->kpoints->count, s->full_kpoints->count,
           w->states > 0.0 ? 100.0 * w->real_states / w->states : 0.0);
    if (!p->fock.on || pv_exchange_grid_choose(s->cell, p, grid, &reach) != PV_OK) return;
    printf("exchange    %" PRId64 " x %" PRId64 " x %" PRId64 " points, %.4g pairs in %.4g transforms there and back a "
           "build%s\n",
           grid[0], grid[1], grid[2], w->pairs, w->pair_transforms,
           p->fock.single ? ", in single precision but for one" : "");
    const char *single = kernels_of(grid, PV_FP32), *in_double = kernels_of(grid, PV_FP64);
    if (on_gpus && strcmp(single, in_double) == 0)
        printf("            both precisions %s\n", single);
    else if (on_gpus)
        printf("            single precision %s, double %s\n", single, in_double);
}

static void print_assumed(const pv_system *s, const pv_dft_assumed *a, const pv_dft_rates *r)
{
    printf("assumed     %d step%s, %.3g applications of the Hamiltonian to each band a step", a->steps,
           a->steps == 1 ? "" : "s", a->applications);
    if (s->params.fock.on) printf(", %d build%s of exact exchange", a->builds, a->builds == 1 ? "" : "s");
    printf("\nrates       %s\n", r->source);
    printf("            products %.4g, eigenproblems %.4g, transforms %.4g, pairs %.4g (single %.4g) GFlop/s\n",
           r->gemm_flops_per_s / 1e9, r->eigen_flops_per_s / 1e9, r->transform_flops_per_s / 1e9,
           r->pair_flops_per_s / 1e9, r->pair_single_flops_per_s / 1e9);
    printf("            functional %.4g (screened %.4g) million points/s; %.4g GB/s in a node of %d, %.4g GB/s beyond, "
           "%.3g us a message\n",
           r->functional_points_per_s / 1e6, r->screened_points_per_s / 1e6, r->link_bytes_per_s / 1e9, r->node_devices,
           r->network_bytes_per_s / 1e9, 1e6 * r->latency_s);
    if (r->error > 0.0) printf("expected    totals within %.0f %% of a run's with so many steps%s", 100.0 * r->error,
                               s->params.fock.on ? " and builds" : "");
    if (r->spread > 0.0)
        printf(", its cores its own; measured rates differ by up to %.0f %% from round to round",
               100.0 * r->spread);
    else if (r->error > 0.0)
        fputs("; of several GPUs no run tells", stdout);
    if (r->error > 0.0) fputc('\n', stdout);
}

// ---- The table ---------------------------------------------------------------------------------------------------

static const char *held(const pv_dft_forecast *f)
{
    if (!f->fits) return "too large";
    return f->plan.group_ranks == 1 ? "whole" : "distributed";
}

static void print_fields(const pv_dft_forecast *f)
{
    char at_once[32] = "all";
    if (f->tile < f->states) snprintf(at_once, sizeof at_once, "%d of %d", f->tile, f->states);
    printf(" %8.3f %-9s", f->held_bytes / 1e9, f->states > 0 ? at_once : "");
}

static void print_row(const pv_plan_rows *rows, int i, double *first_s)
{
    const pv_dft_forecast *f = &rows->forecast[i];
    printf("%6d %6d %8.3f %-11s", f->plan.ranks, f->plan.groups, f->bytes / 1e9, rows->held[i]);
    if (f->fits) {
        if (rows->has_tiles) print_fields(f);
        const double spent_s = f->total_s * f->plan.ranks;
        if (*first_s == 0.0) *first_s = spent_s; // of the smallest that fits
        printf(" %9.3g %9.4g %9.4g %9.3g %10.4g %6.1f", f->start_s + f->end_s, f->step_s, f->build_s, f->comm_s,
               f->total_s, 100.0 * *first_s / spent_s);
    }
    fputc('\n', stdout);
}

// More of them help as long as each then holds less.
static void print_no_room(const pv_plan_rows *rows, const pv_dft_rates *r)
{
    const double first = rows->forecast[0].bytes, last = rows->forecast[rows->count - 1].bytes;
    const int is_shrinking = rows->count == 1 || last < 0.8 * first;
    printf("no number of %s listed has room: each has %.4g GB; %s\n", rows->unit, r->device_bytes / 1e9,
           is_shrinking
               ? "more of them, fewer k-points or bands, or a lower ENCUT would need less"
               : "what each holds whole, its grids, does not become less with more of them: a lower ENCUT does");
}

// What the columns say that not everybody would guess.
static void print_notes(const pv_plan_rows *rows, const pv_dft_rates *r)
{
    puts("orbitals    whole: those of a k-point on one; distributed: in equal parts over the group that has "
         "the k-point");
    if (rows->has_tiles)
        puts("GB used     with the orbitals of so many of its k-points and spins on exchange's grid at once; "
             "others' come by");
    puts("ends, comm  start, set-up, forces, comparison of grids; communication of the run that work does not hide");
    puts("eff %       totals times numbers, against the first that fits");
    if (r->device_bytes > 0.0)
        printf("memory      each has %.3g GB, of which %.2g are for CUDA\n", r->device_bytes / 1e9,
               r->context_bytes / 1e9);
}

static void print_table(const pv_plan_rows *rows, const pv_dft_rates *r)
{
    double first_s = 0.0;
    printf("\n%6s %6s %8s %-11s", rows->unit, "KPAR", rows->has_tiles ? "GB least" : "GB each", "orbitals");
    if (rows->has_tiles) printf(" %8s %-9s", "GB used", "at once");
    printf(" %9s %9s %9s %9s %10s %6s\n", "ends s", "step s", "build s", "comm s", "total s", "eff %");
    for (int i = 0; i < rows->count; i++) print_row(rows, i, &first_s);
    if (first_s == 0.0) {
        if (rows->count > 0) print_no_room(rows, r);
        return;
    }
    for (int percent = 70; percent >= 50; percent -= 20) {
        const double at = pv_plan_threshold(rows, 0.01 * percent);
        const int decimals = at < 100.0 ? 1 : 0;
        if (!isnan(at)) printf("efficiency falls under %d %% at %.*f %s\n", percent, decimals, at, rows->unit);
    }
    print_notes(rows, r);
}

static pv_status show(const pv_plan_dft *plan, const pv_system *s, const pv_dft_work *w, const pv_dft_assumed *a,
                      const pv_dft_rates *r)
{
    pv_dft_forecast forecast[PV_PLAN_COUNTS];
    const char *orbitals[PV_PLAN_COUNTS];
    pv_plan_rows rows = {.unit = plan->on_ranks ? "ranks" : "GPUs", .steps = a->steps, .builds = a->builds,
                         .count = plan->count, .forecast = forecast, .held = orbitals};
    for (int i = 0; i < plan->count; i++) {
        PV_TRY(pv_dft_forecast_of(s, w, a, r, (int)plan->counts[i], &forecast[i]));
        orbitals[i] = held(&forecast[i]);
        rows.has_tiles |= forecast[i].states > 0;
    }
    print_table(&rows, r);
    if (plan->csv) PV_TRY(pv_plan_csv_write(plan->csv, &rows));
    return plan->figures ? pv_plan_figures_write(plan->figures, &rows) : PV_OK;
}

// ---- The plan ----------------------------------------------------------------------------------------------------

static void override(double given, double *rate)
{
    if (given > 0.0) *rate = given;
}

static pv_status find_rates(const pv_plan_dft *plan, const pv_system *system, pv_dft_rates *rates_p)
{
    const pv_dft_rates *given = plan->overrides;
    pv_dft_rates r = pv_dft_rates_h200();
    if (plan->on_ranks && (!plan->rates_path || plan->measured_path)) PV_TRY(pv_dft_measure_rates(system, &r));
    if (plan->measured_path) PV_TRY(pv_dft_rates_write(plan->measured_path, &r));
    if (plan->rates_path) {
        snprintf(r.source, sizeof r.source, "of %s", plan->rates_path);
        PV_TRY(pv_dft_rates_read(plan->rates_path, &r));
    }
    override(given->link_bytes_per_s, &r.link_bytes_per_s);
    override(given->network_bytes_per_s, &r.network_bytes_per_s);
    override(given->device_bytes, &r.device_bytes);
    if (given->node_devices > 0) r.node_devices = given->node_devices;
    *rates_p = r;
    return PV_OK;
}

// The folder that INCAR and KPOINTS are in, and the POSCAR if it is named itself.
static pv_status split_path(const char *path, char folder[4096], const char **poscar_p)
{
    struct stat info;
    PV_REQUIRE(
        stat(path, &info) == 0, PV_ERR_INPUT,
        "%s is not there; a folder with POSCAR, INCAR and KPOINTS, or a POSCAR beside INCAR and KPOINTS, is needed",
        path);
    const char *slash = strrchr(path, '/');
    *poscar_p = S_ISDIR(info.st_mode) ? NULL : path;
    if (!*poscar_p)
        snprintf(folder, 4096, "%s", path);
    else if (slash)
        snprintf(folder, 4096, "%.*s", slash > path ? (int)(slash - path) : 1, path);
    else
        snprintf(folder, 4096, ".");
    return PV_OK;
}

static pv_status check_assumed(const pv_plan_dft *plan, const pv_system *system, const pv_dft_assumed *assumed)
{
    const int steps = plan->assumed.steps, builds = plan->assumed.builds;
    PV_REQUIRE(steps <= system->params.steps_max, PV_ERR_ARGUMENT,
               "--steps %d, and NELM = %d ends the run before; so many at most are accepted", steps,
               system->params.steps_max);
    PV_REQUIRE(builds == 0 || system->params.fock.on, PV_ERR_ARGUMENT,
               "--builds %d of exact exchange, and INCAR has none; LHFCALC = .TRUE. there is accepted", builds);
    PV_REQUIRE(builds <= assumed->steps, PV_ERR_ARGUMENT,
               "--builds %d of exact exchange in %d steps; at most one in each is accepted (--steps)", builds,
               assumed->steps);
    return PV_OK;
}

static pv_status print_plan(const pv_plan_dft *plan, pv_system *system)
{
    pv_dft_work work;
    pv_dft_rates rates;
    if (!plan->on_ranks) system->params.fock.single = 1; // as a run on GPUs does
    PV_TRY(pv_dft_work_of(system, &work));
    PV_TRY(find_rates(plan, system, &rates));
    const pv_dft_assumed assumed = pv_dft_assume(&system->params, &plan->assumed);
    PV_TRY(check_assumed(plan, system, &assumed));
    print_system(system, &work, !plan->on_ranks);
    print_assumed(system, &assumed, &rates);
    return show(plan, system, &work, &assumed, &rates);
}

// What is planned for stays as it is.
static pv_status check_outputs(const pv_plan_dft *plan, const char *folder, const char *poscar)
{
    const char *written[] = {plan->csv, plan->measured_path};
    for (int i = 0; i < 2; i++) {
        if (!written[i]) continue;
        PV_TRY(pv_run_input_check_apart(written[i], folder));
        if (poscar) PV_TRY(pv_file_check_apart(written[i], NULL, poscar));
    }
    return PV_OK;
}

pv_status pv_plan_dft_print(const pv_plan_dft *plan)
{
    char folder[4096];
    const char *poscar = NULL;
    pv_device *device = NULL;
    pv_comm *comm = NULL;
    pv_system *system = NULL;
    PV_TRY(split_path(plan->path, folder, &poscar));
    PV_TRY(check_outputs(plan, folder, poscar));
    PV_TRY(pv_device_open("cpu:1", &device));
    pv_status status = pv_comm_open_self(device, &comm);
    if (status == PV_OK) status = pv_system_read_for_plan(comm, folder, poscar, plan->pseudo, &system);
    if (status == PV_OK) status = print_plan(plan, system);
    pv_system_destroy(system);
    pv_comm_close(comm);
    pv_device_close(device);
    return status;
}
