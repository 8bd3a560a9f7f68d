// SPDX-License-Identifier: Apache-2.0
// A build of exchange makes of the frame `in` a frame `out`, that of the orbitals solved with it. Their difference is the
// residual; what error stands behind it is told by how `out` has followed `in` before (exchange_answer.h).
#include "dft/solve/exchange_mixer.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "device/array.h"
#include "device/vector.h"
#include "dft/solve/anderson.h"
#include "dft/solve/exchange_answer.h"
#include "dft/solve/exchange_mixer_kernels.h"

#define WHAT "mixing of exchange"
#define LITTLE 0.1                     // of a device's free memory: what is remembered may lie there
#define FADES 0.5                      // what earlier builds say of U, from build to build
#define LOST 1e-3                      // of a full orbital, that has nothing in common with what there was

typedef double _Complex pv_c64;

_Static_assert(sizeof(pv_anderson) == (PRODUCTS - 1) * sizeof(double), "the kernel's products are Anderson's");
_Static_assert(FORMER == PV_ANDERSON_OTHERS, "as many builds as Anderson's method takes");

typedef struct memory {
    double *in;                        // [reals], as exchange_mixer_kernels.h has them
    float *change[REMEMBERED], *residual[REMEMBERED];
    double *turn;                      // [bands][bands] scalars, on the orbitals' device: of the electrons' own frame
} memory;

struct pv_exchange_mixer {
    pv_electrons *electrons;
    pv_frames *frames;
    pv_device *store;                  // where memories lie: the orbitals' device where it has room, else the host
    int steps;                         // builds remembered
    memory *states;                    // [states]; empty where this rank has nothing to mix
    int64_t most;                      // reals of a state
    pv_c64 *x, *y, *z;                 // of as many, on the orbitals' device: only while there is mixing
    double *there;                     // the same in the store
    pv_buffer *parts;                  // of sums, in the store
    double *followed, *moved;          // [bands][bands of the run] scalars, on the host: scratch
    double answer[2];                  // U is the first over the second
    double held_back;                  // see pv_exchange_mixer_held_back
};

// ---- Room --------------------------------------------------------------------------------------------------------

static int64_t reals_of(const pv_exchange_mixer *mixer, int state)
{
    return 2 * pv_frames_length(mixer->frames, state);
}

static pv_status choose_store(pv_exchange_mixer *mixer)
{
    const pv_system *system = mixer->electrons->system;
    size_t free_bytes;
    double bytes = 0.0;
    for (int s = 0; s < mixer->electrons->states; s++)
        if (pv_frames_have(mixer->frames, s))
            bytes += (double)reals_of(mixer, s) * (sizeof(double) + 2.0 * REMEMBERED * sizeof(float));
    PV_TRY(pv_device_free_bytes(system->device, &free_bytes));
    mixer->store = bytes < LITTLE * (double)free_bytes ? system->device : pv_comm_device(system->comm);
    return PV_OK;
}

static pv_status create_state(pv_exchange_mixer *mixer, int state)
{
    const int64_t n = mixer->frames->bands, reals = reals_of(mixer, state);
    memory *m = &mixer->states[state];
    PV_TRY(PV_ARRAY(mixer->store, WHAT, reals, &m->in));
    for (int i = 0; i < REMEMBERED; i++) {
        PV_TRY(PV_ARRAY(mixer->store, WHAT, reals, &m->change[i]));
        PV_TRY(PV_ARRAY(mixer->store, WHAT, reals, &m->residual[i]));
    }
    return PV_ARRAY(mixer->electrons->system->device, WHAT, 2 * n * n, &m->turn);
}

static pv_status create_arrays(pv_exchange_mixer *mixer, int64_t bands)
{
    const pv_electrons *electrons = mixer->electrons;
    const pv_system *system = electrons->system;
    PV_TRY(pv_frames_create(mixer->electrons, bands, &mixer->frames));
    PV_TRY(choose_store(mixer));
    PV_TRY(PV_ALLOC(electrons->states, &mixer->states));
    for (int s = 0; s < electrons->states; s++) {
        if (!pv_frames_have(mixer->frames, s)) continue;
        PV_TRY(create_state(mixer, s));
        if (reals_of(mixer, s) > mixer->most) mixer->most = reals_of(mixer, s);
    }
    PV_TRY(pv_buffer_create(mixer->store, PV_REDUCE_PARTS * PRODUCTS * sizeof(double), &mixer->parts));
    PV_TRY(PV_ALLOC(2 * bands * system->params.bands, &mixer->followed));
    return PV_ALLOC(2 * bands * system->params.bands, &mixer->moved);
}

