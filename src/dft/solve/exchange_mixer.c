// SPDX-License-Identifier: Apache-2.0
// A build of exchange makes of the frame `in` a frame `out`, that of the orbitals solved with it, and what is left of the
// error is their difference, the residual. Exchange follows the frame as a level shift does: where band a comes into the
// filled band v, it lowers what has come in by U, the levels are e_a - e_v apart, and so of an error the share
// U / (e_a - e_v) is there again. U is found from how `out` has followed `in`.
#include "dft/solve/exchange_mixer.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "device/array.h"
#include "device/vector.h"
#include "dft/solve/anderson.h"

#define OTHERS PV_ANDERSON_OTHERS
#define HISTORY (1 + OTHERS)           // builds that are remembered
#define FADES 0.5                      // what earlier builds say of U, from build to build
#define FILLED 0.1                     // difference of fillings, of a full one, for pairs that are looked at
#define MOST 0.9                       // of an error that is there again
#define LEAST (-1.0)                   // and the same with the other sign
#define LOST 1e-3                      // of a full orbital, that has nothing in common with what there was

typedef double _Complex pv_c64;

typedef struct memory {
    double *in;                        // [reals]: what the last build was built of
    float *change[HISTORY];            // [reals]: what came of a build, less `in`
    float *residual[HISTORY];          // [reals]: the same less what that build was built of
    double *turn;                      // [bands][bands] scalars, on the device: of the electrons' own frame
} memory;

struct pv_exchange_mixer {
    pv_electrons *electrons;
    pv_frames *frames;
    int steps;                         // builds remembered
    memory *states;                    // [states]; empty where this rank has nothing to mix
    pv_c64 *x, *y, *z;                 // [bands][largest local], on the device: scratch
    double *there;                     // [reals, the most], on the host: scratch
    double *followed, *moved;          // [bands][bands of the run] scalars, on the host: scratch
    pv_anderson *by_band;                 // [bands]: scratch
    double answer[2];                  // U is the first over the second
    int threads;                       // of the host
};

// ---- Room --------------------------------------------------------------------------------------------------------

static pv_status create_state(pv_exchange_mixer *mixer, int state, int64_t *most)
{
    const int64_t n = mixer->frames->bands, reals = 2 * pv_frames_length(mixer->frames, state);
    memory *m = &mixer->states[state];
    PV_TRY(PV_ALLOC(reals, &m->in));
    for (int i = 0; i < HISTORY; i++) {
        PV_TRY(PV_ALLOC(reals, &m->change[i]));
        PV_TRY(PV_ALLOC(reals, &m->residual[i]));
    }
    if (reals > *most) *most = reals;
    return PV_ARRAY(mixer->electrons->system->device, "mixing of exchange", 2 * n * n, &m->turn);
}

static pv_status create_arrays(pv_exchange_mixer *mixer, int64_t bands)
{
    const pv_electrons *electrons = mixer->electrons;
    const pv_system *system = electrons->system;
    const char *what = "mixing of exchange";
    int64_t most = 0;
    PV_TRY(pv_frames_create(mixer->electrons, bands, &mixer->frames));
    PV_TRY(PV_ALLOC(electrons->states, &mixer->states));
    for (int s = 0; s < electrons->states; s++)
        if (pv_frames_have(mixer->frames, s)) PV_TRY(create_state(mixer, s, &most));
    PV_TRY(PV_ARRAY(system->device, what, most / 2, &mixer->x));
    PV_TRY(PV_ARRAY(system->device, what, most / 2, &mixer->y));
    PV_TRY(PV_ARRAY(system->device, what, most / 2, &mixer->z));
    PV_TRY(PV_ALLOC(most, &mixer->there));
    PV_TRY(PV_ALLOC(2 * bands * system->params.bands, &mixer->followed));
    PV_TRY(PV_ALLOC(bands, &mixer->by_band));
    return PV_ALLOC(2 * bands * system->params.bands, &mixer->moved);
}

