// SPDX-License-Identifier: Apache-2.0
#include "dft/solve/exchange_answer.h"

#include <math.h>

#define FILLED 0.1                     // difference of fillings, of a full one, for pairs that are looked at
#define MOST 0.9                       // of an error that is there again
#define LEAST (-1.0)                   // and the same with the other sign

// The share of an error that is there again where band a comes into band v, for U = 1.
static double slope(const pv_frames *frames, int state, int64_t v, int64_t a)
{
    const pv_electrons *electrons = frames->electrons;
    const int64_t first = (int64_t)state * electrons->system->params.bands;
    const double full = pv_frames_full(frames);
    const double filled = (electrons->filling[first + v] - electrons->filling[first + a]) / full;
    const double apart = electrons->eigenvalues_ha[first + a] - electrons->eigenvalues_ha[first + v];
    return filled > FILLED && apart > 0.0 ? filled / apart : 0.0;
}

static int64_t reals_of(const pv_frames *frames, int state)
{
    const pv_system *system = frames->electrons->system;
    return pv_scalar_reals(system->basis[state % system->kpoints->count]->scalar);
}

void pv_answer_fit(const pv_frames *frames, int state, const double *followed, const double *moved, double sums[2])
{
    const pv_system *system = frames->electrons->system;
    const int64_t all = system->params.bands, reals = reals_of(frames, state);
    const double weight = system->kpoints->weight[state % system->kpoints->count];
    for (int64_t v = 0; v < frames->bands; v++)
        for (int64_t a = 0; a < all; a++) {
            const double s = slope(frames, state, v, a);
            if (s == 0.0) continue;
            for (int64_t i = (v * all + a) * reals; i < (v * all + a + 1) * reals; i++) {
                sums[0] += weight * s * moved[i] * followed[i];
                sums[1] += weight * s * s * moved[i] * moved[i];
            }
        }
}

void pv_answer_undo(const pv_frames *frames, int state, double u, double *amplitudes)
{
    const int64_t all = frames->electrons->system->params.bands, reals = reals_of(frames, state);
    for (int64_t v = 0; v < frames->bands; v++)
        for (int64_t a = 0; a < all; a++) {
            const double again = fmax(fmin(u * slope(frames, state, v, a), MOST), LEAST);
            for (int64_t i = (v * all + a) * reals; i < (v * all + a + 1) * reals; i++)
                amplitudes[i] *= again / (1.0 - again);
        }
}
