// SPDX-License-Identifier: Apache-2.0
#include "dft/solve/hybrid.h"

#include <math.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/mem.h"

#define LEFT_HA 1e-9 // energy that slow builds may leave, where the tolerance is less
#define SERIES  9.0  // of errors that shrink by a tenth from build to build, over the first of them
#define ROUNDED 1e-9 // of a filling
#define NOISE   1e-9 // of the exchange energy, in single precision from build to build

static pv_status make_operators(pv_hybrid *hybrid)
{
    const pv_electrons *electrons = hybrid->electrons;
    const pv_system *system = electrons->system;
    PV_TRY(PV_ALLOC(electrons->states, &hybrid->ace));
    for (int s = 0; s < electrons->states; s++)
        if (pv_electrons_owns(electrons, s))
            PV_TRY(pv_ace_create(system->group_dense, system->basis[s % system->kpoints->count], system->params.bands,
                                 &hybrid->ace[s]));
    return PV_OK;
}

// Exchange wants whole bands: where ranks share their transforms, blocks are moved in another way than for the
// Hamiltonian.
static pv_status make_splits(pv_hybrid *hybrid)
{
    const pv_electrons *electrons = hybrid->electrons;
    const pv_system *system = electrons->system;
    PV_TRY(pv_comm_agree(system->group_comm, PV_ALLOC(system->kpoints->count, &hybrid->split)));
    for (int k = 0; k < system->kpoints->count; k++) {
        if (!pv_system_owns(system, k)) continue;
        if (system->groups.band_ranks == 1)
            hybrid->split[k] = electrons->hamiltonian[k].split;
        else
            PV_TRY(pv_band_split_create_in(electrons->room, system->basis[k], NULL, system->params.bands,
                                           &hybrid->split[k]));
    }
    return PV_OK;
}

pv_status pv_hybrid_create(pv_electrons *electrons, pv_hybrid **hybrid_p)
{
    pv_hybrid *hybrid;
    PV_TRY(PV_ALLOC(1, &hybrid));
    hybrid->electrons = electrons;
    pv_status status = pv_comm_agree(electrons->system->comm, make_operators(hybrid));
    if (status == PV_OK) status = pv_comm_agree(electrons->system->comm, make_splits(hybrid));
    if (status == PV_OK) status = pv_fock_create(electrons->system, &hybrid->fock);
    if (status != PV_OK) {
        pv_hybrid_destroy(hybrid);
        return status;
    }
    *hybrid_p = hybrid;
    return PV_OK;
}

void pv_hybrid_destroy(pv_hybrid *hybrid)
{
    if (!hybrid) return;
    const pv_system *system = hybrid->electrons->system;
    hybrid->electrons->ace = NULL;
    for (int k = 0; hybrid->split && system->groups.band_ranks > 1 && k < system->kpoints->count; k++)
        pv_band_split_destroy(hybrid->split[k]);
    pv_mem_free(hybrid->split);
    for (int s = 0; hybrid->ace && s < hybrid->electrons->states; s++) pv_ace_destroy(hybrid->ace[s]);
    pv_mem_free(hybrid->ace);
    pv_fock_destroy(hybrid->fock);
    pv_exchange_mixer_destroy(hybrid->mixer);
    pv_mem_free(hybrid);
}

// The Fock operator on the lowest bands goes where each compressed operator wants it.
static pv_status act(pv_hybrid *hybrid, pv_precision precision, int64_t bands, pv_fock_progress progress, void *context,
                     double *energy_ha_p)
{
    pv_electrons *electrons = hybrid->electrons;
    double _Complex **acted = NULL;
    pv_fock_set_precision(hybrid->fock, precision);
    pv_fock_set_bands(hybrid->fock, bands);
    pv_status status = pv_comm_agree(electrons->system->comm, PV_ALLOC(electrons->states, &acted));
    for (int s = 0; status == PV_OK && s < electrons->states; s++)
        if (hybrid->ace[s]) acted[s] = hybrid->ace[s]->work;
    if (status == PV_OK)
        status = pv_fock_build(hybrid->fock, hybrid->split, electrons->orbitals, electrons->filling, electrons->rests,
                               progress, context, acted, energy_ha_p);
    const pv_fock_effort effort = pv_fock_effort_of(hybrid->fock);
    hybrid->way_s += effort.way_s;
    hybrid->waited_s += effort.waited_s;
    pv_mem_free(acted);
    return status;
}

// Whether the density's orbitals are at work, and not those of k-points of weight zero alone.
static int makes_density(const pv_electrons *electrons)
{
    const pv_kpoints *kpoints = electrons->system->kpoints;
    for (int k = 0; k < kpoints->count; k++)
        if (kpoints->weight[k] > 0.0 && !electrons->rests[k]) return 1;
    return 0;
}

