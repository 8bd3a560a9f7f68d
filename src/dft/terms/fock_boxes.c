// SPDX-License-Identifier: Apache-2.0
// Exact exchange on any device: fields are boxes on the grid, in memory of the device. Pairs are listed on the host
// while the device works on those listed before, some thousands at a time; nothing waits for a pair.
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "dft/terms/fock_kernels.h"
#include "dft/terms/fock_parts.h"
#include "fft/cubes/cubes.h"

// Transforms of targets that meet a source one after another: their fields and sums should stay in the device's cache.
#define TRANSFORMS 8
// Pairs of a list: some tenths of a second for the largest grids, after which somebody who wants to stop is heard.
#define LIST_PAIRS 16384
#define WIDE_BYTES (128 << 20)
// Products under way at once, where they go through memory: the fewer, the more a kernel's end leaves idle.
#define BOXES_BYTES (256 << 20)

// A list on its way.
typedef struct list {
    pv_buffer *host, *device;
    pv_event *done;
    int is_used;
} list;

typedef struct pv_fock_boxes {
    pv_cubes *cubes[2];
    pv_buffer *wide; // fields of double precision between spheres and boxes
    int64_t wide_fields;
    pv_buffer *one;            // of these, on its way out of the order of spheres
    pv_buffer *factor;         // of the meeting at hand, in the precision of the build
    pv_fock_meeting of_factor; // whose factor it is
    list lists[2];
    int turn;                // the list that is being filled
    int64_t room, count;     // pairs of it
    pv_fock_meeting meeting; // of all its pairs
    pv_stream *waiter;       // for those who wait for a list
} pv_fock_boxes;

// ---- Making --------------------------------------------------------------------------------------------------------

static int parts_of(const pv_fock *fock)
{
    return fock->real ? 1 : 2;
}

static pv_status create(pv_fock *fock)
{
    pv_fock_boxes *boxes;
    const int64_t field_bytes = fock->points * parts_of(fock) * (int64_t)sizeof(double);
    PV_TRY(PV_ALLOC(1, &boxes));
    fock->boxes = boxes;
    for (int p = 0; p < 2; p++) {
        const int64_t real_bytes = (int64_t)pv_real_bytes((pv_precision)p),
                      most = BOXES_BYTES / (2 * real_bytes * fock->points);
        if (p == PV_FP32 && !fock->system->params.fock.single) continue;
        fock->field_bytes[p] = fock->points * parts_of(fock) * real_bytes;
        PV_TRY(
            pv_cubes_create(fock->device, "auto", fock->shape, (pv_precision)p, most > 1 ? most : 1, &boxes->cubes[p]));
    }
    boxes->wide_fields = WIDE_BYTES / field_bytes < 2 ? 2 : WIDE_BYTES / field_bytes / 2 * 2;
    const int64_t packed = pv_sphere_reals_count(fock->home[0].basis->sphere) * (int64_t)sizeof(double);
    const int64_t wide_bytes = packed * parts_of(fock) > field_bytes ? packed * parts_of(fock) : field_bytes;
    PV_TRY(pv_buffer_create(fock->device, (size_t)(boxes->wide_fields * wide_bytes), &boxes->wide));
    PV_TRY(pv_buffer_create(fock->device, (size_t)field_bytes, &boxes->one));
    PV_TRY(pv_buffer_create(fock->device, (size_t)fock->points * sizeof(double), &boxes->factor));
    PV_TRY(pv_stream_create(fock->device, &boxes->waiter));
    for (int i = 0; i < 2; i++) PV_TRY(pv_event_create(fock->device, &boxes->lists[i].done));
    return PV_OK;
}

static void end(pv_fock *fock)
{
    pv_fock_boxes *boxes = fock->boxes;
    for (int i = 0; boxes && i < 2; i++) {
        pv_buffer_destroy(boxes->lists[i].host);
        pv_buffer_destroy(boxes->lists[i].device);
        boxes->lists[i].host = boxes->lists[i].device = NULL;
    }
}

static void destroy(pv_fock *fock)
{
    pv_fock_boxes *boxes = fock->boxes;
    if (!boxes) return;
    end(fock);
    for (int i = 0; i < 2; i++) pv_event_destroy(boxes->lists[i].done);
    pv_stream_destroy(boxes->waiter);
    for (int p = 0; p < 2; p++) pv_cubes_destroy(boxes->cubes[p]);
    pv_buffer_destroy(boxes->wide);
    pv_buffer_destroy(boxes->one);
    pv_buffer_destroy(boxes->factor);
    pv_mem_free(boxes);
}

