// SPDX-License-Identifier: Apache-2.0
#include "dft/solve/grid_error.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/free_memory.h"
#include "base/mem.h"
#include "base/rng.h"
#include "device/array.h"
#include "device/vector.h"
#include "dft/model/exchange_grid.h"
#include "dft/terms/fock_probe.h"

// Of what the builds of a run work; and what few vectors may take of it. Counted, not measured: each time the same.
#define SHARE_OF_BUILDS 0.05
#define SHARE_OF_LEAST  0.2
// Products in points of the grid that are too few to matter, tenths of a second.
#define WORK_OF_HOST    3e7
#define WORK_OF_GPU     1e9
#define SHARE_OF_MEMORY 0.5 // of what is free

// Vectors: the band edges, and with sums of filled bands.
enum { GAP = 2, LEAST = 4, MOST = PV_MEMORY_COMPARED };

// One vector of a state: a band, or every parts-th filled one, from number `part` on, each with its root of filling and
// a sign drawn by lot: of products of two of these the squares alone are left on average.
typedef struct item {
    int state, band, part, parts; // band < 0: a sum
    double weight;                // of <phi|V|phi> in the energy
} item;

typedef struct check {
    pv_hybrid *hybrid;
    pv_system wide; // the run's, with exchange on the full grid
    pv_fock *full;
    int count;
    item items[MOST]; // by state
    int probes;
    pv_fock_probe probe[MOST];
    double _Complex *vectors[MOST]; // of the probes, on the device
} check;

// ---- Which vectors -------------------------------------------------------------------------------------------------

static double filling_of(const pv_electrons *electrons, int state, int band)
{
    return electrons->filling[(int64_t)state * electrons->system->params.bands + band];
}

static double weight_of(const pv_electrons *electrons, int state)
{
    return electrons->system->kpoints->weight[state % electrons->system->kpoints->count];
}

// Bands that hold something; of MP smearing's negative ones none.
static int count_filled(const pv_electrons *electrons, int state)
{
    int filled = 0;
    for (int b = 0; b < electrons->system->params.bands; b++) filled += filling_of(electrons, state, b) > 1e-10;
    return weight_of(electrons, state) > 0.0 ? filled : 0;
}

// The band edges: none in a metal.
static void add_edges(check *c)
{
    const pv_electrons *electrons = c->hybrid->electrons;
    const int bands = electrons->system->params.bands;
    const double full = pv_dft_params_full(&electrons->system->params);
    int64_t top = -1, bottom = -1;
    for (int64_t i = 0; i < (int64_t)electrons->states * bands; i++) {
        int64_t *best = electrons->filling[i] > 0.5 * full ? &top : &bottom;
        const double sign = best == &top ? 1.0 : -1.0, *e = electrons->eigenvalues_ha;
        if (*best < 0 || sign * e[i] > sign * e[*best]) *best = i;
    }
    if (electrons->occupation.partly_filled || top < 0 || bottom < 0) return;
    c->items[c->count++] = (item){.state = (int)(top / bands), .band = (int)(top % bands)};
    c->items[c->count++] = (item){.state = (int)(bottom / bands), .band = (int)(bottom % bands)};
}

static void add_sums(check *c, int state, int parts, double weight)
{
    for (int p = 0; p < parts; p++)
        c->items[c->count++] = (item){.state = state, .band = -1, .part = p, .parts = parts, .weight = weight};
}

// Sums of all states, or, where there are more states than sums, of some of them that stand for all.
static void add_filled(check *c, int sums, pv_grid_error *error)
{
    const pv_electrons *electrons = c->hybrid->electrons;
    int states = 0, before = c->count;
    double whole = 0.0, passed = 0.0;
    for (int s = 0; s < electrons->states; s++) {
        states += count_filled(electrons, s) > 0;
        error->answer.filled += count_filled(electrons, s);
        whole += weight_of(electrons, s);
    }
    for (int s = 0, n = 0; s < electrons->states; s++) {
        const int filled = count_filled(electrons, s);
        const double weight = weight_of(electrons, s), place = passed * sums / whole - 0.5;
        passed += weight;
        if (filled == 0) continue;
        const int each = sums / states + (n++ < sums % states);
        if (sums >= states)
            add_sums(c, s, each < filled ? each : filled, 0.5 * weight);
        else if (floor(place) < floor(passed * sums / whole - 0.5))
            add_sums(c, s, 1, 0.5 * whole / sums * (floor(passed * sums / whole - 0.5) - floor(place)));
    }
    error->answer.sums = c->count - before;
}

static int is_later(const item *a, const item *b)
{
    return a->state > b->state;
}

