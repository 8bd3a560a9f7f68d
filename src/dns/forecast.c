// SPDX-License-Identifier: Apache-2.0
#include "dns/forecast.h"

#include <math.h>

#include "dns/modes.h"
#include "dns/state.h"

pv_dns_rates pv_dns_rates_h200(int precision)
{
    // What steps of 1024^3 points moved (512^3: 3.2e12 and 2.7e12); kernels that only copy reach 4.0e12.
    return (pv_dns_rates){.memory_bytes_per_s = precision == PV_FP32 ? 2.6e12 : 2.88e12,
                          .link_bytes_per_s = 370e9,
                          .network_bytes_per_s = 50e9,
                          .node_devices = 8,
                          .device_bytes = 150e9,
                          .network_efficiency = 0.86,
                          .message_s = 0.6e-6,
                          .exchange_s = 50e-6};
}

// What is kept along each direction, as a part of a field's numbers; rows are filled up.
static void kept_of(const pv_dns_params *p, double kept[3])
{
    for (int d = 0; d < 3; d++)
        kept[d] = (2.0 * (double)pv_dns_keep(p->grid[d], p->dealias) + 1.0) / (double)p->grid[d];
    kept[0] = 2.0 * (double)pv_dns_row_modes(p) / (double)p->grid[0];
}

// Field volumes that an evaluation moves. A transform between modes and rows is two passes: modes, then those at
// points along z, then rows, each read or written; rows go to points and back in one visit, of a scalar with the
// velocity's three once more. Update: products in, kept modes of u and earlier terms in and out.
static double volumes_of(const pv_dns_params *p)
{
    double kept[3];
    kept_of(p, kept);
    const int divergence = p->form == PV_FORM_DIVERGENCE, transforms = divergence ? 8 : 9, back = divergence ? 5 : 3;
    const int histories = pv_dns_histories(p->scheme);
    const double m = kept[0] * kept[1] * kept[2], rows = kept[0], transform = m + 2.0 * kept[0] * kept[1] + rows;
    const double curl = divergence ? 0.0 : 6.0 * m, update = m * (back + 3.0 * (2.0 + 2.0 * histories));
    const double scalar = 4.0 * transform + 7.0 * rows + m * (3.0 + 2.0 + 2.0 * histories);
    return transforms * (transform + rows) + curl + update + (double)p->scalars * scalar;
}

// An exchange of `bytes` a device within a group of `all` devices, `near` of them on a node.
typedef struct group {
    double bytes, all, near;
} group;

static void add_exchange(const group *g, const pv_dns_rates *r, double *bytes_s, double *messages_s)
{
    if (g->all <= 1.0) return;
    const double inside = g->bytes * (g->near - 1.0) / g->all / r->link_bytes_per_s;
    const double outside = g->bytes * (g->all - g->near) / g->all / (r->network_efficiency * r->network_bytes_per_s);
    *bytes_s += fmax(inside, outside);
    *messages_s += r->exchange_s + (g->all - g->near) * r->message_s;
}

// Of an evaluation. Slabs exchange a field once, when it is kept along x and y. Pencils do it twice: kept along x among
// the neighbours of a row, then as slabs do among those of a column.
static void exchange_seconds(double field, const double kept[3], double transforms, double devices,
                             const pv_dns_rates *r, pv_dns_forecast *f)
{
    const double node = fmin(devices, r->node_devices), columns = f->columns > 0 ? f->columns : 1.0;
    const double mine = field / devices * kept[0];
    const group row = {mine, columns, fmin(columns, node)};
    const group column = {mine * kept[1], devices / columns, fmax(1.0, floor(node / columns))};
    add_exchange(&row, r, &f->exchange_s, &f->messages_s);
    add_exchange(&column, r, &f->exchange_s, &f->messages_s);
    f->exchange_s *= f->evaluations * transforms;
    f->messages_s *= f->evaluations * transforms;
}

pv_dns_forecast pv_dns_forecast_of(const pv_dns_params *p, int64_t devices, const pv_dns_rates *r, double kmax_eta)
{
    pv_dns_forecast f = {.points = 1.0, .evaluations = p->scheme == PV_SCHEME_RK4 ? 4 : 1};
    double kept[3];
    kept_of(p, kept);
    for (int d = 0; d < 3; d++) f.points *= (double)p->grid[d];
    const double number = p->precision == PV_FP32 ? 4.0 : 8.0;
    const double field = f.points * number * (1.0 + 2.0 / (double)p->grid[0]);
    const double equations = 3.0 + (double)p->scalars;
    const double modes = kept[0] * kept[1] * kept[2];
    // Beside the field and earlier terms, a sum and the next stage where Runge-Kutta is at work: of AB3 in two steps.
    const double copies = 1.0 + pv_dns_histories(p->scheme) + (p->scheme == PV_SCHEME_AB2 ? 0.0 : 2.0);
    f.modes_bytes = f.points * number * modes * equations * copies;
    f.fields_bytes = field * (p->form == PV_FORM_DIVERGENCE && p->scalars == 0 ? 5.0 : 6.0);
    f.exchange_bytes = field * kept[0] * kept[1] * (devices > 1 ? 2.0 : 1.0);
    f.device_bytes = (f.modes_bytes + f.fields_bytes + f.exchange_bytes) / (double)devices;
    f.fits = f.device_bytes <= r->device_bytes;
    f.volumes = volumes_of(p);
    const double transforms = (p->form == PV_FORM_DIVERGENCE ? 8.0 : 9.0) + 4.0 * (double)p->scalars;
    f.compute_s = f.evaluations * f.volumes * field / (double)devices / r->memory_bytes_per_s;
    f.columns = pv_dns_pencil_columns(p->grid[2], 2 * pv_dns_keep(p->grid[1], p->dealias) + 1, devices);
    exchange_seconds(field, kept, transforms, (double)devices, r, &f);
    f.step_s = f.compute_s + f.exchange_s + f.messages_s;
    f.kmax = pv_dns_largest_wave_number(p);
    // Re_lambda = sqrt(15) (L / (C eta))^(2/3) with eps = C u'^3 / L; C = 0.43 and L = 1.36 (k <= 2 forced in a box of
    // 2 pi) give 421 for the Johns Hopkins run, which has 418.
    const double scale = p->length_x / 6.283185307179586, integral = 1.36 * scale, eta = kmax_eta / f.kmax, rms = 0.68;
    f.reynolds_taylor = sqrt(15.0) * pow(integral / (0.43 * eta), 2.0 / 3.0);
    const double dissipation = 0.43 * rms * rms * rms / integral;
    f.viscosity = pow(eta, 4.0 / 3.0) * pow(dissipation, 1.0 / 3.0);
    return f;
}
