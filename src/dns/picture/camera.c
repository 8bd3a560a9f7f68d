// SPDX-License-Identifier: Apache-2.0
// The parts of a picture that need no field: where the camera stands, the edges of the box, and the finished image.
#include "dns/picture/picture.h"

#define DEGREE 0.017453292519943295
static const double stand = 4.2; // distance of the camera in radii of the box: how strong the perspective is

static void normalise(double v[3])
{
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int d = 0; d < 3; d++) v[d] /= length;
}

static void cross(const double a[3], const double b[3], double c[3])
{
    for (int d = 0; d < 3; d++) c[d] = a[(d + 1) % 3] * b[(d + 2) % 3] - a[(d + 2) % 3] * b[(d + 1) % 3];
}

// Where a point is seen, in half heights of the image from its middle before scale and centre; the reciprocal of its
// depth.
static double project(const dns_camera *c, const double at[3], const double right[3], const double up[3],
                      double seen[2])
{
    double ahead = 0.0, x = 0.0, y = 0.0;
    for (int d = 0; d < 3; d++) {
        const double v = at[d] - c->eye[d];
        ahead += v * c->axis[d];
        x += v * right[d];
        y += v * up[d];
    }
    seen[0] = x / ahead;
    seen[1] = y / ahead;
    return 1.0 / ahead;
}

// The eight corners of the box just fit into the window.
static void fit(const double size[3], const double right[3], const double up[3], dns_camera *c)
{
    const double half = 0.5 * (double)c->height, middle[2] = {0.5 * (double)c->width, half};
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL}, seen[2];
    for (int corner = 0; corner < 8; corner++) {
        double at[3];
        for (int d = 0; d < 3; d++) at[d] = corner >> d & 1 ? size[d] : 0.0;
        (void)project(c, at, right, up, seen);
        for (int d = 0; d < 2; d++) {
            low[d] = fmin(low[d], seen[d]);
            high[d] = fmax(high[d], seen[d]);
        }
    }
    for (int d = 0; d < 2; d++)
        c->scale = fmax(c->scale, (high[d] - low[d]) / (c->window[2 + d] - c->window[d]) * half);
    for (int d = 0; d < 2; d++) {
        const double away = (0.5 * (c->window[d] + c->window[2 + d]) - middle[d]) / half;
        c->centre[d] = 0.5 * (low[d] + high[d]) - c->scale * (d == 0 ? away : -away);
    }
}

dns_camera pv_dns_camera_of(const double size[3], const pv_dns_page *page, int is_fine, double azimuth,
                            double elevation)
{
    const int64_t rays = is_fine ? 2 : 1;
    dns_camera c = {.width = rays * page->width, .height = rays * page->height, .is_fine = is_fine};
    const double a = azimuth * DEGREE, e = elevation * DEGREE;
    const double towards[3] = {cos(e) * cos(a), cos(e) * sin(a), sin(e)}, z[3] = {0.0, 0.0, 1.0};
    double radius = 0.0, right[3], up[3];
    for (int i = 0; i < 4; i++) c.window[i] = (double)rays * page->window[i];
    for (int d = 0; d < 3; d++) radius += 0.25 * size[d] * size[d];
    radius = sqrt(radius);
    for (int d = 0; d < 3; d++) {
        c.axis[d] = -towards[d];
        c.eye[d] = 0.5 * size[d] + stand * radius * towards[d];
    }
    cross(c.axis, z, right);
    normalise(right);
    cross(right, c.axis, up);
    fit(size, right, up, &c);
    for (int d = 0; d < 3; d++) {
        c.light[d] = -0.5 * right[d] + 0.6 * up[d] + towards[d];
        c.right[d] = c.scale * right[d];
        c.up[d] = c.scale * up[d];
        c.forward[d] = c.axis[d] + c.centre[0] * right[d] + c.centre[1] * up[d];
    }
    normalise(c.light);
    c.near = (stand - 1.0) * radius;
    c.far = (stand + 1.0) * radius;
    return c;
}

void pv_dns_camera_place(const dns_camera *c, const double at[3], double seen[2], double *near)
{
    double right[3], up[3];
    for (int d = 0; d < 3; d++) {
        right[d] = c->right[d] / c->scale;
        up[d] = c->up[d] / c->scale;
    }
    *near = project(c, at, right, up, seen);
    seen[0] = 0.5 * ((double)c->width + (seen[0] - c->centre[0]) / c->scale * (double)c->height);
    seen[1] = 0.5 * (double)c->height * (1.0 - (seen[1] - c->centre[1]) / c->scale);
}

// ---- Edges of the box -----------------------------------------------------------------------------------------------

typedef struct edge {
    double a[3], b[3];           // ends in the box
    double from[2], to[2];       // in the image
    double near[2];              // reciprocal depths of the ends
    double half;                 // of its thickness, in rays
} edge;

