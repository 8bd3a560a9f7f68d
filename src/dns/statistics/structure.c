// SPDX-License-Identifier: Apache-2.0
#include "dns/statistics/structure.h"

#include "base/check.h"
#include "dns/launch.h"
#include "dns/step/rhs.h"

// Work fields: a component at the points x, and at x + r.
enum { HERE, THERE };

_Static_assert((int)PV_DNS_MOMENTS == (int)DNS_MOMENTS && (int)DNS_MOMENTS <= (int)DNS_MOST_SUMS,
               "room for the parts of the sums");

static void choose_separations(const pv_dns_params *p, pv_dns_structure *f)
{
    const double length[3] = {p->length_x, p->length_y, p->length_z};
    for (int axis = 0; axis < 3; axis++)
        for (int64_t points = 1; 2 * points <= p->grid[axis] && f->count[axis] < PV_DNS_MOST_SEPARATIONS; points *= 2)
            f->r[axis][f->count[axis]++] = length[axis] * (double)points / (double)p->grid[axis];
}

// axis < 0: the grid where it is.
static pv_status component_at(pv_dns_state *s, const pv_dns_now *now, int c, int axis, double r, int work)
{
    s->modes.shift_x = axis == 0 ? r : 0.0;
    s->modes.shift_y = axis == 1 ? r : 0.0;
    s->modes.shift_z = axis == 2 ? r : 0.0;
    return pv_dns_rhs_component(s, now, c, work);
}

static pv_status moments_of_difference(pv_dns_state *s, double moments[PV_DNS_MOMENTS])
{
    const pv_dns_params *p = &s->params;
    const double all = (double)p->grid[0] * (double)p->grid[1] * (double)p->grid[2];
    const dns_difference a = {.parts = pv_buffer_data(s->parts),
                              .here = pv_dns_work(s, HERE),
                              .there = pv_dns_work(s, THERE),
                              .columns = s->columns,
                              .pitch = s->pitch,
                              .per_columns = 1.0 / (double)s->columns};
    PV_TRY(pv_dns_reduce(s->stream, DNS_DIFFERENCE, p->precision, s->points, &a, s->parts, moments));
    PV_TRY(pv_comm_reduce_f64(s->comm, PV_SUM, PV_DNS_MOMENTS, moments));
    for (int m = 0; m < PV_DNS_MOMENTS; m++) moments[m] /= all;
    return PV_OK;
}

static pv_status measure_component(pv_dns_state *s, const pv_dns_now *now, int c, pv_dns_structure *f)
{
    PV_TRY(component_at(s, now, c, -1, 0.0, HERE));
    for (int axis = 0; axis < 3; axis++)
        for (int i = 0; i < f->count[axis]; i++) {
            double moments[PV_DNS_MOMENTS];
            PV_TRY(component_at(s, now, c, axis, f->r[axis][i], THERE));
            PV_TRY(moments_of_difference(s, moments));
            for (int m = 0; m < PV_DNS_MOMENTS; m++) {
                if (c == axis)
                    f->longitudinal[axis][i][m] = moments[m];
                else
                    f->transverse[axis][i][m] += 0.5 * moments[m];
            }
        }
    return PV_OK;
}

pv_status pv_dns_structure_measure(pv_dns_state *s, pv_dns_structure *structure_p)
{
    pv_dns_structure f = {.count = {0}};
    const pv_dns_now now = pv_dns_now_of(s);
    const dns_modes modes = s->modes;
    choose_separations(&s->params, &f);
    pv_status status = PV_OK;
    for (int c = 0; c < 3 && status == PV_OK; c++) status = measure_component(s, &now, c, &f);
    s->modes = modes;
    if (status == PV_OK) *structure_p = f;
    return status;
}
