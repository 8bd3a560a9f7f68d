// SPDX-License-Identifier: Apache-2.0
// The atom in momentum space, l by l: with u(q) = q phi(q),
//
//   q^2/2 u(q) + 2/pi int dq' q q' V_l(q, q') u(q') = e u(q),
//   V_l(q, q') = int dr r^2 j_l(qr) V(r) j_l(q'r) + sum_ij beta_i(q) D_ij beta_j(q') / (4 pi)^2,
//
// where V is the local potential screened by the atom's valence density (Hartree, and exchange of the local density).
// What is cut off at q_cut costs, to second order, the sum of u^2 (H_qq - e) over q > q_cut.
#include "dft/model/pseudo_cutoff.h"

#include <math.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/mem.h"
#include "dft/model/bessel.h"
#include "dft/model/pseudo_form.h"
#include "dft/model/units.h"

#define STEP 0.25 // below pi / 10 bohr, where potentials end
enum { MOMENTA = 64, ORBITALS = 5, SWEEPS = 30 };

typedef struct orbital {
    double energy_ha;
    int l;
    double lost_ha[MOMENTA + 1]; // by a cutoff below each momentum, an electron
} orbital;

typedef struct atom {
    const pv_pseudo *pseudo;
    int points;
    double *weight;              // [points]: dr by the trapezoidal rule
    double *potential;           // [points]: screened
    double *wave;                // [MOMENTA][points]: r j_l(qr)
    double h[MOMENTA][MOMENTA], vector[MOMENTA][MOMENTA]; // rows are vectors
    orbital orbital[(PV_PSEUDO_L_MAX + 1) * ORBITALS];
    int orbitals;
} atom;

static double momentum(int i) { return (i + 0.5) * STEP; }

// ---- The screened potential --------------------------------------------------------------------------------------

// 4 pi r^2 n(r), not normalised.
static double density_at(const pv_pseudo *pseudo, int point)
{
    const pv_pseudo_radial *radial = pseudo->radial;
    const double r = radial->r[point];
    double sum = 0.0;
    if (radial->density) return fmax(radial->density[point], 0.0);
    for (int s = 0; s < pseudo->model.shells; s++) {
        const double n = 2.0 * pseudo->model.shell[s].quantum, a = pseudo->model.shell[s].exponent;
        sum += pseudo->model.shell[s].electrons * a * pow(a * r, n) * exp(-a * r) / tgamma(n + 1.0);
    }
    return sum;
}

// The density takes the potential's place until it is turned into it, from the outermost point to the innermost.
static void screen(atom *a)
{
    const double *r = a->pseudo->radial->r;
    double total = 0.0, within = 0.0, beyond = 0.0;
    for (int i = 0; i < a->points; i++) total += (a->potential[i] = density_at(a->pseudo, i)) * a->weight[i];
    const double scale = total > 0.0 ? a->pseudo->valence / total : 0.0;
    within = a->pseudo->valence;
    for (int i = a->points - 1; i >= 0; i--) {
        const double radius = fmax(r[i], 1e-4), shell = scale * a->potential[i];
        const double exchange = -cbrt(3.0 / PV_PI * shell / (4.0 * PV_PI * radius * radius));
        a->potential[i] = a->pseudo->radial->local_ha[i] + within / radius + beyond + exchange;
        within -= shell * a->weight[i];
        beyond += shell * a->weight[i] / radius;
    }
}

// ---- One angular momentum ----------------------------------------------------------------------------------------

static void set_waves(atom *a, int l)
{
    const double *r = a->pseudo->radial->r;
    for (int q = 0; q < MOMENTA; q++)
        for (int i = 0; i < a->points; i++) a->wave[q * a->points + i] = r[i] * pv_bessel(l, momentum(q) * r[i]);
}

static double local_element(const atom *a, int p, int q)
{
    const double *f = a->wave + p * a->points, *g = a->wave + q * a->points;
    double sum = 0.0;
    for (int i = 0; i < a->points; i++) sum += f[i] * a->weight[i] * a->potential[i] * g[i];
    return sum;
}

static void add_projectors(atom *a, int l)
{
    const pv_pseudo *pseudo = a->pseudo;
    const int n = pseudo->projectors;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const double coupling = pseudo->coupling_ha[i * n + j] / pow(4.0 * PV_PI, 2);
            if (pseudo->l[i] != l || pseudo->l[j] != l || coupling == 0.0) continue;
            double left[MOMENTA], right[MOMENTA];
            for (int q = 0; q < MOMENTA; q++) {
                left[q] = pv_pseudo_projector_form(pseudo, i, momentum(q));
                right[q] = pv_pseudo_projector_form(pseudo, j, momentum(q));
            }
            for (int p = 0; p < MOMENTA; p++)
                for (int q = 0; q < MOMENTA; q++) a->h[p][q] += coupling * left[p] * right[q];
        }
}

static void set_hamiltonian(atom *a, int l)
{
    set_waves(a, l);
    for (int p = 0; p < MOMENTA; p++)
        for (int q = 0; q <= p; q++) a->h[p][q] = a->h[q][p] = local_element(a, p, q);
    add_projectors(a, l);
    for (int p = 0; p < MOMENTA; p++)
        for (int q = 0; q < MOMENTA; q++) {
            a->h[p][q] *= 2.0 / PV_PI * STEP * momentum(p) * momentum(q);
            a->h[p][q] += p == q ? 0.5 * momentum(p) * momentum(p) : 0.0;
        }
}

