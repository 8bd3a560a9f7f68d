// SPDX-License-Identifier: Apache-2.0
#include "dns/flow.h"

#include <complex.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/rng.h"
#include "dns/statistics/shells.h"
#include "dns/statistics/statistics.h"

typedef double complex number;

// ---- Coefficients at the index (x, y, z) of a mode -----------------------------------------------------------------

static number sine(int64_t k, int64_t at)
{
    return llabs(k) != at ? 0.0 : k > 0 ? -0.5 * I : 0.5 * I;
}
static number cosine(int64_t k, int64_t at)
{
    return llabs(k) != at ? 0.0 : at == 0 ? 1.0 : 0.5;
}

// u = sin x cos y cos z, v = -cos x sin y cos z, w = 0
static void taylor_green(const int64_t k[3], number u[3])
{
    u[0] = sine(k[0], 1) * cosine(k[1], 1) * cosine(k[2], 1);
    u[1] = -cosine(k[0], 1) * sine(k[1], 1) * cosine(k[2], 1);
    u[2] = 0.0;
}

// u = cos x sin y, v = -sin x cos y: an exact solution that decays as exp(-2 nu t)
static void taylor_green_2d(const int64_t k[3], number u[3])
{
    u[0] = cosine(k[0], 1) * sine(k[1], 1) * cosine(k[2], 0);
    u[1] = -sine(k[0], 1) * cosine(k[1], 1) * cosine(k[2], 0);
    u[2] = 0.0;
}

// u = A sin nz + C cos ny, v = B sin nx + A cos nz, w = C sin ny + B cos nx: curl u = n u, so that u x w = 0 and u
// decays as exp(-nu n^2 t)
static void abc(const pv_dns_params *p, const int64_t k[3], number u[3])
{
    const int64_t n = p->abc_k;
    const number zx = cosine(k[1], 0) * cosine(k[2], 0), zy = cosine(k[0], 0) * cosine(k[2], 0),
                 zz = cosine(k[0], 0) * cosine(k[1], 0);
    u[0] = p->abc_a * sine(k[2], n) * zz + p->abc_c * cosine(k[1], n) * zy;
    u[1] = p->abc_b * sine(k[0], n) * zx + p->abc_a * cosine(k[2], n) * zz;
    u[2] = p->abc_c * sine(k[1], n) * zy + p->abc_b * cosine(k[0], n) * zx;
}

// Independent normal numbers of a mode, conjugate in the opposite one.
static void normal(const pv_dns_params *p, uint64_t stream, const int64_t k[3], int count, number *values)
{
    const int is_upper = k[0] > 0 || (k[0] == 0 && (k[1] > 0 || (k[1] == 0 && k[2] >= 0)));
    uint64_t index = 0;
    for (int d = 0; d < 3; d++) index = index << 20 | (uint64_t)((is_upper ? k[d] : -k[d]) + (1 << 19));
    for (int c = 0; c < count; c++) {
        double pair[2];
        pv_rng_normal((uint64_t)p->seed, stream + (uint64_t)c, index, pair);
        values[c] = pair[0] + (is_upper ? I : -I) * pair[1];
    }
}

// Normal to k, energy of a mode E(k) / k^2 in the mean; shells are made exact afterwards.
static void random_field(const pv_dns_params *p, const int64_t index[3], const double k[3], number u[3])
{
    const double k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
    u[0] = u[1] = u[2] = 0.0;
    if (k2 == 0.0) return;
    normal(p, 1, index, 3, u);
    const number along = (k[0] * u[0] + k[1] * u[1] + k[2] * u[2]) / k2;
    const double size = sqrt(pv_dns_spectrum_at(p, sqrt(k2)) / k2);
    for (int d = 0; d < 3; d++) u[d] = size * (u[d] - k[d] * along);
}

