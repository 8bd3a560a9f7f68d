// SPDX-License-Identifier: Apache-2.0
// The names of a box's axes and the lengths along them, beside edges that nothing lies behind.
#include <math.h>
#include <stdio.h>

#include "base/check.h"
#include "dns/picture/picture.h"
#include "io/lettering.h"
#include "io/plot.h"

// In sizes of letters: ticks, from an edge to the middle of a number, and to that of a name.
static const double tick = 0.35, to_number = 1.05, to_name = 2.3;

// An edge of the box on the image, where lengths grow from 0 to `length`; `out`: a unit vector away from the box.
typedef struct axis {
    double from[2], to[2], near[2], out[2], length;
    char name;
} axis;

// Where a part s of its length is seen: parts of it look the shorter the farther they are.
static void place_on(const axis *a, double s, double at[2])
{
    const double t = s * a->near[0] / (a->near[1] - s * (a->near[1] - a->near[0]));
    for (int d = 0; d < 2; d++) at[d] = a->from[d] + t * (a->to[d] - a->from[d]);
}

static void turn_out(axis *a, const double middle[2])
{
    const double x = a->to[0] - a->from[0], y = a->to[1] - a->from[1], size = hypot(x, y) + 1e-300;
    const double to[2] = {0.5 * (a->from[0] + a->to[0]) - middle[0], 0.5 * (a->from[1] + a->to[1]) - middle[1]};
    const double away = to[0] * y - to[1] * x;
    a->out[0] = (away < 0.0 ? -y : y) / size;
    a->out[1] = (away < 0.0 ? x : -x) / size;
}

// ---- Ink ------------------------------------------------------------------------------------------------------------

static void put_line(const pv_dns_page *page, const double from[2], const double out[2], double length,
                     unsigned char *rgb)
{
    const double half = 0.5 + page->letter / 48.0;
    const double to[2] = {from[0] + length * out[0], from[1] + length * out[1]};
    int64_t first[2], last[2];
    for (int d = 0; d < 2; d++) {
        first[d] = (int64_t)(fmin(from[d], to[d]) - half) - 1;
        last[d] = (int64_t)(fmax(from[d], to[d]) + half) + 1;
    }
    for (int64_t row = first[1]; row <= last[1]; row++)
        for (int64_t column = first[0]; column <= last[0]; column++) {
            if (row < 0 || column < 0 || row >= page->height || column >= page->width) continue;
            const double x = (double)column + 0.5 - from[0], y = (double)row + 0.5 - from[1];
            const double t = dns_clamp(x * out[0] + y * out[1], 0.0, length);
            const double cover = dns_clamp(half + 0.5 - hypot(x - t * out[0], y - t * out[1]), 0.0, 1.0);
            unsigned char *at = rgb + 3 * (row * page->width + column);
            for (int c = 0; c < 3; c++) at[c] = (unsigned char)(at[c] - cover * fmax(at[c] - 100.0, 0.0));
        }
}

// The middle of a text lies `away` letters from a place of the edge, and further where it is wide.
static pv_status put_text(const pv_dns_page *page, const axis *a, double s, double away, const char *text,
                          unsigned char *rgb)
{
    double at[2];
    const double wide = pv_lettering_width(text, page->letter);
    place_on(a, s, at);
    const double more = fmax(0.5 * wide - 0.35 * page->letter, 0.0) * fabs(a->out[0]);
    const double x = at[0] + (away * page->letter + more) * a->out[0] - 0.5 * wide;
    const double y = at[1] + (away * page->letter + more) * a->out[1] + 0.35 * page->letter;
    return pv_lettering_put(rgb, (int)page->width, (int)page->height, x, y, page->letter, text);
}

static pv_status put_axis(const pv_dns_page *page, const axis *a, unsigned char *rgb)
{
    const double seen = hypot(a->to[0] - a->from[0], a->to[1] - a->from[1]) / page->letter;
    if (!(seen > 4.0)) return PV_OK; // too short for numbers
    const double step = pv_plot_step(a->length, seen > 12.0 ? 4 : 2);
    const int decimals = (int)fmax(ceil(-log10(step) - 1e-9), 0.0);
    double widest = 0.0;
    for (double n = 0.0; n * step <= a->length * (1.0 + 1e-9); n += 1.0) {
        char text[32];
        double at[2];
        place_on(a, n * step / a->length, at);
        put_line(page, at, a->out, tick * page->letter, rgb);
        if (step < 1e-3 || step > 1e4)
            snprintf(text, sizeof text, "%.3g", n * step);
        else
            snprintf(text, sizeof text, "%.*f", decimals, n * step);
        widest = fmax(widest, pv_lettering_width(text, 1.0) * fabs(a->out[0]));
        PV_TRY(put_text(page, a, n * step / a->length, to_number, text, rgb));
    }
    const char name[2] = {a->name, '\0'};
    return put_text(page, a, 0.5, to_name + fmax(widest - 0.7, 0.0), name, rgb);
}

