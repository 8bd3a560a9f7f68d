// SPDX-License-Identifier: Apache-2.0
#include "dns/picture.h"

#include "base/check.h"
#include "base/mem.h"
#include "dns/derived.h"
#include "dns/launch.h"
#include "io/image.h"

// ---- The plane above a rank's last one -----------------------------------------------------------------------------

static int owner_of(const pv_layout *space, int64_t z)
{
    for (int rank = 0; rank < space->ranks; rank++)
        if (z >= space->boxes[rank].lower[0] && z < space->boxes[rank].upper[0] &&
            pv_box_count(&space->boxes[rank]) > 0)
            return rank;
    return -1;
}

static pv_status fetch_halo(pv_dns_state *s, const pv_layout *space, const void *field, void *halo)
{
    const pv_box *mine = &space->boxes[pv_comm_rank(s->comm)];
    const size_t bytes = (size_t)(space->shape[1] * s->pitch) * pv_dns_number_bytes(s);
    const int has = pv_box_count(mine) > 0;
    const pv_message send = {.rank = has ? owner_of(space, mine->lower[0] - 1) : -1, .bytes = bytes};
    const pv_message receive = {.rank = has ? owner_of(space, mine->upper[0]) : -1, .bytes = bytes};
    pv_exchange *exchange = NULL;
    PV_TRY(pv_exchange_create(s->comm, send.rank >= 0, &send, receive.rank >= 0, &receive, &exchange));
    pv_status status = pv_exchange_start(exchange, field, halo);
    if (status == PV_OK) status = pv_exchange_wait(exchange);
    pv_exchange_destroy(exchange);
    return status;
}

// ---- The picture -----------------------------------------------------------------------------------------------------

typedef struct darkroom {
    pv_buffer *halo[2], *pixels;
    int64_t *host;
    unsigned char *rgb;
} darkroom;

static pv_status open_darkroom(pv_dns_state *s, int64_t count, darkroom *d)
{
    const size_t plane = (size_t)(s->params.grid[1] * s->pitch) * pv_dns_number_bytes(s);
    for (int f = 0; f < 2; f++) PV_TRY(pv_buffer_create(s->device, plane, &d->halo[f]));
    PV_TRY(pv_buffer_create(s->device, (size_t)count * sizeof(int64_t), &d->pixels));
    PV_TRY(PV_ALLOC(count, &d->host));
    return PV_ALLOC(count / 4 * 3, &d->rgb);
}

static void close_darkroom(darkroom *d)
{
    for (int f = 0; f < 2; f++) pv_buffer_destroy(d->halo[f]);
    pv_buffer_destroy(d->pixels);
    pv_mem_free(d->host);
    pv_mem_free(d->rgb);
}

static pv_status expose(pv_dns_state *s, const pv_layout *space, double level, double speed, darkroom *d,
                        dns_camera *camera)
{
    const pv_dns_params *p = &s->params;
    const pv_box *mine = &space->boxes[pv_comm_rank(s->comm)];
    const int64_t planes = pv_box_count(mine) > 0 ? mine->upper[0] - mine->lower[0] : 0, z0 = mine->lower[0];
    const int is_slice = p->picture == PV_PICTURE_SLICE;
    for (int f = 0; f < (is_slice ? 1 : 2); f++)
        PV_TRY(fetch_halo(s, space, pv_dns_work(s, f), pv_buffer_data(d->halo[f])));
    dns_surface a = {.camera = *camera,
                     .level = level,
                     .per_colour = speed > 0.0 ? 1.0 / speed : 0.0,
                     .slice = 0.5 * (double)p->grid[2],
                     .pixels = pv_buffer_data(d->pixels)};
    a.brick = (dns_brick){.field = {pv_dns_work(s, 0), pv_dns_work(s, 1)},
                          .halo = {pv_buffer_data(d->halo[0]), pv_buffer_data(d->halo[1])},
                          .nx = p->grid[0],
                          .ny = p->grid[1],
                          .pitch = s->pitch,
                          .z0 = z0,
                          .planes = planes,
                          .top = z0 + planes < p->grid[2] ? planes : planes - 1};
    a.camera.eye[2] -= (double)z0;
    const int64_t count = camera->width * camera->height;
    PV_TRY(pv_dns_launch(s->stream, is_slice ? DNS_SLICE : DNS_SURFACE, p->precision, count, &a));
    PV_TRY(pv_stream_wait(s->stream));
    PV_TRY(pv_buffer_read(d->pixels, 0, d->host, (size_t)count * sizeof(int64_t)));
    return pv_comm_reduce_i64(s->comm, PV_MIN, count, d->host);
}

static pv_status make_fields(pv_dns_state *s)
{
    if (s->params.picture == PV_PICTURE_Q) {
        PV_TRY(pv_dns_derive_q(s));
    } else {
        PV_TRY(pv_dns_derive_vorticity(s, 0));
        PV_TRY(pv_dns_derive_magnitude(s, 0));
    }
    if (s->params.picture == PV_PICTURE_SLICE) return PV_OK;
    PV_TRY(pv_dns_derive_velocity(s, 1));
    return pv_dns_derive_magnitude(s, 1);
}

pv_status pv_dns_picture_write(pv_dns_state *s, double rms_vorticity, double speed, const char *path)
{
    const pv_dns_params *p = &s->params;
    const pv_layout *space = pv_fft_plan_space(s->plan);
    const int64_t width = p->picture_width, height = p->picture_height;
    for (int rank = 0; rank < space->ranks; rank++)
        PV_REQUIRE(
            pv_box_count(&space->boxes[rank]) == 0 ||
                space->boxes[rank].upper[1] - space->boxes[rank].lower[1] == space->shape[1],
            PV_ERR_UNSUPPORTED,
            "pictures are made of whole planes, and %d ranks share planes of this grid; fewer ranks are accepted",
            space->ranks);
    dns_camera camera = pv_dns_camera_of(p->grid, 2 * width, 2 * height, p->picture_azimuth, p->picture_elevation);
    // Q is rms^2 / 4 where a vortex turns as fast as the mean square says.
    const double unit = p->picture == PV_PICTURE_Q ? 0.25 * rms_vorticity * rms_vorticity : rms_vorticity;
    darkroom d = {.halo = {NULL}};
    pv_status status = pv_comm_agree(s->comm, open_darkroom(s, camera.width * camera.height, &d));
    if (status == PV_OK) status = make_fields(s);
    if (status == PV_OK) status = expose(s, space, p->picture_level * unit, speed, &d, &camera);
    if (status == PV_OK && pv_comm_rank(s->comm) == 0) {
        pv_dns_picture_develop(&camera, p->grid, p->picture != PV_PICTURE_SLICE, d.host, d.rgb);
        status = pv_image_write(path, (int)width, (int)height, d.rgb);
    }
    status = pv_comm_agree(s->comm, status);
    close_darkroom(&d);
    return status;
}
