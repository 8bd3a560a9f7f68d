// SPDX-License-Identifier: Apache-2.0
#include "dft/terms/xc.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "dft/terms/xc_constants.h"
#include "dft/terms/xc_gradient_cap.h"
#include "dft/terms/xc_terms.h"

#define DENSITY_FLOOR 1e-10            // no energy below
// Below these a gradient does not count: density and squared gradient, without spin, with spin in the exchange of one
// spin and in the correlation of both.
typedef struct floors {
    double density, squared;
} floors;
static const floors floors_plain = {1e-6, 1e-10}, floors_exchange = {1e-10, 1e-20}, floors_correlation = {1e-6, 1e-12};

#define MOST_CHANGES 6                 // of one point between counting and not, then it does not count

#define CHUNK 512                      // points that libxc sees at once: its arrays stay in cache

struct pv_xc {
    pv_grid *grid;
    int spins, gradients;
    pv_xc_terms terms;
    double _Complex *waves, *total;    // [waves], [spins][waves] with core
    double *density;                   // [spins][local_points]
    double *gradient;                  // [spins][3][local_points]
    unsigned char *history;            // [3][local_points]: where corrections count: of exchange by spin, of correlation
    double left_out_ha;                // this rank's points (pv_xc_left_out)
};

pv_status pv_xc_create(pv_grid *grid, const pv_functional *functional, int spins, pv_xc **xc_p)
{
    pv_xc *xc;
    PV_TRY(PV_ALLOC(1, &xc));
    xc->grid = grid;
    xc->spins = spins;
    pv_status status;
    PV_TRY_GOTO(pv_xc_terms_open(functional, spins, DENSITY_FLOOR, &xc->terms), status, failed);
    xc->gradients = xc->terms.gradients;
    PV_TRY_GOTO(PV_ALLOC(grid->waves, &xc->waves), status, failed);
    PV_TRY_GOTO(PV_ALLOC(grid->waves * spins, &xc->total), status, failed);
    PV_TRY_GOTO(PV_ALLOC(grid->local_points * spins, &xc->density), status, failed);
    PV_TRY_GOTO(PV_ALLOC(xc->gradients ? grid->local_points * spins * 3 : 0, &xc->gradient), status, failed);
    PV_TRY_GOTO(PV_ALLOC(xc->gradients ? grid->local_points * 3 : 0, &xc->history), status, failed);
    *xc_p = xc;
    return PV_OK;
failed:
    pv_xc_destroy(xc);
    return status;
}

void pv_xc_destroy(pv_xc *xc)
{
    if (!xc) return;
    pv_xc_terms_close(&xc->terms);
    pv_mem_free(xc->waves);
    pv_mem_free(xc->total);
    pv_mem_free(xc->density);
    pv_mem_free(xc->gradient);
    pv_mem_free(xc->history);
    pv_mem_free(xc);
}

// ---- Densities and gradients on the grid -----------------------------------------------------------------------

static pv_status to_points(pv_xc *xc, const double _Complex *density, const double _Complex *core)
{
    pv_grid *grid = xc->grid;
    for (int s = 0; s < xc->spins; s++) {
        double _Complex *total = xc->total + s * grid->waves;
        for (int64_t i = 0; i < grid->waves; i++)
            total[i] = density[s * grid->waves + i] + (core ? core[i] / xc->spins : 0.0);
        PV_TRY(pv_grid_to_points(grid, total, xc->density + s * grid->local_points));
        for (int d = 0; xc->gradients && d < 3; d++) {
            for (int64_t i = 0; i < grid->waves; i++) xc->waves[i] = I * grid->g[i][d] * total[i];
            PV_TRY(pv_grid_to_points(grid, xc->waves, xc->gradient + (s * 3 + d) * grid->local_points));
        }
    }
    return PV_OK;
}