// A grey ray where the edge is and nothing is nearer.
static void put_ray(const dns_camera *c, const edge *e, int64_t row, int64_t column, int64_t *pixels)
{
    double x, y, depth = 0.0;
    if (row < 0 || column < 0 || row >= c->height || column >= c->width) return;
    dns_place_of(c, row, column, &x, &y);
    const double ux = e->to[0] - e->from[0], uy = e->to[1] - e->from[1];
    const double t = dns_clamp(((x - e->from[0]) * ux + (y - e->from[1]) * uy) / (ux * ux + uy * uy), 0.0, 1.0);
    if (hypot(x - e->from[0] - t * ux, y - e->from[1] - t * uy) > e->half) return;
    const double s = t * e->near[1] / (e->near[0] + t * (e->near[1] - e->near[0]));
    for (int d = 0; d < 3; d++) {
        const double v = e->a[d] + s * (e->b[d] - e->a[d]) - c->eye[d];
        depth += v * v;
    }
    const dns_rgb grey = {0.5, 0.5, 0.5};
    const int64_t pixel = dns_pixel(sqrt(depth) - 0.05, grey);
    if (pixel < pixels[row * c->width + column]) pixels[row * c->width + column] = pixel;
}

// Along the direction in which it is longer.
static void put_edge(const dns_camera *c, const edge *e, int64_t *pixels)
{
    const int major = fabs(e->to[0] - e->from[0]) < fabs(e->to[1] - e->from[1]);
    const double length = e->to[major] - e->from[major], slope = (e->to[!major] - e->from[!major]) / length;
    const double reach = 1.5 * e->half + 1.0, first = fmin(e->from[major], e->to[major]) - e->half;
    const int64_t last = (int64_t)(fmax(e->from[major], e->to[major]) + e->half);
    if (!(fabs(length) > 0.0)) return;
    for (int64_t i = (int64_t)first; i <= last; i++) {
        const double across = e->from[!major] + slope * ((double)i + 0.5 - e->from[major]);
        for (int64_t j = (int64_t)floor(across - reach); j <= (int64_t)(across + reach); j++)
            put_ray(c, e, major ? i : j, major ? j : i, pixels);
    }
}

static void put_edges(const dns_camera *c, const double size[3], int64_t *pixels)
{
    const double pixel = c->is_fine ? 2.0 : 1.0;
    for (int axis = 0; axis < 3; axis++)
        for (int corner = 0; corner < 4; corner++) {
            edge e = {.half = fmax(0.5 * pixel, (double)c->height / 1500.0)};
            e.b[axis] = size[axis];
            e.a[(axis + 1) % 3] = e.b[(axis + 1) % 3] = corner & 1 ? size[(axis + 1) % 3] : 0.0;
            e.a[(axis + 2) % 3] = e.b[(axis + 2) % 3] = corner & 2 ? size[(axis + 2) % 3] : 0.0;
            pv_dns_camera_place(c, e.a, e.from, &e.near[0]);
            pv_dns_camera_place(c, e.b, e.to, &e.near[1]);
            put_edge(c, &e, pixels);
        }
}

void pv_dns_picture_overlay(int64_t pixels, const int64_t *gathered, unsigned char *rgb)
{
    for (int64_t i = 0; i < pixels; i++) {
        const dns_gathered v = dns_unpack(gathered[i]);
        const double light[3] = {v.r, v.g, v.b};
        for (int c = 0; c < 3; c++) {
            const double value = 255.0 * light[c] + v.through * (double)rgb[3 * i + c];
            rgb[3 * i + c] = (unsigned char)(dns_clamp(value, 0.0, 255.0) + 0.5);
        }
    }
}

// Light of `behind` that comes through what is in front of it.
int64_t pv_dns_picture_behind(int64_t front, int64_t behind)
{
    dns_gathered a = dns_unpack(front);
    const dns_gathered b = dns_unpack(behind);
    a.r += a.through * b.r;
    a.g += a.through * b.g;
    a.b += a.through * b.b;
    a.through *= b.through;
    return dns_pack(a);
}

// Means of four points; white where nothing is.
void pv_dns_picture_develop(const dns_camera *c, const double size[3], int with_edges, int64_t *pixels,
                            unsigned char *rgb)
{
    if (with_edges) put_edges(c, size, pixels);
    for (int64_t row = 0; row < c->height / 2; row++)
        for (int64_t column = 0; column < c->width / 2; column++)
            for (int colour = 0; colour < 3; colour++) {
                int64_t sum = 0;
                for (int p = 0; p < 4; p++) {
                    const int64_t pixel = pixels[(2 * row + p / 2) * c->width + 2 * column + p % 2];
                    sum += pixel == DNS_NOTHING ? 255 : pixel >> (16 - 8 * colour) & 255;
                }
                rgb[(row * (c->width / 2) + column) * 3 + colour] = (unsigned char)(sum / 4);
            }
}
