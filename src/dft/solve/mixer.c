// SPDX-License-Identifier: Apache-2.0
#include "dft/solve/mixer.h"

#include <math.h>

#include "base/check.h"
#include "base/mem.h"
#include "dft/model/units.h"

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
    double *metric;                    // [length]: 4 pi volume / 2 G^2 with the weight of the pair
    double *damping;                   // [length]
    int steps, was_against;            // the last step of all: against the residual (bound_step)
    int map, map_of[HISTORY_MOST];     // which map from density to density is in force, and which it was of each step
    pv_c64 *density, *residual;        // [history][length], as total and difference
};

static double damping_of(double amount, double kerker_bohr, double g2)
{
    return kerker_bohr > 0.0 ? amount * g2 / (g2 + kerker_bohr * kerker_bohr) : amount;
}

void pv_mixer_damp(pv_mixer *mixer, const pv_mixer_damping *damping)
{
    const pv_grid *grid = mixer->grid;
    for (int64_t i = 0; i < grid->waves; i++) {
        // The number of electrons is right already.
        mixer->damping[i] = damping_of(damping->amount, i == grid->zero ? 0.0 : damping->kerker_bohr, grid->g2[i]);
        if (mixer->spins == 2)
            mixer->damping[grid->waves + i] =
                damping_of(damping->moment_amount, damping->moment_kerker_bohr, grid->g2[i]);
    }
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
    pv_status status;
    PV_TRY_GOTO(PV_ALLOC(mixer->length, &mixer->metric), status, failed);
    PV_TRY_GOTO(PV_ALLOC(mixer->length, &mixer->damping), status, failed);
    PV_TRY_GOTO(PV_ALLOC(history * mixer->length, &mixer->density), status, failed);
    PV_TRY_GOTO(PV_ALLOC(history * mixer->length, &mixer->residual), status, failed);
    for (int64_t i = 0; i < grid->waves; i++) {
        const double g2 = grid->g2[i], half_pair = 0.5 * grid->volume_bohr3 * grid->weight[i];
        mixer->metric[i] = i == grid->zero ? 0.0 : half_pair * 4.0 * PV_PI / g2;
        // The magnetisation has no electrostatic energy, and its mean may change.
        if (spins == 2) mixer->metric[grid->waves + i] = half_pair * 4.0 * PV_PI / (g2 + MOMENT_BOHR * MOMENT_BOHR);
    }
    pv_mixer_damp(mixer, damping);
    *mixer_p = mixer;
    return PV_OK;
failed:
    pv_mixer_destroy(mixer);
    return status;
}

void pv_mixer_destroy(pv_mixer *mixer)
{
    if (!mixer) return;
    pv_mem_free(mixer->metric);
    pv_mem_free(mixer->damping);
    pv_mem_free(mixer->density);
    pv_mem_free(mixer->residual);
    pv_mem_free(mixer);
}

static double local_product(const pv_mixer *mixer, const pv_c64 *a, const pv_c64 *b)
{
    double sum = 0.0;
    for (int64_t i = 0; i < mixer->length; i++)
        sum += mixer->metric[i] * (creal(a[i]) * creal(b[i]) + cimag(a[i]) * cimag(b[i]));
    return sum;
}

// Element i of the density as total (first `waves`) and difference.
static pv_c64 element(const pv_mixer *mixer, const pv_c64 *density, int64_t i)
{
    const int64_t waves = mixer->grid->waves;
    if (mixer->spins == 1) return density[i];
    return i < waves ? density[i] + density[i + waves] : density[i - waves] - density[i];
}

pv_status pv_mixer_distance(const pv_mixer *mixer, const double _Complex *in, const double _Complex *out,
                            double *distance_ha_p)
{
    double sum = 0.0;
    for (int64_t i = 0; i < mixer->length; i++) {
        const pv_c64 r = element(mixer, out, i) - element(mixer, in, i);
        sum += mixer->metric[i] * (creal(r) * creal(r) + cimag(r) * cimag(r));
    }
    *distance_ha_p = sum;
    return pv_comm_reduce_f64(mixer->grid->comm, PV_SUM, 1, distance_ha_p);
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
static void forget_if_grown(pv_mixer *mixer, int count, int newest, const double *gram)
{
    int best = newest;
    for (int i = 0; i < count; i++)
        if (mixer->map_of[i] == mixer->map && gram[i * count + i] < gram[best * count + best]) best = i;
    if (gram[newest * count + newest] <= GROWN * gram[best * count + best]) return;
    for (int i = 0; i < count; i++)
        if (i != best && i != newest) mixer->map_of[i] = FORGOTTEN;
}

// Weights (which sum to 1) of the remembered steps that make the combined residual smallest: with differences between
// steps of one map, d_i = r_i - r_last, solve (d_i . d_j) c_j = - d_i . r_new in the directions that carry information.
// How the residual changes with the density is much the same in all maps, the residual itself is not.
static pv_status weights(pv_mixer *mixer, int count, int newest, double *weight)
{
    const int64_t length = mixer->length;
    double *gram;                      // [count][count], then d, right side, values
    PV_TRY(PV_ALLOC(2 * count * count + 2 * count, &gram));
    double *d = gram + count * count, *right = d + count * count, *values = right + count;
#pragma omp parallel for num_threads(pv_grid_threads(mixer->grid)) schedule(dynamic)
    for (int pair = 0; pair < count * count; pair++) {
        const int i = pair / count, j = pair % count;
        if (j > i) continue;
        gram[i * count + j] = gram[j * count + i] =
            local_product(mixer, mixer->residual + i * length, mixer->residual + j * length);
    }
    pv_status status = pv_comm_reduce_f64(mixer->grid->comm, PV_SUM, count * count, gram);
    int n = 0, of[HISTORY_MOST], last[HISTORY_MOST];
    if (status == PV_OK) forget_if_grown(mixer, count, newest, gram);
    for (int i = 0; i < count; i++) {
        if (mixer->map_of[i] == FORGOTTEN) continue;
        last[n] = last_of_map(mixer, count, newest, i);
        if (i != last[n]) of[n++] = i;
    }
    // Scaled to a unit diagonal, so that old large residuals do not hide recent small ones.
    for (int i = 0; i < n; i++) {
        const double *r = gram + of[i] * count, *l = gram + last[i] * count;
        right[i] = -(r[newest] - l[newest]);
        for (int j = 0; j < n; j++) d[i * n + j] = r[of[j]] - r[last[j]] - l[of[j]] + l[last[j]];
    }
    double scale[HISTORY_MOST], solution[HISTORY_MOST] = {0.0};
    for (int i = 0; i < n; i++) scale[i] = d[i * n + i] > 0.0 ? 1.0 / sqrt(d[i * n + i]) : 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) d[i * n + j] *= scale[i] * scale[j];
    if (status == PV_OK) status = pv_dense_heevd(mixer->dense, PV_SCALAR_REAL, n, d, values);
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
    pv_mem_free(gram);
    return status;
}