// Jacobi's rotation that makes h[p][q] zero.
static void rotate(atom *a, int p, int q)
{
    const double angle = 0.5 * atan2(2.0 * a->h[p][q], a->h[q][q] - a->h[p][p]), c = cos(angle), s = sin(angle);
    for (int i = 0; i < MOMENTA; i++) {
        const double x = a->h[p][i], y = a->h[q][i];
        a->h[p][i] = c * x - s * y;
        a->h[q][i] = s * x + c * y;
    }
    for (int i = 0; i < MOMENTA; i++) {
        const double x = a->h[i][p], y = a->h[i][q], v = a->vector[p][i], w = a->vector[q][i];
        a->h[i][p] = c * x - s * y;
        a->h[i][q] = s * x + c * y;
        a->vector[p][i] = c * v - s * w;
        a->vector[q][i] = s * v + c * w;
    }
}

static void diagonalise(atom *a)
{
    for (int p = 0; p < MOMENTA; p++)
        for (int q = 0; q < MOMENTA; q++) a->vector[p][q] = p == q;
    for (int sweep = 0, rotated = 1; sweep < SWEEPS && rotated; sweep++) {
        rotated = 0;
        for (int p = 0; p < MOMENTA; p++)
            for (int q = p + 1; q < MOMENTA; q++)
                if (fabs(a->h[p][q]) > 1e-10) rotate(a, p, q), rotated = 1;
    }
}

static void keep_orbital(atom *a, int l, const double diagonal[MOMENTA], int state)
{
    orbital *kept = &a->orbital[a->orbitals++];
    *kept = (orbital){.energy_ha = a->h[state][state], .l = l};
    for (int q = MOMENTA - 1; q >= 0; q--)
        kept->lost_ha[q] = kept->lost_ha[q + 1] +
                           a->vector[state][q] * a->vector[state][q] * fmax(diagonal[q] - kept->energy_ha, 0.0);
}

// The lowest ones of an angular momentum.
static void find_orbitals(atom *a, int l)
{
    double diagonal[MOMENTA];
    unsigned char taken[MOMENTA] = {0};
    set_hamiltonian(a, l);
    for (int q = 0; q < MOMENTA; q++) diagonal[q] = a->h[q][q];
    diagonalise(a);
    for (int n = 0; n < ORBITALS; n++) {
        int lowest = -1;
        for (int s = 0; s < MOMENTA; s++)
            if (!taken[s] && (lowest < 0 || a->h[s][s] < a->h[lowest][lowest])) lowest = s;
        taken[lowest] = 1;
        keep_orbital(a, l, diagonal, lowest);
    }
}

// ---- The atom ----------------------------------------------------------------------------------------------------

static int by_energy(const void *left, const void *right)
{
    const orbital *p = left, *q = right;
    return (p->energy_ha > q->energy_ha) - (p->energy_ha < q->energy_ha);
}

// Where the loss of all electrons falls below the limit; its logarithm is a straight line between two momenta.
static double cut(const atom *a)
{
    double lost[MOMENTA + 1] = {0.0}, left = a->pseudo->valence;
    for (int n = 0; n < a->orbitals && left > 0.0; n++) {
        const double electrons = fmin(left, 2.0 * (2 * a->orbital[n].l + 1));
        for (int q = 0; q < MOMENTA; q++) lost[q] += electrons * a->orbital[n].lost_ha[q];
        left -= electrons;
    }
    int q = MOMENTA - 1;
    while (q > 0 && lost[q - 1] <= PV_PSEUDO_CUTOFF_ERROR_HA) q--;
    double at = q * STEP;
    if (q > 0 && lost[q] > 0.0 && lost[q] < PV_PSEUDO_CUTOFF_ERROR_HA)
        at -= STEP * log(PV_PSEUDO_CUTOFF_ERROR_HA / lost[q]) / log(lost[q - 1] / lost[q]);
    if (lost[MOMENTA - 1] > PV_PSEUDO_CUTOFF_ERROR_HA) at = MOMENTA * STEP;
    return 0.5 * at * at;
}

static pv_status allocate(atom *a)
{
    const double *r = a->pseudo->radial->r;
    PV_TRY(PV_ALLOC(a->points, &a->weight));
    PV_TRY(PV_ALLOC(a->points, &a->potential));
    for (int i = 0; i < a->points; i++)
        a->weight[i] = 0.5 * ((i + 1 < a->points ? r[i + 1] : r[i]) - (i > 0 ? r[i - 1] : 0.0));
    return PV_ALLOC((size_t)MOMENTA * (size_t)a->points, &a->wave);
}

pv_status pv_pseudo_find_cutoff(const pv_pseudo *pseudo, double *cutoff_ha_p)
{
    PV_REQUIRE(pseudo->radial && pseudo->tables, PV_ERR_ARGUMENT,
               "the cutoff of %s is asked for; potentials on a radial mesh, prepared, are accepted", pseudo->source);
    atom *a;
    PV_TRY(PV_ALLOC(1, &a));
    a->pseudo = pseudo;
    a->points = pseudo->radial->integrated;
    const pv_status status = allocate(a);
    if (status == PV_OK) {
        screen(a);
        for (int l = 0; l <= PV_PSEUDO_L_MAX; l++) find_orbitals(a, l);
        qsort(a->orbital, (size_t)a->orbitals, sizeof *a->orbital, by_energy);
        *cutoff_ha_p = fmax(ceil(cut(a)), 1.0);
    }
    pv_mem_free(a->weight);
    pv_mem_free(a->potential);
    pv_mem_free(a->wave);
    pv_mem_free(a);
    return status;
}
