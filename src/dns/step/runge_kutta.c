// SPDX-License-Identifier: Apache-2.0
#include "dns/step/runge_kutta.h"

#include "base/check.h"
#include "dns/launch.h"

// With E = exp(-L dt): u2 = E^1/2 (u + dt/2 k1), u3 = E^1/2 u + dt/2 k2, u4 = E u + dt E^1/2 k3,
// u' = E u + dt/6 (E k1 + 2 E^1/2 (k2 + k3) + k4).
static const struct weights {
    double sum_weight, sum_decay, u_decay, next_weight, next_decay;
} stages[4] = {{1.0 / 6.0, 1.0, 0.5, 0.5, 0.5},
               {1.0 / 3.0, 0.5, 0.5, 0.5, 0.0},
               {1.0 / 3.0, 0.5, 1.0, 1.0, 0.5},
               {1.0 / 6.0, 0.0, 0.0, 0.0, 0.0}};

static pv_status apply(pv_dns_state *s, int equation, int stage, const dns_term *term)
{
    pv_dns_equation *q = &s->equation[equation];
    const struct weights *c = &stages[stage];
    dns_stage a = {.term = *term,
                   .damping = pv_dns_damping(s, equation),
                   .u = pv_buffer_data(q->field),
                   .sum = pv_buffer_data(q->sum),
                   .first = stage == 0,
                   .dt = s->dt,
                   .sum_weight = c->sum_weight,
                   .sum_decay = c->sum_decay,
                   .u_decay = c->u_decay,
                   .next_weight = c->next_weight,
                   .next_decay = c->next_decay};
    if (stage < 3) a.next = pv_buffer_data(q->next);
    if (stage == 0 && s->params.scheme == PV_SCHEME_AB3) {
        pv_buffer *oldest = q->before[1];
        q->before[1] = q->before[0];
        q->before[0] = oldest;
        a.keep = pv_buffer_data(oldest);
    }
    return pv_dns_launch(s->stream, DNS_STAGE, s->params.precision, s->modes.total, &a);
}

// Scalars first: the velocity's next stage overwrites what they are carried by.
static pv_status run_stage(pv_dns_state *s, const pv_dns_forcing_state *f, int stage, pv_dns_evaluation *e)
{
    pv_dns_now now = pv_dns_now_of(s);
    if (stage > 0) {
        for (int q = 0; q < s->equations; q++) now.field[q] = pv_buffer_data(s->equation[q].next);
        PV_TRY(pv_dns_rhs_begin(s, &now));
    }
    for (int q = 1; q < s->equations; q++) {
        dns_term term;
        PV_TRY(pv_dns_rhs_take_scalar(s, &now, q, e, &term));
        PV_TRY(apply(s, q, stage, &term));
    }
    PV_TRY(pv_dns_forcing_term(s, f, &now, e));
    PV_TRY(apply(s, DNS_VELOCITY, stage, &e->term));
    // The next stage's velocity, or the step's, with all that accelerations have done until its time.
    const pv_dns_equation *q = &s->equation[DNS_VELOCITY];
    return stage < 3 ? pv_dns_forcing_accelerate(s, &e->term, q->next, stages[stage].u_decay * s->dt)
                     : pv_dns_forcing_accelerate(s, &e->term, q->sum, s->dt);
}

static pv_status make_scratch(pv_dns_state *s)
{
    for (int q = 0; q < s->equations; q++) {
        PV_TRY(pv_buffer_create(s->device, pv_dns_equation_bytes(s, q), &s->equation[q].sum));
        PV_TRY(pv_buffer_create(s->device, pv_dns_equation_bytes(s, q), &s->equation[q].next));
    }
    return PV_OK;
}

pv_status pv_dns_runge_kutta_release(pv_dns_state *s)
{
    if (!s->equation[0].sum) return PV_OK;
    PV_TRY(pv_stream_wait(s->stream));
    for (int q = 0; q < s->equations; q++) {
        pv_buffer_destroy(s->equation[q].sum);
        pv_buffer_destroy(s->equation[q].next);
        s->equation[q].sum = s->equation[q].next = NULL;
    }
    return PV_OK;
}

pv_status pv_dns_runge_kutta(pv_dns_state *s, const pv_dns_forcing_state *f, pv_dns_evaluation *e)
{
    if (!s->equation[0].sum) PV_TRY(pv_comm_agree(s->comm, make_scratch(s)));
    for (int stage = 0; stage < 4; stage++) PV_TRY(run_stage(s, f, stage, e));
    for (int q = 0; q < s->equations; q++) {
        pv_buffer *old = s->equation[q].field;
        s->equation[q].field = s->equation[q].sum;
        s->equation[q].sum = old;
    }
    return PV_OK;
}
