// SPDX-License-Identifier: Apache-2.0
#include "dns/picture/picture.h"

#include <math.h>
#include <stdio.h>

#include "base/check.h"
#include "base/mem.h"
#include "dns/derived.h"
#include "dns/launch.h"
#include "dns/picture/colour.h"
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

// Of a volume: optical depth through the box at the level; parts of rays that a rank holds at a time.
#define DENSITY 18.0
enum { BAND_PARTS = 1 << 20 };

enum { FINEST_VIEW = 256 }; // most points of a view along an axis

// ---- The picture ----------------------------------------------------------------------------------------------------

typedef struct darkroom {
    pv_buffer *halo[2], *pixels;
    int64_t *host;
    unsigned char *rgb;
} darkroom;

// rays: of a picture of `points` points.
static pv_status open_darkroom(pv_dns_state *s, int64_t rays, int64_t points, darkroom *d)
{
    const size_t plane = (size_t)(s->grid[1] * s->pitch) * pv_dns_number_bytes(s);
    for (int f = 0; f < 2; f++) PV_TRY(pv_buffer_create(s->device, plane, &d->halo[f]));
    PV_TRY(pv_buffer_create(s->device, (size_t)rays * sizeof(int64_t), &d->pixels));
    PV_TRY(PV_ALLOC(points, &d->host));
    return PV_ALLOC(points / 4 * 3, &d->rgb);
}

static void close_darkroom(darkroom *d)
{
    for (int f = 0; f < 2; f++) pv_buffer_destroy(d->halo[f]);
    pv_buffer_destroy(d->pixels);
    pv_mem_free(d->host);
    pv_mem_free(d->rgb);
}

// The ranks' parts of each ray into one, in the order in which the ray meets their planes. A band of pixels at a time:
// everybody gets the parts of all ranks.
static pv_status lay_over(pv_comm *comm, const dns_camera *camera, int64_t *gathered)
{
    const int ranks = pv_comm_size(comm);
    const int64_t count = camera->width * camera->height, band = 1 + BAND_PARTS / ranks;
    int64_t *parts = NULL;
    PV_TRY(pv_comm_agree(comm, PV_ALLOC(band * ranks, &parts)));
    pv_status status = PV_OK;
    for (int64_t first = 0; first < count && status == PV_OK; first += band) {
        const int64_t here = count - first < band ? count - first : band;
        status = pv_comm_gather(comm, (size_t)here * sizeof *parts, gathered + first, parts);
        for (int64_t i = 0; i < here && status == PV_OK; i++) {
            const int rises = dns_ray_of(camera, first + i).d[2] > 0.0;
            int64_t front = parts[(rises ? 0 : ranks - 1) * here + i];
            for (int r = 1; r < ranks; r++)
                front = pv_dns_picture_behind(front, parts[(rises ? r : ranks - 1 - r) * here + i]);
            gathered[first + i] = front;
        }
    }
    pv_mem_free(parts);
    return status;
}

static int has_surface(const pv_dns_params *p)
{
    return p->picture == PV_PICTURE_VORTICITY || p->picture == PV_PICTURE_Q;
}

// What a picture shows, in the units of the flow.
typedef struct subject {
    double rms_speed, rms_vorticity, level;
    double cells; // of the view to a cell of the run
    int work[2];  // that have the field, and the one of its colours
    pv_dns_colours colours;
} subject;

// Surfaces, and volumes that have not the colours of their own light.
static int has_second_field(const pv_dns_params *p)
{
    return has_surface(p) || (p->picture == PV_PICTURE_VOLUME && p->picture_colour != PV_COLOUR_AUTO);
}

// Cells of a unit of length, the smallest spacing, and the sides of the box in these units.
static void measure(const pv_dns_state *s, double per[3], double size[3])
{
    const pv_dns_params *p = &s->params;
    const double spacing[3] = {p->length_x / (double)s->grid[0], p->length_y / (double)s->grid[1],
                               p->length_z / (double)s->grid[2]};
    const double least = fmin(spacing[0], fmin(spacing[1], spacing[2]));
    for (int d = 0; d < 3; d++) {
        per[d] = least / spacing[d];
        size[d] = (double)(s->grid[d] - 1) / per[d];
    }
}

