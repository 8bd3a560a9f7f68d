// SPDX-License-Identifier: Apache-2.0
#include "dns/files/checkpoint.h"

#include <complex.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/message.h"
#include "dns/finite.h"
#include "dns/mode_columns.h"
#include "io/checkpoint.h"

enum { FORMAT = 1 };

// ---- Numbers of a run -------------------------------------------------------------------------------------------

typedef struct header {
    double format, time, dt_before[2], length[3], grid[3], keep[3], step, evaluation, scheme, scalars, histories;
} header;
enum { HEADER_NUMBERS = sizeof(header) / sizeof(double) };
static const pv_array header_array = {PV_NUMBER_REAL, 1, {HEADER_NUMBERS}};

static header header_of(const pv_dns_state *s)
{
    const pv_dns_params *p = &s->params;
    header h = {.format = FORMAT,
                .time = s->time,
                .dt_before = {s->dt_before[0], s->dt_before[1]},
                .length = {p->length_x, p->length_y, p->length_z},
                .step = (double)s->step,
                .evaluation = (double)s->evaluation,
                .scheme = p->scheme,
                .scalars = (double)p->scalars,
                .histories = pv_dns_histories(p->scheme)};
    for (int d = 0; d < 3; d++) {
        h.grid[d] = (double)p->grid[d];
        h.keep[d] = (double)pv_dns_keep(p->grid[d], p->dealias);
    }
    return h;
}

// ---- Fields -----------------------------------------------------------------------------------------------------

typedef struct part {
    const pv_dns_state *state;
    pv_dns_columns columns;
    pv_spread *spread;
    void *host; // a component's kept modes, in the run's precision
} part;

static void part_release(part *part)
{
    pv_spread_destroy(part->spread);
    pv_dns_columns_release(&part->columns);
    pv_mem_free(part->host);
}

static size_t component_bytes(const pv_dns_state *s)
{
    return (size_t)s->modes.total * 2 * pv_dns_number_bytes(s);
}

static pv_status part_make(const pv_dns_state *s, const int64_t keep[3], part *part)
{
    const dns_modes *m = &s->modes;
    part->state = s;
    pv_status status = PV_OK;
    if (m->total > 0 && m->count[m->z] != 2 * m->keep[m->z] + 1)
        status = pv_fail(PV_ERR_UNSUPPORTED, __func__, "checkpoints need every z wave number on each rank");
    if (status == PV_OK) status = pv_dns_columns_make(m, keep, &part->columns);
    if (status == PV_OK) status = pv_mem_alloc(1, component_bytes(s), &part->host);
    PV_TRY(pv_comm_agree(s->comm, status));
    return pv_spread_create(s->comm, (2 * keep[1] + 1) * (keep[0] + 1), part->columns.stretches, part->columns.stretch,
                            &part->spread);
}

static void give(void *context, int64_t row, int64_t first, int64_t count, void *numbers)
{
    const part *part = context;
    double complex *out = numbers;
    for (int64_t c = 0; c < count; c++) {
        const int64_t at = pv_dns_columns_place(&part->state->modes, &part->columns, row, first + c);
        out[c] = at < 0                                     ? 0.0
                 : part->state->params.precision == PV_FP32 ? (double complex)((float complex *)part->host)[at]
                                                            : ((double complex *)part->host)[at];
    }
}

static void take(void *context, int64_t row, int64_t first, int64_t count, const void *numbers)
{
    const part *part = context;
    const double complex *in = numbers;
    for (int64_t c = 0; c < count; c++) {
        const int64_t at = pv_dns_columns_place(&part->state->modes, &part->columns, row, first + c);
        if (at < 0) continue;
        if (part->state->params.precision == PV_FP32)
            ((float complex *)part->host)[at] = (float complex)in[c];
        else
            ((double complex *)part->host)[at] = in[c];
    }
}

typedef pv_status (*move_component)(pv_checkpoint *file, const char *name, const pv_array *array, part *part,
                                    pv_buffer *buffer, size_t offset);

static pv_status put_component(pv_checkpoint *file, const char *name, const pv_array *array, part *part,
                               pv_buffer *buffer, size_t offset)
{
    const pv_dns_state *s = part->state;
    PV_TRY(pv_comm_agree(s->comm,
                         s->modes.total > 0 ? pv_buffer_read(buffer, offset, part->host, component_bytes(s)) : PV_OK));
    return pv_checkpoint_put_rows(file, name, array, part->spread, give, part);
}