// Builds of exchange have this room for themselves.
static pv_status open_scratch(pv_exchange_mixer *mixer)
{
    pv_device *device = mixer->electrons->system->device;
    PV_TRY(PV_ARRAY(device, WHAT, mixer->most / 2, &mixer->x));
    PV_TRY(PV_ARRAY(device, WHAT, mixer->most / 2, &mixer->y));
    PV_TRY(PV_ARRAY(device, WHAT, mixer->most / 2, &mixer->z));
    return PV_ARRAY(mixer->store, WHAT, mixer->most, &mixer->there);
}

static void close_scratch(pv_exchange_mixer *mixer)
{
    pv_c64 **scratch[] = {&mixer->x, &mixer->y, &mixer->z};
    for (int i = 0; i < 3; i++) {
        pv_array_destroy(mixer->electrons->system->device, *scratch[i]);
        *scratch[i] = NULL;
    }
    pv_array_destroy(mixer->store, mixer->there);
    mixer->there = NULL;
}

pv_status pv_exchange_mixer_create(pv_electrons *electrons, int64_t felt, pv_exchange_mixer **mixer_p)
{
    const int64_t all = electrons->system->params.bands, more = felt + felt / 32 + 2, bands = more < all ? more : all;
    pv_exchange_mixer *mixer;
    PV_TRY(PV_ALLOC(1, &mixer));
    mixer->electrons = electrons;
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
        for (int i = 0; i < REMEMBERED; i++) {
            pv_array_destroy(mixer->store, m->change[i]);
            pv_array_destroy(mixer->store, m->residual[i]);
        }
        pv_array_destroy(mixer->store, m->in);
        pv_array_destroy(device, m->turn);
    }
    pv_buffer_destroy(mixer->parts);
    pv_mem_free(mixer->followed);
    pv_mem_free(mixer->moved);
    pv_mem_free(mixer->states);
    pv_frames_destroy(mixer->frames);
    pv_mem_free(mixer);
}

int64_t pv_exchange_mixer_bands(const pv_exchange_mixer *mixer) { return mixer->frames->bands; }

double pv_exchange_mixer_held_back(const pv_exchange_mixer *mixer) { return mixer->held_back; }

// ---- What is remembered ------------------------------------------------------------------------------------------

static pv_stream *stream_of(const pv_exchange_mixer *mixer)
{
    return pv_device_stream(mixer->electrons->system->device);
}

// From the orbitals' device to the store, and back.
static pv_status put(pv_exchange_mixer *mixer, int state, const pv_c64 *from, double *to)
{
    const size_t bytes = (size_t)reals_of(mixer, state) * sizeof *to;
    pv_device *device = mixer->electrons->system->device;
    if (mixer->store == device) return pv_stream_copy(stream_of(mixer), to, from, bytes);
    return pv_array_read(device, from, to, bytes);
}

static pv_status take(pv_exchange_mixer *mixer, int state, const double *from, pv_c64 *to)
{
    const size_t bytes = (size_t)reals_of(mixer, state) * sizeof *from;
    pv_device *device = mixer->electrons->system->device;
    if (mixer->store == device) return pv_stream_copy(stream_of(mixer), to, from, bytes);
    return pv_array_write(device, to, from, bytes);
}

// Of the last build, the one before, and so on.
static remembered_arguments by_age(const pv_exchange_mixer *mixer, int state)
{
    const memory *m = &mixer->states[state];
    remembered_arguments a = {.parts = pv_buffer_data(mixer->parts), .in = m->in, .x = mixer->there};
    for (int age = 0; age < REMEMBERED; age++) {
        const int at = (mixer->steps + REMEMBERED - age) % REMEMBERED;
        a.change[age] = m->change[at];
        a.residual[age] = m->residual[at];
    }
    return a;
}

