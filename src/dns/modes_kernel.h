// SPDX-License-Identifier: Apache-2.0
// The kept modes of a rank as kernels see them: numbers alone, for both compilers. Positions 0, 1, 2 are axes of the
// spectrum in the order of memory, slowest first.
//
// Along a position the spectrum has indices first .. first + full - 1 of n; the kept ones are `low` from the first on
// (of wave numbers >= 0), then those from `jump` on (of negative ones). Kept modes lie densely,
// [count0][count1][count2].
#ifndef PV_DNS_MODES_KERNEL_H
#define PV_DNS_MODES_KERNEL_H

#include "device/kernel.h"

typedef struct dns_modes {
    int64_t total; // kept modes of this rank
    int64_t count[3], low[3], first[3], jump[3], n[3];
    int64_t full[3], keep[3];      // the rank's share of the spectrum; largest |index| kept
    double per_count1, per_count2; // reciprocals
    double per_full1, per_full2;
    int x, y, z;                      // positions of the directions
    double unit_x, unit_y, unit_z;    // wave number of index 1
    int round;                        // only the ellipsoid inside keep
    double shift_x, shift_y, shift_z; // of the grid, in lengths
} dns_modes;

typedef struct dns_mode {
    double kx, ky, kz, k2;
    double weight;    // 1 for kx = 0, 2 for modes that stand for their conjugates too
    int64_t spectrum; // place in the rank's spectrum
    int kept;
} dns_mode;

// i / m with the reciprocal of m: exact below 2^50, and a vector instruction.
PV_KERNEL_FUNCTION int64_t dns_quotient(int64_t i, double per_m)
{
    return (int64_t)(((double)i + 0.5) * per_m);
}

PV_KERNEL_FUNCTION double dns_signed(int64_t index, int64_t n)
{
    return (double)(2 * index > n ? index - n : index);
}

PV_KERNEL_FUNCTION void dns_wave_numbers(const dns_modes *m, double s0, double s1, double s2, dns_mode *mode)
{
    const double ix = m->x == 0 ? s0 : m->x == 1 ? s1 : s2;
    const double iy = m->y == 0 ? s0 : m->y == 1 ? s1 : s2;
    const double iz = m->z == 0 ? s0 : m->z == 1 ? s1 : s2;
    mode->kx = ix * m->unit_x;
    mode->ky = iy * m->unit_y;
    mode->kz = iz * m->unit_z;
    mode->k2 = mode->kx * mode->kx + mode->ky * mode->ky + mode->kz * mode->kz;
    mode->weight = ix == 0.0 ? 1.0 : 2.0;
    const double e0 = s0 / (double)m->keep[0], e1 = s1 / (double)m->keep[1], e2 = s2 / (double)m->keep[2];
    mode->kept = !m->round || e0 * e0 + e1 * e1 + e2 * e2 <= 1.0;
}

// Kept mode number i.
PV_KERNEL_FUNCTION dns_mode dns_mode_at(const dns_modes *m, int64_t i)
{
    dns_mode mode;
    const int64_t row = dns_quotient(i, m->per_count2), j0 = dns_quotient(row, m->per_count1);
    const int64_t j1 = row - j0 * m->count[1], j2 = i - row * m->count[2];
    const int64_t i0 = j0 < m->low[0] ? m->first[0] + j0 : m->jump[0] + (j0 - m->low[0]);
    const int64_t i1 = j1 < m->low[1] ? m->first[1] + j1 : m->jump[1] + (j1 - m->low[1]);
    const int64_t i2 = j2 < m->low[2] ? m->first[2] + j2 : m->jump[2] + (j2 - m->low[2]);
    dns_wave_numbers(m, dns_signed(i0, m->n[0]), dns_signed(i1, m->n[1]), dns_signed(i2, m->n[2]), &mode);
    mode.spectrum = ((i0 - m->first[0]) * m->full[1] + (i1 - m->first[1])) * m->full[2] + (i2 - m->first[2]);
    return mode;
}

// Point number i of the rank's spectrum: number of the kept mode there, or -1.
PV_KERNEL_FUNCTION int64_t dns_mode_of(const dns_modes *m, int64_t i, dns_mode *mode)
{
    const int64_t row = dns_quotient(i, m->per_full2), f0 = dns_quotient(row, m->per_full1);
    const int64_t f1 = row - f0 * m->full[1], f2 = i - row * m->full[2];
    const double s0 = dns_signed(f0 + m->first[0], m->n[0]), s1 = dns_signed(f1 + m->first[1], m->n[1]);
    const double s2 = dns_signed(f2 + m->first[2], m->n[2]);
    const int64_t j0 = f0 < m->low[0] ? f0 : f0 + m->first[0] - m->jump[0] + m->low[0];
    const int64_t j1 = f1 < m->low[1] ? f1 : f1 + m->first[1] - m->jump[1] + m->low[1];
    const int64_t j2 = f2 < m->low[2] ? f2 : f2 + m->first[2] - m->jump[2] + m->low[2];
    const int inside = s0 <= (double)m->keep[0] && s0 >= -(double)m->keep[0] && s1 <= (double)m->keep[1] &&
                       s1 >= -(double)m->keep[1] && s2 <= (double)m->keep[2] && s2 >= -(double)m->keep[2];
    dns_wave_numbers(m, s0, s1, s2, mode);
    mode->spectrum = i;
    return inside && mode->kept ? (j0 * m->count[1] + j1) * m->count[2] + j2 : -1;
}

#endif
