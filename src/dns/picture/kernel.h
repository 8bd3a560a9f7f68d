// SPDX-License-Identifier: Apache-2.0
// What kernels of pictures are given, and the geometry and colours that both precisions share. Coordinates of fields
// are those of the grid: a point is at its integers, z counted from the rank's first plane. Cameras see lengths, in
// units of the smallest spacing of the grid.
#ifndef PV_DNS_PICTURE_KERNEL_H
#define PV_DNS_PICTURE_KERNEL_H

#include <math.h>

#include "device/kernel.h"

// The planes of a rank and the one above them, of the field that makes the surface and the one that colours it.
typedef struct dns_brick {
    const void *field[2], *halo[2];
    int64_t nx, ny, nz, pitch, z0, planes; // nz: of the box, as nx and ny
    int64_t top;   // largest z: planes, or planes - 1 at the end of the box
    double per[3]; // cells of a unit of length
} dns_brick;

// A pin-hole camera, of width x height rays: one a pixel, or four of a pixel of half that width and height. Of a ray:
// direction = forward + right * x + up * y, with x and y from the middle of the image, upwards, in half heights of it.
typedef struct dns_camera {
    int64_t width, height;
    int is_fine; // four rays a pixel
    double eye[3], forward[3], right[3], up[3], light[3];
    // Where it looks; right and up are unit vectors times scale, forward is off by centre.
    double axis[3], scale, centre[2];
    double window[4];                 // part of the image that the box fills: left, top, right, bottom, in rays
    double near, far;                 // of the sphere round the box
} dns_camera;

// Scales of colours: of values from dark blue to yellow, the same without the darkest, of signs from blue by grey to
// red, of light in a volume.
typedef enum dns_map { DNS_MAP_WHOLE, DNS_MAP_TINT, DNS_MAP_SIGNED, DNS_MAP_GLOW } dns_map;

// pixels: depth in the upper bits, then red, green, blue: the smallest of all ranks is what one sees.
typedef struct dns_surface {
    dns_camera camera;
    dns_brick brick;
    double level;
    double low, per_colour; // colours of the second field, of a slice's only one: (value - low) per_colour on the map
    dns_map map;
    double slice;  // of the plane, which is normal to the axis
    int axis;
    double step, reach; // along a ray; to where light may come from, in cells
    double density; // of a volume: optical depth of a length of 1 at the level
    int64_t *pixels;
} dns_surface;

#define DNS_NOTHING INT64_MAX

typedef struct dns_ray {
    double o[3], d[3];
} dns_ray;

typedef struct dns_rgb {
    double r, g, b;
} dns_rgb;

PV_KERNEL_FUNCTION double dns_clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

// Where a ray meets the image: four of a pixel lie on a turned square, so that edges of any direction are smooth.
PV_KERNEL_FUNCTION void dns_place_of(const dns_camera *c, int64_t row, int64_t column, double *x, double *y)
{
    *x = (double)column + (!c->is_fine ? 0.5 : row % 2 == 0 ? 0.75 : 0.25);
    *y = (double)row + (!c->is_fine ? 0.5 : column % 2 == 0 ? 0.25 : 0.75);
}

PV_KERNEL_FUNCTION dns_ray dns_ray_of(const dns_camera *c, int64_t pixel)
{
    const int64_t row = pixel / c->width;
    double x, y;
    dns_place_of(c, row, pixel - row * c->width, &x, &y);
    x = (2.0 * x - (double)c->width) / (double)c->height;
    y = 1.0 - 2.0 * y / (double)c->height;
    dns_ray ray;
    double size = 0.0;
    for (int d = 0; d < 3; d++) {
        ray.o[d] = c->eye[d];
        ray.d[d] = c->forward[d] + x * c->right[d] + y * c->up[d];
        size += ray.d[d] * ray.d[d];
    }
    for (int d = 0; d < 3; d++) ray.d[d] /= sqrt(size);
    return ray;
}

// Between 0 and 1, even over any few neighbouring rays (Jimenez's interleaved gradient noise).
PV_KERNEL_FUNCTION double dns_dither(const dns_camera *c, int64_t pixel)
{
    const int64_t row = pixel / c->width, column = pixel - row * c->width;
    const double across = 0.06711056 * (double)column + 0.00583715 * (double)row;
    const double many = 52.9829189 * (across - floor(across));
    return many - floor(many);
}

