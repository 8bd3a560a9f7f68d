// SPDX-License-Identifier: Apache-2.0
// Orbitals of a checkpoint as a start for those of another run. The periodic part u of the nearest k-point is taken
// over wave by wave: near in k it is near in function, at the same k it is the orbital itself.
#include "dft/checkpoint.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "dft/model/whole_sphere.h"

#define SAME_POINT  1e-6 // fractional
#define NOISE       0.05 // what an orbital that becomes real keeps of the random start
#define REAL_ENOUGH 0.9  // of a real orbital times a phase: 1

// ---- The nearest point -------------------------------------------------------------------------------------------

// k + G of this run is the point's k + (G + shift), or with -k, and the conjugate coefficient, where it is reversed.
typedef struct source {
    int k, reversed;
    int32_t shift[3];
    double distance; // fractional, largest of the three
} source;

static source try_point(const pv_saved *saved, int k, int reversed, const double wanted[3])
{
    source s = {k, reversed, {0, 0, 0}, 0.0};
    for (int d = 0; d < 3; d++) {
        const double difference = wanted[d] - (reversed ? -1.0 : 1.0) * saved->kpoint[k][d];
        s.shift[d] = (int32_t)lround(difference);
        s.distance = fmax(s.distance, fabs(difference - s.shift[d]));
    }
    return s;
}

static source nearest(const pv_saved *saved, const double wanted[3])
{
    source best = {.distance = DBL_MAX};
    for (int k = 0; k < saved->kpoints; k++)
        for (int reversed = 0; reversed < 2; reversed++) {
            const source s = try_point(saved, k, reversed, wanted);
            if (s.distance < best.distance - 1e-9) best = s;
        }
    return best;
}

// ---- Which columns go where ----------------------------------------------------------------------------------------

typedef struct entry {
    int64_t column, slot;
} entry;

// Slots 0 to local hold the waves of this rank; local to 2 local, of a real basis, their partners.
typedef struct target {
    const pv_basis *basis;
    int64_t slots;
    double _Complex *taken; // [bands][slots]
    int64_t *slot;          // [columns taken]
    double (*sums)[4];      // [bands], of a real basis
    pv_stretch *stretch;
    int64_t stretches;
    int reversed;
} target;

static void target_release(target *target)
{
    pv_mem_free(target->taken);
    pv_mem_free(target->slot);
    pv_mem_free(target->sums);
    pv_mem_free(target->stretch);
}

static int by_column(const void *a, const void *b)
{
    const int64_t left = ((const entry *)a)->column, right = ((const entry *)b)->column;
    return left < right ? -1 : left > right;
}

static void add_entry(const source *source, int64_t count, const int32_t (*miller)[3], const int32_t wave[3],
                      int64_t slot, entry *entries, int64_t *used)
{
    int32_t there[3];
    for (int d = 0; d < 3; d++) there[d] = (source->reversed ? -1 : 1) * (wave[d] + source->shift[d]);
    const int64_t column = pv_miller_find(count, miller, there);
    if (column >= 0) entries[(*used)++] = (entry){column, slot};
}

static int64_t list_entries(const pv_basis *basis, const source *source, int64_t count, const int32_t (*miller)[3],
                            entry *entries)
{
    int64_t used = 0;
    for (int64_t i = 0; i < basis->local; i++) {
        const int32_t *wave = basis->miller[basis->lower + i];
        add_entry(source, count, miller, wave, i, entries, &used);
        if (basis->scalar != PV_SCALAR_REAL) continue;
        int32_t partner[3];
        pv_miller_partner(basis, wave, partner);
        if (memcmp(partner, wave, sizeof partner) != 0)
            add_entry(source, count, miller, partner, basis->local + i, entries, &used);
    }
    qsort(entries, (size_t)used, sizeof *entries, by_column);
    return used;
}

