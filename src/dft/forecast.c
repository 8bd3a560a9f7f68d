// SPDX-License-Identifier: Apache-2.0
#include "dft/forecast.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "dft/model/exchange_grid.h"
#include "dft/model/units.h"
#include "fft/cubes/cubes.h"

// Counted and timed in runs on cores: HfO2 of 12 and 24 atoms, Si at 4 x 4 x 4 k-points (docs/scale.md).
#define SUBSPACE_PRODUCTS 5.0   // a new direction with the search space: each 2 L operations with twice the bands
#define EIGENPROBLEMS     3.0   // of twice the bands, an application: what problems of one to four times the bands do
#define EIGEN_ROWS        1.8   // their rows, in twice the bands
#define WAITING           1.4e4 // operations for each element of their matrices: what else waits for one rank
#define TRANSFORM_PART    1.25  // of what it takes alone: blocks are smaller, caches cold
#define DENSITY_PART      0.9   // of a transform there and back, a filled band and step
#define PAIR_PART         1.2   // products and sums of a pair beside its transforms
#define ANY_LARGE         0.40  // of the rate of orbitals: fields that go through memory, by kernels for any grid
#define OWN_LARGE         1.0   // by kernels for this grid (fft/cubes/shapes.h)
#define ANY_DOUBLE        0.68  // of the rate of pairs: fields that do not, by kernels for any grid
#define ANY_SINGLE        0.58
#define POTENTIAL_PART    0.8   // of the semilocal functional: Hartree's and what brings potentials to the orbitals
#define SUMS_OF_BLOCK     12.0  // over the ranks of a group, for a block of bands

pv_dft_rates pv_dft_rates_h200(void)
{
    return (pv_dft_rates){.source =
                              "stored defaults for an NVIDIA H200, from runs of 12 to 96 atoms on one; network and "
                              "latency assumed",
                          .gemm_flops_per_s = 41e12,
                          .eigen_flops_per_s = 8.2e12,
                          .eigen_row_s = 6.5e-6,
                          .transform_flops_per_s = 5.6e12,
                          .pair_flops_per_s = 5.3e12,
                          .pair_single_flops_per_s = 10.8e12,
                          .pair_bytes_most = 3.6e6,
                          .functional_points_per_s = 5e9,
                          .screened_points_per_s = 3e9,
                          .waves_per_s = 2.6e8,
                          .start_s = 1.0,
                          .launch_s = 5.6e-3,
                          .build_s = 8e-3,
                          .link_bytes_per_s = 370e9,
                          .network_bytes_per_s = 50e9,
                          .latency_s = 15e-6,
                          .node_devices = 8,
                          .device_bytes = 140e9,
                          .context_bytes = 0.8e9,
                          .error = 0.1};
}

// Tolerance costs few steps: errors shrink several times in each.
pv_dft_assumed pv_dft_assume(const pv_dft_params *params, const pv_dft_assumed *given)
{
    const double digits = fmax(-log10(params->tolerance_ha * PV_HARTREE_EV), 2.0);
    const int is_hybrid = params->fock.on;
    const double steps = is_hybrid ? 15.6 + 0.4 * digits : 8.5 + 0.5 * digits;
    pv_dft_assumed a = *given;
    if (a.steps == 0) a.steps = (int)lround(steps + (params->spins == 2 ? 4.0 : 0.0));
    if (a.steps > params->steps_max) a.steps = params->steps_max;
    if (a.builds == 0) a.builds = (int)lround(4.75 + 0.25 * digits);
    if (!is_hybrid) a.builds = 0;
    if (a.builds > a.steps) a.builds = a.steps;
    // Empty bands need not be as good as filled ones.
    const double filled = fmin(0.5 * params->electrons / params->bands, 1.0);
    if (a.applications == 0.0) a.applications = 1.7 + 2.0 * filled;
    return a;
}

static double transform_of(double points)
{
    return 5.0 * points * log2(fmax(points, 2.0));
}

