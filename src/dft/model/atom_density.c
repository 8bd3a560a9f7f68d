// SPDX-License-Identifier: Apache-2.0
#include "dft/model/atom_density.h"

#include <math.h>
#include <stdlib.h>

typedef struct shell {
    int n, l;
    double electrons, quantum, exponent, radius;
} shell;

// Filled in the order of n + l, then n (Madelung).
static int fill_shells(int number, shell shells[PV_ATOM_SHELLS])
{
    int count = 0, left = number;
    for (int sum = 1; sum <= 8 && left > 0; sum++)
        for (int l = (sum - 1) / 2; l >= 0 && left > 0; l--) {
            int most = 4 * l + 2, electrons = left < most ? left : most;
            shells[count++] = (shell){.n = sum - l, .l = l, .electrons = electrons};
            left -= electrons;
        }
    return count;
}

// Slater's groups: s and p of one n together, d and f alone; ordered by n, then s p, d, f.
static int group(const shell *s)
{
    return 4 * s->n + (s->l > 1 ? s->l : 0);
}

static double screening(const shell *shells, int count, const shell *of)
{
    const double within = of->n == 1 ? 0.30 : 0.35;
    double sum = -within; // an electron does not screen itself
    for (int i = 0; i < count; i++) {
        const shell *other = &shells[i];
        if (group(other) == group(of)) sum += within * other->electrons;
        else if (group(other) < group(of)) sum += (of->l < 2 && other->n == of->n - 1 ? 0.85 : 1.0) * other->electrons;
    }
    return sum;
}

static int outermost_first(const void *a, const void *b)
{
    const shell *p = a, *q = b;
    if (p->radius != q->radius) return p->radius > q->radius ? -1 : 1;
    return q->l - p->l;
}

pv_atom_density pv_atom_density_of(int number, double valence)
{
    static const double effective[] = {0.0, 1.0, 2.0, 3.0, 3.7, 4.0, 4.2, 4.3, 4.4};
    shell shells[PV_ATOM_SHELLS];
    const int count = fill_shells(number, shells);
    for (int i = 0; i < count; i++) {
        shell *s = &shells[i];
        s->quantum = effective[s->n];
        s->exponent = 2.0 * (number - screening(shells, count, s)) / s->quantum;
        s->radius = s->quantum / s->exponent;
    }
    qsort(shells, (size_t)count, sizeof *shells, outermost_first);

    pv_atom_density density = {0};
    for (int i = 0; i < count && valence > 0.0; i++) {
        double electrons = fmin(valence, shells[i].electrons);
        density.shell[density.shells].electrons = electrons;
        density.shell[density.shells].quantum = shells[i].quantum;
        density.shell[density.shells++].exponent = shells[i].exponent;
        valence -= electrons;
    }
    return density;
}

// int r^(2n) exp(-a r) sin(qr)/(qr) dr over its value at q = 0.
double pv_atom_density_form(const pv_atom_density *density, double q)
{
    double sum = 0.0;
    for (int i = 0; i < density->shells; i++) {
        const double a = density->shell[i].exponent, x = q / a, power = 2.0 * density->shell[i].quantum;
        const double form = x < 1e-4 ? 1.0 - x * x * (power + 1.0) * (power + 2.0) / 6.0
                                     : sin(power * atan(x)) / (power * x * pow(1.0 + x * x, 0.5 * power));
        sum += density->shell[i].electrons * form;
    }
    return sum;
}