// exp(-i kappa r) by axis, in a precision.
static pv_status make_phase(const pv_fock *fock, const pv_fock_momentum *momentum, pv_precision precision,
                            pv_buffer **phase_p)
{
    const int64_t *n = fock->shape, total = n[0] + n[1] + n[2];
    const size_t bytes = 2 * (size_t)total * pv_real_bytes(precision);
    const double pi = 3.14159265358979323846;
    double *wide;
    PV_TRY(PV_ALLOC(2 * total, &wide));
    for (int64_t d = 0, at = 0; d < 3; at += n[d++])
        for (int64_t i = 0; i < n[d]; i++) {
            const double angle = -pi * (double)lround(2.0 * momentum->kappa[d]) * (double)i / (double)n[d];
            wide[2 * (at + i)] = cos(angle);
            wide[2 * (at + i) + 1] = sin(angle);
        }
    // In place: a single takes less room than the double that it replaces.
    for (int64_t i = 0; precision == PV_FP32 && i < 2 * total; i++) {
        const float value = (float)wide[i];
        memcpy((char *)wide + (size_t)i * sizeof value, &value, sizeof value);
    }
    pv_status status = pv_buffer_create(fock->device, bytes, phase_p);
    if (status == PV_OK) status = pv_buffer_write(*phase_p, 0, wide, bytes);
    pv_mem_free(wide);
    return status;
}

static pv_status make_momentum(pv_fock *fock, pv_fock_momentum *momentum, int64_t count, const int32_t (*points)[3],
                               const double *values)
{
    const int64_t *n = fock->shape;
    const size_t bytes = (size_t)fock->points * sizeof(double);
    double *factor;
    PV_TRY(PV_ALLOC(fock->points, &factor));
    for (int64_t i = 0; i < count; i++) {
        int64_t at = 0;
        for (int d = 0; d < 3; d++) at = at * n[d] + (points[i][d] + n[d]) % n[d];
        factor[at] = values[i] / (double)fock->points;
    }
    pv_status status = pv_buffer_create(fock->device, bytes, &momentum->factor);
    if (status == PV_OK) status = pv_buffer_write(momentum->factor, 0, factor, bytes);
    pv_mem_free(factor);
    int is_turned = 0;
    for (int d = 0; d < 3; d++) is_turned |= fock->real && lround(2.0 * momentum->kappa[d]) != 0;
    for (int p = 0; p < 2 && is_turned && status == PV_OK; p++)
        status = make_phase(fock, momentum, (pv_precision)p, &momentum->phase[p]);
    return status;
}

static void free_momentum(pv_fock_momentum *momentum)
{
    pv_buffer_destroy(momentum->factor);
    for (int p = 0; p < 2; p++) pv_buffer_destroy(momentum->phase[p]);
}

static pv_status begin(pv_fock *fock)
{
    pv_fock_boxes *boxes = fock->boxes;
    const int64_t least = fock->most * TRANSFORMS;
    boxes->room = least > LIST_PAIRS ? least : LIST_PAIRS;
    boxes->count = boxes->turn = 0;
    boxes->meeting = boxes->of_factor = (pv_fock_meeting){.momentum = NULL};
    for (int i = 0; i < 2; i++) {
        list *l = &boxes->lists[i];
        l->is_used = 0;
        PV_TRY(pv_buffer_create_host(fock->device, (size_t)boxes->room * pv_fock_pair_bytes(fock), &l->host));
        PV_TRY(pv_buffer_create(fock->device, pv_buffer_bytes(l->host), &l->device));
    }
    return PV_OK;
}

// ---- Fields --------------------------------------------------------------------------------------------------------

// Some fields between boxes and `wide`, which has them in double precision.
static pv_status convert(const pv_fock *fock, int64_t fields, int narrow, void *boxes, double *wide)
{
    const int64_t reals = fields * fock->points * parts_of(fock);
    void *to = narrow ? boxes : wide;
    const void *from = narrow ? (const void *)wide : boxes;
    if (fock->precision == PV_FP64) return pv_stream_copy(fock->stream, to, from, (size_t)reals * sizeof *wide);
    return pv_kernel_launch(fock->stream, narrow ? &fock_narrow : &fock_widen, reals,
                            &(fock_convert){.from = from, .to = to});
}