static pv_status compress(pv_hybrid *hybrid, int64_t bands)
{
    pv_electrons *electrons = hybrid->electrons;
    for (int s = 0; s < electrons->states; s++)
        if (hybrid->ace[s] && !electrons->rests[s % electrons->system->kpoints->count])
            PV_TRY(pv_ace_make(hybrid->ace[s], bands, electrons->orbitals[s], hybrid->ace[s]->work));
    return PV_OK;
}

static double known_ratio(const pv_hybrid *hybrid)
{
    return hybrid->builds > 2 ? fmin(hybrid->ratio, 1.0) : 1.0;
}

// Single precision, where it is wanted, is good for builds that will not be the last: what it is off by is much the
// same in all of them, and what they miss of each other is known but for its noise (where errors
// shrink by less than half, the noise may be larger). Double precision begins with the build that will miss less than
// the tolerance if errors go on shrinking as they did.
static pv_precision precision_of(const pv_hybrid *hybrid, int whole)
{
    const pv_dft_params *params = &hybrid->electrons->system->params;
    const double enough = fmax(params->tolerance_ha, NOISE * fabs(hybrid->energy_ha));
    const double next = hybrid->error_ha * known_ratio(hybrid);
    const int stalls = hybrid->left_ha > hybrid->error_ha && hybrid->error_ha < 1e-6 * fabs(hybrid->energy_ha);
    const int is_enough = hybrid->error_ha < enough || next < params->tolerance_ha || stalls;
    const int given_up = hybrid->builds > 0 && (hybrid->precision == PV_FP64 || is_enough);
    return params->fock.single && whole && !given_up ? PV_FP32 : PV_FP64;
}

typedef struct build_plan {
    pv_precision precision; // of the operator on bands that make the density, and of the energy
    int64_t single;         // bands on which it acts in single precision before
    int64_t bands;          // and then in `precision`
} build_plan;

// Where builds may be in single precision, double precision is for bands that make the density. What it changes is told
// apart from what the orbitals have changed by the energy in single. What the density becomes does not depend on
// exchange of empty bands: these meet it in the last build but one, and are right with the last.
static build_plan plan_of(pv_hybrid *hybrid, int whole)
{
    const pv_electrons *electrons = hybrid->electrons;
    const pv_dft_params *params = &electrons->system->params;
    const pv_precision precision = precision_of(hybrid, whole);
    if (!params->fock.single || !whole) return (build_plan){precision, 0, params->bands};
    const int64_t felt = pv_fock_felt_bands(hybrid->fock, electrons->filling);
    if (precision == PV_FP64 && hybrid->is_near) return (build_plan){precision, params->bands, felt};
    const double ratio = known_ratio(hybrid);
    hybrid->is_near |=
        hybrid->builds > 0 && (precision == PV_FP64 || hybrid->error_ha * ratio * ratio < params->tolerance_ha);
    return (build_plan){PV_FP32, 0, hybrid->is_near ? params->bands : felt};
}

// By which the last error was smaller, as far as is known.
static double ratio_of(const pv_hybrid *hybrid, double error_before)
{
    if (!(error_before > 0.0) || !isfinite(error_before)) return 1.0;
    const double noise = hybrid->precision == PV_FP32 ? NOISE * fabs(hybrid->energy_ha) : 0.0;
    return fmax(hybrid->error_ha, noise) / error_before;
}

// Errors shrink by some factor from build to build: what is left is a geometric series.
static double left_of(const pv_hybrid *hybrid, double error_before)
{
    const int known = hybrid->builds > 2 && error_before > 0.0;
    const double ratio = known ? fmin(hybrid->error_ha / error_before, 0.98) : 0.0;
    return hybrid->error_ha * fmax(ratio / (1.0 - ratio), 1.0);
}

// Fillings by Methfessel and Paxton, or corrected ones of tetrahedra, may be negative, or more than full: these are no
// frames.
static int are_parts(const pv_electrons *electrons)
{
    const int64_t count = (int64_t)electrons->states * electrons->system->params.bands;
    const double full = pv_dft_params_full(&electrons->system->params);
    for (int64_t i = 0; i < count; i++)
        if (electrons->filling[i] < -ROUNDED * full || electrons->filling[i] > (1.0 + ROUNDED) * full) return 0;
    return 1;
}

