// SPDX-License-Identifier: Apache-2.0
// The public object: create, step, observe, destroy.
#include <parseval/dns.h>

#include <float.h>
#include <math.h>
#include <stdio.h>

#include "base/check.h"
#include "base/mem.h"
#include "dns/files/checkpoint.h"
#include "dns/files/field_file.h"
#include "dns/finite.h"
#include "dns/flow.h"
#include "dns/params.h"
#include "dns/picture/picture.h"
#include "dns/plan_text.h"
#include "dns/statistics/shells.h"
#include "dns/statistics/statistics.h"
#include "dns/statistics/structure.h"
#include "dns/step/step.h"
#include "dns/step/time_step.h"

struct pv_dns {
    pv_dns_state *state;
    pv_dns_forcing_state forcing;
    pv_dns_evaluation evaluation;
    double *shells; // [DNS_SHELL_VALUES][shell_count]; of scalars [DNS_SHELL_VALUES][scalars][shell_count] behind
    char *plan_text;
};

// Where a value of the shells of scalar 1, 2, ... begins.
static double *scalar_shells(const pv_dns *dns, int value, int scalar)
{
    const pv_dns_state *s = dns->state;
    return dns->shells + ((int64_t)DNS_SHELL_VALUES + value * (s->equations - 1) + scalar - 1) * s->shell_count;
}

static pv_status make(pv_comm *comm, const pv_dns_params *params, pv_dns *dns)
{
    PV_TRY(pv_dns_params_check(params));
    if (pv_comm_rank(comm) == 0) pv_dns_params_tell_idle(params);
    PV_TRY(pv_dns_state_create(comm, params, &dns->state));
    if (params->picture != PV_PICTURE_NONE) PV_TRY(pv_dns_picture_check(dns->state));
    const int64_t numbers = (int64_t)DNS_SHELL_VALUES * dns->state->equations * dns->state->shell_count;
    PV_TRY(pv_comm_agree(comm, PV_ALLOC(numbers, &dns->shells)));
    if (params->restart)
        PV_TRY(pv_dns_checkpoint_read(dns->state, params->restart));
    else
        PV_TRY(pv_dns_flow_set(dns->state));
    if (!params->restart) PV_TRY(pv_dns_require_finite_start(dns->state));
    PV_TRY(pv_dns_forcing_create(dns->state, &dns->forcing));
    if (params->restart) PV_TRY(pv_dns_checkpoint_read_forcing(dns->state, &dns->forcing, params->restart));
    return pv_comm_agree(comm, pv_dns_plan_write(dns->state, &dns->plan_text));
}

pv_status pv_dns_create(pv_comm *comm, const pv_dns_params *params, pv_dns **dns_p)
{
    pv_dns *dns = NULL;
    PV_TRY(PV_ALLOC(1, &dns));
    const pv_status status = make(comm, params, dns);
    if (status != PV_OK) {
        pv_dns_destroy(dns);
        return status;
    }
    *dns_p = dns;
    return PV_OK;
}

void pv_dns_destroy(pv_dns *dns)
{
    if (!dns) return;
    pv_dns_forcing_destroy(&dns->forcing);
    pv_dns_state_destroy(dns->state);
    pv_mem_free(dns->shells);
    pv_mem_free(dns->plan_text);
    pv_mem_free(dns);
}

const char *pv_dns_plan_text(const pv_dns *dns)
{
    return dns->plan_text;
}
int64_t pv_dns_steps_done(const pv_dns *dns)
{
    return dns->state->step;
}
double pv_dns_time(const pv_dns *dns)
{
    return dns->state->time;
}

// With the velocity at points. Transfer is what the flow moves among shells: the mean gradient is no part of it.
static pv_status look_at_scalar(pv_dns *dns, const pv_dns_now *now, int equation, pv_dns_record *r)
{
    pv_dns_state *s = dns->state;
    double sums[DNS_SCALAR_SUMS], *values[DNS_SHELL_VALUES], production = 0.0;
    dns_term term;
    PV_TRY(pv_dns_sum_scalar(s, equation, sums));
    PV_TRY(pv_dns_rhs_scalar(s, now, equation, &term));
    for (int d = 0; d < 3; d++) {
        production -= 2.0 * term.gradient[d] * sums[2 + d];
        term.gradient[d] = 0.0;
    }
    for (int v = 0; v < DNS_SHELL_VALUES; v++) values[v] = scalar_shells(dns, v, equation);
    r->scalar_variance[equation - 1] = sums[0];
    r->scalar_dissipation[equation - 1] = sums[1];
    r->scalar_production[equation - 1] = production;
    return pv_dns_shells_sum_scalar(s, equation, &term, values);
}