// In cells; not between the highest plane and the lowest one's image.
static double slice_of(const pv_dns_state *s)
{
    const int64_t points = s->grid[s->params.picture_slice_axis];
    return fmin(s->params.picture_slice * (double)points, (double)(points - 1));
}

static pv_status expose(pv_dns_state *s, const subject *what, darkroom *d, const dns_camera *camera)
{
    const pv_dns_params *p = &s->params;
    const pv_box *mine = &s->space->boxes[pv_comm_rank(s->comm)];
    const int64_t planes = pv_box_count(mine) > 0 ? mine->upper[0] - mine->lower[0] : 0, z0 = mine->lower[0];
    static const dns_kernel kernels[] = {[PV_PICTURE_VORTICITY] = DNS_SURFACE, [PV_PICTURE_Q] = DNS_SURFACE,
                                         [PV_PICTURE_SLICE] = DNS_SLICE, [PV_PICTURE_VOLUME] = DNS_VOLUME};
    for (int f = 0; f < 1 + has_second_field(p); f++)
        PV_TRY(fetch_halo(s, s->space, pv_dns_work(s, what->work[f]), pv_buffer_data(d->halo[f])));
    const double range = what->colours.high - what->colours.low;
    dns_surface a = {.camera = *camera,
                     .level = what->level,
                     .low = what->colours.low,
                     .per_colour = range > 0.0 ? 1.0 / range : 0.0,
                     .map = what->colours.map,
                     .slice = slice_of(s),
                     .axis = p->picture_slice_axis,
                     .step = 0.4 * what->cells,
                     .reach = 12.0 * what->cells,
                     .pixels = pv_buffer_data(d->pixels)};
    a.brick = (dns_brick){.field = {pv_dns_work(s, what->work[0]), pv_dns_work(s, what->work[1])},
                          .halo = {pv_buffer_data(d->halo[0]), pv_buffer_data(d->halo[1])},
                          .nx = s->grid[0],
                          .ny = s->grid[1],
                          .nz = s->grid[2],
                          .pitch = s->pitch,
                          .z0 = z0,
                          .planes = planes,
                          .top = z0 + planes < s->grid[2] ? planes : planes - 1};
    double size[3];
    measure(s, a.brick.per, size);
    a.density = DENSITY / fmax(size[0], fmax(size[1], size[2]));
    a.camera.eye[2] -= (double)z0 / a.brick.per[2];
    const int64_t count = camera->width * camera->height;
    PV_TRY(pv_dns_launch(s->stream, kernels[p->picture], p->precision, count, &a));
    PV_TRY(pv_stream_wait(s->stream));
    PV_TRY(pv_buffer_read(d->pixels, 0, d->host, (size_t)count * sizeof(int64_t)));
    return p->picture == PV_PICTURE_VOLUME ? lay_over(s->comm, camera, d->host)
                                           : pv_comm_reduce_i64(s->comm, PV_MIN, count, d->host);
}

// A volume's own light, from half of its level.
static void set_glow(const pv_dns_params *p, subject *what)
{
    const double level = p->picture_level * what->rms_vorticity;
    what->colours = (pv_dns_colours){
        .low = 0.5 * level, .high = 2.5 * level, .unit = what->rms_vorticity, .map = DNS_MAP_GLOW};
    snprintf(what->colours.title, sizeof what->colours.title, "|\u03c9| / \u03c9_{rms}");
}