static void add_kpoint(const pv_system *system, int k, double projectors, pv_dft_work *w)
{
    const double bands = system->params.bands, spins = system->params.spins;
    const int is_real = pv_basis_can_be_real(system->kpoints->fractional[k]);
    // Real operations for a complex product are four times those of a real one; a half sphere has as many reals as the
    // whole one has waves.
    const double unit = is_real ? 1.0 : 4.0, states = spins * bands;
    const double exchange = system->params.fock.on ? 2.0 * bands : 0.0;
    if (system->kpoints->weight[k] == 0.0) return;
    w->states += states;
    w->real_states += is_real ? states : 0.0;
    w->product_flops +=
        states * unit * 2.0 * w->plane_waves * (2.0 * projectors + SUBSPACE_PRODUCTS * 2.0 * bands + exchange);
    w->transform_flops += TRANSFORM_PART * states * 2.0 * transform_of(w->grid_points) * (is_real ? 0.5 : 1.0);
    w->eigen_flops += spins * unit * EIGENPROBLEMS * 9.0 * pow(2.0 * bands, 3);
    w->eigen_rows += spins * EIGEN_ROWS * 2.0 * bands;
    w->waiting_flops += spins * WAITING * pow(2.0 * bands, 2);
    w->projected += projectors * w->plane_waves * (is_real ? 0.5 : 1.0);
}

// As many vectors as may be: runs take less where builds are small (solve/grid_error.h).
static pv_status count_check(const pv_system *system, double sources, int is_real, pv_dft_work *w)
{
    pv_dft_params full = system->params;
    int64_t grid[3];
    double reach;
    if (!pv_exchange_grid_widen(&full)) return PV_OK;
    PV_TRY(pv_exchange_grid_choose(system->cell, &full, grid, &reach));
    w->check_points = (double)(grid[0] * grid[1] * grid[2]);
    w->check_transforms = PV_MEMORY_COMPARED * sources * (is_real ? 0.5 : 1.0);
    return PV_OK;
}

// A pair of orbitals of the run is worked on once for both; of what symmetry adds every product counts.
static pv_status count_pairs(const pv_system *system, pv_dft_work *w)
{
    const pv_dft_params *params = &system->params;
    int64_t grid[3];
    double reach;
    int is_real = 1, targets = 0, sources = 0;
    if (!params->fock.on) return PV_OK;
    PV_TRY(pv_exchange_grid_choose(system->cell, params, grid, &reach));
    const pv_kpoints *full = system->full_kpoints, *own = system->kpoints;
    for (int k = 0; k < own->count; k++) {
        targets += own->weight[k] > 0.0;
        is_real &= pv_basis_can_be_real(own->fractional[k]);
    }
    for (int f = 0; f < full->count; f++) sources += full->weight[f] > 0.0;
    if (sources < targets) sources = targets;
    int thinned = 1;
    for (int d = 0; d < 3; d++) thinned *= params->fock.reduction[d] > 1 ? params->fock.reduction[d] : 1;
    const double mine = targets * w->occupied, all = (double)sources / thinned * w->occupied;
    w->pair_points = (double)(grid[0] * grid[1] * grid[2]);
    memcpy(w->pair_grid, grid, sizeof w->pair_grid);
    const double once = thinned == 1 ? 0.5 * mine * mine : 0.0, between = targets * (double)params->bands * all - once;
    w->pairs = params->spins * between;
    w->filled_share = (mine * all - once) / between;
    w->pair_transforms = w->pairs * (is_real ? 0.5 : 1.0);
    w->ring_bytes = params->spins * mine * w->plane_waves * (is_real ? 8.0 : 16.0);
    return count_check(system, all, is_real, w);
}

pv_status pv_dft_work_of(const pv_system *system, pv_dft_work *work_p)
{
    const pv_dft_params *params = &system->params;
    const double volume = system->cell->volume_bohr3, g_cut = sqrt(2.0 * params->cutoff_ha);
    pv_dft_work w = {.plane_waves = volume * pow(g_cut, 3) / (6.0 * PV_PI * PV_PI),
                     .grid_points = (double)(system->shape[0] * system->shape[1] * system->shape[2]),
                     .occupied = fmin(ceil(0.5 * params->electrons), params->bands)};
    double projectors = 0.0;
    for (int a = 0; a < system->cell->atoms; a++) {
        const pv_pseudo *pseudo = system->pseudo[system->cell->species_of[a]];
        for (int i = 0; i < pseudo->projectors; i++) projectors += 2 * pseudo->l[i] + 1;
    }
    for (int k = 0; k < system->kpoints->count; k++) add_kpoint(system, k, projectors, &w);
    PV_TRY(count_pairs(system, &w));
    *work_p = w;
    return PV_OK;
}

