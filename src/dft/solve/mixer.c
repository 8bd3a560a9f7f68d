// SPDX-License-Identifier: Apache-2.0
#include "dft/solve/mixer.h"

#include <math.h>

#include "base/check.h"
#include "base/mem.h"
#include "device/array.h"
#include "dft/model/units.h"
#include "dft/solve/mixer_kernels.h"

#define HISTORY_MOST 64
#define FORGOTTEN (-1)                 // of a step: its map
#define GROWN 10.0                     // of the squared residual: what was learnt before does not hold here
#define LONGEST 5.0                    // step, in plain steps from the same density
#define CAUTIOUS 0.25                  // of a plain step, where the response is not understood
#define MOMENTUM 1.0                   // of such a step before, once more
#define MOMENT_BOHR 1.0                // wave number at which magnetisation is measured as charge is

typedef double _Complex pv_c64;

struct pv_mixer {
    const pv_grid *grid;
    pv_dense *dense;
    int spins;
    int history;
    int64_t length;                    // spins * waves
    int steps, was_against;            // the last step of all: against the residual (bound_step)
    int map, map_of[HISTORY_MOST];     // which map from density to density is in force, and which it was of each step
    double gram[HISTORY_MOST][HISTORY_MOST]; // of residuals
    // On the grid's device.
    double *metric;                    // [length]: 4 pi volume / 2 G^2 with the weight of the pair
    double *damping;                   // [length]
    pv_c64 *density, *residual;        // [history][length], as total and difference
};

static pv_status weigh(const pv_mixer *mixer, const pv_kernel *kernel, const pv_mixer_damping *damping, double *to)
{
    const pv_grid *grid = mixer->grid;
    const mixer_weights_arguments arguments = {.waves = grid->waves,
                                               .zero = grid->zero,
                                               .g2 = grid->there.g2,
                                               .pair = grid->there.weight,
                                               .amount = {damping->amount, damping->moment_amount},
                                               .kerker_bohr = {damping->kerker_bohr, damping->moment_kerker_bohr},
                                               .charge = 2.0 * PV_PI * grid->volume_bohr3,
                                               .moment2 = MOMENT_BOHR * MOMENT_BOHR,
                                               .to = to};
    return pv_kernel_launch(grid->stream, kernel, mixer->length, &arguments);
}

pv_status pv_mixer_damp(pv_mixer *mixer, const pv_mixer_damping *damping)
{
    return weigh(mixer, &mixer_damping, damping, mixer->damping);
}

static pv_status allocate(pv_mixer *mixer)
{
    pv_device *device = mixer->grid->device;
    const char *what = "mixing";
    const int64_t length = mixer->length;
    PV_TRY(PV_ARRAY(device, what, length, &mixer->metric));
    PV_TRY(PV_ARRAY(device, what, length, &mixer->damping));
    PV_TRY(PV_ARRAY(device, what, mixer->history * length, &mixer->density));
    return PV_ARRAY(device, what, mixer->history * length, &mixer->residual);
}

pv_status pv_mixer_create(const pv_grid *grid, pv_dense *dense, int spins, int history,
                          const pv_mixer_damping *damping, pv_mixer **mixer_p)
{
    PV_REQUIRE(history >= 1 && history <= HISTORY_MOST && damping->amount > 0.0 && damping->moment_amount > 0.0,
               PV_ERR_ARGUMENT,
               "mixing %g of the residual and %g of the magnetisation's with %d densities remembered; must be positive "
               "and from 1 to 64",
               damping->amount, damping->moment_amount, history);
    pv_mixer *mixer;
    PV_TRY(PV_ALLOC(1, &mixer));
    mixer->grid = grid;
    mixer->dense = dense;
    mixer->spins = spins;
    mixer->history = history;
    mixer->length = spins * grid->waves;
    pv_status status = allocate(mixer);
    if (status == PV_OK) status = weigh(mixer, &mixer_metric, damping, mixer->metric);
    if (status == PV_OK) status = pv_mixer_damp(mixer, damping);
    if (status != PV_OK) {
        pv_mixer_destroy(mixer);
        return status;
    }
    *mixer_p = mixer;
    return PV_OK;
}

