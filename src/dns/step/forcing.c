// SPDX-License-Identifier: Apache-2.0
#include "dns/step/forcing.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "base/rng.h"
#include "dns/finite.h"
#include "dns/launch.h"
#include "dns/statistics/shells.h"
#include "dns/statistics/statistics.h"

enum {
    MOST_EDGE = 16,      // wave numbers a direction that have accelerations: large scales alone are forced
    SYMMETRIC_EVERY = 16 // steps: in so few round-off cannot grow by much
};

int pv_dns_forcing_is_on(const pv_dns_state *s)
{
    const pv_dns_params *p = &s->params;
    return p->forcing != PV_FORCING_NONE && (p->forcing_until == 0.0 || s->time < p->forcing_until);
}

// Of the step before, which began at time - dt but for round-off; before the first one: as in the step to come.
static int was_on(const pv_dns_state *s)
{
    const pv_dns_params *p = &s->params;
    const double dt = s->dt_before[0];
    return pv_dns_forcing_is_on(s) ||
           (p->forcing != PV_FORCING_NONE && dt > 0.0 && s->time - (1.0 - 1e-6) * dt < p->forcing_until);
}

// What is constant over a step has at a time between two steps the mean of both, by their lengths: a part where forcing
// ends.
static double present_share(const pv_dns_state *s, double next_dt)
{
    if (pv_dns_forcing_is_on(s)) return 1.0;
    return was_on(s) ? s->dt_before[0] / (s->dt_before[0] + next_dt) : 0.0;
}

// ---- Frozen shells ----------------------------------------------------------------------------------------------
// f = a u, with a in each shell such that its energy E does not change: 2 a E = dissipation - transfer. Like any term it
// is right to the order of the scheme. What E is off after a step is set right.

static pv_status take_energies(pv_dns_state *s, pv_dns_forcing_state *f)
{
    f->shells = (int)floor(s->params.forcing_k / s->shell_width + 0.5) + 1; // within those kept: params.c
    PV_TRY(PV_ALLOC(DNS_SHELL_VALUES * s->shell_count, &f->energy));
    PV_TRY(PV_ALLOC(DNS_SHELL_VALUES * s->shell_count, &f->now));
    PV_TRY(pv_comm_agree(s->comm, pv_buffer_create(s->device, (size_t)f->shells * sizeof(double), &f->device)));
    PV_TRY(pv_dns_shells_sum(s, NULL, f->shells, f->energy));
    double all = 0.0;
    for (int shell = 1; shell < f->shells; shell++) all += f->energy[shell];
    PV_REQUIRE(all > 0.0, PV_ERR_INPUT,
               "forcing = frozen keeps the energy below forcing-k = %g, where the flow has none; "
               "a larger forcing-k or another flow is accepted",
               s->params.forcing_k);
    return PV_OK;
}

// What a shell loses, by values as pv_dns_shells_sum gives them. An empty one has nothing that could be pushed, nor has the
// mean.
static double lost(const pv_dns_state *s, const double *values, int shell)
{
    return shell > 0 && values[shell] > 0.0 ? values[2 * s->shell_count + shell] - values[s->shell_count + shell] : 0.0;
}

static pv_status hold_energies(pv_dns_state *s, const pv_dns_forcing_state *f, dns_term *term)
{
    double *now = f->now;
    PV_TRY(pv_dns_shells_sum(s, term, f->shells, now));
    PV_TRY(pv_dns_require_finite(s, "velocity", now[1]));
    for (int shell = 0; shell < f->shells; shell++)
        now[shell] = now[shell] > 0.0 ? lost(s, now, shell) / (2.0 * now[shell]) : 0.0;
    PV_TRY(pv_comm_agree(s->comm, pv_buffer_write(f->device, 0, now, (size_t)f->shells * sizeof(double))));
    term->hold = pv_buffer_data(f->device);
    term->hold_shells = f->shells;
    term->per_width = 1.0 / s->shell_width;
    return PV_OK;
}

static pv_status restore_energies(pv_dns_state *s, const pv_dns_forcing_state *f)
{
    double *now = f->now;
    if (!pv_dns_forcing_is_on(s)) return PV_OK;
    PV_TRY(pv_dns_shells_sum(s, NULL, f->shells, now));
    for (int shell = 0; shell < f->shells; shell++)
        now[shell] = now[shell] > 0.0 ? sqrt(f->energy[shell] / now[shell]) : 1.0;
    return pv_dns_shells_scale(s, f->shells, now);
}