// ---- Time --------------------------------------------------------------------------------------------------------

// Sent by each of `count` neighbouring devices, evenly to the others.
static double seconds_to_send(const pv_dft_rates *r, double bytes, double count)
{
    const double node = fmin(count, r->node_devices);
    return fmax(bytes * (node - 1.0) / count / r->link_bytes_per_s,
                bytes * (count - node) / count / r->network_bytes_per_s);
}

static double seconds_to_sum(const pv_dft_rates *r, double bytes, double count)
{
    return count > 1.0 ? 2.0 * seconds_to_send(r, bytes, count) + r->latency_s * log2(count) : 0.0;
}

// Of the busiest group, which has this share of the k-points' work, for one application to every band.
static double application_seconds(const pv_system *s, const pv_dft_work *w, const pv_dft_rates *r,
                                  const pv_rank_plan *p)
{
    const double size = p->group_ranks;
    const double share = pv_kpoint_groups_transform_share(p->group_ranks, p->band_ranks, s->params.bands);
    const double blocks = w->states / s->params.bands * p->busiest;
    return p->busiest *
               (w->product_flops / size / r->gemm_flops_per_s + w->transform_flops * share / r->transform_flops_per_s +
                w->eigen_flops / r->eigen_flops_per_s + w->eigen_rows * r->eigen_row_s +
                w->waiting_flops / r->gemm_flops_per_s) +
           blocks * r->launch_s;
}

static double step_seconds(const pv_system *s, const pv_dft_work *w, const pv_dft_rates *r, const pv_dft_assumed *a,
                           const pv_rank_plan *p)
{
    const double points = w->grid_points * s->params.spins, ranks = p->ranks;
    const double filled = w->occupied / s->params.bands;
    const double density =
        DENSITY_PART * filled * p->busiest * w->transform_flops / p->group_ranks / r->transform_flops_per_s;
    // The first steps of a hybrid are semilocal.
    const double share = a->builds > 0 ? fmax(1.0 - 3.0 / a->steps, 0.0) : 0.0;
    const double functional =
        (1.0 - share + POTENTIAL_PART) / r->functional_points_per_s + share / r->screened_points_per_s;
    return a->applications * application_seconds(s, w, r, p) + density + points / ranks * functional;
}

static double step_comm_seconds(const pv_system *s, const pv_dft_work *w, const pv_dft_rates *r,
                                const pv_dft_assumed *a, const pv_rank_plan *p)
{
    const double size = p->group_ranks, bands = s->params.bands, states = w->states * p->busiest;
    const double moved = states * a->applications * 2.0 * w->plane_waves * 16.0 / size;
    const double sums = SUMS_OF_BLOCK * a->applications * states / bands;
    const double density = w->grid_points * 8.0 * s->params.spins;
    if (p->ranks == 1) return 0.0;
    const double group =
        size > 1.0 ? seconds_to_send(r, moved, size) + sums * seconds_to_sum(r, 2.0 * bands * bands * 8.0, size) : 0.0;
    return group + seconds_to_sum(r, density, p->ranks) + 3.0 * r->latency_s * log2(p->ranks);
}

// Bands come whole: the busiest rank has the rest of the division, too.
static double build_seconds(const pv_system *s, const pv_dft_work *w, double pair_rate, const pv_rank_plan *p)
{
    const double bands = s->params.bands, size = p->group_ranks, uneven = ceil(bands / size) * size / bands;
    return PAIR_PART * 2.0 * w->pair_transforms * transform_of(w->pair_points) / pair_rate / p->ranks * uneven *
           p->busiest * p->groups;
}

