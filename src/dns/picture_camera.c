// SPDX-License-Identifier: Apache-2.0
// The parts of a picture that need no field: where the camera stands, the edges of the box, and the finished image.
#include "dns/picture.h"

#define DEGREE 0.017453292519943295
static const double half_view = 0.21; // tangent of half the vertical angle of view

static void normalise(double v[3])
{
    const double size = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int d = 0; d < 3; d++) v[d] /= size;
}

static void cross(const double a[3], const double b[3], double c[3])
{
    for (int d = 0; d < 3; d++) c[d] = a[(d + 1) % 3] * b[(d + 2) % 3] - a[(d + 2) % 3] * b[(d + 1) % 3];
}

dns_camera pv_dns_camera_of(const int64_t n[3], int64_t width, int64_t height, double azimuth, double elevation)
{
    dns_camera c = {.width = width, .height = height};
    const double a = azimuth * DEGREE, e = elevation * DEGREE;
    const double towards[3] = {cos(e) * cos(a), cos(e) * sin(a), sin(e)}, z[3] = {0.0, 0.0, 1.0};
    double radius = 0.0, right[3], up[3];
    for (int d = 0; d < 3; d++) radius += 0.25 * (double)(n[d] - 1) * (double)(n[d] - 1);
    // The whole box, however it is turned: its corners seldom lie at the rim of the sphere round it.
    const double narrow = width < height ? half_view * (double)width / (double)height : half_view;
    const double distance = 0.93 * sqrt(radius) / sin(atan(narrow));
    for (int d = 0; d < 3; d++) {
        c.forward[d] = -towards[d];
        c.eye[d] = 0.5 * (double)(n[d] - 1) + distance * towards[d];
    }
    cross(c.forward, z, right);
    normalise(right);
    cross(right, c.forward, up);
    for (int d = 0; d < 3; d++) {
        c.light[d] = -0.5 * right[d] + 0.6 * up[d] + towards[d];
        c.right[d] = half_view * right[d];
        c.up[d] = half_view * up[d];
    }
    normalise(c.light);
    c.near = distance - sqrt(radius);
    c.far = distance + sqrt(radius);
    return c;
}

// A grey point where nothing nearer is.
static void put_point(const dns_camera *c, const double at[3], int64_t *pixels)
{
    double v[3], ahead = 0.0, x = 0.0, y = 0.0, size = 0.0;
    for (int d = 0; d < 3; d++) {
        v[d] = at[d] - c->eye[d];
        ahead += v[d] * c->forward[d];
        x += v[d] * c->right[d];
        y += v[d] * c->up[d];
        size += v[d] * v[d];
    }
    x /= ahead * half_view * half_view;
    y /= ahead * half_view * half_view;
    const int64_t column = (int64_t)floor(0.5 * (x * (double)c->height + (double)c->width));
    const int64_t row = (int64_t)floor(0.5 * (double)c->height * (1.0 - y));
    const dns_rgb grey = {0.55, 0.55, 0.55};
    const int64_t pixel = dns_pixel(sqrt(size) - 0.05, grey);
    for (int64_t i = row; i < row + 2 && i < c->height; i++)
        for (int64_t j = column; j < column + 2 && j < c->width; j++)
            if (i >= 0 && j >= 0 && pixel < pixels[i * c->width + j]) pixels[i * c->width + j] = pixel;
}

static void put_edges(const dns_camera *c, const int64_t n[3], int64_t *pixels)
{
    const int64_t points = 2 * (c->width + c->height);
    for (int axis = 0; axis < 3; axis++)
        for (int corner = 0; corner < 4; corner++)
            for (int64_t i = 0; i <= points; i++) {
                double at[3];
                at[axis] = (double)(n[axis] - 1) * (double)i / (double)points;
                at[(axis + 1) % 3] = corner & 1 ? (double)(n[(axis + 1) % 3] - 1) : 0.0;
                at[(axis + 2) % 3] = corner & 2 ? (double)(n[(axis + 2) % 3] - 1) : 0.0;
                put_point(c, at, pixels);
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
void pv_dns_picture_develop(const dns_camera *c, const int64_t n[3], int with_edges, int64_t *pixels,
                            unsigned char *rgb)
{
    if (with_edges) put_edges(c, n, pixels);
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
