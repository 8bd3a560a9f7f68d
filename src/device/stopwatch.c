// SPDX-License-Identifier: Apache-2.0
#include "device/stopwatch.h"

#include "base/check.h"
#include "base/mem.h"

enum { MARKS = 128, START = -1 };

struct pv_stopwatch {
    pv_stream *stream;
    pv_event *mark[MARKS];
    int part_of[MARKS];                // that ends at the mark; START: none
    int count;                         // marks that are not read yet
    double *seconds;                   // [parts]
};

pv_status pv_stopwatch_create(pv_device *device, int parts, pv_stopwatch **watch_p)
{
    pv_stopwatch *watch;
    PV_TRY(PV_ALLOC(1, &watch));
    watch->stream = pv_device_stream(device);
    pv_status status = PV_ALLOC(parts, &watch->seconds);
    for (int i = 0; status == PV_OK && i < MARKS; i++) status = pv_event_create(device, &watch->mark[i]);
    if (status != PV_OK) {
        pv_stopwatch_destroy(watch);
        return status;
    }
    *watch_p = watch;
    return PV_OK;
}

void pv_stopwatch_destroy(pv_stopwatch *watch)
{
    if (!watch) return;
    for (int i = 0; i < MARKS; i++) pv_event_destroy(watch->mark[i]);
    pv_mem_free(watch->seconds);
    pv_mem_free(watch);
}

// The last mark stays, as the first of those to come.
static pv_status drain(pv_stopwatch *watch)
{
    for (int i = 1; i < watch->count; i++) {
        double seconds;
        if (watch->part_of[i] == START) continue;
        PV_TRY(pv_event_seconds(watch->mark[i - 1], watch->mark[i], &seconds));
        watch->seconds[watch->part_of[i]] += seconds;
    }
    if (watch->count < 2) return PV_OK;
    pv_event *last = watch->mark[watch->count - 1];
    watch->mark[watch->count - 1] = watch->mark[0];
    watch->mark[0] = last;
    watch->part_of[0] = START;
    watch->count = 1;
    return PV_OK;
}

static pv_status add_mark(pv_stopwatch *watch, int part)
{
    if (!watch) return PV_OK;
    if (watch->count == MARKS) PV_TRY(drain(watch));
    watch->part_of[watch->count] = part;
    return pv_event_record(watch->mark[watch->count++], watch->stream);
}

pv_status pv_stopwatch_start(pv_stopwatch *watch) { return add_mark(watch, START); }

pv_status pv_stopwatch_lap(pv_stopwatch *watch, int part) { return add_mark(watch, part); }

pv_status pv_stopwatch_read(pv_stopwatch *watch, int part, double *seconds_p)
{
    PV_TRY(drain(watch));
    *seconds_p = watch->seconds[part];
    return PV_OK;
}