// The electrons become what exchange is to be built of.
static pv_status mix(pv_hybrid *hybrid)
{
    pv_electrons *electrons = hybrid->electrons;
    const int64_t felt = pv_fock_felt_bands(hybrid->fock, electrons->filling);
    const int is_fit = are_parts(electrons);
    if (hybrid->mixer && is_fit && felt <= pv_exchange_mixer_bands(hybrid->mixer))
        return pv_exchange_mixer_mix(hybrid->mixer);
    pv_exchange_mixer_destroy(hybrid->mixer);
    hybrid->mixer = NULL;
    if (!is_fit) return PV_OK;
    PV_TRY(pv_exchange_mixer_create(electrons, felt, &hybrid->mixer));
    return pv_exchange_mixer_begin(hybrid->mixer);
}

pv_status pv_hybrid_build(pv_hybrid *hybrid, pv_fock_progress progress, void *context)
{
    const double start = pv_clock_s();
    pv_electrons *electrons = hybrid->electrons;
    const int whole = makes_density(electrons);
    double expected = INFINITY, single = 0.0, energy;
    build_plan plan = plan_of(hybrid, whole);
    PV_TRY(pv_comm_broadcast(electrons->system->comm, 0, sizeof plan, &plan));
    if (whole) PV_TRY(mix(hybrid));
    const int is_last_of_single = whole && hybrid->precision == PV_FP32 && plan.precision == PV_FP64;
    if (hybrid->builds > 0 && whole) PV_TRY(pv_hybrid_energy(hybrid, &expected));
    if (plan.single > 0) PV_TRY(act(hybrid, PV_FP32, plan.single, progress, context, &single));
    const double acts = pv_clock_s();
    PV_TRY(act(hybrid, plan.precision, plan.bands, progress, context, &energy));
    if (plan.precision == PV_FP64) hybrid->double_s += pv_clock_s() - acts;
    PV_TRY(
        pv_comm_agree(electrons->system->comm, compress(hybrid, plan.single > plan.bands ? plan.single : plan.bands)));
    if (whole) {
        const double error_before = hybrid->error_ha, ratio_before = known_ratio(hybrid);
        const double found = is_last_of_single ? single : energy;
        // Mixing that goes nowhere finds nothing, and has not ended for that.
        const double held_back = hybrid->mixer ? pv_exchange_mixer_held_back(hybrid->mixer) : 1.0;
        hybrid->error_ha = held_back * fabs(found - (expected - hybrid->compressed_ha));
        hybrid->energy_ha = energy;
        hybrid->precision_ha = is_last_of_single ? energy - single : 0.0;
        hybrid->single_error_ha = fabs(hybrid->precision_ha);
        hybrid->precision = plan.precision;
        hybrid->builds++;
        hybrid->ratio = ratio_of(hybrid, error_before);
        hybrid->due_ha = is_last_of_single ? hybrid->error_ha * ratio_before : hybrid->error_ha;
        hybrid->left_ha = is_last_of_single ? hybrid->due_ha : left_of(hybrid, error_before);
    }
    electrons->ace = hybrid->ace;
    if (whole) {
        PV_TRY(pv_hybrid_energy(hybrid, &hybrid->compressed_ha));
        hybrid->compressed_ha -= hybrid->energy_ha;
    }
    hybrid->build_s += pv_clock_s() - start;
    return PV_OK;
}

int pv_hybrid_is_settled(const pv_hybrid *hybrid)
{
    const double tolerance = hybrid->electrons->system->params.tolerance_ha;
    // After two builds, which a run that goes on may end with, nothing tells how fast errors shrink: they may be slow.
    const double left_ha = hybrid->builds > 2 ? hybrid->left_ha : SERIES * hybrid->error_ha;
    return hybrid->builds >= 2 && hybrid->precision == PV_FP64 && hybrid->due_ha < tolerance &&
           left_ha < fmax(tolerance, LEFT_HA);
}

// Of this group's states.
static pv_status add_felt(pv_hybrid *hybrid, double *felt_p)
{
    pv_electrons *electrons = hybrid->electrons;
    for (int s = 0; s < electrons->states; s++) {
        double *weights = electrons->tolerance, energy;
        if (!hybrid->ace[s]) continue;
        pv_electrons_weights(electrons, s, weights);
        PV_TRY(
            pv_ace_energy(hybrid->ace[s], electrons->system->params.bands, weights, electrons->orbitals[s], &energy));
        *felt_p += energy;
    }
    return PV_OK;
}

// E[gamma] is quadratic in the density matrix and tr(V gamma_0) / 2 its value where V was built.
pv_status pv_hybrid_energy(pv_hybrid *hybrid, double *energy_ha_p)
{
    pv_electrons *electrons = hybrid->electrons;
    double felt = 0.0;
    PV_TRY(pv_comm_agree(electrons->system->comm, add_felt(hybrid, &felt)));
    PV_TRY(pv_electrons_sum(electrons, 1, &felt));
    *energy_ha_p = felt - hybrid->energy_ha;
    return PV_OK;
}