void pv_mixer_destroy(pv_mixer *mixer)
{
    if (!mixer) return;
    void *there[] = {mixer->metric, mixer->damping, mixer->density, mixer->residual};
    for (size_t i = 0; i < sizeof there / sizeof *there; i++) pv_array_destroy(mixer->grid->device, there[i]);
    pv_mem_free(mixer);
}

// What all kernels want.
static mixer_arguments arguments_for(const pv_mixer *mixer, const pv_c64 *in, const pv_c64 *out)
{
    return (mixer_arguments){.parts = pv_buffer_data(mixer->grid->parts),
                             .waves = mixer->grid->waves,
                             .spins = mixer->spins,
                             .metric = mixer->metric,
                             .damping = mixer->damping,
                             .in = (const double *)in,
                             .out = (const double *)out};
}

pv_status pv_mixer_distance(const pv_mixer *mixer, const double _Complex *in, const double _Complex *out,
                            double *distance_ha_p)
{
    const mixer_arguments arguments = arguments_for(mixer, in, out);
    return pv_grid_reduce(mixer->grid, &mixer_distance, mixer->length, &arguments, distance_ha_p);
}

static double *row(const pv_mixer *mixer, pv_c64 *rows, int step) { return (double *)(rows + step * mixer->length); }

// Products of the newest residual with all.
static pv_status extend_gram(pv_mixer *mixer, mixer_arguments arguments, int count, int newest)
{
    double products[HISTORY_MOST];
    arguments.in = row(mixer, mixer->residual, newest);
    for (int k = 0; k < count; k++) {
        arguments.out = row(mixer, mixer->residual, k);
        PV_TRY(pv_reduction_run(mixer->grid->stream, &mixer_product, mixer->length, &arguments, mixer->grid->parts,
                                &products[k]));
    }
    PV_TRY(pv_comm_reduce_f64(mixer->grid->comm, PV_SUM, count, products));
    for (int k = 0; k < count; k++) mixer->gram[newest][k] = mixer->gram[k][newest] = products[k];
    return PV_OK;
}

// The last step remembered of the map that step i was of.
static int last_of_map(const pv_mixer *mixer, int count, int newest, int i)
{
    int last = i;
    for (int age = 0; age < count; age++) {
        const int at = (newest + count - age) % count;
        if (mixer->map_of[at] != mixer->map_of[i]) continue;
        last = at;
        break;
    }
    return last;
}

// A step that made the residual much larger went where the response is another one: only it and the best step are worth
// comparing.
static void forget_if_grown(pv_mixer *mixer, int count, int newest)
{
    int best = newest;
    for (int i = 0; i < count; i++)
        if (mixer->map_of[i] == mixer->map && mixer->gram[i][i] < mixer->gram[best][best]) best = i;
    if (mixer->gram[newest][newest] <= GROWN * mixer->gram[best][best]) return;
    for (int i = 0; i < count; i++)
        if (i != best && i != newest) mixer->map_of[i] = FORGOTTEN;
}

// Weights (which sum to 1) of the remembered steps that make the combined residual smallest: with differences between
// steps of one map, d_i = r_i - r_last, solve (d_i . d_j) c_j = - d_i . r_new in the directions that carry information.
// How the residual changes with the density is much the same in all maps, the residual itself is not.
static pv_status weights(pv_mixer *mixer, int count, int newest, double *weight)
{
    double *d;                         // [count][count], then right side, values
    PV_TRY(PV_ALLOC(count * count + 2 * count, &d));
    double *right = d + count * count, *values = right + count;
    int n = 0, of[HISTORY_MOST], last[HISTORY_MOST];
    forget_if_grown(mixer, count, newest);
    for (int i = 0; i < count; i++) {
        if (mixer->map_of[i] == FORGOTTEN) continue;
        last[n] = last_of_map(mixer, count, newest, i);
        if (i != last[n]) of[n++] = i;
    }
    // Scaled to a unit diagonal, so that old large residuals do not hide recent small ones.
    for (int i = 0; i < n; i++) {
        const double *r = mixer->gram[of[i]], *l = mixer->gram[last[i]];
        right[i] = -(r[newest] - l[newest]);
        for (int j = 0; j < n; j++) d[i * n + j] = r[of[j]] - r[last[j]] - l[of[j]] + l[last[j]];
    }
    double scale[HISTORY_MOST], solution[HISTORY_MOST] = {0.0};
    for (int i = 0; i < n; i++) scale[i] = d[i * n + i] > 0.0 ? 1.0 / sqrt(d[i * n + i]) : 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) d[i * n + j] *= scale[i] * scale[j];
    const pv_status status = pv_dense_heevd(mixer->dense, PV_SCALAR_REAL, n, d, values);
    for (int k = 0; status == PV_OK && k < n; k++) {
        if (!(values[k] > 1e-12)) continue;
        double along = 0.0;
        for (int i = 0; i < n; i++) along += d[k * n + i] * right[i] * scale[i];
        for (int i = 0; i < n; i++) solution[i] += d[k * n + i] * along / values[k];
    }
    for (int i = 0; i < count; i++) weight[i] = i == newest ? 1.0 : 0.0;
    for (int i = 0; i < n; i++) {
        weight[of[i]] += solution[i] * scale[i];
        weight[last[i]] -= solution[i] * scale[i];
    }
    pv_mem_free(d);
    return status;
}