// A ray in grid coordinates; along it t is still a length.
PV_KERNEL_FUNCTION dns_ray dns_ray_on_grid(const dns_ray *ray, const dns_brick *b)
{
    dns_ray r;
    for (int d = 0; d < 3; d++) {
        r.o[d] = ray->o[d] * b->per[d];
        r.d[d] = ray->d[d] * b->per[d];
    }
    return r;
}

// The part of a ray on the grid that is inside the brick, from t0 to t1.
PV_KERNEL_FUNCTION int dns_ray_through(const dns_ray *ray, const dns_brick *b, double *t0, double *t1)
{
    const double upper[3] = {(double)b->nx - 1.0, (double)b->ny - 1.0, (double)b->top};
    double first = 0.0, last = 1e30;
    for (int d = 0; d < 3; d++) {
        const double per = 1.0 / (fabs(ray->d[d]) > 1e-12 ? ray->d[d] : 1e-12);
        const double a = -ray->o[d] * per, c = (upper[d] - ray->o[d]) * per;
        first = fmax(first, fmin(a, c));
        last = fmin(last, fmax(a, c));
    }
    *t0 = first;
    *t1 = last;
    return b->planes > 0 && b->top > 0 && first < last;
}

// Dark blue, blue-green, green, yellow: rises evenly in lightness, so it prints in grey (fit to viridis).
PV_KERNEL_FUNCTION dns_rgb dns_colour_of(double x)
{
    x = dns_clamp(x, 0.0, 1.0);
    dns_rgb c;
    c.r = 0.2777 + x * (0.1051 + x * (-0.3309 + x * (-4.6342 + x * (6.2283 + x * (4.7764 + x * -5.4355)))));
    c.g = 0.0054 + x * (1.4046 + x * (0.2148 + x * (-5.7991 + x * (14.1799 + x * (-13.7451 + x * 4.6459)))));
    c.b = 0.3341 + x * (1.3845 + x * (0.0951 + x * (-19.3324 + x * (56.6906 + x * (-65.3530 + x * 26.3124)))));
    return c;
}

// Of surfaces, without the darkest blue: they are darkened by shade.
PV_KERNEL_FUNCTION dns_rgb dns_tint_of(double x)
{
    return dns_colour_of(0.12 + 0.88 * dns_clamp(x, 0.0, 1.0));
}

// Blue, grey, red, as light on both sides of the middle, for what has signs (Moreland 2009).
PV_KERNEL_FUNCTION dns_rgb dns_sign_of(double x)
{
    const double r[9] = {0.231, 0.384, 0.554, 0.722, 0.866, 0.959, 0.958, 0.869, 0.706};
    const double g[9] = {0.298, 0.511, 0.690, 0.815, 0.866, 0.768, 0.604, 0.378, 0.016};
    const double b[9] = {0.753, 0.918, 0.995, 0.976, 0.866, 0.678, 0.482, 0.301, 0.149};
    x = 8.0 * dns_clamp(x, 0.0, 1.0);
    const int i = x < 7.0 ? (int)x : 7;
    const double t = x - (double)i;
    dns_rgb c;
    c.r = r[i] + t * (r[i + 1] - r[i]);
    c.g = g[i] + t * (g[i + 1] - g[i]);
    c.b = b[i] + t * (b[i + 1] - b[i]);
    return c;
}

// Light that a volume scatters where the field is x levels: pale blue, dark blue, red, orange. (Rises, unlike a map for
// values, from what recedes on white to what stands out.)
PV_KERNEL_FUNCTION dns_rgb dns_glow_of(double x)
{
    x = dns_clamp(x, 0.0, 1.0);
    dns_rgb c;
    c.r = x < 0.4 ? 0.55 - 0.95 * x : x < 0.7 ? 0.17 + 2.2 * (x - 0.4) : 0.83 + 0.5 * (x - 0.7);
    c.g = x < 0.4 ? 0.70 - 1.10 * x : x < 0.7 ? 0.26 - 0.4 * (x - 0.4) : 0.14 + 1.7 * (x - 0.7);
    c.b = x < 0.4 ? 0.88 - 0.70 * x : x < 0.7 ? 0.60 - 1.5 * (x - 0.4) : 0.15 + 0.1 * (x - 0.7);
    return c;
}