static void velocity_at(const pv_dns_params *p, const int64_t index[3], const double k[3], number u[3])
{
    switch (p->flow) {
    case PV_FLOW_TAYLOR_GREEN: taylor_green(index, u); break;
    case PV_FLOW_TAYLOR_GREEN_2D: taylor_green_2d(index, u); break;
    case PV_FLOW_ABC: abc(p, index, u); break;
    default: random_field(p, index, k, u); return;
    }
    // In a box of unequal sides these are not free of divergence by themselves.
    const double k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
    const number along = k2 > 0.0 ? (k[0] * u[0] + k[1] * u[1] + k[2] * u[2]) / k2 : 0.0;
    for (int d = 0; d < 3; d++) u[d] = p->amplitude * (u[d] - k[d] * along);
}

// Of a random flow a field of its own, times `size`.
static number scalar_at(const pv_dns_params *p, int which, const int64_t index[3], const double k[3], double size)
{
    number u[3];
    if (p->flow != PV_FLOW_RANDOM) {
        velocity_at(p, index, k, u);
        return u[0];
    }
    const double k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
    if (k2 == 0.0) return 0.0;
    normal(p, 10 + (uint64_t)which, index, 1, u);
    return u[0] * size * sqrt(pv_dns_spectrum_at(p, sqrt(k2)) / k2);
}

// ---- Filling the kept modes, a plane of the slowest position at a time, by all threads ------------------------------

static void put(const pv_dns_state *s, void *plane, int64_t at, number value)
{
    if (s->params.precision == PV_FP32)
        ((float complex *)plane)[at] = (float complex)value;
    else
        ((double complex *)plane)[at] = value;
}

// plane: the components of mode i of plane j0, [components][modes of a plane].
static void fill_mode(const pv_dns_state *s, int equation, double size, int64_t j0, int64_t i, void *plane)
{
    const dns_modes *m = &s->modes;
    const double unit[3] = {m->unit_x, m->unit_y, m->unit_z};
    const int position[3] = {m->x, m->y, m->z};
    const int64_t modes = m->count[1] * m->count[2], j[3] = {j0, i / m->count[2], i % m->count[2]};
    int64_t index[3];
    double k[3];
    for (int d = 0; d < 3; d++) {
        index[d] = pv_dns_signed_index(m, position[d], j[position[d]]);
        k[d] = (double)index[d] * unit[d];
    }
    number u[3] = {0.0, 0.0, 0.0};
    const int kept = dns_mode_at(m, j0 * modes + i).kept;
    if (kept && equation == DNS_VELOCITY)
        velocity_at(&s->params, index, k, u);
    else if (kept)
        u[0] = scalar_at(&s->params, equation, index, k, size);
    for (int c = 0; c < s->equation[equation].components; c++) put(s, plane, c * modes + i, u[c]);
}

static void fill_plane(const pv_dns_state *s, int equation, double size, int64_t j0, void *plane)
{
    const int64_t modes = s->modes.count[1] * s->modes.count[2];
    const int threads = pv_device_is_host(s->device) ? pv_device_threads(s->device) : omp_get_max_threads();
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t i = 0; i < modes; i++) fill_mode(s, equation, size, j0, i, plane);
}

// Analytic flows have few indices: other planes stay as they were zeroed.
static int is_empty(const pv_dns_state *s, int64_t j0)
{
    const int64_t most = s->params.flow == PV_FLOW_ABC ? s->params.abc_k : 1;
    return s->params.flow != PV_FLOW_RANDOM && llabs(pv_dns_signed_index(&s->modes, 0, j0)) > most;
}

static pv_status fill_planes(pv_dns_state *s, int equation, double size, char *plane)
{
    const size_t bytes = (size_t)(s->modes.count[1] * s->modes.count[2]) * 2 * pv_dns_number_bytes(s);
    const pv_dns_equation *e = &s->equation[equation];
    for (int64_t j0 = 0; j0 < s->modes.count[0]; j0++) {
        if (is_empty(s, j0)) continue;
        fill_plane(s, equation, size, j0, plane);
        for (int c = 0; c < e->components; c++)
            PV_TRY(pv_buffer_write(e->field, (size_t)(c * s->modes.count[0] + j0) * bytes, plane + (size_t)c * bytes,
                                   bytes));
    }
    return PV_OK;
}

