// SPDX-License-Identifier: Apache-2.0
#include "dns/files/field_file.h"

#include <stdio.h>

#include "base/check.h"
#include "base/mem.h"
#include "dns/derived.h"
#include "dns/files/field_names.h"
#include "io/checkpoint.h"

// ---- Where points lie in the file -----------------------------------------------------------------------------------

// A field on its way: the components in work fields 0, 1, ... of the rank's box, x whole.
typedef struct shipment {
    pv_dns_state *state;
    pv_checkpoint *file;
    int components, is_single;
    pv_spread *spread[2]; // of fields with one and with three components
    char *rows;           // staged from the device
    size_t room;
    pv_status status;
} shipment;

static pv_status make_spread(const pv_dns_state *s, int components, pv_spread **spread_p)
{
    const pv_layout *space = s->space;
    const pv_box *box = &space->boxes[pv_comm_rank(s->comm)];
    const int64_t row = space->shape[2] * components,
                  planes = pv_box_count(box) > 0 ? box->upper[0] - box->lower[0] : 0;
    const int64_t rows = planes > 0 ? box->upper[1] - box->lower[1] : 0;
    pv_stretch *stretch = NULL;
    pv_status status = PV_ALLOC(planes, &stretch);
    for (int64_t z = 0; status == PV_OK && z < planes; z++)
        stretch[z] = (pv_stretch){((box->lower[0] + z) * space->shape[1] + box->lower[1]) * row, rows * row};
    status = pv_comm_agree(s->comm, status);
    if (status == PV_OK)
        status = pv_spread_create(s->comm, space->shape[0] * space->shape[1] * row, planes, stretch, spread_p);
    pv_mem_free(stretch);
    return status;
}

// Room that grows, for `bytes`.
static pv_status make_room(shipment *m, size_t bytes)
{
    if (bytes <= m->room) return PV_OK;
    pv_mem_free(m->rows);
    m->rows = NULL;
    m->room = 0;
    PV_TRY(pv_mem_alloc_raw(bytes, 1, (void **)&m->rows));
    m->room = bytes;
    return PV_OK;
}

static double number_at(const pv_dns_state *s, const char *rows, int64_t i)
{
    return s->params.precision == PV_FP32 ? (double)((const float *)rows)[i] : ((const double *)rows)[i];
}

// Elements [first, first + count) of the rank: whole rows of them are staged.
static void give(void *context, int64_t row, int64_t first, int64_t count, void *numbers)
{
    (void)row;
    shipment *m = context;
    const pv_dns_state *s = m->state;
    const int64_t width = s->columns * m->components, lower = first / width, upper = (first + count - 1) / width + 1;
    const size_t row_bytes = (size_t)s->pitch * pv_dns_number_bytes(s), bytes = (size_t)(upper - lower) * row_bytes;
    if (m->status == PV_OK) m->status = make_room(m, (size_t)m->components * bytes);
    for (int c = 0; c < m->components && m->status == PV_OK; c++)
        m->status = pv_buffer_read(s->work[c], (size_t)lower * row_bytes, m->rows + (size_t)c * bytes, bytes);
    if (m->status != PV_OK) return;
    for (int64_t i = 0; i < count; i++) {
        const int64_t point = (first + i) / m->components, c = (first + i) % m->components;
        const int64_t y = point / s->columns, x = point - y * s->columns;
        const double value = number_at(s, m->rows + (size_t)c * bytes, (y - lower) * s->pitch + x);
        if (m->is_single)
            ((float *)numbers)[i] = (float)value;
        else
            ((double *)numbers)[i] = value;
    }
}

static pv_status ship(shipment *m, const char *name, int components)
{
    char path[64];
    const int64_t *n = m->state->params.grid;
    const pv_array array = {
        m->is_single ? PV_NUMBER_SINGLE : PV_NUMBER_REAL, components > 1 ? 4 : 3, {n[2], n[1], n[0], components}};
    m->components = components;
    snprintf(path, sizeof path, "VTKHDF/PointData/%s", name);
    PV_TRY(pv_stream_wait(m->state->stream));
    PV_TRY(pv_checkpoint_put_elements(m->file, path, &array, m->spread[components > 1], give, m));
    return pv_comm_agree(m->state->comm, m->status);
}

