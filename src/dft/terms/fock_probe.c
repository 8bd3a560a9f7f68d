// SPDX-License-Identifier: Apache-2.0
#include "dft/terms/fock_probe.h"

#include "base/check.h"
#include "base/mem.h"
#include "dft/terms/fock_energy.h"
#include "dft/terms/fock_parts.h"

#define PORTION 8 // sources at once

typedef struct task {
    pv_fock *fock;
    const double *filling;
    int probes, felt;           // felt: the lowest bands of every state, which others may feel
    const pv_fock_probe *probe; // [probes]
    pv_fock_block *block;       // [probes]
    double share[PORTION];
    pv_buffer *field, *sum;            // of all vectors
    pv_buffer *source;                 // [PORTION] fields
    pv_buffer *coefficients, *carried; // [PORTION] vectors of the largest basis
} task;

// ---- Sizes ---------------------------------------------------------------------------------------------------------

static int64_t most_waves(const pv_fock *fock)
{
    int64_t most = 0;
    for (int p = 0; p < fock->kpoints + fock->images; p++) {
        const int64_t count = pv_fock_point_at(fock, p)->basis->count;
        if (count > most) most = count;
    }
    return most;
}

double pv_fock_probe_work(const pv_fock *fock, const double *filling)
{
    const double felt = (double)pv_fock_felt_bands(fock, filling);
    return felt * (fock->kpoints + fock->images) / (double)pv_fock_targets_each(fock) * (double)fock->points;
}

// ---- Vectors in, numbers out ---------------------------------------------------------------------------------------

static const pv_fock_point *home_of(const task *t, int i)
{
    return &t->fock->home[t->probe[i].state % t->fock->kpoints];
}

// One vector at a time passes between the run's list of plane waves and the home point's.
static pv_status load(task *t)
{
    pv_fock *fock = t->fock;
    double _Complex *coefficients = pv_buffer_data(t->coefficients);
    int64_t at = 0;
    for (int i = 0; i < t->probes; at += t->probe[i++].count) {
        const pv_fock_point *home = home_of(t, i);
        const int64_t count = fock->system->basis[home->from]->count;
        t->block[i] = (pv_fock_block){.kpoint = home->from,
                                      .count = t->probe[i].count,
                                      .field = pv_fock_field(fock, pv_buffer_data(t->field), at),
                                      .sum = pv_fock_field(fock, pv_buffer_data(t->sum), at)};
        for (int64_t v = 0; v < t->probe[i].count; v++) {
            const double _Complex *vector = t->probe[i].vectors + v * count;
            if (home->carry) PV_TRY(pv_carry_apply(home->carry, 1, vector, coefficients));
            PV_TRY(fock->ops->to_fields(fock, home->basis, 1, home->carry ? coefficients : vector,
                                        pv_fock_field(fock, t->block[i].field, v)));
        }
    }
    return pv_stream_zero(fock->stream, pv_buffer_data(t->sum), pv_buffer_bytes(t->sum));
}

static pv_status multiply(task *t, double *values)
{
    static const double one = 1.0;
    pv_fock *fock = t->fock;
    double _Complex *found = pv_buffer_data(t->coefficients), *back = pv_buffer_data(t->carried);
    for (int i = 0; i < t->probes; i++) {
        const pv_fock_point *home = home_of(t, i);
        const int64_t count = fock->system->basis[home->from]->count;
        for (int64_t v = 0; v < t->probe[i].count; v++) {
            PV_TRY(fock->ops->from_fields(fock, home->basis, 1, pv_fock_field(fock, t->block[i].sum, v), found));
            if (home->back) PV_TRY(pv_carry_apply(home->back, 1, found, back));
            PV_TRY(pv_fock_energy(fock->stream, fock->device, 1, count, &one, t->probe[i].vectors + v * count,
                                  home->back ? back : found, values++));
        }
    }
    return PV_OK;
}

// ---- Sources -------------------------------------------------------------------------------------------------------

static pv_status act(task *t, int state, int point, int64_t count, const double _Complex *coefficients)
{
    pv_fock *fock = t->fock;
    const pv_fock_sources sources = {point, count, t->share, pv_buffer_data(t->source)};
    PV_TRY(fock->ops->to_fields(fock, pv_fock_point_at(fock, point)->basis, count, coefficients,
                                pv_buffer_data(t->source)));
    for (int i = 0; i < t->probes; i++)
        if (t->probe[i].state / fock->kpoints == state / fock->kpoints)
            PV_TRY(fock->ops->act_on_block(fock, &sources, &t->block[i]));
    return fock->ops->flush(fock);
}