// Real fields of spheres on the host are packed in their own order, and change it one by one.
static int is_packed(const pv_fock *fock)
{
    return fock->real && pv_device_is_host(fock->device);
}

static pv_status to_boxes(const pv_fock *fock, const pv_sphere *sphere, int64_t count,
                          const double _Complex *coefficients, char *field)
{
    const int64_t stride = pv_sphere_count(sphere), reals = pv_sphere_reals_count(sphere);
    double *wide = pv_buffer_data(fock->boxes->wide), *one = pv_buffer_data(fock->boxes->one);
    if (fock->real)
        PV_TRY(pv_sphere_to_reals(sphere, count, coefficients, stride, wide));
    else
        PV_TRY(pv_sphere_to_grid(sphere, count, coefficients, stride, (double _Complex *)wide));
    if (!is_packed(fock)) return convert(fock, count, 1, field, wide);
    for (int64_t f = 0; f < count; f++) {
        PV_TRY(pv_sphere_unpack(sphere, wide + f * reals, one));
        PV_TRY(convert(fock, 1, 1, pv_fock_field(fock, field, f), one));
    }
    return PV_OK;
}

static pv_status from_boxes(const pv_fock *fock, const pv_sphere *sphere, int64_t count, char *field,
                            double _Complex *coefficients)
{
    const int64_t stride = pv_sphere_count(sphere), reals = pv_sphere_reals_count(sphere);
    double *wide = pv_buffer_data(fock->boxes->wide), *one = pv_buffer_data(fock->boxes->one);
    if (!is_packed(fock)) PV_TRY(convert(fock, count, 0, field, wide));
    for (int64_t f = 0; is_packed(fock) && f < count; f++) {
        PV_TRY(convert(fock, 1, 0, pv_fock_field(fock, field, f), one));
        PV_TRY(pv_sphere_pack(sphere, one, wide + f * reals));
    }
    if (fock->real) return pv_sphere_from_reals(sphere, count, wide, coefficients, stride);
    return pv_sphere_from_grid(sphere, count, (const double _Complex *)wide, coefficients, stride);
}

static pv_status to_fields(const pv_fock *fock, const pv_basis *basis, int64_t count,
                           const double _Complex *coefficients, void *field)
{
    const int64_t most = fock->boxes->wide_fields;
    for (int64_t first = 0; first < count; first += most)
        PV_TRY(to_boxes(fock, basis->sphere, count - first < most ? count - first : most,
                        coefficients + first * basis->count, pv_fock_field(fock, field, first)));
    return PV_OK;
}

static pv_status from_fields(const pv_fock *fock, const pv_basis *basis, int64_t count, const void *field,
                             double _Complex *coefficients)
{
    const int64_t most = fock->boxes->wide_fields;
    for (int64_t first = 0; first < count; first += most)
        PV_TRY(from_boxes(fock, basis->sphere, count - first < most ? count - first : most,
                          pv_fock_field(fock, field, first), coefficients + first * basis->count));
    return PV_OK;
}

// ---- Pairs ---------------------------------------------------------------------------------------------------------

// Waits until the device has done with a list, and has messages advance meanwhile.
static pv_status wait_for(const pv_fock *fock, list *list)
{
    int is_done = !list->is_used, has_come = fock->coming == NULL;
    while (!is_done && !has_come) {
        PV_TRY(pv_exchange_test(fock->coming, &has_come));
        PV_TRY(pv_event_test(list->done, &is_done));
    }
    list->is_used = 0;
    if (is_done) return PV_OK;
    PV_TRY(pv_stream_follow_event(fock->boxes->waiter, list->done));
    return pv_stream_wait(fock->boxes->waiter);
}

static int is_same(const pv_fock_meeting *a, const pv_fock_meeting *b)
{
    return a->momentum == b->momentum && memcmp(a->shift, b->shift, sizeof a->shift) == 0;
}

// The factor of the meeting, whose waves g stand for g + shift.
static pv_status set_factor(pv_fock *fock)
{
    pv_fock_boxes *boxes = fock->boxes;
    const pv_fock_meeting *meeting = &boxes->meeting;
    if (is_same(meeting, &boxes->of_factor)) return PV_OK;
    fock_shift a = {.from = pv_buffer_data(meeting->momentum->factor),
                    .to = pv_buffer_data(boxes->factor),
                    .is_single = fock->precision == PV_FP32};
    for (int d = 0; d < 3; d++) {
        const int64_t n = a.n[d] = fock->shape[d];
        a.shift[d] = (meeting->shift[d] % n + n) % n;
    }
    boxes->of_factor = *meeting;
    return pv_kernel_launch(fock->stream, &fock_shift_table, fock->points, &a);
}

