// SPDX-License-Identifier: Apache-2.0
#include "dns/forcing.h"

#include <math.h>

#include "base/check.h"
#include "base/mem.h"
#include "base/rng.h"
#include "dns/finite.h"
#include "dns/shells.h"
#include "dns/statistics.h"

enum { MOST_EDGE = 16 }; // wave numbers a direction that have accelerations: large scales alone are forced

int pv_dns_forcing_is_on(const pv_dns_state *s)
{
    const pv_dns_params *p = &s->params;
    return p->forcing != PV_FORCING_NONE && (p->forcing_until == 0.0 || s->time < p->forcing_until);
}

// ---- Frozen shells ----------------------------------------------------------------------------------------------

static pv_status take_energies(pv_dns_state *s, pv_dns_forcing_state *f)
{
    // As a number that cannot leave the range of an int.
    f->shells = (int)fmin(floor(s->params.forcing_k / s->shell_width + 0.5) + 1.0, s->shell_count);
    PV_TRY(PV_ALLOC(DNS_SHELL_VALUES * s->shell_count, &f->energy));
    PV_TRY(PV_ALLOC(DNS_SHELL_VALUES * s->shell_count, &f->now));
    PV_TRY(pv_dns_shells_sum(s, NULL, f->shells, f->energy));
    double all = 0.0;
    for (int shell = 1; shell < f->shells; shell++) all += f->energy[shell];
    PV_REQUIRE(all > 0.0, PV_ERR_INPUT,
               "forcing = frozen keeps the energy below forcing-k = %g, where the flow has none; "
               "a larger forcing-k or another flow is accepted",
               s->params.forcing_k);
    return PV_OK;
}

pv_status pv_dns_forcing_restore(pv_dns_state *s, pv_dns_forcing_state *f)
{
    f->injection = 0.0;
    if (s->params.forcing != PV_FORCING_FROZEN || !pv_dns_forcing_is_on(s)) return PV_OK;
    double *now = f->now, gained = 0.0;
    PV_TRY(pv_dns_shells_sum(s, NULL, f->shells, now));
    for (int shell = 0; shell < f->shells; shell++) {
        if (shell > 0 && now[shell] > 0.0) gained += f->energy[shell] - now[shell];
        now[shell] = now[shell] > 0.0 ? sqrt(f->energy[shell] / now[shell]) : 1.0;
    }
    f->injection = gained / s->dt_before[0];
    return pv_dns_shells_scale(s, f->shells, now);
}

// ---- Ornstein-Uhlenbeck accelerations ------------------------------------------------------------------------------

// The state after `number` draws: a = decay a + size normal, for every mode of the small cube, conjugate in
// opposite ones.
static void draw(const pv_dns_state *s, pv_dns_forcing_state *f, uint64_t number, double decay, double size)
{
    const int64_t edge = f->edge;
    const dns_modes *m = &s->modes;
    double *a = f->acceleration;
    for (int64_t z = -edge; z <= edge; z++)
        for (int64_t y = -edge; y <= edge; y++)
            for (int64_t x = 0; x <= edge; x++, a += 6) {
                const double kx = (double)x * m->unit_x, ky = (double)y * m->unit_y, kz = (double)z * m->unit_z;
                const double k2 = kx * kx + ky * ky + kz * kz;
                if (k2 == 0.0 || k2 > s->params.forcing_k * s->params.forcing_k) continue;
                const int is_upper = x > 0 || y > 0 || (y == 0 && z > 0);
                const int64_t iy = is_upper ? y : -y, iz = is_upper ? z : -z;
                const uint64_t mode = (uint64_t)(((iz + edge) * (2 * edge + 1) + (iy + edge)) * (edge + 1) + x);
                for (int c = 0; c < 3; c++) {
                    double pair[2];
                    pv_rng_normal((uint64_t)s->params.seed, 1000 + 3 * mode + (uint64_t)c, number, pair);
                    a[2 * c] = decay * a[2 * c] + size * pair[0];
                    a[2 * c + 1] = decay * a[2 * c + 1] + (is_upper ? size : -size) * pair[1];
                }
            }
}