// ---- Which edges ----------------------------------------------------------------------------------------------------

static int sees_face(const dns_camera *c, const double size[3], int across, double side)
{
    return side > 0.0 ? c->eye[across] > size[across] : c->eye[across] < 0.0;
}

// Of the edges along a direction on the outline, where a face that is seen meets one that is not, the lowest on the
// image, of z the one on the left. Length 0: there is none.
static axis edge_of(const dns_camera *c, const double size[3], const double length[3], int along,
                    const double middle[2])
{
    axis best = {.length = 0.0};
    const int one = (along + 1) % 3, two = (along + 2) % 3;
    double least = HUGE_VAL;
    for (int corner = 0; corner < 4; corner++) {
        double a[3] = {0.0}, b[3];
        a[one] = corner & 1 ? size[one] : 0.0;
        a[two] = corner & 2 ? size[two] : 0.0;
        if (sees_face(c, size, one, a[one]) == sees_face(c, size, two, a[two])) continue;
        for (int d = 0; d < 3; d++) b[d] = d == along ? size[d] : a[d];
        axis e = {.name = (char)('x' + along), .length = length[along]};
        pv_dns_camera_place(c, a, e.from, &e.near[0]);
        pv_dns_camera_place(c, b, e.to, &e.near[1]);
        const double rank = along == 2 ? e.from[0] + e.to[0] : -e.from[1] - e.to[1];
        if (rank >= least) continue;
        least = rank;
        best = e;
    }
    turn_out(&best, middle);
    return best;
}

pv_status pv_dns_page_axes(const pv_dns_page *page, const dns_camera *camera, const double size[3],
                           const double length[3], unsigned char *rgb)
{
    const double rays = (double)camera->width / (double)page->width;
    const double half[3] = {0.5 * size[0], 0.5 * size[1], 0.5 * size[2]};
    double middle[2], near;
    if (page->letter == 0.0) return PV_OK;
    pv_dns_camera_place(camera, half, middle, &near);
    for (int along = 0; along < 3; along++) {
        axis a = edge_of(camera, size, length, along, middle);
        if (a.length == 0.0) continue;
        for (int d = 0; d < 2; d++) {
            a.from[d] /= rays;
            a.to[d] /= rays;
        }
        PV_TRY(put_axis(page, &a, rgb));
    }
    return PV_OK;
}

pv_status pv_dns_page_frame(const pv_dns_page *page, int across, const double size[3], const double length[3],
                            unsigned char *rgb)
{
    const int right = across == 0 ? 1 : 0, up = across == 2 ? 1 : 2;
    const double *w = page->window, unit = fmax(size[right] / (w[2] - w[0]), size[up] / (w[3] - w[1]));
    const double x[2] = {0.5 * (w[0] + w[2] - size[right] / unit), 0.5 * (w[0] + w[2] + size[right] / unit)};
    const double y[2] = {0.5 * (w[1] + w[3] + size[up] / unit), 0.5 * (w[1] + w[3] - size[up] / unit)};
    const axis bottom = {{x[0], y[0]}, {x[1], y[0]}, {1.0, 1.0}, {0.0, 1.0}, length[right], (char)('x' + right)};
    const axis left = {{x[0], y[0]}, {x[0], y[1]}, {1.0, 1.0}, {-1.0, 0.0}, length[up], (char)('x' + up)};
    if (page->letter == 0.0) return PV_OK;
    for (int side = 0; side < 2; side++) {
        const double beside[2] = {x[side], y[0]}, above[2] = {x[0], y[side]};
        put_line(page, beside, (double[2]){0.0, -1.0}, y[0] - y[1], rgb);
        put_line(page, above, (double[2]){1.0, 0.0}, x[1] - x[0], rgb);
    }
    PV_TRY(put_axis(page, &bottom, rgb));
    return put_axis(page, &left, rgb);
}