static pv_status get_component(pv_checkpoint *file, const char *name, const pv_array *array, part *part,
                               pv_buffer *buffer, size_t offset)
{
    const pv_dns_state *s = part->state;
    if (s->modes.total > 0) memset(part->host, 0, component_bytes(s));
    PV_TRY(pv_checkpoint_get_rows(file, name, array, array->shape[0], part->spread, take, part));
    return pv_comm_agree(s->comm,
                         s->modes.total > 0 ? pv_buffer_write(buffer, offset, part->host, component_bytes(s)) : PV_OK);
}

// Velocity and scalars, and terms of earlier steps: NAME/0, NAME/1, ... a component each.
static pv_status move_all(pv_checkpoint *file, const pv_dns_state *s, const header *h, int histories, int scalars,
                          move_component move)
{
    const int64_t keep[3] = {(int64_t)h->keep[0], (int64_t)h->keep[1], (int64_t)h->keep[2]};
    const pv_array array = {PV_NUMBER_COMPLEX, 3, {2 * keep[2] + 1, 2 * keep[1] + 1, keep[0] + 1}};
    part part = {0};
    char name[64];
    pv_status status = part_make(s, keep, &part);
    for (int e = 0; e <= scalars && status == PV_OK; e++)
        for (int b = 0; b <= histories && status == PV_OK; b++)
            for (int c = 0; c < s->equation[e].components && status == PV_OK; c++) {
                if (e == DNS_VELOCITY)
                    snprintf(name, sizeof name, "velocity/%c", 'x' + c);
                else
                    snprintf(name, sizeof name, "scalar/%d", e);
                if (b > 0)
                    snprintf(name + strlen(name), 24, "/before/%d", b);
                else
                    snprintf(name + strlen(name), 24, "/now");
                status = move(file, name, &array, &part, b > 0 ? s->equation[e].before[b - 1] : s->equation[e].field,
                              (size_t)c * component_bytes(s));
            }
    part_release(&part);
    return status;
}

// ---- Writing ----------------------------------------------------------------------------------------------------

static pv_status put_forcing(pv_checkpoint *file, const pv_dns_state *s, const pv_dns_forcing_state *f)
{
    const pv_array energy = {PV_NUMBER_REAL, 1, {f->shells}}, accelerations = {PV_NUMBER_REAL, 1, {2 * f->numbers}};
    if (s->params.forcing == PV_FORCING_FROZEN) return pv_checkpoint_put(file, "forcing/energy", &energy, f->energy);
    if (s->params.forcing == PV_FORCING_OU)
        return pv_checkpoint_put(file, "forcing/accelerations", &accelerations, f->acceleration);
    return PV_OK;
}

pv_status pv_dns_checkpoint_write(pv_dns_state *s, const pv_dns_forcing_state *f, const char *path)
{
    const header h = header_of(s);
    pv_checkpoint *file = NULL;
    PV_TRY(pv_stream_wait(s->stream));
    // A good checkpoint makes no room for one of nothing.
    PV_TRY(pv_dns_require_finite_fields(s));
    PV_TRY(pv_checkpoint_create(s->comm, path, &file));
    pv_status status = pv_checkpoint_put(file, "run", &header_array, &h);
    if (status == PV_OK) status = move_all(file, s, &h, (int)h.histories, (int)s->params.scalars, put_component);
    if (status == PV_OK) status = put_forcing(file, s, f);
    if (status == PV_OK) status = pv_checkpoint_commit_beside(file);
    pv_checkpoint_destroy(file);
    return status;
}

// ---- Reading ----------------------------------------------------------------------------------------------------

static pv_status read_header(pv_checkpoint *file, const char *path, header *h)
{
    PV_TRY(pv_checkpoint_get(file, "run", &header_array, h));
    PV_REQUIRE(h->format == FORMAT, PV_ERR_INPUT, "%s has format %g; %d is accepted", path, h->format, FORMAT);
    for (int d = 0; d < 3; d++)
        PV_REQUIRE(h->keep[d] >= 0.0 && h->keep[d] <= 32768.0, PV_ERR_INPUT, "%s keeps %g wave numbers a direction",
                   path, h->keep[d]);
    return PV_OK;
}

// Whether the run that is asked for can begin from it.
static pv_status check_fit(const pv_dns_state *s, const header *h, const char *path)
{
    const header mine = header_of(s);
    for (int d = 0; d < 3; d++)
        PV_REQUIRE(h->length[d] == mine.length[d], PV_ERR_INPUT,
                   "%s has a box of length %.17g along %c, the parameters %.17g; the same is needed", path,
                   h->length[d], 'x' + d, mine.length[d]);
    PV_REQUIRE(h->scalars >= mine.scalars, PV_ERR_INPUT,
               "%s has %g scalar%s, the parameters ask for %g; at most as many are accepted", path, h->scalars,
               h->scalars == 1.0 ? "" : "s", mine.scalars);
    return PV_OK;
}