// By the kernels that convolve the fields, and whether these go through memory; on cores neither matters.
static double pair_rate(const pv_dft_work *w, const pv_dft_rates *r, pv_precision precision)
{
    const int is_double = precision == PV_FP64;
    const double rate = is_double ? r->pair_flops_per_s : r->pair_single_flops_per_s;
    const double usual = (is_double ? 1.0 : 2.0) * r->transform_flops_per_s;
    const int is_own = pv_cubes_kind_of(w->pair_grid, precision) != PV_CUBES_BY_ANY;
    if (r->pair_bytes_most == 0.0) return rate;
    if (w->pair_points * (is_double ? 16.0 : 8.0) > r->pair_bytes_most) return usual * (is_own ? OWN_LARGE : ANY_LARGE);
    return rate * (is_own ? 1.0 : is_double ? ANY_DOUBLE : ANY_SINGLE);
}

// Where builds are in single precision until they find nothing more, they are of filled bands; the last two of all, and
// the very last of filled bands in double precision, too.
static double all_builds(const pv_system *s, const pv_dft_work *w, const pv_dft_rates *r, const pv_dft_assumed *a,
                         const pv_rank_plan *p, double *exposed_s)
{
    const int single = s->params.fock.single ? a->builds : 0, rough = single > 2 ? single - 2 : 0;
    const int dear = s->params.fock.single ? single > 1 : a->builds;
    const double singles = (single - rough) + rough * w->filled_share;
    const double doubles = s->params.fock.single ? dear * w->filled_share : dear;
    const double ring =
        p->ranks > 1 ? seconds_to_send(r, 2.0 * w->ring_bytes, p->ranks) + r->latency_s * p->ranks : 0.0;
    const double in_double = build_seconds(s, w, pair_rate(w, r, PV_FP64), p);
    const double in_single = build_seconds(s, w, pair_rate(w, r, PV_FP32), p);
    *exposed_s = dear * fmax(ring - in_double, 0.0) + single * fmax(ring - in_single, 0.0);
    return doubles * in_double + singles * in_single + a->builds * r->build_s;
}

pv_status pv_dft_forecast_of(const pv_system *s, const pv_dft_work *w, const pv_dft_assumed *a, const pv_dft_rates *r,
                             int count, pv_dft_forecast *forecast_p)
{
    pv_dft_forecast f = {.fits = 1};
    const double limit = r->device_bytes > 0.0 ? r->device_bytes : INFINITY;
    PV_TRY(pv_system_plan_ranks(s, count, limit - r->context_bytes, &f.plan));
    const double bytes = pv_memory_total(&f.plan.memory) + r->context_bytes, ranks = count;
    f.bytes = bytes;
    f.fits = bytes <= limit;
    f.states = f.plan.memory.states;
    f.tile = pv_memory_tile(&f.plan.memory, limit - r->context_bytes, &f.held_bytes);
    f.held_bytes += r->context_bytes;
    double exposed_s = 0.0;
    const double builds_s = a->builds > 0 ? all_builds(s, w, r, a, &f.plan, &exposed_s) : 0.0;
    f.start_s = r->start_s + w->projected / r->waves_per_s / ranks;
    f.step_s = step_seconds(s, w, r, a, &f.plan);
    f.build_s = a->builds > 0 ? builds_s / a->builds : 0.0;
    f.comm_s = a->steps * step_comm_seconds(s, w, r, a, &f.plan) + exposed_s;
    // Forces, and stress of semilocal functionals: some passes of products with the projectors and their derivatives.
    const double derivatives = 4.0 + (s->params.stress ? 10.0 : 0.0);
    f.end_s = w->projected / r->waves_per_s / ranks +
              derivatives * 4.0 * w->projected * s->params.bands / r->gemm_flops_per_s / ranks;
    if (w->check_transforms > 0.0 && a->builds > 0)
        f.end_s += r->build_s + PAIR_PART * 2.0 * w->check_transforms * transform_of(w->check_points) /
                                    r->transform_flops_per_s / ranks;
    f.total_s = f.start_s + a->steps * f.step_s + builds_s + f.comm_s + f.end_s;
    *forecast_p = f;
    return PV_OK;
}