static pv_status make_target(const pv_basis *basis, const source *source, int64_t count, const int32_t (*miller)[3],
                             int64_t bands, target *target)
{
    entry *entries;
    target->basis = basis;
    target->reversed = source->reversed;
    target->slots = basis->scalar == PV_SCALAR_REAL ? 2 * basis->local : basis->local;
    PV_TRY(PV_ALLOC(bands * target->slots, &target->taken));
    PV_TRY(PV_ALLOC(target->slots, &target->slot));
    PV_TRY(PV_ALLOC(bands, &target->sums));
    PV_TRY(PV_ALLOC(target->slots, &target->stretch));
    PV_TRY(PV_ALLOC(target->slots, &entries));
    const int64_t used = list_entries(basis, source, count, miller, entries);
    for (int64_t j = 0; j < used; j++) {
        target->slot[j] = entries[j].slot;
        pv_stretch *last = target->stretches > 0 ? &target->stretch[target->stretches - 1] : NULL;
        if (last && last->first + last->count == entries[j].column)
            last->count++;
        else
            target->stretch[target->stretches++] = (pv_stretch){entries[j].column, 1};
    }
    pv_mem_free(entries);
    return PV_OK;
}

static void take_orbital(void *context, int64_t band, int64_t first, int64_t count, const void *numbers)
{
    const target *target = context;
    const double _Complex *in = numbers;
    double _Complex *out = target->taken + band * target->slots;
    for (int64_t j = 0; j < count; j++) out[target->slot[first + j]] = target->reversed ? conj(in[j]) : in[j];
}

// ---- Into the orbitals ---------------------------------------------------------------------------------------------

// Four sums of a band over this rank: of c(G) c(partner) over all waves (complex), which is the norm for a real orbital
// and times a phase squared for one that is real but for a phase; of the norm; of the norm of the random start.
static void add_sums(const target *target, const double _Complex *taken, const double _Complex *start, double sums[4])
{
    const pv_basis *basis = target->basis;
    for (int64_t i = 0; i < basis->local; i++) {
        const int single = pv_basis_fold(basis, i) == 1.0;
        const double _Complex c = taken[i], p = single ? c : taken[basis->local + i];
        const double share = single ? 1.0 : 2.0;
        sums[0] += share * creal(c * p);
        sums[1] += share * cimag(c * p);
        sums[2] += 0.5 * share * (creal(c * conj(c)) + creal(p * conj(p)));
        sums[3] += creal(start[i] * conj(start[i]));
    }
}

// The real part, after the phase that makes it largest. Partners of a degenerate pair may have the same real part: a
// little of the random start keeps them apart.
static void make_real(const target *target, const double _Complex *taken, const double sums[4],
                      double _Complex *orbital)
{
    const pv_basis *basis = target->basis;
    const double size = hypot(sums[0], sums[1]), angle = -0.5 * atan2(sums[1], sums[0]);
    const double _Complex phase = CMPLX(cos(angle), sin(angle));
    const double noise = size > REAL_ENOUGH * sums[2] ? 0.0 : NOISE * sqrt(sums[2] / sums[3]);
    for (int64_t i = 0; i < basis->local; i++) {
        const double fold = pv_basis_fold(basis, i);
        const double _Complex c = phase * taken[i];
        const double _Complex real = fold == 1.0 ? creal(c) : 0.5 * (c + conj(phase * taken[basis->local + i]));
        orbital[i] = fold * real + (noise > 0.0 ? noise * orbital[i] : 0.0);
    }
}

static pv_status adopt(const target *target, int64_t bands, double _Complex *orbitals)
{
    const pv_basis *basis = target->basis;
    if (basis->scalar != PV_SCALAR_REAL) {
        memcpy(orbitals, target->taken, (size_t)(bands * basis->local) * sizeof *orbitals);
        return PV_OK;
    }
    for (int64_t b = 0; b < bands; b++)
        add_sums(target, target->taken + b * target->slots, orbitals + b * basis->local, target->sums[b]);
    PV_TRY(pv_comm_reduce_f64(basis->comm, PV_SUM, 4 * bands, &target->sums[0][0]));
    for (int64_t b = 0; b < bands; b++)
        make_real(target, target->taken + b * target->slots, target->sums[b], orbitals + b * basis->local);
    return PV_OK;
}

static pv_status adopt_state(const target *target, int64_t bands, pv_electrons *electrons, int state)
{
    const double _Complex *orbitals;
    PV_TRY(pv_electrons_fetch(electrons, state, &orbitals));
    pv_status status = adopt(target, bands, (double _Complex *)orbitals);
    if (status == PV_OK) status = pv_electrons_put(electrons, state, orbitals);
    pv_electrons_release(electrons, state, orbitals);
    return status;
}