pv_status pv_exchange_mixer_create(pv_electrons *electrons, int64_t felt, pv_exchange_mixer **mixer_p)
{
    const int64_t all = electrons->system->params.bands, more = felt + felt / 32 + 2, bands = more < all ? more : all;
    pv_exchange_mixer *mixer;
    PV_TRY(PV_ALLOC(1, &mixer));
    mixer->electrons = electrons;
    mixer->threads = pv_device_host_threads(electrons->system->device);
    const pv_status status = pv_comm_agree(electrons->system->comm, create_arrays(mixer, bands));
    if (status != PV_OK) {
        pv_exchange_mixer_destroy(mixer);
        return status;
    }
    *mixer_p = mixer;
    return PV_OK;
}

void pv_exchange_mixer_destroy(pv_exchange_mixer *mixer)
{
    if (!mixer) return;
    pv_device *device = mixer->electrons->system->device;
    for (int s = 0; mixer->states && s < mixer->electrons->states; s++) {
        memory *m = &mixer->states[s];
        for (int i = 0; i < HISTORY; i++) {
            pv_mem_free(m->change[i]);
            pv_mem_free(m->residual[i]);
        }
        pv_mem_free(m->in);
        pv_array_destroy(device, m->turn);
    }
    pv_array_destroy(device, mixer->x);
    pv_array_destroy(device, mixer->y);
    pv_array_destroy(device, mixer->z);
    pv_mem_free(mixer->there);
    pv_mem_free(mixer->followed);
    pv_mem_free(mixer->moved);
    pv_mem_free(mixer->by_band);
    pv_mem_free(mixer->states);
    pv_frames_destroy(mixer->frames);
    pv_mem_free(mixer);
}

int64_t pv_exchange_mixer_bands(const pv_exchange_mixer *mixer) { return mixer->frames->bands; }

// ---- Between host and device -------------------------------------------------------------------------------------

static int64_t reals_of(const pv_exchange_mixer *mixer, int state) { return 2 * pv_frames_length(mixer->frames, state); }

static pv_status fetch(pv_exchange_mixer *mixer, int state, const pv_c64 *from, double *to)
{
    return pv_array_read(mixer->electrons->system->device, from, to, (size_t)reals_of(mixer, state) * sizeof *to);
}

static pv_status send(pv_exchange_mixer *mixer, int state, const double *from, pv_c64 *to)
{
    return pv_array_write(mixer->electrons->system->device, to, from, (size_t)reals_of(mixer, state) * sizeof *from);
}

// to := sum of weights times what is remembered.
static void sum_up(const pv_exchange_mixer *mixer, int64_t reals, float *const *of, const double *weight, double *to)
{
#pragma omp parallel for num_threads(mixer->threads) schedule(static)
    for (int64_t i = 0; i < reals; i++) {
        double sum = 0.0;
        for (int k = 0; k < HISTORY; k++) sum += weight[k] * of[k][i];
        to[i] = sum;
    }
}

static double weight_of(const pv_exchange_mixer *mixer, int state)
{
    const pv_kpoints *kpoints = mixer->electrons->system->kpoints;
    return kpoints->weight[state % kpoints->count];
}

// ---- What came of the last build ---------------------------------------------------------------------------------

// held_p: what `out` holds, in full orbitals, and of them this rank's plane waves.
static pv_status observe(pv_exchange_mixer *mixer, int state, int newest, double *held_p)
{
    memory *m = &mixer->states[state];
    const int64_t reals = reals_of(mixer, state);
    pv_stream *stream = pv_device_stream(mixer->electrons->system->device);
    PV_TRY(pv_frames_take(mixer->frames, state, mixer->x));
    PV_TRY(send(mixer, state, m->in, mixer->y));
    PV_TRY(pv_frames_turn(mixer->frames, state, mixer->x, mixer->y, m->turn, mixer->z));
    PV_TRY(pv_vector_axpy(stream, reals, -1.0, (double *)mixer->y, (double *)mixer->z));
    PV_TRY(fetch(mixer, state, mixer->z, mixer->there));
    double held = 0.0;
#pragma omp parallel for num_threads(mixer->threads) schedule(static) reduction(+ : held)
    for (int64_t i = 0; i < reals; i++) {
        const double out = m->in[i] + mixer->there[i];
        m->residual[newest][i] = m->change[newest][i] = (float)mixer->there[i];
        held += out * out;
    }
    *held_p = held;
    return PV_OK;
}

