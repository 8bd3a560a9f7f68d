// SPDX-License-Identifier: Apache-2.0
#include "dft/model/system_memory.h"

#include <math.h>
#include <stdio.h>

#include "base/check.h"
#include "base/free_memory.h"
#include "base/log.h"
#include "base/mem.h"
#include "dft/model/exchange_grid.h"
#include "dft/model/units.h"

#define WEIGHTLESS_COST 0.1            // in one solution, of the ten or so that self-consistency takes

// ---- What the run is made of -------------------------------------------------------------------------------------

typedef struct description {
    pv_run_size size;
    double *waves;                     // [kpoints]
    pv_kpoint_cost *cost;
    int ncore, npar;                   // 0: absent
    int busy;                          // k-points that are solved in every step
    pv_scalar *scalar;
    unsigned char *is_owned;
} description;

static void release(description *d)
{
    pv_mem_free(d->waves);
    pv_mem_free(d->cost);
    pv_mem_free(d->scalar);
    pv_mem_free(d->is_owned);
}

static double length(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

static void describe_atoms(const pv_system *system, pv_run_size *size)
{
    for (int a = 0; a < system->cell->atoms; a++) {
        const pv_pseudo *pseudo = system->pseudo[system->cell->species_of[a]];
        int64_t functions = 0;
        for (int i = 0; i < pseudo->projectors; i++) functions += 2 * pseudo->l[i] + 1;
        size->projectors += functions;
        if (functions > size->projectors_of_atom) size->projectors_of_atom = functions;
        size->has_core |= pseudo->has_core;
    }
}

static void scale(pv_kpoint_cost *cost, double factor)
{
    cost->products *= factor;
    cost->transforms *= factor;
    cost->alone *= factor;
}

// Plane waves, by the volume of their sphere until they have been counted.
static void describe_waves(const pv_system *system, description *d)
{
    const double g_cut = sqrt(2.0 * system->params.cutoff_ha), volume = system->cell->volume_bohr3;
    const double whole = volume * pow(g_cut, 3) / (6.0 * PV_PI * PV_PI);
    const double points = (double)system->shape[0] * (double)system->shape[1] * (double)system->shape[2];
    d->size.density_waves = 0.5 * volume * pow(system->density_reach, 3) / (6.0 * PV_PI * PV_PI);
    for (int k = 0; k < system->kpoints->count; k++) {
        const int is_real = pv_basis_can_be_real(system->kpoints->fractional[k]);
        d->scalar[k] = is_real ? PV_SCALAR_REAL : PV_SCALAR_COMPLEX;
        d->waves[k] = is_real ? 0.5 * (whole + 1.0) : whole;
        d->cost[k] = pv_kpoint_cost_of(whole, points, system->params.bands, (double)d->size.projectors, is_real);
        if (system->kpoints->weight[k] == 0.0) scale(&d->cost[k], WEIGHTLESS_COST);
        if (!system->basis) continue;
        d->scalar[k] = system->basis[k]->scalar;
        d->waves[k] = (double)system->basis[k]->count;
    }
}

// Of a list every star counts whole.
static int star_of(const pv_symmetry *symmetry, const double k[3])
{
    int64_t keys[192];
    int count = 0;
    for (int turn = 0; turn < 2 * symmetry->count && count < 192; turn++) {
        double to[3] = {0.0, 0.0, 0.0};
        for (int i = 0; i < 9; i++) to[i / 3] += symmetry->operation[turn / 2].reciprocal[i / 3][i % 3] * k[i % 3];
        if (turn % 2 && !symmetry->time_reversal) continue;
        const int64_t key = pv_kpoints_key(to, turn % 2 ? -1.0 : 1.0);
        int known = 0;
        for (int i = 0; i < count; i++) known |= keys[i] == key;
        if (!known) keys[count++] = key;
    }
    return count;
}

static pv_status describe_grid(const pv_system *system, const pv_dft_params *params, pv_exchange_size *size)
{
    const double (*a)[3] = (const double (*)[3])system->cell->lattice_bohr;
    double pair_reach;
    PV_TRY(pv_exchange_grid_choose(system->cell, params, size->grid, &pair_reach));
    size->reach = pair_reach * length(a[0]) / (2.0 * PV_PI);
    size->height = pair_reach / length(system->cell->reciprocal[2]);
    size->pair_waves = system->cell->volume_bohr3 * pow(pair_reach, 3) / (6.0 * PV_PI * PV_PI);
    return PV_OK;
}

static pv_status describe_exchange(const pv_system *system, description *d)
{
    const pv_kpoints *full = system->full_kpoints, *kpoints = system->kpoints;
    const int bands_only = kpoints->count - d->busy;
    pv_exchange_size *exchange = &d->size.exchange;
    if (!system->params.fock.on) return PV_OK;
    int mesh = full->is_mesh ? full->count : 0;
    for (int k = 0; !full->is_mesh && k < kpoints->count; k++)
        if (kpoints->weight[k] > 0.0) mesh += star_of(system->symmetry, kpoints->fractional[k]);
    exchange->points = mesh + bands_only;
    // Differences of the points of a mesh are a mesh again.
    exchange->momenta = mesh * ((full->is_mesh ? 1 : d->busy) + bands_only);
    exchange->is_single = system->params.fock.single;
    exchange->filled = (int)ceil(0.5 * (system->params.electrons + fmax(system->params.spin_difference, 0.0)));
    exchange->is_real = 1;
    for (int k = 0; k < kpoints->count; k++) exchange->is_real &= pv_basis_can_be_real(kpoints->fractional[k]);
    PV_TRY(describe_grid(system, &system->params, exchange));
    pv_dft_params wide = system->params;
    if (!pv_exchange_grid_widen(&wide)) return PV_OK;
    d->size.compared = *exchange;
    d->size.compared.is_single = 0;
    return describe_grid(system, &wide, &d->size.compared);
}

static pv_status describe(const pv_system *system, description *d)
{
    const pv_dft_params *params = &system->params;
    const double (*a)[3] = (const double (*)[3])system->cell->lattice_bohr;
    const int kpoints = system->kpoints->count;
    const double g_cut = sqrt(2.0 * params->cutoff_ha);
    *d = (description){.size = {.ranks = pv_comm_size(system->comm),
                                .threads = pv_device_threads(system->device ? system->device
                                                                            : pv_comm_device(system->comm)),
                                .spins = params->spins,
                                .bands = params->bands,
                                .filled = ceil(0.5 * params->electrons),
                                .atoms = system->cell->atoms,
                                .history = params->mix_history,
                                .is_symmetric = system->symmetry->count > 1,
                                .has_gradients = params->functional.kind != PV_FUNCTIONAL_LDA,
                                .has_stress = params->stress,
                                .writes_density = params->write_density,
                                .grid = {system->shape[0], system->shape[1], system->shape[2]},
                                .reach = g_cut * length(a[0]) / (2.0 * PV_PI),
                                .height = g_cut / length(system->cell->reciprocal[2]),
                                .density_reach = system->density_reach * length(a[2]) / (2.0 * PV_PI),
                                .kpoints = kpoints,
                                .on_gpu = system->device && !pv_device_is_host(system->device),
                                .held_bytes = system->held_bytes},
                       .ncore = params->band_ranks,
                       .npar = params->band_groups,
                       .busy = kpoints - pv_kpoints_weightless(system->kpoints)};
    pv_status status = PV_ALLOC(kpoints, &d->waves);
    if (status == PV_OK) status = PV_ALLOC(kpoints, &d->cost);
    if (status == PV_OK) status = PV_ALLOC(kpoints, &d->scalar);
    if (status == PV_OK) status = PV_ALLOC(kpoints, &d->is_owned);
    if (status == PV_OK) status = describe_exchange(system, d);
    if (status != PV_OK) {
        release(d);
        return status;
    }
    describe_atoms(system, &d->size);
    describe_waves(system, d);
    d->size.waves = d->waves;
    d->size.scalar = d->scalar;
    d->size.is_owned = d->is_owned;
    return PV_OK;
}

// Of the group whose ranks hold the most.
static pv_memory forecast(description *d, const pv_kpoint_groups *groups)
{
    pv_memory most = {.comparison_bytes = 0.0};
    d->size.group_ranks = groups->size;
    d->size.band_ranks = groups->band_ranks;
    for (int g = 0; g < groups->count; g++) {
        for (int k = 0; k < groups->kpoints; k++) d->is_owned[k] = groups->group_of[k] == g;
        const pv_memory memory = pv_memory_forecast(&d->size);
        if (pv_memory_total(&memory) > pv_memory_total(&most)) most = memory;
    }
    return most;
}

pv_status pv_system_forecast_memory(pv_system *system)
{
    description d;
    PV_TRY(describe(system, &d));
    system->memory = forecast(&d, &system->groups);
    release(&d);
    return PV_OK;
}

// ---- What the nodes have -----------------------------------------------------------------------------------------

// Or a GPU, where orbitals live on GPUs: what else there is on the host is little beside them.
typedef struct node {
    int ranks;
    double free_bytes;                 // INFINITY: unknown
} node;

static pv_status look(const pv_system *system, uint64_t *identity_p, double *free_bytes_p)
{
    *identity_p = pv_node_identity();
    *free_bytes_p = (double)pv_free_memory_bytes();
    if (!system->device || pv_device_is_host(system->device)) return PV_OK;
    size_t bytes;
    PV_TRY(pv_device_free_bytes(system->device, &bytes));
    *free_bytes_p = (double)bytes;
    for (const char *c = pv_device_name(system->device); *c; c++)
        *identity_p = (*identity_p ^ (unsigned char)*c) * 0x100000001b3u; // FNV-1a
    return PV_OK;
}

// The one with the least for each of its ranks.
static pv_status poorest_node(const pv_system *system, node *node_p)
{
    pv_comm *comm = system->comm;
    const int size = pv_comm_size(comm);
    double free_bytes;
    uint64_t mine, *all = NULL;
    PV_TRY(pv_comm_agree(comm, look(system, &mine, &free_bytes)));
    PV_TRY(pv_comm_agree(comm, PV_ALLOC(size, &all)));
    const pv_status status = pv_comm_gather(comm, sizeof mine, &mine, all);
    double ranks = 0.0;
    for (int r = 0; r < size; r++) ranks += all[r] == mine;
    pv_mem_free(all);
    PV_TRY(status);
    double each = free_bytes > 0.0 ? free_bytes / ranks : INFINITY;
    PV_TRY(pv_comm_reduce_f64(comm, PV_MIN, 1, &each));
    PV_TRY(pv_comm_reduce_f64(comm, PV_MAX, 1, &ranks));
    *node_p = (node){(int)ranks, each * ranks};
    return PV_OK;
}

// ---- How many groups ---------------------------------------------------------------------------------------------

typedef struct choice {
    int count;
    double time, bytes;                // bytes still to come, on the rank that holds the most
} choice;

// With NCORE or NPAR, else what promises the least time; on GPUs ranks do not share bands.
static pv_status make_some(const description *d, int count, pv_kpoint_groups *groups_p)
{
    PV_TRY(pv_kpoint_groups_make(d->size.ranks, d->size.kpoints, count, d->cost, groups_p));
    const int size = groups_p->size, asked = pv_kpoint_groups_band_ranks(size, d->ncore, d->npar);
    if (d->size.on_gpu) return PV_OK;
    const double points = (double)d->size.grid[0] * (double)d->size.grid[1] * (double)d->size.grid[2];
    groups_p->band_ranks = asked ? asked : pv_kpoint_groups_choose_band_ranks(size, d->size.bands, points);
    return PV_OK;
}

static pv_status weigh(description *d, int count, choice *choice_p)
{
    pv_kpoint_groups groups;
    PV_TRY(make_some(d, count, &groups));
    const pv_memory memory = forecast(d, &groups);
    *choice_p = (choice){count, pv_kpoint_groups_time(&groups, d->cost, d->size.bands),
                         pv_memory_total(&memory) - d->size.held_bytes};
    pv_kpoint_groups_release(&groups);
    return PV_OK;
}

// The fastest that fits, or the smallest if none does. Points of weight 0 are solved once, at the end: groups that had
// no others would wait until then.
static pv_status choose(description *d, double bytes_each, choice *best_p)
{
    choice best;
    PV_TRY(weigh(d, 1, &best));
    for (int count = 2; count <= d->size.ranks && count <= d->busy; count++) {
        if (d->size.ranks % count != 0) continue;
        choice other;
        PV_TRY(weigh(d, count, &other));
        const int fits = other.bytes <= bytes_each, best_fits = best.bytes <= bytes_each;
        const int is_better = fits ? !best_fits || other.time < best.time : !best_fits && other.bytes < best.bytes;
        if (is_better) best = other;
    }
    *best_p = best;
    return PV_OK;
}

static pv_status take_asked(description *d, int asked, choice *taken_p)
{
    const int ranks = d->size.ranks, kpoints = d->busy;
    const int count = pv_kpoint_groups_nearest(ranks, kpoints, asked);
    if (count != asked)
        pv_log(PV_LOG_WARN,
               "KPAR = %d for %d rank%s and %d k-point%s; it must divide the ranks and not exceed the k-points: %d "
               "is taken",
               asked, ranks, ranks == 1 ? "" : "s", kpoints, kpoints == 1 ? "" : "s", count);
    return weigh(d, count, taken_p);
}

static pv_status refuse_too_large(description *d, const choice *taken, const node *node)
{
    char help[256], groups[96] = "";
    choice least;
    PV_TRY(choose(d, 0.0, &least));
    if (least.bytes < 0.99 * taken->bytes)
        snprintf(groups, sizeof groups, "with KPAR = %d (%.3g GB a rank) instead of %d, ", least.count,
                 least.bytes * 1e-9, taken->count);
    snprintf(help, sizeof help,
             "Less is needed %swith more ranks on other nodes (now %d in all), with fewer bands (NBANDS = %d) or with a "
             "lower ENCUT",
             groups, d->size.ranks, d->size.bands);
    return pv_memory_check(taken->bytes, node->ranks, isfinite(node->free_bytes) ? node->free_bytes : 0.0, help);
}

// A value that cannot be is put right.
static void tell_band_ranks(const pv_system *system)
{
    const int size = system->groups.size, ncore = system->params.band_ranks, npar = system->params.band_groups;
    const int ranks = pv_kpoint_groups_band_ranks(size, ncore, npar), asked = npar > 0 ? npar : ncore;
    const int taken = npar > 0 ? size / ranks : ranks;
    const char *tag = npar > 0 ? "NPAR" : "NCORE";
    if (ranks > 0 && taken != asked)
        pv_log(PV_LOG_WARN, "%s = %d for the %d rank%s of a k-point's group; it must divide them: %d is taken", tag,
               asked, size, size == 1 ? "" : "s", taken);
    if (ranks > system->groups.band_ranks)
        pv_log(PV_LOG_WARN, "%s = %d lets %d ranks share the transforms of a band, which they do on the host alone; "
               "with orbitals on %s each band has one rank (NCORE = 1)", tag, taken, ranks,
               pv_device_name(system->device));
}

static pv_status make_groups(pv_system *system, const node *node)
{
    const int asked = system->params.kpoint_groups;
    description d;
    choice taken;
    PV_TRY(describe(system, &d));
    pv_status status = asked ? take_asked(&d, asked, &taken) : choose(&d, node->free_bytes / node->ranks, &taken);
    if (status == PV_OK) status = refuse_too_large(&d, &taken, node);
    if (status == PV_OK)
        status = make_some(&d, taken.count, &system->groups);
    release(&d);
    if (status == PV_OK) tell_band_ranks(system);
    return status;
}

pv_status pv_system_make_groups(pv_system *system)
{
    node node;
    system->held_bytes = (double)pv_mem_live_bytes();
    PV_TRY(poorest_node(system, &node));
    // Ranks may hold different amounts; the choice must be one.
    PV_TRY(pv_comm_reduce_f64(system->comm, PV_MAX, 1, &system->held_bytes));
    return pv_comm_agree(system->comm, make_groups(system, &node));
}

// ---- Plans without ranks -----------------------------------------------------------------------------------------

static double busiest_share(const description *d, const pv_kpoint_groups *groups)
{
    double all = 0.0, most = 0.0;
    for (int g = 0; g < groups->count; g++) {
        double load = 0.0;
        for (int k = 0; k < groups->kpoints; k++)
            if (groups->group_of[k] == g) load += d->cost[k].products + d->cost[k].transforms + d->cost[k].alone;
        all += load;
        most = fmax(most, load);
    }
    return most / all;
}

pv_status pv_system_plan_ranks(const pv_system *system, int ranks, double bytes_each, pv_rank_plan *plan_p)
{
    description d;
    choice taken;
    pv_kpoint_groups groups;
    PV_TRY(describe(system, &d));
    d.size.ranks = ranks;
    d.size.threads = 1;
    d.size.on_gpu = isfinite(bytes_each);
    pv_status status = system->params.kpoint_groups
                           ? weigh(&d, pv_kpoint_groups_nearest(ranks, d.busy, system->params.kpoint_groups), &taken)
                           : choose(&d, bytes_each, &taken);
    if (status == PV_OK) status = make_some(&d, taken.count, &groups);
    if (status == PV_OK) {
        *plan_p = (pv_rank_plan){ranks, groups.count, groups.size, groups.band_ranks, forecast(&d, &groups),
                                 busiest_share(&d, &groups)};
        pv_kpoint_groups_release(&groups);
    }
    release(&d);
    return status;
}