// potential -= divergence of the field that replaced the gradients.
static pv_status subtract_divergence(pv_xc *xc, double *potential, double *scratch)
{
    pv_grid *grid = xc->grid;
    for (int s = 0; s < xc->spins; s++) {
        double _Complex *sum = xc->total + s * grid->waves;
        if (grid->waves > 0) memset(sum, 0, (size_t)grid->waves * sizeof *sum);
        for (int d = 0; d < 3; d++) {
            PV_TRY(pv_grid_to_waves(grid, xc->gradient + (s * 3 + d) * grid->local_points, xc->waves));
            for (int64_t i = 0; i < grid->waves; i++) sum[i] += I * grid->g[i][d] * xc->waves[i];
        }
        PV_TRY(pv_grid_to_points(grid, sum, scratch));
        for (int64_t i = 0; i < grid->local_points; i++) potential[s * grid->local_points + i] -= scratch[i];
    }
    return PV_OK;
}

// ---- libxc on a chunk of points ----------------------------------------------------------------------------------

// What libxc takes for one part of the functional, spins interleaved: rho[2], sigma[3] (up up, up down, down down) a point;
// all zero where the part does not count. Energies have the sign of the density.
typedef struct arguments {
    double rho[2 * CHUNK], sigma[3 * CHUNK], sign[CHUNK];
} arguments;

typedef struct chunk {
    arguments part[3];                                                    // by pv_xc_part
    double energy[CHUNK], vrho[2 * CHUNK], vsigma[3 * CHUNK];             // sums over the terms
    double exc_one[CHUNK], vrho_one[2 * CHUNK], vsigma_one[3 * CHUNK];
    double sigma[3 * CHUNK];                                              // capped
    pv_xc_capped capped[2 * CHUNK];
} chunk;

static double squared(const pv_xc *xc, int s, int t, int64_t point)
{
    const int64_t n = xc->grid->local_points;
    const double *a = xc->gradient + s * 3 * n + point, *b = xc->gradient + t * 3 * n + point;
    return a[0] * b[0] + a[n] * b[n] + a[2 * n] * b[2 * n];
}

static int counts(const floors *f, double density, double square)
{
    return density > f->density && square > f->squared;
}

// Energies jump where a correction vanishes (short-range exchange at a flat point, correlation where a spin's density
// turns negative), and a point near a floor may come and go for ever, as its density answers. history: 0 for a point not
// seen yet, else 1 + twice the changes so far + whether it counted last.
static int settle(pv_xc *xc, int64_t point, int counted)
{
    unsigned char *was = &xc->history[point];
    int changes = *was ? (*was - 1) / 2 : 0;
    if (*was && changes <= MOST_CHANGES) changes += (*was - 1) % 2 != counted;
    *was = (unsigned char)(1 + 2 * changes + counted);
    return counted && changes <= MOST_CHANGES;
}

static void load_plain(pv_xc *xc, int64_t first, int count, chunk *c)
{
    for (int i = 0; i < count; i++) {
        const double rho = xc->density[first + i], square = xc->gradients ? squared(xc, 0, 0, first + i) : 0.0;
        const int counted = xc->gradients
                            && settle(xc, first + i, counts(&floors_plain, fabs(rho), square));
        for (int p = 0; p < 3; p++) {
            c->part[p].rho[i] = p == PV_XC_LDA || counted ? fabs(rho) : 0.0;
            c->part[p].sigma[i] = counted ? square : 0.0;
            c->part[p].sign[i] = rho < 0.0 ? -1.0 : 1.0;
        }
    }
}

static void put(arguments *a, int i, int counted, const double rho[2], const double sigma[3])
{
    for (int s = 0; s < 2; s++) a->rho[2 * i + s] = counted ? rho[s] : 0.0;
    for (int p = 0; p < 3; p++) a->sigma[3 * i + p] = counted ? sigma[p] : 0.0;
    a->sign[i] = 1.0;
}