static int goes_on(const header *a, const header *b)
{
    return a->scheme == b->scheme && memcmp(a->keep, b->keep, sizeof a->keep) == 0 &&
           memcmp(a->grid, b->grid, sizeof a->grid) == 0;
}

// The next checkpoint will lack them.
static void tell_left_out(const pv_dns_state *s, const header *h, const char *path)
{
    const int kept = (int)s->params.scalars, there = (int)h->scalars;
    if (there <= kept || pv_comm_rank(s->comm) != 0) return;
    char range[32] = "";
    if (there > kept + 1) snprintf(range, sizeof range, " to %d", there);
    pv_log(PV_LOG_WARN, "%s has %d scalar%s, the parameters %d: scalar %d%s is left out; scalars = %d takes up all",
           path, there, there > 1 ? "s" : "", kept, kept + 1, range, there);
}

static pv_status read_state(pv_dns_state *s, pv_checkpoint *file, const header *h, const char *path)
{
    tell_left_out(s, h, path);
    const header mine = header_of(s);
    const int same = goes_on(h, &mine);
    PV_TRY(move_all(file, s, h, same ? (int)mine.histories : 0, (int)s->params.scalars, get_component));
    s->time = h->time;
    s->step = (int64_t)h->step;
    s->evaluation = (uint64_t)h->evaluation;
    for (int b = 0; b < 2; b++) s->dt_before[b] = same ? h->dt_before[b] : 0.0;
    return PV_OK;
}

// PATH.previous may be whole when PATH is not, and PATH when PATH.previous is not.
static pv_status offer_other(pv_dns_state *s, const char *path, pv_status status)
{
    static const char suffix[] = ".previous";
    const size_t length = strlen(path), end = sizeof suffix - 1;
    const int older = length > end && strcmp(path + length - end, suffix) == 0;
    char other[4096 + 16], reason[1024];
    snprintf(other, sizeof other, "%.*s%s", older ? (int)(length - end) : 4096, path, older ? "" : suffix);
    FILE *there = fopen(other, "rb");
    if (there) fclose(there);
    if (!there || pv_comm_rank(s->comm) != 0 || status == PV_ERR_PEER) return status;
    snprintf(reason, sizeof reason, "%s", pv_message_without_function(pv_last_error()));
    return pv_fail(status, __func__, "%s; the one %s it is there: restart = %s", reason, older ? "after" : "before",
                   other);
}

pv_status pv_dns_checkpoint_read(pv_dns_state *s, const char *path)
{
    pv_checkpoint *file = NULL;
    header h;
    pv_status status = pv_checkpoint_open(s->comm, path, &file), fit = PV_OK;
    if (status == PV_OK) status = read_header(file, path, &h);
    if (status == PV_OK) fit = check_fit(s, &h, path);
    if (status == PV_OK && fit == PV_OK) status = read_state(s, file, &h, path);
    pv_checkpoint_destroy(file);
    if (fit != PV_OK) return fit; // nor does the other one
    return status == PV_OK ? PV_OK : offer_other(s, path, status);
}

static pv_status get_if_there(pv_checkpoint *file, const char *name, int64_t count, double *values, int *is_there_p)
{
    const pv_array array = {PV_NUMBER_REAL, 1, {count}};
    pv_array found;
    PV_TRY(pv_checkpoint_find(file, name, &found, is_there_p));
    *is_there_p = *is_there_p && pv_array_is_same(&array, &found);
    return *is_there_p ? pv_checkpoint_get(file, name, &array, values) : PV_OK;
}

static pv_status get_forcing(pv_checkpoint *file, pv_dns_state *s, pv_dns_forcing_state *f)
{
    int has_last, has_both;
    if (s->params.forcing == PV_FORCING_FROZEN)
        return get_if_there(file, "forcing/energy", f->shells, f->energy, &has_last);
    // Of the last and the next step; older files have those of the last one alone.
    PV_TRY(get_if_there(file, "forcing/accelerations", 2 * f->numbers, f->acceleration, &has_both));
    PV_TRY(get_if_there(file, "forcing/acceleration", f->numbers, f->acceleration, &has_last));
    return has_both || has_last ? pv_comm_agree(s->comm, pv_dns_forcing_take_up(s, f, has_both)) : PV_OK;
}

pv_status pv_dns_checkpoint_read_forcing(pv_dns_state *s, pv_dns_forcing_state *f, const char *path)
{
    pv_checkpoint *file = NULL;
    if (s->params.forcing != PV_FORCING_FROZEN && s->params.forcing != PV_FORCING_OU) return PV_OK;
    PV_TRY(pv_checkpoint_open(s->comm, path, &file));
    const pv_status status = get_forcing(file, s, f);
    pv_checkpoint_destroy(file);
    return status;
}