// Some bands of a state, from the run's list of plane waves, at their own point and where symmetry carries them.
static pv_status act_everywhere(task *t, int state, int64_t count, const double _Complex *whole)
{
    pv_fock *fock = t->fock;
    const int k = state % fock->kpoints;
    const pv_fock_point *home = &fock->home[k];
    double _Complex *coefficients = pv_buffer_data(t->coefficients), *carried = pv_buffer_data(t->carried);
    if (home->carry) PV_TRY(pv_carry_apply(home->carry, count, whole, coefficients));
    const double _Complex *at_home = home->carry ? coefficients : whole;
    PV_TRY(act(t, state, k, count, at_home));
    for (int p = 0; p < fock->images; p++) {
        if (fock->image[p].from != k) continue;
        PV_TRY(pv_carry_apply(fock->image[p].carry, count, at_home, carried));
        PV_TRY(act(t, state, fock->kpoints + p, count, carried));
    }
    return PV_OK;
}

static pv_status act_with(task *t, int state, int64_t lower, int64_t upper, const double _Complex *whole)
{
    const pv_system *system = t->fock->system;
    const double full = pv_dft_params_full(&system->params);
    for (int64_t band = lower; band < upper; band += PORTION) {
        const int64_t count = upper - band < PORTION ? upper - band : PORTION;
        for (int64_t i = 0; i < count; i++)
            t->share[i] = t->filling[(int64_t)state * system->params.bands + band + i] / full;
        PV_TRY(
            act_everywhere(t, state, count, whole + (band - lower) * system->basis[state % t->fock->kpoints]->count));
    }
    return PV_OK;
}

// A rank that has failed takes part in what is left to gather.
static pv_status go_through(task *t, pv_band_split *const *split, double _Complex *const *orbitals, pv_status status)
{
    const pv_fock *fock = t->fock;
    for (int s = 0; s < fock->system->params.spins * fock->kpoints; s++) {
        const int k = s % fock->kpoints;
        const double _Complex *whole;
        int64_t lower, upper;
        if (!pv_system_owns(fock->system, k) || fock->home[k].weight == 0.0) continue;
        PV_TRY(pv_band_split_gather(split[k], t->felt, orbitals[s], &whole));
        pv_band_split_range(split[k], t->felt, &lower, &upper);
        if (status == PV_OK) status = act_with(t, s, lower, upper, whole);
    }
    return status;
}

// ---- All -----------------------------------------------------------------------------------------------------------

static pv_status prepare(task *t)
{
    pv_fock *fock = t->fock;
    const size_t field_bytes = (size_t)fock->field_bytes[PV_FP64],
                 wave_bytes = (size_t)most_waves(fock) * sizeof(double _Complex);
    size_t vectors = 0;
    for (int i = 0; i < t->probes; i++) vectors += (size_t)t->probe[i].count;
    PV_TRY(PV_ALLOC(t->probes, &t->block));
    PV_TRY(pv_buffer_create(fock->device, vectors * field_bytes, &t->field));
    PV_TRY(pv_buffer_create(fock->device, vectors * field_bytes, &t->sum));
    PV_TRY(pv_buffer_create(fock->device, PORTION * field_bytes, &t->source));
    PV_TRY(pv_buffer_create(fock->device, PORTION * wave_bytes, &t->coefficients));
    PV_TRY(pv_buffer_create(fock->device, PORTION * wave_bytes, &t->carried));
    fock->most = PORTION;
    PV_TRY(fock->ops->begin(fock));
    return load(t);
}

static void release(task *t)
{
    pv_buffer *const buffers[] = {t->field, t->sum, t->source, t->coefficients, t->carried};
    t->fock->ops->end(t->fock);
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) pv_buffer_destroy(buffers[i]);
    pv_mem_free(t->block);
}

pv_status pv_fock_probe_run(pv_fock *fock, pv_band_split *const *split, double _Complex *const *orbitals,
                            const double *filling, int probes, const pv_fock_probe *probe, double *values)
{
    pv_comm *comm = fock->system->comm;
    task t = {.fock = fock, .filling = filling, .probes = probes, .probe = probe};
    int64_t vectors = 0;
    for (int i = 0; i < probes; i++) vectors += probe[i].count;
    t.felt = (int)pv_fock_felt_bands(fock, filling);
    pv_fock_set_precision(fock, PV_FP64);
    pv_status status = go_through(&t, split, orbitals, prepare(&t));
    if (status == PV_OK) status = pv_stream_wait(fock->stream);
    if (status == PV_OK) status = multiply(&t, values);
    release(&t);
    PV_TRY(pv_comm_agree(comm, status));
    return pv_comm_reduce_f64(comm, PV_SUM, vectors, values);
}