// Where one spin's density is negative the other has all of the total, and the correction of correlation is left out.
static void load_spins(pv_xc *xc, int64_t first, int count, chunk *c)
{
    const int64_t n = xc->grid->local_points;
    for (int i = 0; i < count; i++) {
        double rho[2] = {xc->density[first + i], xc->density[n + first + i]}, sigma[3] = {0.0};
        const double total = rho[0] + rho[1], size = fabs(total);
        const double up = fmin(fmax(0.5 * (size + rho[0] - rho[1]), 0.0), size), shared[2] = {up, size - up};
        put(&c->part[PV_XC_LDA], i, 1, shared, sigma);
        c->part[PV_XC_LDA].sign[i] = total < 0.0 ? -1.0 : 1.0;
        if (!xc->gradients) continue;
        for (int p = 0; p < 3; p++) sigma[p] = squared(xc, p / 2, (p + 1) / 2, first + i);
        const double square = sigma[0] + 2.0 * sigma[1] + sigma[2];
        put(&c->part[PV_XC_CORRELATION_CORRECTION], i,
            settle(xc, 2 * n + first + i,
                   rho[0] >= 0.0 && rho[1] >= 0.0 && counts(&floors_correlation, total, square)),
            shared, sigma);
        for (int s = 0; s < 2; s++)
            if (!settle(xc, s * n + first + i, counts(&floors_exchange, rho[s], sigma[2 * s])))
                rho[s] = sigma[2 * s] = 0.0;
        sigma[1] = 0.0;
        put(&c->part[PV_XC_EXCHANGE_CORRECTION], i, total > floors_exchange.density, rho, sigma);
    }
}

// Where exchange takes capped gradients: of each spin by itself.
static void cap_gradients(int spins, int count, const arguments *a, chunk *c)
{
    const int pairs = 2 * spins - 1;
    for (int i = 0; i < count; i++) {
        if (spins == 2) c->sigma[3 * i + 1] = 0.0;
        for (int s = 0; s < spins; s++) {
            const int one = spins * i + s, square = pairs * i + 2 * s;
            c->capped[one] = pv_xc_cap_gradient(spins, a->rho[one], a->sigma[square]);
            c->sigma[square] = c->capped[one].sigma;
        }
    }
}

static void follow_caps(int spins, int count, chunk *c)
{
    const int pairs = 2 * spins - 1;
    for (int i = 0; i < count; i++)
        for (int s = 0; s < spins; s++) {
            const pv_xc_capped *capped = &c->capped[spins * i + s];
            double *slope = &c->vsigma_one[pairs * i + 2 * s];
            c->vrho_one[spins * i + s] += *slope * capped->by_density;
            *slope *= capped->by_sigma;
        }
}

static void add_term(const pv_xc *xc, int t, int count, chunk *c)
{
    const int spins = xc->spins, pairs = 2 * spins - 1;
    const xc_func_type *functional = &xc->terms.term[t].functional;
    const double weight = xc->terms.term[t].weight;
    const pv_xc_part part = xc->terms.term[t].part;
    const arguments *a = &c->part[part];
    const int capped = xc->terms.term[t].capped;
    if (capped) cap_gradients(spins, count, a, c);
    if (xc->terms.term[t].gradients)
        xc_gga_exc_vxc(functional, (size_t)count, a->rho, capped ? c->sigma : a->sigma, c->exc_one, c->vrho_one,
                       c->vsigma_one);
    else
        xc_lda_exc_vxc(functional, (size_t)count, a->rho, c->exc_one, c->vrho_one);
    if (capped) follow_caps(spins, count, c);
    const int exchange_by_spin = part == PV_XC_EXCHANGE_CORRECTION && spins == 2;
    for (int i = 0; i < count; i++) {
        double total = 0.0;
        for (int s = 0; s < spins; s++) {
            total += a->rho[spins * i + s];
            if (exchange_by_spin && a->rho[2 * i + s] == 0.0) c->vrho_one[2 * i + s] = c->vsigma_one[3 * i + 2 * s] = 0.0;
            c->vrho[spins * i + s] += weight * c->vrho_one[spins * i + s];
        }
        c->energy[i] += weight * c->exc_one[i] * total * a->sign[i];
        for (int p = 0; xc->terms.term[t].gradients && p < pairs; p++)
            c->vsigma[pairs * i + p] += weight * c->vsigma_one[pairs * i + p];
    }
}

