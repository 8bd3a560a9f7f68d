// SPDX-License-Identifier: Apache-2.0
#include "io/lettering.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"

#define DEGREE 0.017453292519943295
static const double weight = 0.8, small = 0.72, ink = 40.0; // of strokes, of sub- and superscripts; grey of 255

// ---- Strokes -------------------------------------------------------------------------------------------------------
//
// In units of a tenth of the size, up from the base line: M x y begins a stroke, L x y goes on to a point, A x y a b
// from to along an ellipse round (x, y) of half axes a, b, angles in degrees counter-clockwise; U ends a stroke.

static const struct letter {
    const char *name; // UTF-8
    double advance;
    const char *strokes;
} letters[] = {
    {" ", 3.2, ""},
    {"0", 6.0, "A 3 3.5 2.2 3.5 0 360"},
    {"1", 6.0, "M 1.4 5.5 L 3.2 7 L 3.2 0"},
    {"2", 6.0, "A 3 4.9 2.1 2.1 165 -30 L 0.9 0 L 5.2 0"},
    {"3", 6.0, "A 2.8 5.25 1.8 1.75 150 -90 A 2.8 1.75 2.2 1.75 90 -150"},
    {"4", 6.0, "M 4.1 0 L 4.1 7 L 0.7 2 L 5.4 2"},
    {"5", 6.0, "M 4.9 7 L 1.5 7 L 1.15 3.8 A 2.9 2.3 2.2 2.3 130 -150"},
    {"6", 6.0, "A 3 2.2 2.1 2.2 0 360 U A 4.6 2.2 3.7 4.8 180 100"},
    {"7", 6.0, "M 0.9 7 L 5.2 7 L 2.3 0"},
    {"8", 6.0, "A 3 5.3 1.75 1.7 0 360 U A 3 1.8 2.15 1.8 0 360"},
    {"9", 6.0, "A 3 4.8 2.1 2.2 0 360 U A 1.4 4.8 3.7 4.8 0 -80"},
    {".", 2.8, "M 1.4 0.1 L 1.4 0.25"},
    {"-", 6.0, "M 1 2.6 L 5 2.6"},
    {"+", 6.0, "M 1 2.7 L 5 2.7 U M 3 0.7 L 3 4.7"},
    {"=", 6.4, "M 1 3.6 L 5.4 3.6 U M 1 1.8 L 5.4 1.8"},
    {"|", 3.0, "M 1.5 -1.6 L 1.5 7.6"},
    {"/", 4.6, "M 0.4 -1 L 4.2 7.6"},
    {"Q", 8.0, "A 3.9 3.5 3.1 3.5 0 360 U M 4.4 1.8 L 7 -0.6"},
    {"c", 5.2, "A 2.9 2.5 2 2.5 50 310"},
    {"e", 5.8, "M 0.95 2.6 L 4.9 2.6 A 2.9 2.5 2 2.5 2 315"},
    {"m", 8.6, "M 1.1 5 L 1.1 0 U A 2.7 3.3 1.6 1.7 180 0 L 4.3 0 U A 5.9 3.3 1.6 1.7 180 0 L 7.5 0"},
    {"p", 6.0, "M 1.1 5 L 1.1 -2 U A 2.9 2.5 1.9 2.5 150 -150"},
    {"r", 4.0, "M 1.1 5 L 1.1 0 U A 3.2 2.8 2.1 2.2 180 80"},
    {"s", 5.0, "A 2.5 3.7 1.6 1.3 30 270 A 2.5 1.25 1.75 1.25 90 -150"},
    {"t", 4.0, "M 1.8 6.6 L 1.8 1.3 A 3.1 1.3 1.3 1.3 180 290 U M 0.4 5 L 3.5 5"},
    {"u", 6.0, "M 1.1 5 L 1.1 1.9 A 2.9 1.9 1.8 1.9 180 360 L 4.7 5 U M 4.7 2 L 4.7 0"},
    {"x", 5.4, "M 0.8 5 L 4.6 0 U M 4.6 5 L 0.8 0"},
    {"y", 5.4, "M 0.8 5 L 2.8 0.2 U M 4.7 5 L 1.9 -2"},
    {"z", 5.4, "M 0.9 5 L 4.6 5 L 0.8 0 L 4.7 0"},
    {"\u03c9", 7.4, "M 2 4.9 L 1.45 3.92 A 2.2 2.1 1.5 2.1 120 360 L 3.7 3.4 U A 5.2 2.1 1.5 2.1 180 420 L 5.4 4.9"},
};
static const struct letter unknown = {"", 6.0, "M 1 0 L 5 0 L 5 7 L 1 7 L 1 0"};

static const struct letter *letter_at(const char *text, size_t *bytes_p)
{
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++) {
        const size_t bytes = strlen(letters[i].name);
        if (strncmp(text, letters[i].name, bytes) == 0) {
            *bytes_p = bytes;
            return &letters[i];
        }
    }
    *bytes_p = 1;
    while (((unsigned char)text[*bytes_p] & 0xc0) == 0x80) ++*bytes_p;
    return &unknown;
}