static void sort_by_state(check *c)
{
    for (int i = 1; i < c->count; i++)
        for (int j = i; j > 0 && is_later(&c->items[j - 1], &c->items[j]); j--) {
            const item moved = c->items[j];
            c->items[j] = c->items[j - 1];
            c->items[j - 1] = moved;
        }
}

// ---- The vectors themselves ----------------------------------------------------------------------------------------

static double coefficient(const check *c, const item *item, int band, int number)
{
    const pv_electrons *electrons = c->hybrid->electrons;
    if (item->band >= 0) return band == item->band ? 1.0 : 0.0;
    if (filling_of(electrons, item->state, band) <= 1e-10 || number % item->parts != item->part) return 0.0;
    const double sign = pv_rng_uniform(1, (uint64_t)item->state, (uint64_t)band) < 0.5 ? -1.0 : 1.0;
    return sign * sqrt(filling_of(electrons, item->state, band));
}

// This rank's plane waves of some vectors of a state, zeros elsewhere: whole[count][waves] on the host.
static pv_status add_up_slices(const check *c, int first, int count, double _Complex *whole)
{
    const pv_electrons *electrons = c->hybrid->electrons;
    const int state = c->items[first].state, bands = electrons->system->params.bands;
    const pv_basis *basis = electrons->system->basis[state % electrons->system->kpoints->count];
    pv_device *device = electrons->system->device;
    double _Complex *vector;
    if (!pv_electrons_owns(electrons, state)) return PV_OK;
    PV_TRY(PV_ARRAY(device, "sums of orbitals", basis->local, &vector));
    pv_status status = PV_OK;
    for (int v = 0; status == PV_OK && v < count; v++) {
        status = pv_stream_zero(pv_device_stream(device), vector, (size_t)basis->local * sizeof *vector);
        for (int b = 0, number = 0; status == PV_OK && b < bands; b++) {
            const double factor = coefficient(c, &c->items[first + v], b, number);
            number += filling_of(electrons, state, b) > 1e-10;
            if (factor == 0.0) continue;
            status = pv_vector_axpy(pv_device_stream(device), 2 * basis->local, factor,
                                    (const double *)(electrons->orbitals[state] + b * basis->local), (double *)vector);
        }
        if (status == PV_OK)
            status = pv_array_read(device, vector, whole + v * basis->count + basis->lower,
                                   (size_t)basis->local * sizeof *vector);
    }
    pv_array_destroy(device, vector);
    return status;
}

// To every rank's device, whole.
static pv_status make_probe(check *c, int first, int count)
{
    const pv_system *system = c->hybrid->electrons->system;
    const int state = c->items[first].state, at = c->probes++;
    const int64_t numbers = count * system->basis[state % system->kpoints->count]->count;
    double _Complex *whole = NULL;
    pv_status status = PV_ALLOC(numbers, &whole);
    if (status == PV_OK) status = PV_ARRAY(system->device, "sums of orbitals", numbers, &c->vectors[at]);
    if (status == PV_OK) status = add_up_slices(c, first, count, whole);
    status = pv_comm_agree(system->comm, status);
    if (status == PV_OK) status = pv_comm_reduce_f64(system->comm, PV_SUM, 2 * numbers, (double *)whole);
    if (status == PV_OK)
        status = pv_array_write(system->device, c->vectors[at], whole, (size_t)numbers * sizeof *whole);
    pv_mem_free(whole);
    c->probe[at] = (pv_fock_probe){.state = state, .count = count, .vectors = c->vectors[at]};
    return pv_comm_agree(system->comm, status);
}

static pv_status make_probes(check *c)
{
    for (int first = 0, next; first < c->count; first = next) {
        for (next = first + 1; next < c->count && c->items[next].state == c->items[first].state;) next++;
        PV_TRY(make_probe(c, first, next - first));
    }
    return PV_OK;
}

// ---- How many ------------------------------------------------------------------------------------------------------

// Whether all ranks have what the forecast says.
static pv_status find_room(const check *c, pv_grid_error *error)
{
    const pv_system *system = c->hybrid->electrons->system;
    size_t device_bytes = 0;
    pv_status status = PV_OK;
    if (!pv_device_is_host(system->device)) status = pv_device_free_bytes(system->device, &device_bytes);
    PV_TRY(pv_comm_agree(system->comm, status));
    double each = pv_device_is_host(system->device) ? (double)pv_free_memory_bytes() : (double)device_bytes;
    each = each > 0.0 ? SHARE_OF_MEMORY * each / pv_comm_node_size(system->comm) : INFINITY;
    PV_TRY(pv_comm_reduce_f64(system->comm, PV_MIN, 1, &each));
    if (system->memory.comparison_bytes > each)
        snprintf(error->why_not, sizeof error->why_not, "it wants %.3g GB a rank, of %.3g GB that may be taken",
                 1e-9 * system->memory.comparison_bytes, 1e-9 * each);
    return PV_OK;
}