// Where the response is far from linear, extrapolation may leave for densities that cannot be, or for a state that is
// no minimum (a magnet's, without its moment). Near a stable state the step to it goes along the residual, if not
// straight: one that goes against it is replaced by a part of a plain one, with the momentum of such a step before; a
// very long one is cut. in: as total and difference.
static pv_status bound_step(pv_mixer *mixer, mixer_arguments arguments)
{
    double sums[4];
    PV_TRY(pv_grid_reduce(mixer->grid, &mixer_steps, mixer->length, &arguments, sums));
    const int against = mixer->spins == 2 && sums[0] <= 0.0;
    const double most = LONGEST * LONGEST * sums[3];
    arguments.plain = against ? CAUTIOUS : 0.0;
    arguments.momentum = against && mixer->was_against && sums[1] > 0.0 ? MOMENTUM : 0.0;
    arguments.kept = against ? 0.0 : sums[2] > most ? sqrt(most / sums[2]) : 1.0;
    mixer->was_against = against;
    if (arguments.kept >= 1.0) return PV_OK;
    return pv_kernel_launch(mixer->grid->stream, &mixer_bound, mixer->length, &arguments);
}

void pv_mixer_change_map(pv_mixer *mixer) { mixer->map++; }

// The combination of all remembered steps, each with its residual.
static pv_status combine(const pv_mixer *mixer, mixer_arguments arguments, int count, const double *weight)
{
    PV_TRY(pv_stream_zero(mixer->grid->stream, arguments.next, (size_t)mixer->length * sizeof(pv_c64)));
    for (int k = 0; k < count; k++) {
        arguments.weight = weight[k];
        arguments.density = row(mixer, mixer->density, k);
        arguments.residual = row(mixer, mixer->residual, k);
        PV_TRY(pv_kernel_launch(mixer->grid->stream, &mixer_add, mixer->length, &arguments));
    }
    return PV_OK;
}

pv_status pv_mixer_mix(pv_mixer *mixer, double _Complex *in, const double _Complex *out)
{
    pv_stream *stream = mixer->grid->stream;
    const int history = mixer->history, newest = mixer->steps % history, before = (newest + history - 1) % history;
    const int count = mixer->steps + 1 < history ? mixer->steps + 1 : history;
    mixer_arguments arguments = arguments_for(mixer, in, out);
    arguments.density = row(mixer, mixer->density, newest);
    arguments.residual = row(mixer, mixer->residual, newest);
    arguments.earlier = row(mixer, mixer->density, before);
    arguments.next = (double *)in;
    PV_TRY(pv_kernel_launch(stream, &mixer_store, mixer->length, &arguments));
    mixer->map_of[newest] = mixer->map;
    mixer->steps++;
    double weight[HISTORY_MOST];
    PV_TRY(extend_gram(mixer, arguments, count, newest));
    PV_TRY(weights(mixer, count, newest, weight));
    PV_TRY(combine(mixer, arguments, count, weight));
    PV_TRY(bound_step(mixer, arguments));
    return mixer->spins == 2 ? pv_kernel_launch(stream, &mixer_split, mixer->grid->waves, &arguments) : PV_OK;
}
