// SPDX-License-Identifier: Apache-2.0
#include "dns/step/step.h"

#include "base/check.h"
#include "base/log.h"
#include "dns/finite.h"
#include "dns/launch.h"
#include "dns/step/runge_kutta.h"
#include "dns/step/time_step.h"

enum { SPEEDS_EVERY = 16 };

// Once a run.
static void warn_of_instability(pv_dns_state *s, double cfl)
{
    const double bound = pv_dns_stable_cfl(&s->params);
    char remedy[128];
    if (s->has_warned || cfl <= 1.01 * bound) return;
    s->has_warned = 1;
    if (pv_comm_rank(s->comm) == 0)
        pv_log(PV_LOG_WARN,
               "the Courant number is %.3g at time %g; beyond %.2f the smallest scales grow with this scheme unless "
               "viscosity damps them: %s is safe",
               cfl, s->time, bound, pv_dns_calmer_steps(&s->params, remedy));
}

static pv_status advance(pv_dns_state *s, int equation, const dns_term *term, const pv_dns_weights *w, int order,
                         int stay)
{
    pv_dns_equation *q = &s->equation[equation];
    dns_advance a = {.term = *term,
                     .damping = pv_dns_damping(s, equation),
                     .u = pv_buffer_data(q->field),
                     .stay = stay,
                     .dt = s->dt};
    for (int j = 0; j < 3; j++) a.o[j] = w->o[j], a.p[j] = w->p[j], a.q[j] = w->q[j];
    for (int h = 0; h + 1 < order; h++) a.before[h] = pv_buffer_data(q->before[h]);
    // The newest term takes the place of the oldest.
    const int oldest = pv_dns_histories(s->params.scheme) - 1;
    if (!stay && oldest >= 0) a.keep = pv_buffer_data(q->before[oldest]);
    PV_TRY(pv_dns_launch(s->stream, DNS_ADVANCE, s->params.precision, s->modes.total, &a));
    if (a.keep && oldest == 1) {
        pv_buffer *newest = q->before[1];
        q->before[1] = q->before[0];
        q->before[0] = newest;
    }
    return PV_OK;
}

// All equations with the terms of the present field; velocity at points is there.
static pv_status advance_all(pv_dns_state *s, const pv_dns_forcing_state *f, pv_dns_evaluation *e,
                             const pv_dns_weights *w, int order, int stay)
{
    const pv_dns_now now = pv_dns_now_of(s);
    for (int q = 1; q < s->equations; q++) {
        dns_term term;
        PV_TRY(pv_dns_rhs_take_scalar(s, &now, q, e, &term));
        PV_TRY(advance(s, q, &term, w, order, stay));
    }
    PV_TRY(pv_dns_forcing_term(s, f, &now, e));
    PV_TRY(advance(s, DNS_VELOCITY, &e->term, w, order, stay));
    return stay ? PV_OK : pv_dns_forcing_accelerate(s, &e->term, s->equation[DNS_VELOCITY].field, s->dt);
}

// The first step of AB2: an exponential Euler step a, then u = a + dt phi2 (N(a) - N_0). Needs no further field.
static pv_status start_second_order(pv_dns_state *s, const pv_dns_forcing_state *f, pv_dns_evaluation *e)
{
    const pv_dns_weights euler = {.o = {1.0}}, correct = {.p = {1.0, -1.0}};
    PV_TRY(advance_all(s, f, e, &euler, 1, 0));
    const pv_dns_now now = pv_dns_now_of(s);
    PV_TRY(pv_dns_rhs_begin(s, &now));
    return advance_all(s, f, e, &correct, 2, 1);
}

static pv_status take(pv_dns_state *s, const pv_dns_forcing_state *f, pv_dns_evaluation *e)
{
    const int order = s->params.scheme == PV_SCHEME_AB2 ? 2 : s->params.scheme == PV_SCHEME_AB3 ? 3 : 4;
    if (order == 4 || (order == 3 && s->dt_before[1] == 0.0)) return pv_dns_runge_kutta(s, f, e);
    PV_TRY(pv_dns_runge_kutta_release(s));
    if (s->dt_before[0] == 0.0) return start_second_order(s, f, e);
    const pv_dns_weights w = pv_dns_weights_of(order, s->dt, s->dt_before);
    return advance_all(s, f, e, &w, order, 0);
}

pv_status pv_dns_step_take(pv_dns_state *s, pv_dns_forcing_state *f, pv_dns_evaluation *e)
{
    if (!e->ready) {
        // A fixed step needs the speeds for its warnings alone.
        const int measures = s->params.cfl > 0.0 || s->step % SPEEDS_EVERY == 0 || e->per_time == 0.0;
        const pv_dns_now now = pv_dns_now_of(s);
        PV_TRY(pv_dns_rhs_begin(s, &now));
        PV_TRY(pv_dns_rhs_evaluate_first(s, &now, measures, e));
    }
    PV_TRY(pv_dns_require_finite(s, "velocity", e->speed));
    s->dt = pv_dns_next_dt(&s->params, s->time, e->per_time);
    warn_of_instability(s, e->per_time * s->dt);
    PV_TRY(take(s, f, e));
    const double stop = pv_dns_next_stop(&s->params, s->time);
    s->time = stop - s->time <= s->dt ? stop : s->time + s->dt;
    s->step++;
    s->dt_before[1] = s->dt_before[0];
    s->dt_before[0] = s->dt;
    return pv_dns_forcing_advance(s, f);
}