// ---- What a file has ------------------------------------------------------------------------------------------------

// Version, Type, and where the points are: VTKHDF's own description of an ImageData.
static pv_status describe(pv_checkpoint *file, const pv_dns_state *s)
{
    const pv_dns_params *p = &s->params;
    const double length[3] = {p->length_x, p->length_y, p->length_z}, origin[3] = {0.0, 0.0, 0.0};
    const double direction[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    const int64_t version[2] = {1, 0}, extent[6] = {0, p->grid[0] - 1, 0, p->grid[1] - 1, 0, p->grid[2] - 1};
    double spacing[3];
    for (int d = 0; d < 3; d++) spacing[d] = length[d] / (double)p->grid[d];
    const pv_array two = {PV_NUMBER_INT64, 1, {2}}, six = {PV_NUMBER_INT64, 1, {6}}, three = {PV_NUMBER_REAL, 1, {3}},
                   nine = {PV_NUMBER_REAL, 1, {9}}, text = {PV_NUMBER_TEXT, 1, {9}}, one = {PV_NUMBER_REAL, 1, {1}};
    PV_TRY(pv_checkpoint_note(file, "VTKHDF", "Version", &two, version));
    PV_TRY(pv_checkpoint_note(file, "VTKHDF", "Type", &text, "ImageData"));
    PV_TRY(pv_checkpoint_note(file, "VTKHDF", "WholeExtent", &six, extent));
    PV_TRY(pv_checkpoint_note(file, "VTKHDF", "Origin", &three, origin));
    PV_TRY(pv_checkpoint_note(file, "VTKHDF", "Spacing", &three, spacing));
    PV_TRY(pv_checkpoint_note(file, "VTKHDF", "Direction", &nine, direction));
    return pv_checkpoint_put(file, "VTKHDF/FieldData/time", &one, &s->time);
}

static pv_status ship_scalars(shipment *m)
{
    for (int e = 1; e < m->state->equations; e++) {
        char name[32];
        snprintf(name, sizeof name, "scalar%d", e);
        PV_TRY(pv_dns_derive_scalar(m->state, e, 0));
        PV_TRY(ship(m, name, 1));
    }
    return PV_OK;
}

static pv_status ship_all(shipment *m, unsigned fields)
{
    pv_dns_state *s = m->state;
    if (fields & 1u << PV_DNS_VELOCITY) {
        PV_TRY(pv_dns_derive_velocity(s, 0));
        PV_TRY(ship(m, pv_dns_field_name(PV_DNS_VELOCITY), 3));
    }
    if (fields & 1u << PV_DNS_VORTICITY) {
        PV_TRY(pv_dns_derive_vorticity(s, 0));
        PV_TRY(ship(m, pv_dns_field_name(PV_DNS_VORTICITY), 3));
    }
    if (fields & 1u << PV_DNS_Q) {
        PV_TRY(pv_dns_derive_q(s, 0));
        PV_TRY(ship(m, pv_dns_field_name(PV_DNS_Q), 1));
    }
    if (fields & 1u << PV_DNS_PRESSURE) {
        PV_TRY(pv_dns_derive_pressure(s, 0));
        PV_TRY(ship(m, pv_dns_field_name(PV_DNS_PRESSURE), 1));
    }
    return fields & 1u << PV_DNS_SCALARS ? ship_scalars(m) : PV_OK;
}

pv_status pv_dns_fields_write_file(pv_dns_state *s, const char *path)
{
    unsigned fields;
    PV_TRY(pv_dns_fields_parse(s->params.fields, &fields));
    shipment m = {.state = s, .is_single = s->params.fields_precision == PV_FP32};
    PV_TRY(pv_checkpoint_create(s->comm, path, &m.file));
    pv_status status = describe(m.file, s);
    for (int i = 0; i < 2 && status == PV_OK; i++) status = make_spread(s, i > 0 ? 3 : 1, &m.spread[i]);
    if (status == PV_OK) status = ship_all(&m, fields);
    if (status == PV_OK) status = pv_checkpoint_commit(m.file);
    pv_checkpoint_destroy(m.file);
    for (int i = 0; i < 2; i++) pv_spread_destroy(m.spread[i]);
    pv_mem_free(m.rows);
    return status;
}
