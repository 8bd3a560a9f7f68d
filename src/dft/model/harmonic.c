// SPDX-License-Identifier: Apache-2.0
#include "dft/model/harmonic.h"

#include <math.h>
#include <string.h>

#include "dft/model/units.h"

typedef struct term {
    int index;                         // l * l + m
    double factor;
    int x, y, z;                       // powers
} term;

// r^l Y_lm without their norms.
static const term terms[] = {
    {0, 1.0, 0, 0, 0},
    {1, 1.0, 0, 1, 0}, {2, 1.0, 0, 0, 1}, {3, 1.0, 1, 0, 0},
    {4, 1.0, 1, 1, 0},
    {5, 1.0, 0, 1, 1},
    {6, 2.0, 0, 0, 2}, {6, -1.0, 2, 0, 0}, {6, -1.0, 0, 2, 0},
    {7, 1.0, 1, 0, 1},
    {8, 1.0, 2, 0, 0}, {8, -1.0, 0, 2, 0},
    {9, 3.0, 2, 1, 0}, {9, -1.0, 0, 3, 0},
    {10, 1.0, 1, 1, 1},
    {11, 4.0, 0, 1, 2}, {11, -1.0, 2, 1, 0}, {11, -1.0, 0, 3, 0},
    {12, 2.0, 0, 0, 3}, {12, -3.0, 2, 0, 1}, {12, -3.0, 0, 2, 1},
    {13, 4.0, 1, 0, 2}, {13, -1.0, 3, 0, 0}, {13, -1.0, 1, 2, 0},
    {14, 1.0, 2, 0, 1}, {14, -1.0, 0, 2, 1},
    {15, 1.0, 3, 0, 0}, {15, -3.0, 1, 2, 0},
};

// Squared norms times pi.
static const double norms[PV_HARMONICS] = {
    1.0 / 4.0,
    3.0 / 4.0, 3.0 / 4.0, 3.0 / 4.0,
    15.0 / 4.0, 15.0 / 4.0, 5.0 / 16.0, 15.0 / 4.0, 15.0 / 16.0,
    35.0 / 32.0, 105.0 / 4.0, 21.0 / 32.0, 7.0 / 16.0, 21.0 / 32.0, 105.0 / 16.0, 35.0 / 32.0,
};

static double power(double x, int n) { return n == 0 ? 1.0 : n == 1 ? x : n == 2 ? x * x : x * x * x; }
static double slope(double x, int n) { return n == 0 ? 0.0 : n * power(x, n - 1); }

void pv_solid_harmonics(int l_max, const double r[3], double value[PV_HARMONICS], double gradient[PV_HARMONICS][3])
{
    const int count = (l_max + 1) * (l_max + 1);
    memset(value, 0, PV_HARMONICS * sizeof *value);
    memset(gradient, 0, PV_HARMONICS * sizeof *gradient);
    for (size_t i = 0; i < sizeof terms / sizeof *terms && terms[i].index < count; i++) {
        const term *t = &terms[i];
        const double factor = t->factor * sqrt(norms[t->index] / PV_PI);
        const double x = power(r[0], t->x), y = power(r[1], t->y), z = power(r[2], t->z);
        value[t->index] += factor * x * y * z;
        gradient[t->index][0] += factor * slope(r[0], t->x) * y * z;
        gradient[t->index][1] += factor * x * slope(r[1], t->y) * z;
        gradient[t->index][2] += factor * x * y * slope(r[2], t->z);
    }
}

void pv_harmonics(int l_max, const double r[3], double value[PV_HARMONICS])
{
    const double length = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
    double unit[3] = {0.0, 0.0, 0.0}, gradient[PV_HARMONICS][3];
    for (int d = 0; length > 1e-12 && d < 3; d++) unit[d] = r[d] / length;
    pv_solid_harmonics(l_max > 0 ? l_max : 0, unit, value, gradient);
}