int pv_grid_error_vectors(double work, double builds, double too_few)
{
    const double vectors = fmax(SHARE_OF_BUILDS * builds, too_few) / work;
    if (vectors < LEAST) return LEAST * work > SHARE_OF_LEAST * builds ? 0 : LEAST;
    return vectors < MOST ? (int)vectors : MOST;
}

// Of a usual run's builds: four of the filled bands, two of all.
static int count_sums(const check *c, pv_grid_error *error)
{
    const pv_electrons *electrons = c->hybrid->electrons;
    const pv_system *system = electrons->system;
    const int states = system->params.spins * (system->kpoints->count - pv_kpoints_weightless(system->kpoints));
    const double reduced = pv_fock_probe_work(c->hybrid->fock, electrons->filling),
                 work = reduced + 1.3 * pv_fock_probe_work(c->full, electrons->filling);
    const double felt = (double)pv_fock_felt_bands(c->hybrid->fock, electrons->filling);
    const double builds = states * (felt + 2.0 * system->params.bands) * reduced;
    const int vectors =
        pv_grid_error_vectors(work, builds, pv_device_is_host(system->device) ? WORK_OF_HOST : WORK_OF_GPU);
    if (vectors == 0)
        snprintf(error->why_not, sizeof error->why_not, "it would take more than %.0f %% of the builds of exchange",
                 100.0 * SHARE_OF_LEAST);
    return vectors - GAP;
}

// ---- All -----------------------------------------------------------------------------------------------------------

static pv_status compare(check *c, pv_grid_error *error)
{
    pv_hybrid *hybrid = c->hybrid;
    const pv_electrons *electrons = hybrid->electrons;
    double here[MOST], there[MOST], *edge[2] = {NULL, NULL};
    PV_TRY(pv_fock_probe_run(hybrid->fock, hybrid->split, electrons->orbitals, electrons->filling, c->probes, c->probe,
                             here));
    PV_TRY(
        pv_fock_probe_run(c->full, hybrid->split, electrons->orbitals, electrons->filling, c->probes, c->probe, there));
    error->answer.energy_ha = 0.0;
    error->answer.gap_ha = NAN;
    for (int i = 0; i < c->count; i++) {
        const item *item = &c->items[i];
        const double full = pv_dft_params_full(&electrons->system->params);
        here[i] -= there[i];
        error->answer.energy_ha += item->weight * here[i];
        if (item->band >= 0) edge[filling_of(electrons, item->state, item->band) <= 0.5 * full] = &here[i];
    }
    if (edge[0] && edge[1]) error->answer.gap_ha = *edge[1] - *edge[0];
    error->answer.known = isfinite(error->answer.energy_ha);
    return PV_OK;
}

static pv_status find(check *c, pv_grid_error *error)
{
    PV_TRY(find_room(c, error));
    if (error->why_not[0]) return PV_OK;
    PV_TRY(pv_fock_create(&c->wide, &c->full));
    const int sums = count_sums(c, error);
    if (error->why_not[0]) return PV_OK;
    add_edges(c);
    add_filled(c, sums, error);
    sort_by_state(c);
    PV_TRY(make_probes(c));
    return compare(c, error);
}

pv_status pv_grid_error_find(pv_hybrid *hybrid, pv_grid_error *error_p)
{
    const double start_s = pv_clock_s();
    const pv_system *system = hybrid->electrons->system;
    pv_grid_error error = {.answer = {.gap_ha = NAN}};
    double reach;
    check *c;
    PV_TRY(pv_comm_agree(system->comm, PV_ALLOC(1, &c)));
    c->hybrid = hybrid;
    c->wide = *system;
    error.is_wanted = pv_exchange_grid_widen(&c->wide.params) && hybrid->builds > 0;
    pv_dft_grid_error *answer = &error.answer;
    memcpy(answer->grid, pv_fock_grid(hybrid->fock), sizeof answer->grid);
    pv_status status = pv_exchange_grid_choose(system->cell, &c->wide.params, answer->full, &reach);
    if (status != PV_OK) error.is_wanted = 0;
    if (error.is_wanted) status = find(c, &error);
    pv_fock_destroy(c->full);
    for (int i = 0; i < c->probes; i++) pv_array_destroy(system->device, c->vectors[i]);
    pv_mem_free(c);
    error.seconds = pv_clock_s() - start_s;
    *error_p = error;
    return status;
}