// Whether terms t and u see the same at every point of the chunk: of two that are opposite none need be computed then,
// which is a half of the work in crystals.
static int see_the_same(const pv_xc *xc, int t, int u, int count, const chunk *c)
{
    if (t < 0 || u < 0) return 0;
    const arguments *a = &c->part[xc->terms.term[t].part], *b = &c->part[xc->terms.term[u].part];
    for (int i = 0; i < count; i++)
        if (a->sign[i] != b->sign[i]) return 0;
    for (int i = 0; i < xc->spins * count; i++)
        if (a->rho[i] != b->rho[i] || a->rho[i] == 0.0) return 0;
    return 1;
}

// What the terms of the two sets of constants, which are opposite otherwise, leave. d log(r_s) / d rho = -1 / (3 rho).
static void add_rounding(const pv_xc *xc, int count, chunk *c)
{
    const double weight = xc->terms.term[xc->terms.published].weight;
    const arguments *a = &c->part[PV_XC_LDA];
    for (int i = 0; i < count; i++) {
        double slope;
        const double energy = pv_xc_published_less_exact(a->rho[i], &slope);
        c->energy[i] += weight * energy * a->rho[i] * a->sign[i];
        c->vrho[i] += weight * (energy - slope / 3.0);
    }
}

static void evaluate(const pv_xc *xc, int count, chunk *c)
{
    memset(c->energy, 0, sizeof c->energy);
    memset(c->vrho, 0, sizeof c->vrho);
    memset(c->vsigma, 0, sizeof c->vsigma);
    const int published = xc->terms.published, exact = xc->terms.exact;
    const int rounded = see_the_same(xc, published, exact, count, c);
    for (int t = 0; t < xc->terms.count; t++)
        if (!(rounded && (t == published || t == exact)) && !see_the_same(xc, t, xc->terms.term[t].opposite, count, c))
            add_term(xc, t, count, c);
    if (rounded) add_rounding(xc, count, c);
}

// Derivative by the strain of the energy density at a chunk's points, for fixed densities: the energy itself as the
// volume grows, less de/d(grad_i rho) grad_j rho.
static void add_strain(const pv_xc *xc, int64_t first, int count, const chunk *c, double strain[3][3])
{
    const int64_t n = xc->grid->local_points;
    const int spins = xc->spins, pairs = 2 * spins - 1;
    for (int k = 0; k < count; k++) {
        const double *v = c->vsigma + pairs * k;
        double a[2][3] = {{0.0}};
        for (int s = 0; s < spins; s++)
            for (int d = 0; xc->gradients && d < 3; d++) a[s][d] = xc->gradient[(s * 3 + d) * n + first + k];
        for (int i = 0; i < 3; i++) {
            strain[i][i] += c->energy[k];
            for (int j = 0; xc->gradients && j < 3; j++) {
                strain[i][j] -= 2.0 * v[0] * a[0][i] * a[0][j];
                if (spins == 2)
                    strain[i][j] -= v[1] * (a[0][i] * a[1][j] + a[1][i] * a[0][j]) + 2.0 * v[2] * a[1][i] * a[1][j];
            }
        }
    }
}

// The gradients become the field whose divergence is missing in the potential: de/d(grad rho_s).
static double store(pv_xc *xc, int64_t first, int count, const chunk *c, double *potential)
{
    const int64_t n = xc->grid->local_points;
    const int spins = xc->spins, pairs = 2 * spins - 1;
    double energy = 0.0;
    for (int i = 0; i < count; i++) {
        energy += c->energy[i];
        for (int s = 0; s < spins; s++) potential[s * n + first + i] = c->vrho[spins * i + s];
        const double *v = c->vsigma + pairs * i;
        for (int d = 0; xc->gradients && d < 3; d++) {
            double *up = xc->gradient + d * n + first + i;
            if (spins == 1) {
                *up *= 2.0 * v[0];
                continue;
            }
            double *down = up + 3 * n;
            const double old_up = *up, old_down = *down;
            *up = 2.0 * v[0] * old_up + v[1] * old_down;
            *down = 2.0 * v[2] * old_down + v[1] * old_up;
        }
    }
    return energy;
}