static pv_status begin_processes(pv_dns_state *s, pv_dns_forcing_state *f)
{
    const double unit = fmin(s->modes.unit_x, fmin(s->modes.unit_y, s->modes.unit_z));
    const double edge = floor(s->params.forcing_k / unit);
    PV_REQUIRE(edge >= 1.0 && edge <= MOST_EDGE, PV_ERR_INPUT,
               "forcing-k = %g with forcing = ou; %g to below %g, the smallest wave number to %d times it, is accepted",
               s->params.forcing_k, unit, (MOST_EDGE + 1) * unit, MOST_EDGE);
    f->edge = (int64_t)edge;
    f->numbers = (2 * f->edge + 1) * (2 * f->edge + 1) * (f->edge + 1) * 6;
    PV_TRY(PV_ALLOC(f->numbers, &f->acceleration));
    PV_TRY(pv_buffer_create(s->device, (size_t)f->numbers * sizeof(double), &f->device));
    draw(s, f, 0, 0.0, s->params.forcing_sigma);
    return PV_OK;
}

pv_status pv_dns_forcing_advance(pv_dns_state *s, pv_dns_forcing_state *f)
{
    if (s->params.forcing != PV_FORCING_OU) return PV_OK;
    const double decay = exp(-s->dt / s->params.forcing_time);
    if (s->step > 0) draw(s, f, (uint64_t)s->step, decay, s->params.forcing_sigma * sqrt(1.0 - decay * decay));
    return pv_buffer_write(f->device, 0, f->acceleration, (size_t)f->numbers * sizeof(double));
}

// ---- All kinds --------------------------------------------------------------------------------------------------

pv_status pv_dns_forcing_create(pv_dns_state *s, pv_dns_forcing_state *f)
{
    *f = (pv_dns_forcing_state){0};
    if (s->params.forcing == PV_FORCING_FROZEN) return take_energies(s, f);
    if (s->params.forcing == PV_FORCING_OU) return pv_comm_agree(s->comm, begin_processes(s, f));
    return PV_OK;
}

void pv_dns_forcing_destroy(pv_dns_forcing_state *f)
{
    pv_mem_free(f->energy);
    pv_mem_free(f->now);
    pv_mem_free(f->acceleration);
    pv_buffer_destroy(f->device);
    *f = (pv_dns_forcing_state){0};
}

pv_status pv_dns_forcing_add(pv_dns_state *s, const pv_dns_forcing_state *f, dns_term *term)
{
    const pv_dns_params *p = &s->params;
    if (!pv_dns_forcing_is_on(s)) return PV_OK;
    if (p->forcing == PV_FORCING_OU) {
        term->acceleration = pv_buffer_data(f->device);
        term->acceleration_edge = f->edge;
    }
    if (p->forcing != PV_FORCING_POWER) return PV_OK;
    double sums[DNS_SUMS];
    term->push_k2 = p->forcing_k * p->forcing_k;
    PV_TRY(pv_dns_sum_modes(s, term, term->now, sums));
    PV_TRY(pv_dns_require_finite(s, "velocity", sums[0]));
    PV_REQUIRE(sums[4] > 0.0, PV_ERR_INPUT,
               "forcing = power pushes what moves below forcing-k = %g, and nothing does; "
               "a larger forcing-k or another flow is accepted",
               p->forcing_k);
    term->push = p->forcing_power / (2.0 * sums[4]);
    return PV_OK;
}

pv_status pv_dns_forcing_term(pv_dns_state *s, const pv_dns_forcing_state *f, const pv_dns_now *now,
                              pv_dns_evaluation *e)
{
    if (!e->ready) PV_TRY(pv_dns_rhs_velocity(s, now, &e->term));
    e->ready = 0;
    s->evaluation++;
    return pv_dns_forcing_add(s, f, &e->term);
}