// ---- Ink: how much of a pixel is covered, of a band of an image -----------------------------------------------------

typedef struct sheet {
    int width, first, rows; // of the band
    float *cover;           // [rows][width]
} sheet;

static double distance_to(double x, double y, const double a[2], const double b[2])
{
    const double ux = b[0] - a[0], uy = b[1] - a[1], size = ux * ux + uy * uy;
    double at = size > 0.0 ? ((x - a[0]) * ux + (y - a[1]) * uy) / size : 0.0;
    at = fmin(fmax(at, 0.0), 1.0);
    return hypot(x - a[0] - at * ux, y - a[1] - at * uy);
}

static int clamp_to(double x, int most)
{
    return x < 0.0 ? 0 : x > most ? most : (int)x;
}

static void cover_line(sheet *s, const double a[2], const double b[2], double thick)
{
    const double reach = 0.5 * thick + 1.0;
    const int x0 = clamp_to(fmin(a[0], b[0]) - reach, s->width),
              x1 = clamp_to(fmax(a[0], b[0]) + reach + 1.0, s->width);
    const int y0 = clamp_to(fmin(a[1], b[1]) - reach - s->first, s->rows);
    const int y1 = clamp_to(fmax(a[1], b[1]) + reach + 1.0 - s->first, s->rows);
    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++) {
            const double away = distance_to(x + 0.5, y + s->first + 0.5, a, b);
            const float cover = (float)fmin(fmax(0.5 * thick + 0.5 - away, 0.0), 1.0);
            float *at = &s->cover[(size_t)y * (size_t)s->width + (size_t)x];
            if (cover > *at) *at = cover;
        }
}

static void darken(const sheet *s, unsigned char *rgb)
{
    unsigned char *out = rgb + 3 * (size_t)s->first * (size_t)s->width;
    for (size_t i = 0; i < (size_t)s->rows * (size_t)s->width; i++)
        for (int c = 0; c < 3 && s->cover[i] > 0.0f; c++)
            out[3 * i + (size_t)c] += (unsigned char)lround(s->cover[i] * (ink - out[3 * i + (size_t)c]));
}

// ---- Letters -------------------------------------------------------------------------------------------------------

typedef struct pen {
    sheet *sheet;
    double origin[2], unit, at[2];
    int is_down;
} pen;

static void go_to(pen *p, double x, double y)
{
    const double to[2] = {p->origin[0] + p->unit * x, p->origin[1] - p->unit * y};
    if (p->is_down) cover_line(p->sheet, p->at, to, weight * p->unit);
    p->at[0] = to[0];
    p->at[1] = to[1];
    p->is_down = 1;
}

static void go_round(pen *p, const double v[6])
{
    const int parts = 24;
    for (int i = 0; i <= parts; i++) {
        const double angle = DEGREE * (v[4] + (v[5] - v[4]) * i / parts);
        go_to(p, v[0] + v[2] * cos(angle), v[1] + v[3] * sin(angle));
    }
}

static void draw_letter(pen *p, const char *strokes)
{
    p->is_down = 0;
    while (*strokes) {
        const char command = *strokes++;
        double v[6] = {0.0};
        const int count = command == 'A' ? 6 : command == 'U' || command == ' ' ? 0 : 2;
        for (int i = 0; i < count; i++) {
            char *end;
            v[i] = strtod(strokes, &end);
            strokes = end;
        }
        if (command == 'M' || command == 'U') p->is_down = 0;
        if (command == 'A')
            go_round(p, v);
        else if (count == 2)
            go_to(p, v[0], v[1]);
    }
}

// Width of a text; with a sheet it is drawn.
static double set(const char *text, sheet *s, double x, double y, double size)
{
    double at = x, scale = 1.0, rise = 0.0;
    while (*text) {
        if ((text[0] == '_' || text[0] == '^') && text[1] == '{') {
            rise = text[0] == '_' ? -0.16 : 0.32;
            scale = small;
            text += 2;
        } else if (text[0] == '}') {
            rise = 0.0;
            scale = 1.0;
            text++;
        } else {
            size_t bytes;
            const struct letter *letter = letter_at(text, &bytes);
            pen p = {.sheet = s, .origin = {at, y - rise * size}, .unit = 0.1 * scale * size};
            if (s) draw_letter(&p, letter->strokes);
            at += letter->advance * p.unit;
            text += bytes;
        }
    }
    return at - x;
}

double pv_lettering_width(const char *text, double size)
{
    return set(text, NULL, 0.0, 0.0, size);
}

pv_status pv_lettering_put(unsigned char *rgb, int width, int height, double x, double y, double size, const char *text)
{
    sheet s = {.width = width, .first = clamp_to(y - size, height)};
    s.rows = clamp_to(y + 0.4 * size + 1.0, height) - s.first;
    PV_TRY(PV_ALLOC((int64_t)s.rows * width, &s.cover));
    (void)set(text, &s, x, y, size);
    darken(&s, rgb);
    pv_mem_free(s.cover);
    return PV_OK;
}
