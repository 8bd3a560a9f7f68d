// SPDX-License-Identifier: Apache-2.0
// The kept modes of a rank as kernels see them: numbers alone, for both compilers. Positions 0, 1, 2 are axes of the
// spectrum in the order of memory, slowest first; along each a rank has kept numbers first .. first + count - 1 of
// `length`: wave numbers 0, 1, ... keep, -keep, ... -1, or, along x, 0, 1, ... keep and a few that only fill rows up.
#ifndef PV_DNS_MODES_KERNEL_H
#define PV_DNS_MODES_KERNEL_H

#include "device/kernel.h"

typedef struct dns_modes {
    int64_t total; // of this rank, those that fill up included
    int64_t count[3], first[3], length[3];
    int64_t keep[3];                  // largest |index| kept
    double per_count1, per_count2;    // reciprocals
    int x, y, z;                      // positions of the directions
    double unit_x, unit_y, unit_z;    // wave number of index 1
    int round;                        // only the ellipsoid inside keep
    double shift_x, shift_y, shift_z; // of the grid, in lengths
} dns_modes;

// Where a kernel goes: all modes of the rank, or those of the box of |index| <= edge, whichever are fewer.
typedef struct dns_box {
    int64_t count, edge[3];
    int is_all;
} dns_box;

typedef struct dns_mode {
    double kx, ky, kz, k2;
    double weight; // 1 for kx = 0, 2 for modes that stand for their conjugates too
    int kept;
} dns_mode;

// i / m with the reciprocal of m: exact below 2^50, and a vector instruction.
PV_KERNEL_FUNCTION int64_t dns_quotient(int64_t i, double per_m)
{
    return (int64_t)(((double)i + 0.5) * per_m);
}

// Signed index of kept number `number` of `length`.
PV_KERNEL_FUNCTION double dns_signed(int64_t number, int64_t length)
{
    return (double)(2 * number > length ? number - length : number);
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
    mode->kept = ix <= (double)m->keep[m->x];
    if (m->round) {
        const double e0 = s0 / (double)m->keep[0], e1 = s1 / (double)m->keep[1], e2 = s2 / (double)m->keep[2];
        mode->kept = mode->kept && e0 * e0 + e1 * e1 + e2 * e2 <= 1.0;
    }
}

// Kept mode number i.
PV_KERNEL_FUNCTION dns_mode dns_mode_at(const dns_modes *m, int64_t i)
{
    dns_mode mode;
    const int64_t row = dns_quotient(i, m->per_count2), j0 = dns_quotient(row, m->per_count1);
    const int64_t j1 = row - j0 * m->count[1], j2 = i - row * m->count[2];
    dns_wave_numbers(m, dns_signed(m->first[0] + j0, m->length[0]), dns_signed(m->first[1] + j1, m->length[1]),
                     dns_signed(m->first[2] + j2, m->length[2]), &mode);
    return mode;
}

// Mode n of the box: its number among those of this rank, or -1.
PV_KERNEL_FUNCTION int64_t dns_box_mode(const dns_modes *m, const dns_box *box, int64_t n)
{
    if (box->is_all) return n;
    int64_t i = 0, stride = 1;
    for (int d = 2; d >= 0; d--) {
        const int64_t least = d == m->x ? 0 : -box->edge[d], span = box->edge[d] - least + 1;
        const int64_t index = n % span + least, j = (index < 0 ? index + m->length[d] : index) - m->first[d];
        if (j < 0 || j >= m->count[d]) return -1;
        i += j * stride;
        stride *= m->count[d];
        n /= span;
    }
    return i;
}

#endif