static pv_status take_state(pv_checkpoint *file, const pv_saved *saved, pv_electrons *electrons, int state,
                            const source *source, int64_t count, const int32_t (*miller)[3])
{
    const pv_system *system = electrons->system;
    const int kpoints = system->kpoints->count, spin = state / kpoints;
    const int64_t bands = saved->bands < system->params.bands ? saved->bands : system->params.bands;
    const pv_array array = {PV_NUMBER_COMPLEX, 2, {saved->bands, count}};
    char name[64];
    target target = {0};
    pv_spread *spread = NULL;
    pv_status status = PV_OK;
    snprintf(name, sizeof name, "orbitals/%d/%s", source->k + 1, spin < saved->spins && spin == 1 ? "down" : "up");
    if (pv_electrons_owns(electrons, state))
        status = make_target(system->basis[state % kpoints], source, count, miller, bands, &target);
    status = pv_comm_agree(system->comm, status);
    if (status == PV_OK) status = pv_spread_create(system->comm, count, target.stretches, target.stretch, &spread);
    if (status == PV_OK) status = pv_checkpoint_get_rows(file, name, &array, bands, spread, take_orbital, &target);
    if (status == PV_OK && pv_electrons_owns(electrons, state))
        status = adopt_state(&target, bands, electrons, state);
    pv_spread_destroy(spread);
    target_release(&target);
    return pv_comm_agree(system->comm, status);
}

// ---- All states ----------------------------------------------------------------------------------------------------

// Bands that the file lacks come after those it has: empty.
static void take_eigenvalues(const pv_saved *saved, int k, pv_electrons *electrons, int state)
{
    const int kpoints = electrons->system->kpoints->count, bands = electrons->system->params.bands;
    const int spin = state / kpoints < saved->spins ? state / kpoints : 0;
    const double *from = saved->eigenvalues_ha + ((int64_t)spin * saved->kpoints + k) * saved->bands;
    double *to = electrons->eigenvalues_ha + (int64_t)state * bands;
    for (int b = 0; b < bands; b++) to[b] = b < saved->bands ? from[b] : from[saved->bands - 1] + 1.0;
}

static pv_status take_point(pv_checkpoint *file, const pv_saved *saved, pv_electrons *electrons, int k,
                            const source *source)
{
    const pv_system *system = electrons->system;
    char name[64];
    pv_array array;
    int found;
    snprintf(name, sizeof name, "orbitals/%d/miller", source->k + 1);
    PV_TRY(pv_checkpoint_find(file, name, &array, &found));
    PV_REQUIRE(found && array.type == PV_NUMBER_INT32 && array.dimensions == 2 && array.shape[1] == 3, PV_ERR_INPUT,
               "the checkpoint has no plane waves of k-point %d, which its bands have", source->k + 1);
    int32_t (*miller)[3] = NULL;
    pv_status status = pv_comm_agree(system->comm, PV_ALLOC(array.shape[0], &miller));
    if (status == PV_OK) status = pv_checkpoint_get(file, name, &array, miller);
    for (int s = 0; s < system->params.spins && status == PV_OK; s++) {
        const int state = s * system->kpoints->count + k;
        status = take_state(file, saved, electrons, state, source, array.shape[0], (const int32_t (*)[3])miller);
        take_eigenvalues(saved, source->k, electrons, state);
    }
    pv_mem_free(miller);
    return status;
}

pv_status pv_saved_take_orbitals(pv_checkpoint *file, const pv_saved *saved, pv_electrons *electrons, int *exact_p)
{
    const pv_system *system = electrons->system;
    const pv_dft_params *params = &system->params;
    int exact = saved->bands >= params->bands && saved->spins == params->spins &&
                fabs(saved->cutoff_ha - params->cutoff_ha) < 1e-9;
    for (int k = 0; k < system->kpoints->count; k++) {
        const source source = nearest(saved, system->kpoints->fractional[k]);
        if (source.distance > SAME_POINT) exact = 0;
        PV_TRY(take_point(file, saved, electrons, k, &source));
    }
    *exact_p = exact;
    return pv_electrons_fill(electrons);
}