static pv_status fill(pv_dns_state *s, int equation, double size)
{
    const size_t bytes = (size_t)(s->modes.count[1] * s->modes.count[2]) * 2 * pv_dns_number_bytes(s);
    char *plane = NULL;
    if (s->modes.total == 0) return PV_OK;
    PV_TRY(pv_mem_alloc_raw((size_t)s->equation[equation].components * bytes, 1, (void **)&plane));
    const pv_status status = fill_planes(s, equation, size, plane);
    pv_mem_free(plane);
    return status;
}

// ---- Random fields: every shell has the energy of the spectrum -----------------------------------------------------

static void warn_of_lost_peak(const pv_dns_state *s)
{
    const pv_dns_params *p = &s->params;
    const double largest = pv_dns_largest_wave_number(p);
    if (p->spectrum == PV_SPECTRUM_CBC || p->k_peak <= largest || pv_comm_rank(s->comm) != 0) return;
    pv_log(PV_LOG_WARN,
           "k-peak = %g lies beyond the wave numbers up to %.4g that the grid keeps: the spectrum rises to its end",
           p->k_peak, largest);
}

static pv_status scale_shells(pv_dns_state *s)
{
    const pv_dns_params *p = &s->params;
    const int n = s->shell_count;
    double *values = NULL, total = 0.0;
    PV_TRY(PV_ALLOC(DNS_SHELL_VALUES * n, &values));
    pv_status status = pv_dns_shells_sum(s, NULL, n, values);
    // Shells that the kept modes do not fill stay empty.
    for (int shell = 1; shell < n; shell++) {
        const int is_full = (shell + 0.5) * s->shell_width <= pv_dns_largest_wave_number(p) + s->shell_width;
        const double target = is_full ? pv_dns_spectrum_at(p, shell * s->shell_width) * s->shell_width : 0.0;
        values[shell] = values[shell] > 0.0 ? sqrt(target / values[shell]) : 0.0;
        total += values[shell] > 0.0 ? target : 0.0;
    }
    const double factor = p->spectrum == PV_SPECTRUM_CBC ? 1.0 : sqrt(1.5 * p->amplitude * p->amplitude / total);
    for (int shell = 0; shell < n; shell++) values[shell] *= factor;
    if (status == PV_OK && !(total > 0.0))
        status = pv_fail(PV_ERR_INPUT, __func__,
                         "the spectrum with k-peak = %g has no energy on a grid whose wave numbers begin at %g",
                         p->k_peak, s->shell_width);
    if (status == PV_OK) warn_of_lost_peak(s);
    if (status == PV_OK) status = pv_dns_shells_scale(s, n, values);
    pv_mem_free(values);
    return status;
}

// Once to see its variance, once more so that this is amplitude^2.
static pv_status set_random_scalar(pv_dns_state *s, int equation)
{
    double sums[DNS_SCALAR_SUMS];
    PV_TRY(pv_comm_agree(s->comm, fill(s, equation, 1.0)));
    PV_TRY(pv_dns_sum_scalar(s, equation, sums));
    const double size = sums[0] > 0.0 ? s->params.amplitude / sqrt(sums[0]) : 0.0;
    return pv_comm_agree(s->comm, fill(s, equation, size));
}

pv_status pv_dns_flow_set(pv_dns_state *s)
{
    const int is_random = s->params.flow == PV_FLOW_RANDOM;
    PV_TRY(pv_comm_agree(s->comm, fill(s, DNS_VELOCITY, 1.0)));
    for (int e = 1; e < s->equations; e++)
        PV_TRY(is_random ? set_random_scalar(s, e) : pv_comm_agree(s->comm, fill(s, e, 1.0)));
    return is_random ? scale_shells(s) : PV_OK;
}
