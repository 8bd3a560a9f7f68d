// SPDX-License-Identifier: Apache-2.0
#include "dft/solve/anderson.h"

#include <math.h>
#include <string.h>

#include "base/check.h"

#define OTHERS PV_ANDERSON_OTHERS
#define ALIKE 1e-8                     // square of what two moves differ by, of unit ones: one and the same

typedef const double (*rows)[OTHERS];

// out[m][m] = t a t^T with the m rows of t, each over [n].
static void project(int n, int m, double (*t)[OTHERS], rows a, double *out)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++)
                for (int l = 0; l < n; l++) sum += t[i][k] * a[k][l] * t[j][l];
            out[i * m + j] = sum;
        }
}

// t[found] := combinations of the rows of t[m], each over [n], by the eigenvectors of `a` between them whose values are
// above `least`, over the root of the value where `unit`.
static pv_status choose(pv_dense *dense, int n, int m, double (*t)[OTHERS], rows a, double least, int unit,
                        int *found_p)
{
    double w[OTHERS * OTHERS], values[OTHERS], chosen[OTHERS][OTHERS] = {{0.0}};
    int found = 0;
    project(n, m, t, a, w);
    if (m > 0) PV_TRY(pv_dense_heevd(dense, PV_SCALAR_REAL, m, w, values));
    for (int k = 0; k < m; k++) {
        if (!(values[k] > least)) continue;
        for (int i = 0; i < m; i++)
            for (int l = 0; l < n; l++) chosen[found][l] += w[k * m + i] * t[i][l] / (unit ? sqrt(values[k]) : 1.0);
        found++;
    }
    memcpy(t, chosen, sizeof chosen);
    *found_p = found;
    return PV_OK;
}

// The chosen moves first are independent, then lead to where residuals are less, and then change them by unit vectors
// that are orthogonal, along which the last residual is taken away.
pv_status pv_anderson_weigh(pv_dense *dense, int others, const pv_anderson *p, double weight[1 + OTHERS])
{
    double t[OTHERS][OTHERS] = {{0.0}}, stiffness[OTHERS][OTHERS] = {{0.0}};
    int m = 0;
    for (int i = 0; i <= OTHERS; i++) weight[i] = i == 0;
    for (int i = 0; i < others; i++) {
        if (p->moves[i][i] > 0.0 && p->residuals[i][i] > 0.0) t[m++][i] = 1.0 / sqrt(p->moves[i][i]);
        for (int j = 0; j < others; j++) stiffness[i][j] = -0.5 * (p->crossed[i][j] + p->crossed[j][i]);
    }
    PV_TRY(choose(dense, others, m, t, p->moves, ALIKE, 1, &m));
    PV_TRY(choose(dense, others, m, t, (rows)stiffness, 0.0, 0, &m));
    PV_TRY(choose(dense, others, m, t, p->residuals, 0.0, 1, &m));
    for (int k = 0; k < m; k++) {
        double along = 0.0;
        for (int i = 0; i < others; i++) along -= t[k][i] * p->left[i];
        for (int i = 0; i < others; i++) weight[1 + i] += along * t[k][i];
        for (int i = 0; i < others; i++) weight[0] -= along * t[k][i];
    }
    return PV_OK;
}