static pv_status launch(pv_exchange_mixer *mixer, const pv_kernel *kernel, int state, const remembered_arguments *a)
{
    return pv_kernel_launch(pv_device_stream(mixer->store), kernel, reals_of(mixer, state), a);
}

// to := residuals, or changes, with weights by age.
static pv_status combine(pv_exchange_mixer *mixer, const pv_kernel *kernel, int state, const double *weight, pv_c64 *to)
{
    remembered_arguments a = by_age(mixer, state);
    memcpy(a.weight, weight, sizeof a.weight);
    PV_TRY(launch(mixer, kernel, state, &a));
    return take(mixer, state, mixer->there, to);
}

// y += factor x.
static pv_status add(pv_exchange_mixer *mixer, int state, double factor, const pv_c64 *x, pv_c64 *y)
{
    return pv_vector_axpy(stream_of(mixer), reals_of(mixer, state), factor, (const double *)x, (double *)y);
}

static double weight_of(const pv_exchange_mixer *mixer, int state)
{
    const pv_kpoints *kpoints = mixer->electrons->system->kpoints;
    return kpoints->weight[state % kpoints->count];
}

// ---- What came of the last build ---------------------------------------------------------------------------------

// sums: as remembered_products has them.
static pv_status observe(pv_exchange_mixer *mixer, int state, double sums[PRODUCTS])
{
    memory *m = &mixer->states[state];
    const remembered_arguments a = by_age(mixer, state);
    PV_TRY(pv_frames_take(mixer->frames, state, mixer->x));
    PV_TRY(take(mixer, state, m->in, mixer->y));
    PV_TRY(pv_frames_turn(mixer->frames, state, mixer->x, mixer->y, m->turn, mixer->z));
    PV_TRY(add(mixer, state, -1.0, mixer->y, mixer->z));
    PV_TRY(put(mixer, state, mixer->z, mixer->there));
    PV_TRY(launch(mixer, &remembered_note, state, &a));
    return pv_reduction_run(pv_device_stream(mixer->store), &remembered_products, reals_of(mixer, state), &a,
                            mixer->parts, sums);
}