static double held_power(const pv_dns_state *s, const pv_dns_forcing_state *f, const double *shells)
{
    double all = 0.0;
    for (int shell = 1; shell < f->shells; shell++) all += lost(s, shells, shell);
    return all;
}

// ---- Ornstein-Uhlenbeck accelerations ------------------------------------------------------------------------------

static double *accelerations(const pv_dns_forcing_state *f, int which)
{
    return f->acceleration + which * f->numbers;
}

// Those of the next step after `number` draws: a = decay a + size normal, for every mode of the small cube, conjugate
// in opposite ones.
static void draw(const pv_dns_state *s, pv_dns_forcing_state *f, uint64_t number, double decay, double size)
{
    const int64_t edge = f->edge;
    const dns_modes *m = &s->modes;
    double *a = accelerations(f, DNS_OF_NEXT_STEP);
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

static void keep_last(pv_dns_forcing_state *f)
{
    memcpy(accelerations(f, DNS_OF_LAST_STEP), accelerations(f, DNS_OF_NEXT_STEP), (size_t)f->numbers * sizeof(double));
}

static pv_status to_device(const pv_dns_state *s, pv_dns_forcing_state *f)
{
    const double of_next = pv_dns_forcing_is_on(s) ? 0.5 : 0.0;
    const double *last = accelerations(f, DNS_OF_LAST_STEP), *next = accelerations(f, DNS_OF_NEXT_STEP);
    double *both = accelerations(f, DNS_OF_BOTH);
    for (int64_t i = 0; i < f->numbers; i++) both[i] = 0.5 * last[i] + of_next * next[i];
    return pv_buffer_write(f->device, 0, next, 2 * (size_t)f->numbers * sizeof(double));
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
    PV_TRY(PV_ALLOC(DNS_ACCELERATIONS * f->numbers, &f->acceleration));
    PV_TRY(pv_buffer_create(s->device, 2 * (size_t)f->numbers * sizeof(double), &f->device));
    draw(s, f, 0, 0.0, s->params.forcing_sigma);
    keep_last(f);
    return to_device(s, f);
}

static pv_status advance_processes(const pv_dns_state *s, pv_dns_forcing_state *f, double dt)
{
    const double decay = exp(-dt / s->params.forcing_time);
    keep_last(f);
    draw(s, f, (uint64_t)s->step, decay, s->params.forcing_sigma * sqrt(1.0 - decay * decay));
    return to_device(s, f);
}

pv_status pv_dns_forcing_take_up(pv_dns_state *s, pv_dns_forcing_state *f, int has_next)
{
    if (has_next) return to_device(s, f);
    memcpy(accelerations(f, DNS_OF_NEXT_STEP), accelerations(f, DNS_OF_LAST_STEP), (size_t)f->numbers * sizeof(double));
    if (s->step == 0) return to_device(s, f);
    PV_TRY(advance_processes(s, f, s->dt_before[0] > 0.0 ? s->dt_before[0] : s->params.dt));
    // Earlier terms in such a file have accelerations in them, which a step would take back: the scheme starts anew.
    s->dt_before[0] = s->dt_before[1] = 0.0;
    return PV_OK;
}

// ---- Constant power ------------------------------------------------------------------------------------------------

static pv_status pushed_energy(pv_dns_state *s, const void *field, double *energy_p)
{
    const double k = s->params.forcing_k;
    PV_TRY(pv_dns_sum_pushed(s, k * k, field, energy_p));
    PV_TRY(pv_dns_require_finite(s, "velocity", *energy_p));
    PV_REQUIRE(*energy_p > 0.0, PV_ERR_INPUT,
               "forcing = power pushes what moves below forcing-k = %g, and nothing does; "
               "a larger forcing-k or another flow is accepted",
               k);
    return PV_OK;
}

static pv_status begin_pushing(pv_dns_state *s)
{
    double energy = 0.0;
    return pv_dns_forcing_is_on(s) ? pushed_energy(s, pv_dns_field(s, DNS_VELOCITY), &energy) : PV_OK;
}

// ---- All kinds --------------------------------------------------------------------------------------------------

static int amplifies(const pv_dns_state *s)
{
    return s->params.forcing == PV_FORCING_FROZEN || s->params.forcing == PV_FORCING_POWER;
}

pv_status pv_dns_forcing_create(pv_dns_state *s, pv_dns_forcing_state *f)
{
    *f = (pv_dns_forcing_state){0};
    if (amplifies(s)) PV_TRY(pv_dns_symmetry_create(s, s->params.forcing_k + s->shell_width, &f->symmetry));
    if (s->params.forcing == PV_FORCING_FROZEN) return take_energies(s, f);
    if (s->params.forcing == PV_FORCING_OU) return pv_comm_agree(s->comm, begin_processes(s, f));
    return s->params.forcing == PV_FORCING_POWER ? begin_pushing(s) : PV_OK;
}

void pv_dns_forcing_destroy(pv_dns_forcing_state *f)
{
    pv_dns_symmetry_destroy(&f->symmetry);
    pv_mem_free(f->energy);
    pv_mem_free(f->now);
    pv_mem_free(f->acceleration);
    pv_buffer_destroy(f->device);
    *f = (pv_dns_forcing_state){0};
}

pv_status pv_dns_forcing_advance(pv_dns_state *s, pv_dns_forcing_state *f)
{
    if (amplifies(s) && s->step % SYMMETRIC_EVERY == 0) PV_TRY(pv_dns_symmetry_restore(s, &f->symmetry));
    if (s->params.forcing == PV_FORCING_FROZEN) return restore_energies(s, f);
    return s->params.forcing == PV_FORCING_OU ? advance_processes(s, f, s->dt_before[0]) : PV_OK;
}

static const double *on_device(const pv_dns_forcing_state *f, int which)
{
    return (const double *)pv_buffer_data(f->device) + (which - DNS_OF_NEXT_STEP) * f->numbers;
}

pv_status pv_dns_forcing_accelerate(pv_dns_state *s, const dns_term *term, pv_buffer *velocity, double dt)
{
    const double edge = (double)term->acceleration_edge;
    const dns_accelerate a = {.term = *term,
                              .box = pv_dns_box_of(&s->modes, (double[3]){edge, edge, edge}),
                              .damping = pv_dns_damping(s, DNS_VELOCITY),
                              .u = pv_buffer_data(velocity),
                              .dt = dt};
    if (!term->acceleration) return PV_OK;
    return pv_dns_launch(s->stream, DNS_ACCELERATE, s->params.precision, a.box.count, &a);
}

void pv_dns_forcing_show(const pv_dns_state *s, const pv_dns_forcing_state *f, dns_term *term)
{
    if (s->params.forcing != PV_FORCING_OU || !was_on(s)) return;
    term->acceleration = on_device(f, DNS_OF_BOTH);
    term->acceleration_edge = f->edge;
}

double pv_dns_forcing_injection(const pv_dns_state *s, const pv_dns_forcing_state *f, const double sums[DNS_SUMS],
                                const double *shells, double next_dt)
{
    const double share = present_share(s, next_dt);
    switch (s->params.forcing) {
    case PV_FORCING_FROZEN: return share * held_power(s, f, shells);
    case PV_FORCING_POWER: return share * s->params.forcing_power;
    case PV_FORCING_OU: return share < 1.0 ? 2.0 * share * sums[4] : sums[4]; // to_device: a half of the last step's
    default: return 0.0;
    }
}

// What the forcing adds to the term of the present velocity.
static pv_status add(pv_dns_state *s, const pv_dns_forcing_state *f, dns_term *term)
{
    const pv_dns_params *p = &s->params;
    if (!pv_dns_forcing_is_on(s)) return PV_OK;
    if (p->forcing == PV_FORCING_FROZEN) return hold_energies(s, f, term);
    if (p->forcing == PV_FORCING_OU) {
        term->acceleration = on_device(f, DNS_OF_NEXT_STEP);
        term->acceleration_edge = f->edge;
    }
    if (p->forcing != PV_FORCING_POWER) return PV_OK;
    double energy = 0.0;
    term->push_k2 = p->forcing_k * p->forcing_k;
    PV_TRY(pushed_energy(s, term->now, &energy));
    term->push = p->forcing_power / (2.0 * energy);
    return PV_OK;
}

pv_status pv_dns_forcing_term(pv_dns_state *s, const pv_dns_forcing_state *f, const pv_dns_now *now,
                              pv_dns_evaluation *e)
{
    if (!e->ready) PV_TRY(pv_dns_rhs_velocity(s, now, &e->term));
    e->ready = 0;
    s->evaluation++;
    return add(s, f, &e->term);
}
