// SPDX-License-Identifier: Apache-2.0
#include "dns/statistics/statistics.h"

#include <math.h>

#include "base/check.h"
#include "dns/launch.h"

#define PI 3.14159265358979323846264338327950288

pv_status pv_dns_sum_modes(pv_dns_state *s, const dns_term *term, const void *field, double sums[DNS_SUMS])
{
    const dns_sums a = {
        .parts = pv_buffer_data(s->parts), .term = *term, .damping = pv_dns_damping(s, DNS_VELOCITY), .u = field};
    PV_TRY(pv_dns_reduce(s->stream, DNS_SUM_MODES, s->params.precision, s->modes.total, &a, s->parts, sums));
    return pv_comm_reduce_f64(s->comm, PV_SUM, DNS_SUMS, sums);
}

pv_status pv_dns_sum_pushed(pv_dns_state *s, double push_k2, const void *field, double *energy_p)
{
    const dns_modes *m = &s->modes;
    const double k = sqrt(push_k2);
    double edge[3];
    // But for round-off, which the kernel's own comparison decides.
    for (int d = 0; d < 3; d++)
        edge[d] = floor((1.0 + 1e-9) * k / (d == m->x ? m->unit_x : d == m->y ? m->unit_y : m->unit_z));
    const dns_pushed a = {.parts = pv_buffer_data(s->parts),
                          .modes = *m,
                          .box = pv_dns_box_of(m, edge),
                          .u = field,
                          .push_k2 = push_k2};
    PV_TRY(pv_dns_reduce(s->stream, DNS_SUM_PUSHED, s->params.precision, a.box.count, &a, s->parts, energy_p));
    return pv_comm_reduce_f64(s->comm, PV_SUM, 1, energy_p);
}

pv_status pv_dns_largest_divergence(pv_dns_state *s, double *divergence_p)
{
    const dns_divergence a = {.parts = pv_buffer_data(s->parts), .modes = s->modes, .u = pv_dns_field(s, DNS_VELOCITY)};
    double square;
    PV_TRY(pv_dns_reduce(s->stream, DNS_DIVERGENCE, s->params.precision, s->modes.total, &a, s->parts, &square));
    PV_TRY(pv_comm_reduce_f64(s->comm, PV_MAX, 1, &square));
    *divergence_p = sqrt(square);
    return PV_OK;
}

pv_status pv_dns_sum_scalar(pv_dns_state *s, int equation, double sums[DNS_SCALAR_SUMS])
{
    const dns_scalar_sums a = {.parts = pv_buffer_data(s->parts),
                               .modes = s->modes,
                               .damping = pv_dns_damping(s, equation),
                               .scalar = pv_dns_field(s, equation),
                               .u = pv_dns_field(s, DNS_VELOCITY)};
    PV_TRY(pv_dns_reduce(s->stream, DNS_SUM_SCALAR, s->params.precision, s->modes.total, &a, s->parts, sums));
    return pv_comm_reduce_f64(s->comm, PV_SUM, DNS_SCALAR_SUMS, sums);
}

void pv_dns_scales(const pv_dns_state *s, const double *shell_energy, pv_dns_record *r)
{
    const double nu = s->params.viscosity, u2 = 2.0 * r->energy / 3.0;
    double over_k = 0.0;
    for (int shell = 1; shell < s->shell_count; shell++) over_k += shell_energy[shell] / (shell * s->shell_width);
    r->rms = sqrt(u2);
    r->integral_scale = u2 > 0.0 ? PI / (2.0 * u2) * over_k : 0.0;
    r->taylor_scale = r->dissipation > 0.0 ? sqrt(15.0 * nu * u2 / r->dissipation) : 0.0;
    r->reynolds_taylor = nu > 0.0 ? r->rms * r->taylor_scale / nu : 0.0;
    r->kolmogorov = r->dissipation > 0.0 ? pow(nu * nu * nu / r->dissipation, 0.25) : 0.0;
    r->kmax_eta = pv_dns_largest_wave_number(&s->params) * r->kolmogorov;
}