static pv_status flush(pv_fock *fock)
{
    pv_fock_boxes *boxes = fock->boxes;
    list *l = &boxes->lists[boxes->turn];
    if (boxes->count == 0) return PV_OK;
    PV_TRY(set_factor(fock));
    const pv_buffer *phase = boxes->meeting.momentum->phase[fock->precision];
    const int64_t complex_bytes = 2 * (int64_t)pv_real_bytes(fock->precision), *n = fock->shape;
    const char *x = phase ? pv_buffer_data(phase) : NULL;
    const pv_cubes_pairs pairs = {
        .is_real = fock->real,
        .count = boxes->count,
        .list = pv_buffer_data(l->device),
        .phase = {x, x ? x + n[0] * complex_bytes : NULL, x ? x + (n[0] + n[1]) * complex_bytes : NULL}};
    PV_TRY(pv_stream_copy(fock->stream, pv_buffer_data(l->device), pv_buffer_data(l->host),
                          (size_t)boxes->count * pv_fock_pair_bytes(fock)));
    PV_TRY(pv_cubes_run_pairs(boxes->cubes[fock->precision], fock->stream, pv_buffer_data(boxes->factor), &pairs));
    PV_TRY(pv_event_record(l->done, fock->stream));
    l->is_used = 1;
    boxes->turn = !boxes->turn;
    boxes->count = 0;
    return wait_for(fock, &boxes->lists[boxes->turn]);
}

// Where up to `pairs` pairs of a meeting are listed next.
static pv_status make_place(pv_fock *fock, const pv_fock_meeting *meeting, int64_t pairs, void **place_p)
{
    pv_fock_boxes *boxes = fock->boxes;
    if (boxes->count + pairs > boxes->room || !is_same(meeting, &boxes->meeting)) PV_TRY(flush(fock));
    boxes->meeting = *meeting;
    *place_p = (char *)pv_buffer_data(boxes->lists[boxes->turn].host) + (size_t)boxes->count * pv_fock_pair_bytes(fock);
    return PV_OK;
}

static pv_status pair_group(pv_fock *fock, const pv_fock_sources *sources, void *source_sum, const pv_fock_block *block,
                            int64_t first, const unsigned char *wanted)
{
    const pv_fock_common c = pv_fock_common_of(fock, sources, block);
    void *place;
    if (!c.meeting.momentum) return PV_OK;
    PV_TRY(make_place(fock, &c.meeting, sources->count * TRANSFORMS, &place));
    const int64_t count = pv_fock_list_group(&c, source_sum, first, wanted, &fock->effort.pairs, place);
    fock->effort.transforms += count;
    fock->boxes->count += count;
    return PV_OK;
}

static pv_status act_on_block(pv_fock *fock, const pv_fock_sources *sources, const pv_fock_block *block)
{
    const pv_fock_common c = pv_fock_common_of(fock, sources, block);
    const int64_t group = pv_fock_group(fock);
    if (!c.meeting.momentum) return PV_OK;
    for (int64_t first = 0; first < block->count; first += group) {
        const int64_t last = first + group < block->count ? first + group : block->count;
        void *place;
        PV_TRY(make_place(fock, &c.meeting, sources->count * TRANSFORMS, &place));
        const int64_t count = pv_fock_list_targets(&c, first, last, place);
        fock->effort.transforms += count;
        fock->boxes->count += count;
    }
    for (int64_t i = 0; i < sources->count; i++)
        fock->effort.pairs += pv_fock_is_felt(sources->share[i]) ? block->count : 0;
    return PV_OK;
}

const pv_fock_ops pv_fock_in_boxes = {
    .transforms = TRANSFORMS,
    .together = 64,
    .create = create,
    .destroy = destroy,
    .make_momentum = make_momentum,
    .free_momentum = free_momentum,
    .begin = begin,
    .end = end,
    .to_fields = to_fields,
    .from_fields = from_fields,
    .pair_group = pair_group,
    .act_on_block = act_on_block,
    .flush = flush,
};