// What surfaces, slices and volumes are of, and of the first and last what has their colours.
static pv_status make_fields(pv_dns_state *s, subject *what)
{
    const pv_dns_params *p = &s->params;
    const int shown = pv_dns_picture_shows(p), second = has_second_field(p);
    what->work[0] = what->work[1] = 0;
    if (p->picture == PV_PICTURE_SLICE)
        PV_TRY(pv_dns_picture_derive(s, shown, 0, &what->work[0]));
    else
        PV_TRY(pv_dns_picture_derive(s, p->picture == PV_PICTURE_Q ? PV_COLOUR_Q : PV_COLOUR_VORTICITY, 0,
                                     &what->work[0]));
    if (second) PV_TRY(pv_dns_picture_derive(s, shown, 1, &what->work[1]));
    if (p->picture == PV_PICTURE_VOLUME && !second) {
        set_glow(p, what);
        return PV_OK;
    }
    return pv_dns_picture_colours(s, shown, what->work[second], what->rms_speed, what->rms_vorticity, &what->colours);
}

static pv_status develop(const pv_dns_state *s, const dns_camera *fine, const double size[3], darkroom *d)
{
    const int64_t points = fine->width * fine->height;
    if (s->params.picture != PV_PICTURE_VOLUME) {
        pv_dns_picture_develop(fine, size, has_surface(&s->params), d->host, d->rgb);
        return PV_OK;
    }
    // The edges of the box are behind the light.
    int64_t *edges = NULL;
    PV_TRY(PV_ALLOC(points, &edges));
    for (int64_t i = 0; i < points; i++) edges[i] = DNS_NOTHING;
    pv_dns_picture_develop(fine, size, 1, edges, d->rgb);
    pv_dns_picture_overlay(points / 4, d->host, d->rgb);
    pv_mem_free(edges);
    return PV_OK;
}

// ---- Words ---------------------------------------------------------------------------------------------------------

static void put_time(char text[32], double time)
{
    const double size = fabs(time);
    snprintf(text, 32, size == 0.0 || (size >= 0.01 && size < 1e5) ? "t = %.3f" : "t = %.3g", time);
}

static pv_dns_legend legend_of(const pv_dns_state *s, const subject *what)
{
    static dns_rgb (*const maps[])(double) = {[DNS_MAP_WHOLE] = dns_colour_of, [DNS_MAP_TINT] = dns_tint_of,
                                              [DNS_MAP_SIGNED] = dns_sign_of, [DNS_MAP_GLOW] = dns_glow_of};
    const pv_dns_params *p = &s->params;
    const double length[3] = {p->length_x, p->length_y, p->length_z};
    const double per = what->colours.unit > 0.0 ? 1.0 / what->colours.unit : 0.0;
    pv_dns_legend l = {
        .low = per * what->colours.low, .high = per * what->colours.high, .colour = maps[what->colours.map]};
    char time[32];
    put_time(time, s->time);
    if (p->picture == PV_PICTURE_VORTICITY)
        snprintf(l.caption, sizeof l.caption, "%s   |\u03c9| = %.4g \u03c9_{rms}", time, p->picture_level);
    else if (p->picture == PV_PICTURE_Q)
        snprintf(l.caption, sizeof l.caption, "%s   Q = %.4g \u03c9_{rms}^{2}", time, 0.25 * p->picture_level);
    else if (p->picture == PV_PICTURE_SLICE)
        snprintf(l.caption, sizeof l.caption, "%s   %c = %.4g", time, 'x' + p->picture_slice_axis,
                 slice_of(s) * length[p->picture_slice_axis] / (double)s->grid[p->picture_slice_axis]);
    else
        snprintf(l.caption, sizeof l.caption, "%s", time);
    snprintf(l.title, sizeof l.title, "%s", what->colours.title);
    return l;
}

static pv_status letter(const pv_dns_state *s, const pv_dns_page *page, const dns_camera *camera,
                        const pv_dns_legend *legend, const double size[3], unsigned char *rgb)
{
    const pv_dns_params *p = &s->params;
    // The last point of a side is one before its end.
    double length[3] = {p->length_x, p->length_y, p->length_z};
    for (int d = 0; d < 3; d++) length[d] *= (double)(s->grid[d] - 1) / (double)s->grid[d];
    if (p->picture == PV_PICTURE_SLICE)
        PV_TRY(pv_dns_page_frame(page, p->picture_slice_axis, size, length, rgb));
    else
        PV_TRY(pv_dns_page_axes(page, camera, size, length, rgb));
    return pv_dns_page_letter(page, legend, rgb);
}