// At the present time: the velocity at points and its gradients first, then the nonlinear term, which a step can use.
static pv_status look(pv_dns *dns, pv_dns_record *r, pv_dns_moments *moments)
{
    pv_dns_state *s = dns->state;
    pv_dns_evaluation *e = &dns->evaluation;
    const pv_dns_now now = pv_dns_now_of(s);
    e->ready = 0;
    PV_TRY(pv_dns_rhs_begin(s, &now));
    PV_TRY(pv_dns_rhs_moments(s, &now, moments));
    PV_TRY(pv_dns_largest_divergence(s, &r->divergence));
    for (int equation = 1; equation < s->equations; equation++) PV_TRY(look_at_scalar(dns, &now, equation, r));
    PV_TRY(pv_dns_rhs_evaluate(s, &now, e));
    return pv_dns_shells_sum(s, &e->term, s->shell_count, dns->shells);
}

// Of derivatives that are round-off alone, as the ABC flow's, no shape is told.
static void set_shape(const pv_dns_params *p, const pv_dns_moments *m, pv_dns_record *r)
{
    const double round_off = 100.0 * (p->precision == PV_FP32 ? FLT_EPSILON : DBL_EPSILON), *moments = m->velocity;
    const int is_known = moments[0] > round_off * round_off * r->enstrophy;
    r->skewness = is_known ? moments[1] / pow(moments[0], 1.5) : 0.0;
    r->flatness = is_known ? moments[2] / (moments[0] * moments[0]) : 0.0;
    for (int i = 0; i < p->scalars; i++) {
        const double *mixed = m->scalar[i];
        if (is_known && mixed[0] > 0.0) r->mixed_skewness[i] = mixed[1] / (sqrt(moments[0]) * mixed[0]);
    }
}

pv_status pv_dns_observe(pv_dns *dns, pv_dns_record *record_p)
{
    pv_dns_state *s = dns->state;
    pv_dns_record r = {.step = s->step, .time = s->time, .dt_taken = s->dt_before[0]};
    pv_dns_moments moments;
    double sums[DNS_SUMS];
    PV_TRY(look(dns, &r, &moments));
    dns_term forced = dns->evaluation.term;
    pv_dns_forcing_show(s, &dns->forcing, &forced);
    PV_TRY(pv_dns_sum_modes(s, &forced, pv_dns_field(s, DNS_VELOCITY), sums));
    PV_TRY(pv_dns_require_finite(s, "velocity", sums[0]));
    PV_TRY(pv_dns_require_finite_scalars(s, r.scalar_variance));
    const int is_over = s->time >= s->params.time_end && r.dt_taken > 0.0;
    r.dt = is_over ? r.dt_taken : pv_dns_next_dt(&s->params, s->time, dns->evaluation.per_time);
    r.cfl = dns->evaluation.per_time * r.dt;
    r.energy = sums[0];
    r.enstrophy = sums[1];
    r.dissipation = sums[2];
    r.helicity = sums[3];
    r.injection = pv_dns_forcing_injection(s, &dns->forcing, sums, dns->shells, r.dt);
    set_shape(&s->params, &moments, &r);
    r.divergence = dns->evaluation.speed > 0.0 ? r.divergence / dns->evaluation.speed : 0.0;
    pv_dns_scales(s, dns->shells, &r);
    *record_p = r;
    return PV_OK;
}

pv_status pv_dns_step(pv_dns *dns)
{
    return pv_dns_step_take(dns->state, &dns->forcing, &dns->evaluation);
}

pv_status pv_dns_picture(pv_dns *dns, const char *path)
{
    pv_dns_state *s = dns->state;
    const dns_term term = {.modes = s->modes};
    double sums[DNS_SUMS];
    dns->evaluation.ready = 0;
    PV_TRY(pv_dns_sum_modes(s, &term, pv_dns_field(s, DNS_VELOCITY), sums));
    return pv_dns_picture_write(s, sums[0], sums[1], path);
}

pv_status pv_dns_fields(pv_dns *dns, const char *path)
{
    dns->evaluation.ready = 0;
    return pv_dns_fields_write_file(dns->state, path);
}

pv_status pv_dns_structure_of(pv_dns *dns, pv_dns_structure *structure_p)
{
    dns->evaluation.ready = 0;
    return pv_dns_structure_measure(dns->state, structure_p);
}

pv_status pv_dns_save(pv_dns *dns, const char *path)
{
    return pv_dns_checkpoint_write(dns->state, &dns->forcing, path);
}

void pv_dns_shells_of(const pv_dns *dns, pv_dns_shells *shells_p)
{
    const int n = dns->state->shell_count;
    *shells_p = (pv_dns_shells){.count = n,
                                .width = dns->state->shell_width,
                                .energy = dns->shells,
                                .transfer = dns->shells + n,
                                .dissipation = dns->shells + 2 * n,
                                .scalars = dns->state->equations - 1,
                                .scalar_variance = scalar_shells(dns, 0, 1),
                                .scalar_transfer = scalar_shells(dns, 1, 1),
                                .scalar_dissipation = scalar_shells(dns, 2, 1)};
}