// Of one column of a frame.
static void add_products(const memory *m, int64_t from, int64_t to, int newest, pv_anderson *p)
{
    double r[OTHERS], x[OTHERS];
    for (int64_t i = from; i < to; i++) {
        const double last = m->residual[newest][i];
        for (int j = 0; j < OTHERS; j++) {
            const int k = (newest + HISTORY - 1 - j) % HISTORY;
            r[j] = m->residual[k][i] - last;
            x[j] = m->change[k][i] - m->change[newest][i] - r[j];
        }
        p->square += last * last;
        for (int j = 0; j < OTHERS; j++) {
            p->left[j] += r[j] * last;
            for (int k = 0; k < OTHERS; k++) {
                p->residuals[j][k] += r[j] * r[k];
                p->crossed[j][k] += x[j] * r[k];
                p->moves[j][k] += x[j] * x[k];
            }
        }
    }
}

static pv_status observe_all(pv_exchange_mixer *mixer, int newest, pv_anderson *sums, double *held_p)
{
    const int64_t bands = mixer->frames->bands, numbers = sizeof *sums / sizeof(double);
    for (int s = 0; s < mixer->electrons->states; s++) {
        double held;
        if (!pv_frames_have(mixer->frames, s)) continue;
        PV_TRY(observe(mixer, s, newest, &held));
        *held_p += weight_of(mixer, s) * held;
        const int64_t column = reals_of(mixer, s) / bands;
        memset(mixer->by_band, 0, (size_t)bands * sizeof *mixer->by_band);
#pragma omp parallel for num_threads(mixer->threads) schedule(static)
        for (int64_t b = 0; b < bands; b++)
            add_products(&mixer->states[s], b * column, (b + 1) * column, newest, &mixer->by_band[b]);
        for (int64_t b = 0; b < bands; b++)
            for (int64_t i = 0; i < numbers; i++)
                ((double *)sums)[i] += weight_of(mixer, s) * ((const double *)&mixer->by_band[b])[i];
    }
    return PV_OK;
}

static double filled(const pv_exchange_mixer *mixer)
{
    const pv_electrons *electrons = mixer->electrons;
    const int64_t bands = electrons->system->params.bands;
    double sum = 0.0;
    for (int s = 0; s < electrons->states; s++)
        for (int64_t b = 0; b < bands; b++) sum += weight_of(mixer, s) * electrons->filling[s * bands + b];
    return sum / pv_frames_full(mixer->frames);
}

// ---- How a state answers -----------------------------------------------------------------------------------------

// The share of an error that is there again where band a comes into band v, for U = 1.
static double slope(const pv_exchange_mixer *mixer, int state, int64_t v, int64_t a)
{
    const pv_electrons *electrons = mixer->electrons;
    const int64_t first = (int64_t)state * electrons->system->params.bands;
    const double filled = (electrons->filling[first + v] - electrons->filling[first + a]) / pv_frames_full(mixer->frames);
    const double apart = electrons->eigenvalues_ha[first + a] - electrons->eigenvalues_ha[first + v];
    return filled > FILLED && apart > 0.0 ? filled / apart : 0.0;
}

// Least squares: `followed` of what `moved` times the slope explains.
static void add_answer(const pv_exchange_mixer *mixer, int state, double sums[2])
{
    const pv_system *system = mixer->electrons->system;
    const int64_t all = system->params.bands;
    const int64_t reals = pv_scalar_reals(system->basis[state % system->kpoints->count]->scalar);
    for (int64_t v = 0; v < mixer->frames->bands; v++)
        for (int64_t a = 0; a < all; a++) {
            const double s = slope(mixer, state, v, a);
            if (s == 0.0) continue;
            for (int64_t i = (v * all + a) * reals; i < (v * all + a + 1) * reals; i++) {
                sums[0] += weight_of(mixer, state) * s * mixer->moved[i] * mixer->followed[i];
                sums[1] += weight_of(mixer, state) * s * s * mixer->moved[i] * mixer->moved[i];
            }
        }
}