// What the chunks add up to; by chunk, so that sums do not depend on threads.
typedef struct part {
    double energy, left_out, strain[3][3];
} part;

// Short-range exchange of the points where the density is not small but its gradient is.
static double left_out(const pv_xc *xc, int count, chunk *c)
{
    const xc_func_type *functional = &xc->terms.term[xc->terms.short_range].functional;
    double *rho = c->vrho_one, energy = 0.0;
    int any = 0;
    for (int i = 0; i < xc->spins * count; i++) {
        rho[i] = c->part[PV_XC_EXCHANGE_CORRECTION].rho[i] == 0.0 ? c->part[PV_XC_LDA].rho[i] : 0.0;
        any |= rho[i] > floors_plain.density;
    }
    if (!any) return 0.0;
    memset(c->vsigma_one, 0, sizeof c->vsigma_one);
    xc_gga_exc(functional, (size_t)count, rho, c->vsigma_one, c->exc_one);
    for (int i = 0; i < count; i++)
        for (int s = 0; s < xc->spins; s++) energy += xc->terms.flat_weight * rho[xc->spins * i + s] * c->exc_one[i];
    return energy;
}

static void run_chunk(pv_xc *xc, int64_t first, double *potential, int with_strain, part *out)
{
    chunk c;
    const int64_t rest = xc->grid->local_points - first;
    const int count = rest < CHUNK ? (int)rest : CHUNK;
    if (xc->spins == 2)
        load_spins(xc, first, count, &c);
    else
        load_plain(xc, first, count, &c);
    evaluate(xc, count, &c);
    if (xc->terms.flat_weight != 0.0) out->left_out = left_out(xc, count, &c);
    if (with_strain) add_strain(xc, first, count, &c, out->strain);
    out->energy = store(xc, first, count, &c, potential);
}

pv_status pv_xc_evaluate(pv_xc *xc, const double _Complex *density, const double _Complex *core,
                         double *potential_ha, double *energy_ha_p, double (*strain_ha)[3])
{
    pv_grid *grid = xc->grid;
    PV_TRY(to_points(xc, density, core));
    const int64_t chunks = (grid->local_points + CHUNK - 1) / CHUNK;
    part *parts;
    PV_TRY(PV_ALLOC(chunks, &parts));
#pragma omp parallel for num_threads(pv_device_threads(pv_comm_device(grid->comm)))
    for (int64_t k = 0; k < chunks; k++) run_chunk(xc, k * CHUNK, potential_ha, strain_ha != NULL, &parts[k]);
    double energy = 0.0;
    xc->left_out_ha = 0.0;
    for (int64_t k = 0; k < chunks; k++) {
        energy += parts[k].energy;
        xc->left_out_ha += parts[k].left_out * grid->spacing_volume;
        for (int i = 0; strain_ha && i < 9; i++)
            strain_ha[i / 3][i % 3] += parts[k].strain[i / 3][i % 3] * grid->spacing_volume;
    }
    pv_mem_free(parts);
    *energy_ha_p = energy * grid->spacing_volume;
    PV_TRY(pv_comm_reduce_f64(grid->comm, PV_SUM, 1, energy_ha_p));
    return xc->gradients ? subtract_divergence(xc, potential_ha, xc->density) : PV_OK;
}

pv_status pv_xc_left_out(pv_xc *xc, double *energy_ha_p)
{
    *energy_ha_p = xc->left_out_ha;
    return pv_comm_reduce_f64(xc->grid->comm, PV_SUM, 1, energy_ha_p);
}
