// SPDX-License-Identifier: Apache-2.0
#include "dft/model/harmonic.h"

#include <math.h>

#include "dft/model/units.h"

static void fill_d(double x, double y, double z, double *v)
{
    const double c = sqrt(15.0 / PV_PI);
    v[0] = 0.5 * c * x * y;
    v[1] = 0.5 * c * y * z;
    v[2] = 0.25 * sqrt(5.0 / PV_PI) * (3.0 * z * z - 1.0);
    v[3] = 0.5 * c * z * x;
    v[4] = 0.25 * c * (x * x - y * y);
}

static void fill_f(double x, double y, double z, double *v)
{
    const double a = 0.25 * sqrt(35.0 / (2.0 * PV_PI)), b = 0.25 * sqrt(21.0 / (2.0 * PV_PI));
    v[0] = a * y * (3.0 * x * x - y * y);
    v[1] = 0.5 * sqrt(105.0 / PV_PI) * x * y * z;
    v[2] = b * y * (5.0 * z * z - 1.0);
    v[3] = 0.25 * sqrt(7.0 / PV_PI) * z * (5.0 * z * z - 3.0);
    v[4] = b * x * (5.0 * z * z - 1.0);
    v[5] = 0.25 * sqrt(105.0 / PV_PI) * z * (x * x - y * y);
    v[6] = a * x * (x * x - 3.0 * y * y);
}

void pv_harmonics(int l_max, const double r[3], double value[PV_HARMONICS])
{
    const double length = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
    for (int i = 0; i < PV_HARMONICS; i++) value[i] = 0.0;
    value[0] = 0.5 / sqrt(PV_PI);
    if (length < 1e-12) return;
    const double x = r[0] / length, y = r[1] / length, z = r[2] / length;
    if (l_max >= 1) {
        const double c = sqrt(3.0 / (4.0 * PV_PI));
        value[1] = c * y;
        value[2] = c * z;
        value[3] = c * x;
    }
    if (l_max >= 2) fill_d(x, y, z, value + 4);
    if (l_max >= 3) fill_f(x, y, z, value + 9);
}