static pv_status compare_with(pv_exchange_mixer *mixer, int newest, int before, double sums[2])
{
    double weight[HISTORY] = {0.0};
    weight[newest] = 1.0;
    weight[before] = -1.0;
    for (int s = 0; s < mixer->electrons->states; s++) {
        if (!pv_frames_have(mixer->frames, s)) continue;
        memory *m = &mixer->states[s];
        const int64_t reals = reals_of(mixer, s);
        sum_up(mixer, reals, m->change, weight, mixer->there);
        PV_TRY(send(mixer, s, mixer->there, mixer->x));
        PV_TRY(pv_frames_resolve(mixer->frames, s, m->turn, mixer->x, mixer->followed));
        sum_up(mixer, reals, m->residual, weight, mixer->there);
        PV_TRY(send(mixer, s, mixer->there, mixer->y));
        PV_TRY(pv_vector_axpy(pv_device_stream(mixer->electrons->system->device), reals, -1.0, (double *)mixer->y,
                              (double *)mixer->x));
        PV_TRY(pv_frames_resolve(mixer->frames, s, m->turn, mixer->x, mixer->moved));
        add_answer(mixer, s, sums);
    }
    return PV_OK;
}

static pv_status learn(pv_exchange_mixer *mixer, int newest, int before, double size)
{
    double sums[2] = {0.0};
    PV_TRY(pv_comm_agree(mixer->electrons->system->comm, compare_with(mixer, newest, before, sums)));
    PV_TRY(pv_electrons_sum(mixer->electrons, 2, sums));
    if (!(size > 0.0)) return PV_OK;
    for (int i = 0; i < 2; i++) mixer->answer[i] = FADES * mixer->answer[i] + sums[i] / size;
    return PV_OK;
}

// The error that stands behind a residual.
static pv_status undo_answer(pv_exchange_mixer *mixer, int state, pv_c64 *residual)
{
    const pv_system *system = mixer->electrons->system;
    const int64_t all = system->params.bands;
    const int64_t reals = pv_scalar_reals(system->basis[state % system->kpoints->count]->scalar);
    const double u = mixer->answer[1] > 0.0 ? mixer->answer[0] / mixer->answer[1] : 0.0;
    if (u == 0.0) return PV_OK;
    PV_TRY(pv_frames_resolve(mixer->frames, state, mixer->states[state].turn, residual, mixer->moved));
    for (int64_t v = 0; v < mixer->frames->bands; v++)
        for (int64_t a = 0; a < all; a++) {
            const double again = fmax(fmin(u * slope(mixer, state, v, a), MOST), LEAST);
            for (int64_t i = (v * all + a) * reals; i < (v * all + a + 1) * reals; i++)
                mixer->moved[i] *= again / (1.0 - again);
        }
    return pv_frames_add(mixer->frames, state, mixer->states[state].turn, mixer->moved, residual);
}

// ---- The next frame ----------------------------------------------------------------------------------------------

// Of what is remembered, where it is.
static pv_status weigh(const pv_exchange_mixer *mixer, int others, int newest, const pv_anderson *p,
                       double weight[HISTORY])
{
    double by_age[HISTORY];
    PV_TRY(pv_anderson_weigh(mixer->electrons->system->dense, others, p, by_age));
    for (int age = 0; age < HISTORY; age++) weight[(newest + HISTORY - age) % HISTORY] = by_age[age];
    return PV_OK;
}