// Where the response is far from linear, extrapolation may leave for densities that cannot be, or for a state that is no
// minimum (a magnet's, without its moment). Near a stable state the step to it goes along the residual, if not straight:
// one that goes against it is replaced by a part of a plain one, with the momentum of such a step before; a very long one
// is cut. in: as total and difference.
static pv_status bound_step(pv_mixer *mixer, int newest, pv_c64 *in)
{
    const int before = (newest + mixer->history - 1) % mixer->history;
    const int64_t length = mixer->length;
    const pv_c64 *from = mixer->density + newest * length, *earlier = mixer->density + before * length;
    const pv_c64 *residual = mixer->residual + newest * length;
    double sums[4] = {0.0};            // of this step and of the last one by the residual, and the squares
    for (int64_t i = 0; i < length; i++) {
        const pv_c64 step = in[i] - from[i], last = from[i] - earlier[i], plain = mixer->damping[i] * residual[i];
        const double metric = mixer->metric[i];
        sums[0] += metric * (creal(step) * creal(residual[i]) + cimag(step) * cimag(residual[i]));
        sums[1] += metric * (creal(last) * creal(residual[i]) + cimag(last) * cimag(residual[i]));
        sums[2] += metric * (creal(step) * creal(step) + cimag(step) * cimag(step));
        sums[3] += metric * (creal(plain) * creal(plain) + cimag(plain) * cimag(plain));
    }
    PV_TRY(pv_comm_reduce_f64(mixer->grid->comm, PV_SUM, 4, sums));
    const int against = mixer->spins == 2 && sums[0] <= 0.0;
    const double most = LONGEST * LONGEST * sums[3];
    const double plain = against ? CAUTIOUS : 0.0;
    const double momentum = against && mixer->was_against && sums[1] > 0.0 ? MOMENTUM : 0.0;
    const double kept = against ? 0.0 : sums[2] > most ? sqrt(most / sums[2]) : 1.0;
    for (int64_t i = 0; kept < 1.0 && i < length; i++)
        in[i] = from[i] + kept * (in[i] - from[i]) + plain * mixer->damping[i] * residual[i]
                + momentum * (from[i] - earlier[i]);
    mixer->was_against = against;
    return PV_OK;
}

void pv_mixer_change_map(pv_mixer *mixer) { mixer->map++; }

pv_status pv_mixer_mix(pv_mixer *mixer, double _Complex *in, const double _Complex *out)
{
    const int history = mixer->history, newest = mixer->steps % history;
    const int count = mixer->steps + 1 < history ? mixer->steps + 1 : history;
    const int64_t length = mixer->length, waves = mixer->grid->waves;
    for (int64_t i = 0; i < length; i++) {
        mixer->density[newest * length + i] = element(mixer, in, i);
        mixer->residual[newest * length + i] = element(mixer, out, i) - element(mixer, in, i);
    }
    mixer->map_of[newest] = mixer->map;
    mixer->steps++;
    double weight[HISTORY_MOST];
    PV_TRY(weights(mixer, count, newest, weight));
#pragma omp parallel for num_threads(pv_grid_threads(mixer->grid)) schedule(static)
    for (int64_t i = 0; i < length; i++) {
        in[i] = 0.0;
        for (int k = 0; k < count; k++)
            in[i] += weight[k] * (mixer->density[k * length + i]
                                  + mixer->damping[i] * mixer->residual[k * length + i]);
    }
    PV_TRY(bound_step(mixer, newest, in));
    for (int64_t i = 0; mixer->spins == 2 && i < waves; i++) {
        const pv_c64 total = in[i], difference = in[waves + i];
        in[i] = 0.5 * (total + difference);
        in[waves + i] = 0.5 * (total - difference);
    }
    return PV_OK;
}
