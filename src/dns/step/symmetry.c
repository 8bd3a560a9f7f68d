// SPDX-License-Identifier: Apache-2.0
#include "dns/step/symmetry.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "dns/launch.h"

static pv_status make(const pv_dns_state *s, pv_dns_symmetry *y)
{
    PV_TRY(PV_ALLOC(y->numbers, &y->plane));
    return pv_buffer_create(s->device, (size_t)y->numbers * sizeof(double), &y->device);
}

pv_status pv_dns_symmetry_create(const pv_dns_state *s, double k, pv_dns_symmetry *y)
{
    const dns_modes *m = &s->modes;
    y->edge_y = (int64_t)fmin(floor(k / m->unit_y), (double)m->keep[m->y]);
    y->edge_z = (int64_t)fmin(floor(k / m->unit_z), (double)m->keep[m->z]);
    y->numbers = 6 * (2 * y->edge_y + 1) * (2 * y->edge_z + 1);
    return pv_comm_agree(s->comm, make(s, y));
}

void pv_dns_symmetry_destroy(pv_dns_symmetry *y)
{
    pv_mem_free(y->plane);
    pv_buffer_destroy(y->device);
    *y = (pv_dns_symmetry){0};
}

static pv_status launch(pv_dns_state *s, const pv_dns_symmetry *y, int puts)
{
    const dns_conjugates a = {.modes = s->modes,
                              .u = pv_dns_field(s, DNS_VELOCITY),
                              .plane = pv_buffer_data(y->device),
                              .edge_y = y->edge_y,
                              .edge_z = y->edge_z,
                              .puts = puts};
    return pv_dns_launch(s->stream, DNS_CONJUGATES, s->params.precision, s->modes.total, &a);
}

// Zero where other ranks have the modes.
static pv_status take(pv_dns_state *s, pv_dns_symmetry *y)
{
    const size_t bytes = (size_t)y->numbers * sizeof(double);
    memset(y->plane, 0, bytes);
    if (s->modes.total == 0) return PV_OK;
    PV_TRY(pv_stream_zero(s->stream, pv_buffer_data(y->device), bytes));
    PV_TRY(launch(s, y, 0));
    return pv_buffer_read(y->device, 0, y->plane, bytes);
}

// Modes n and -n stand as far from the middle.
static void make_symmetric(pv_dns_symmetry *y)
{
    const int64_t modes = y->numbers / 6;
    for (int64_t upper = modes / 2 + 1; upper < modes; upper++) {
        double *a = y->plane + 6 * upper, *b = y->plane + 6 * (modes - 1 - upper);
        for (int c = 0; c < 3; c++) {
            a[2 * c] = b[2 * c] = 0.5 * (a[2 * c] + b[2 * c]);
            a[2 * c + 1] = 0.5 * (a[2 * c + 1] - b[2 * c + 1]);
            b[2 * c + 1] = -a[2 * c + 1];
        }
    }
}

static pv_status put(pv_dns_state *s, const pv_dns_symmetry *y)
{
    if (s->modes.total == 0) return PV_OK;
    PV_TRY(pv_buffer_write(y->device, 0, y->plane, (size_t)y->numbers * sizeof(double)));
    return launch(s, y, 1);
}

pv_status pv_dns_symmetry_restore(pv_dns_state *s, pv_dns_symmetry *y)
{
    PV_TRY(pv_comm_agree(s->comm, take(s, y)));
    PV_TRY(pv_comm_reduce_f64(s->comm, PV_SUM, y->numbers, y->plane));
    make_symmetric(y);
    return pv_comm_agree(s->comm, put(s, y));
}