// ---- All of it -----------------------------------------------------------------------------------------------------

pv_status pv_dns_picture_check(const pv_dns_state *s)
{
    const pv_layout *space = s->space;
    for (int rank = 0; rank < space->ranks; rank++) {
        const pv_box *box = &space->boxes[rank];
        PV_REQUIRE(
            pv_box_count(box) == 0 || box->upper[1] - box->lower[1] == space->shape[1], PV_ERR_UNSUPPORTED,
            "pictures are made of whole planes, and %d ranks share planes of this grid: %lld points and %lld kept wave "
            "numbers along z and y; picture = none, at most as many ranks as either, or a prime number of ranks is accepted",
            space->ranks, (long long)s->params.grid[2],
            (long long)(2 * pv_dns_keep(s->params.grid[1], s->params.dealias) + 1));
    }
    return PV_OK;
}

// On a coarse grid straight lines between points would be seen: the modes give the field between them.
static int factor_of(const pv_dns_params *p)
{
    const int64_t *n = p->grid, most = n[0] > n[1] ? (n[0] > n[2] ? n[0] : n[2]) : n[1] > n[2] ? n[1] : n[2];
    const int64_t wanted = p->picture_height / 2 < FINEST_VIEW ? p->picture_height / 2 : FINEST_VIEW;
    return 4 * most <= wanted ? 4 : 2 * most <= wanted ? 2 : 1;
}

static pv_status write_from(pv_dns_state *s, subject *what, const char *path)
{
    const pv_dns_params *p = &s->params;
    double per[3], size[3];
    measure(s, per, size);
    const pv_dns_page page = pv_dns_page_of(p->picture_width, p->picture_height, size);
    const dns_camera fine = pv_dns_camera_of(size, &page, 1, p->picture_azimuth, p->picture_elevation);
    // A volume has no edges that would want four rays a pixel.
    const dns_camera camera = p->picture == PV_PICTURE_VOLUME
                                  ? pv_dns_camera_of(size, &page, 0, p->picture_azimuth, p->picture_elevation)
                                  : fine;
    darkroom d = {.halo = {NULL}};
    pv_status status =
        pv_comm_agree(s->comm, open_darkroom(s, camera.width * camera.height, fine.width * fine.height, &d));
    if (status == PV_OK) status = make_fields(s, what);
    if (status == PV_OK) status = expose(s, what, &d, &camera);
    const int is_root = pv_comm_rank(s->comm) == 0;
    if (status == PV_OK && is_root) status = develop(s, &fine, size, &d);
    const pv_dns_legend legend = legend_of(s, what);
    if (status == PV_OK && is_root) status = letter(s, &page, &fine, &legend, size, d.rgb);
    if (status == PV_OK && is_root) status = pv_image_write(path, (int)page.width, (int)page.height, d.rgb);
    status = pv_comm_agree(s->comm, status);
    close_darkroom(&d);
    return status;
}

pv_status pv_dns_picture_write(pv_dns_state *s, double energy, double enstrophy, const char *path)
{
    const pv_dns_params *p = &s->params;
    const double rms = sqrt(2.0 * enstrophy), quarter = 0.25 * rms * rms;
    const int factor = factor_of(p);
    // Q is rms^2 / 4 where a vortex turns as fast as the mean square says.
    subject what = {.rms_speed = sqrt(2.0 * energy),
                    .rms_vorticity = rms,
                    .level = p->picture_level * (p->picture == PV_PICTURE_Q ? quarter : rms),
                    .cells = factor};
    PV_TRY(pv_dns_picture_check(s));
    if (factor == 1) return write_from(s, &what, path);
    pv_dns_state *view = NULL;
    PV_TRY(pv_dns_state_view(s, factor, &view));
    const pv_status status = write_from(view, &what, path);
    pv_dns_state_destroy(view);
    return status;
}