PV_KERNEL_FUNCTION dns_rgb dns_map_at(dns_map map, double x)
{
    return map == DNS_MAP_WHOLE  ? dns_colour_of(x)
           : map == DNS_MAP_TINT ? dns_tint_of(x)
           : map == DNS_MAP_GLOW ? dns_glow_of(x)
                                 : dns_sign_of(x);
}

// Light from the camera's upper left that reaches round the edges, a soft highlight, and haze towards the far end of
// the box. n: normal, either way; open: how much of the sky the point sees.
PV_KERNEL_FUNCTION dns_rgb dns_shade(const dns_camera *camera, const dns_ray *ray, const double n[3], dns_rgb base,
                                     double depth, double open)
{
    const double size = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) + 1e-300;
    const double facing = (n[0] * ray->d[0] + n[1] * ray->d[1] + n[2] * ray->d[2]) / size,
                 turn = facing > 0.0 ? -1.0 : 1.0;
    const double lit = turn * (n[0] * camera->light[0] + n[1] * camera->light[1] + n[2] * camera->light[2]) / size;
    const double wrapped = 0.5 + 0.5 * lit, shine = lit > 0.0 ? 0.3 * pow(lit, 60.0) : 0.0;
    const double diffuse = (0.42 + 0.75 * wrapped * wrapped) * (0.88 + 0.12 * fabs(facing)) * (0.45 + 0.55 * open);
    const double haze = 0.35 * dns_clamp((depth - camera->near) / (camera->far - camera->near), 0.0, 1.0);
    dns_rgb c;
    c.r = (base.r * diffuse + shine) * (1.0 - haze) + haze;
    c.g = (base.g * diffuse + shine) * (1.0 - haze) + haze;
    c.b = (base.b * diffuse + shine) * (1.0 - haze) + haze;
    return c;
}

// What a ray has gathered in a volume: light, and the share that shines through from behind.
typedef struct dns_gathered {
    double r, g, b, through;
} dns_gathered;

PV_KERNEL_FUNCTION int64_t dns_pack(dns_gathered v)
{
    const int64_t r = (int64_t)(65535.0 * dns_clamp(v.r, 0.0, 1.0) + 0.5),
                  g = (int64_t)(65535.0 * dns_clamp(v.g, 0.0, 1.0) + 0.5);
    const int64_t b = (int64_t)(65535.0 * dns_clamp(v.b, 0.0, 1.0) + 0.5), t = (int64_t)(32767.0 * v.through + 0.5);
    return t << 48 | r << 32 | g << 16 | b;
}

PV_KERNEL_FUNCTION dns_gathered dns_unpack(int64_t packed)
{
    dns_gathered v;
    v.through = (double)(packed >> 48 & 32767) / 32767.0;
    v.r = (double)(packed >> 32 & 65535) / 65535.0;
    v.g = (double)(packed >> 16 & 65535) / 65535.0;
    v.b = (double)(packed & 65535) / 65535.0;
    return v;
}

// Grid coordinates of a place of the image, of a slice across `axis` in its window: x to the right and y upwards, y and z,
// or x and z.
PV_KERNEL_FUNCTION void dns_slice_place(const dns_camera *c, const dns_brick *b, int axis, double column, double row,
                                        double at[3])
{
    const double last[3] = {(double)(b->nx - 1), (double)(b->ny - 1), (double)(b->nz - 1)};
    const int right = axis == 0 ? 1 : 0, up = axis == 2 ? 1 : 2;
    const double wide = last[right] / b->per[right], high = last[up] / b->per[up];
    const double unit = fmax(wide / (c->window[2] - c->window[0]), high / (c->window[3] - c->window[1])); // of a ray
    at[right] = (0.5 * wide + (column - 0.5 * (c->window[0] + c->window[2])) * unit) * b->per[right];
    at[up] = (0.5 * high - (row - 0.5 * (c->window[1] + c->window[3])) * unit) * b->per[up];
}

PV_KERNEL_FUNCTION int64_t dns_pixel(double depth, dns_rgb c)
{
    const int64_t z = (int64_t)(dns_clamp(depth, 0.0, 1e6) * 1024.0);
    const int64_t r = (int64_t)(255.0 * dns_clamp(c.r, 0.0, 1.0) + 0.5),
                  g = (int64_t)(255.0 * dns_clamp(c.g, 0.0, 1.0) + 0.5);
    const int64_t b = (int64_t)(255.0 * dns_clamp(c.b, 0.0, 1.0) + 0.5);
    return z << 24 | r << 16 | g << 8 | b;
}

#endif