static pv_status observe_all(pv_exchange_mixer *mixer, double sums[PRODUCTS])
{
    for (int s = 0; s < mixer->electrons->states; s++) {
        double here[PRODUCTS];
        if (!pv_frames_have(mixer->frames, s)) continue;
        PV_TRY(observe(mixer, s, here));
        for (int i = 0; i < PRODUCTS; i++) sums[i] += weight_of(mixer, s) * here[i];
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

static pv_status compare(pv_exchange_mixer *mixer, double sums[2])
{
    static const double since[REMEMBERED] = {1.0, -1.0};
    for (int s = 0; s < mixer->electrons->states; s++) {
        if (!pv_frames_have(mixer->frames, s)) continue;
        const double *turn = mixer->states[s].turn;
        PV_TRY(combine(mixer, &remembered_change, s, since, mixer->x));
        PV_TRY(pv_frames_resolve(mixer->frames, s, turn, mixer->x, mixer->followed));
        PV_TRY(combine(mixer, &remembered_residual, s, since, mixer->y));
        PV_TRY(add(mixer, s, -1.0, mixer->y, mixer->x));
        PV_TRY(pv_frames_resolve(mixer->frames, s, turn, mixer->x, mixer->moved));
        pv_answer_fit(mixer->frames, s, mixer->followed, mixer->moved, sums);
    }
    return PV_OK;
}

// size: square of what the last build was of less the one before.
static pv_status learn(pv_exchange_mixer *mixer, double size)
{
    double sums[2] = {0.0};
    PV_TRY(pv_comm_agree(mixer->electrons->system->comm, compare(mixer, sums)));
    PV_TRY(pv_electrons_sum(mixer->electrons, 2, sums));
    for (int i = 0; i < 2 && size > 0.0; i++) mixer->answer[i] = FADES * mixer->answer[i] + sums[i] / size;
    return PV_OK;
}

// The error that stands behind a residual.
static pv_status undo_answer(pv_exchange_mixer *mixer, int state, pv_c64 *residual)
{
    const double u = mixer->answer[1] > 0.0 ? mixer->answer[0] / mixer->answer[1] : 0.0;
    const double *turn = mixer->states[state].turn;
    if (u == 0.0) return PV_OK;
    PV_TRY(pv_frames_resolve(mixer->frames, state, turn, residual, mixer->moved));
    pv_answer_undo(mixer->frames, state, u, mixer->moved);
    return pv_frames_add(mixer->frames, state, turn, mixer->moved, residual);
}

// ---- The next frame ----------------------------------------------------------------------------------------------

static pv_status step(pv_exchange_mixer *mixer, int state, const double *weight, double *way_p)
{
    memory *m = &mixer->states[state];
    PV_TRY(combine(mixer, &remembered_residual, state, weight, mixer->x));
    PV_TRY(combine(mixer, &remembered_change, state, weight, mixer->z));
    PV_TRY(add(mixer, state, -1.0, mixer->x, mixer->z));
    PV_TRY(undo_answer(mixer, state, mixer->x));
    PV_TRY(add(mixer, state, 1.0, mixer->z, mixer->x));
    PV_TRY(take(mixer, state, m->in, mixer->y));
    PV_TRY(add(mixer, state, 1.0, mixer->y, mixer->x));
    PV_TRY(pv_frames_give(mixer->frames, state, mixer->x, mixer->z));
    PV_TRY(put(mixer, state, mixer->z, mixer->there));
    const remembered_arguments a = by_age(mixer, state);
    PV_TRY(pv_reduction_run(pv_device_stream(mixer->store), &remembered_way, reals_of(mixer, state), &a, mixer->parts,
                            way_p));
    return launch(mixer, &remembered_move, state, &a);
}

static pv_status step_all(pv_exchange_mixer *mixer, const double *weight, double *way_p)
{
    for (int s = 0; s < mixer->electrons->states; s++) {
        double way;
        if (!pv_frames_have(mixer->frames, s)) continue;
        PV_TRY(step(mixer, s, weight, &way));
        *way_p += weight_of(mixer, s) * way;
    }
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

static pv_status take_all(pv_exchange_mixer *mixer)
{
    for (int s = 0; s < mixer->electrons->states; s++) {
        if (!pv_frames_have(mixer->frames, s)) continue;
        PV_TRY(pv_frames_take(mixer->frames, s, mixer->x));
        PV_TRY(put(mixer, s, mixer->x, mixer->states[s].in));
    }
    return PV_OK;
}

static pv_status begin(pv_exchange_mixer *mixer)
{
    mixer->steps = 0;
    mixer->held_back = 1.0;
    return pv_comm_agree(mixer->electrons->system->comm, take_all(mixer));
}

static pv_status with_scratch(pv_exchange_mixer *mixer, pv_status (*act)(pv_exchange_mixer *mixer))
{
    pv_status status = pv_comm_agree(mixer->electrons->system->comm, open_scratch(mixer));
    if (status == PV_OK) status = act(mixer);
    close_scratch(mixer);
    return status;
}

pv_status pv_exchange_mixer_begin(pv_exchange_mixer *mixer) { return with_scratch(mixer, begin); }

static pv_status mix(pv_exchange_mixer *mixer)
{
    const pv_system *system = mixer->electrons->system;
    const int others = mixer->steps < FORMER ? mixer->steps : FORMER;
    double sums[PRODUCTS] = {0.0}, weight[REMEMBERED];
    pv_anderson products;
    PV_TRY(pv_comm_agree(system->comm, observe_all(mixer, sums)));
    PV_TRY(pv_comm_reduce_f64(system->comm, PV_SUM, PRODUCTS, sums));
    if (filled(mixer) - sums[PRODUCTS - 1] > LOST) return begin(mixer);
    memcpy(&products, sums, sizeof products);
    if (others > 0) PV_TRY(learn(mixer, products.moves[0][0]));
    PV_TRY(pv_anderson_weigh(system->dense, others, &products, weight));
    double way = 0.0;
    PV_TRY(pv_comm_agree(system->comm, step_all(mixer, weight, &way)));
    PV_TRY(pv_comm_reduce_f64(system->comm, PV_SUM, 1, &way));
    mixer->held_back = products.square > way && way > 0.0 ? products.square / way : 1.0;
    mixer->steps++;
    return share_fillings(mixer);
}

pv_status pv_exchange_mixer_mix(pv_exchange_mixer *mixer) { return with_scratch(mixer, mix); }
