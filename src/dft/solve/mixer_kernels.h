// SPDX-License-Identifier: Apache-2.0
// Mixing, element by element, for both compilers; included by mixer.c and cuda/mixer.cu alone. Elements are complex,
// pairs of doubles: [waves] of the density, or [waves] of the total and then [waves] of the difference of two spins.
#ifndef PV_DFT_MIXER_KERNELS_H
#define PV_DFT_MIXER_KERNELS_H

#include "device/reduce.h"

typedef struct mixer_arguments {
    double *parts;
    int64_t waves, spins;
    const double *metric, *damping;
    const double *in, *out;            // densities as they come: of the spins
    double *density, *residual;        // of a step, and the density of the one before
    const double *earlier;
    double *next;
    double weight, kept, plain, momentum;
} mixer_arguments;

// What weighs elements: the total's, then the difference's.
typedef struct mixer_weights_arguments {
    int64_t waves, zero;               // zero: the wave G = 0, -1 on other ranks
    const double *g2, *pair;           // of a wave: |G|^2, and of how many it is one
    double amount[2], kerker_bohr[2];  // of the damping
    double charge, moment2;            // of the metric: 4 pi volume / 2, and what is added to G^2 for the difference
    double *to;
} mixer_weights_arguments;

// The number of electrons is right already.
PV_KERNEL_FUNCTION void mixer_damping_at(mixer_weights_arguments a, int64_t i)
{
    const int64_t is_moment = i >= a.waves, wave = is_moment ? i - a.waves : i;
    const double kerker = wave == a.zero && !is_moment ? 0.0 : a.kerker_bohr[is_moment], g2 = a.g2[wave];
    a.to[i] = kerker > 0.0 ? a.amount[is_moment] * g2 / (g2 + kerker * kerker) : a.amount[is_moment];
}
PV_KERNEL(mixer_damping, mixer_weights_arguments, mixer_damping_at)

// Electrostatic energy of a wave. The magnetisation has no electrostatic energy, and its mean may change.
PV_KERNEL_FUNCTION void mixer_metric_at(mixer_weights_arguments a, int64_t i)
{
    const int64_t is_moment = i >= a.waves, wave = is_moment ? i - a.waves : i;
    const double g2 = a.g2[wave] + (is_moment ? a.moment2 : 0.0);
    a.to[i] = wave == a.zero && !is_moment ? 0.0 : a.charge * a.pair[wave] / g2;
}
PV_KERNEL(mixer_metric, mixer_weights_arguments, mixer_metric_at)

// Part of element i: total or difference.
PV_KERNEL_FUNCTION double mixer_element(const mixer_arguments *a, const double *density, int64_t i, int part)
{
    const int64_t n = a->waves, is_total = i < n, up = is_total ? i : i - n;
    if (a->spins == 1) return density[2 * i + part];
    return density[2 * up + part] + (is_total ? 1.0 : -1.0) * density[2 * (up + n) + part];
}

PV_KERNEL_FUNCTION void mixer_store_at(mixer_arguments a, int64_t i)
{
    for (int part = 0; part < 2; part++) {
        const double in = mixer_element(&a, a.in, i, part);
        a.density[2 * i + part] = in;
        a.residual[2 * i + part] = mixer_element(&a, a.out, i, part) - in;
    }
}
PV_KERNEL(mixer_store, mixer_arguments, mixer_store_at)

PV_KERNEL_FUNCTION void mixer_add_at(mixer_arguments a, int64_t i)
{
    for (int part = 0; part < 2; part++)
        a.next[2 * i + part] += a.weight * (a.density[2 * i + part] + a.damping[i] * a.residual[2 * i + part]);
}
PV_KERNEL(mixer_add, mixer_arguments, mixer_add_at)

PV_KERNEL_FUNCTION void mixer_bound_at(mixer_arguments a, int64_t i)
{
    for (int part = 0; part < 2; part++) {
        const int64_t k = 2 * i + part;
        const double from = a.density[k];
        a.next[k] = from + a.kept * (a.next[k] - from) + a.plain * a.damping[i] * a.residual[k]
                    + a.momentum * (from - a.earlier[k]);
    }
}
PV_KERNEL(mixer_bound, mixer_arguments, mixer_bound_at)

// Of [waves]: total and difference to up and down.
PV_KERNEL_FUNCTION void mixer_split_at(mixer_arguments a, int64_t i)
{
    for (int part = 0; part < 2; part++) {
        const double total = a.next[2 * i + part], difference = a.next[2 * (i + a.waves) + part];
        a.next[2 * i + part] = 0.5 * (total + difference);
        a.next[2 * (i + a.waves) + part] = 0.5 * (total - difference);
    }
}
PV_KERNEL(mixer_split, mixer_arguments, mixer_split_at)

// ---- Sums --------------------------------------------------------------------------------------------------------

PV_KERNEL_FUNCTION double mixer_dot(const double *a, const double *b, int64_t i)
{
    return a[2 * i] * b[2 * i] + a[2 * i + 1] * b[2 * i + 1];
}

// Of the residuals `in` and `out`.
PV_KERNEL_FUNCTION void mixer_product_at(mixer_arguments a, int64_t i, double term[1])
{
    term[0] = a.metric[i] * mixer_dot(a.in, a.out, i);
}
PV_REDUCTION(mixer_product, mixer_arguments, 1, PV_REDUCE_ADD, mixer_product_at)

PV_KERNEL_FUNCTION void mixer_distance_at(mixer_arguments a, int64_t i, double term[1])
{
    double r[2];
    for (int part = 0; part < 2; part++)
        r[part] = mixer_element(&a, a.out, i, part) - mixer_element(&a, a.in, i, part);
    term[0] = a.metric[i] * (r[0] * r[0] + r[1] * r[1]);
}
PV_REDUCTION(mixer_distance, mixer_arguments, 1, PV_REDUCE_ADD, mixer_distance_at)

// Of this step and of the last one by the residual, and the squares of this and of a plain one.
PV_KERNEL_FUNCTION void mixer_steps_at(mixer_arguments a, int64_t i, double term[4])
{
    double sums[4] = {0.0, 0.0, 0.0, 0.0};
    for (int64_t k = 2 * i; k < 2 * i + 2; k++) {
        const double step = a.next[k] - a.density[k], last = a.density[k] - a.earlier[k];
        const double plain = a.damping[i] * a.residual[k];
        sums[0] += step * a.residual[k];
        sums[1] += last * a.residual[k];
        sums[2] += step * step;
        sums[3] += plain * plain;
    }
    for (int v = 0; v < 4; v++) term[v] = a.metric[i] * sums[v];
}
PV_REDUCTION(mixer_steps, mixer_arguments, 4, PV_REDUCE_ADD, mixer_steps_at)

#endif