static pv_status step(pv_exchange_mixer *mixer, int state, const double *weight)
{
    memory *m = &mixer->states[state];
    const int64_t reals = reals_of(mixer, state);
    pv_stream *stream = pv_device_stream(mixer->electrons->system->device);
    sum_up(mixer, reals, m->residual, weight, mixer->there);
    PV_TRY(send(mixer, state, mixer->there, mixer->x));
    PV_TRY(pv_stream_copy(stream, mixer->y, mixer->x, (size_t)reals * sizeof(double)));
    PV_TRY(undo_answer(mixer, state, mixer->x));
    PV_TRY(pv_vector_axpy(stream, reals, -1.0, (double *)mixer->y, (double *)mixer->x));
    sum_up(mixer, reals, m->change, weight, mixer->there);
#pragma omp parallel for num_threads(mixer->threads) schedule(static)
    for (int64_t i = 0; i < reals; i++) mixer->there[i] += m->in[i];
    PV_TRY(send(mixer, state, mixer->there, mixer->y));
    PV_TRY(pv_vector_axpy(stream, reals, 1.0, (double *)mixer->y, (double *)mixer->x));
    PV_TRY(pv_frames_give(mixer->frames, state, mixer->x, mixer->z));
    PV_TRY(fetch(mixer, state, mixer->z, mixer->there));
#pragma omp parallel for num_threads(mixer->threads) schedule(static)
    for (int64_t i = 0; i < reals; i++) {
        const double moved = mixer->there[i] - m->in[i];
        for (int k = 0; k < HISTORY; k++) m->change[k][i] = (float)(m->change[k][i] - moved);
        m->in[i] = mixer->there[i];
    }
    return PV_OK;
}

static pv_status step_all(pv_exchange_mixer *mixer, const double *weight)
{
    for (int s = 0; s < mixer->electrons->states; s++)
        if (pv_frames_have(mixer->frames, s)) PV_TRY(step(mixer, s, weight));
    return PV_OK;
}

// What each group has made of its states' fillings becomes what all know.
static pv_status share_fillings(pv_exchange_mixer *mixer)
{
    pv_electrons *electrons = mixer->electrons;
    const int64_t bands = electrons->system->params.bands;
    for (int s = 0; s < electrons->states; s++)
        if (!pv_electrons_owns(electrons, s))
            memset(electrons->filling + s * bands, 0, (size_t)bands * sizeof *electrons->filling);
    return pv_electrons_sum(electrons, electrons->states * bands, electrons->filling);
}

static pv_status begin(pv_exchange_mixer *mixer)
{
    for (int s = 0; s < mixer->electrons->states; s++) {
        if (!pv_frames_have(mixer->frames, s)) continue;
        PV_TRY(pv_frames_take(mixer->frames, s, mixer->x));
        PV_TRY(fetch(mixer, s, mixer->x, mixer->states[s].in));
    }
    return PV_OK;
}

pv_status pv_exchange_mixer_begin(pv_exchange_mixer *mixer)
{
    mixer->steps = 0;
    return pv_comm_agree(mixer->electrons->system->comm, begin(mixer));
}

pv_status pv_exchange_mixer_mix(pv_exchange_mixer *mixer)
{
    pv_comm *comm = mixer->electrons->system->comm;
    const int newest = mixer->steps % HISTORY, before = (newest + HISTORY - 1) % HISTORY;
    const int others = mixer->steps < OTHERS ? mixer->steps : OTHERS;
    pv_anderson p = {0};
    double weight[HISTORY], held = 0.0;
    PV_TRY(pv_comm_agree(comm, observe_all(mixer, newest, &p, &held)));
    PV_TRY(pv_comm_reduce_f64(comm, PV_SUM, sizeof p / sizeof(double), (double *)&p));
    PV_TRY(pv_comm_reduce_f64(comm, PV_SUM, 1, &held));
    if (filled(mixer) - held > LOST) return pv_exchange_mixer_begin(mixer);
    mixer->steps++;
    if (others > 0) PV_TRY(learn(mixer, newest, before, p.moves[0][0]));
    PV_TRY(weigh(mixer, others, newest, &p, weight));
    PV_TRY(pv_comm_agree(comm, step_all(mixer, weight)));
    return share_fillings(mixer);
}
