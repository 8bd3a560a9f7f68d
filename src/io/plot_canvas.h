// SPDX-License-Identifier: Apache-2.0
// The page of a figure while it is drawn, and what is put on it: for plot.c and plot_axes.c alone.
#ifndef PV_IO_PLOT_CANVAS_H
#define PV_IO_PLOT_CANVAS_H

#include <stdio.h>

#include "io/plot.h"

// Lengths in points, 1/72 inch.
#define PV_PLOT_FONT 8.5
#define PV_PLOT_SMALL_FONT 6.2
#define PV_PLOT_NOTE_FONT 7.0

typedef struct canvas {
    FILE *out;
    const pv_plot *plot;
    double width, height;
    double left, right, top, bottom;   // of the frame
    double x[2], y[2];                 // ranges
    int legend_rows;
} canvas;

static inline double place_x(const canvas *c, double x)
{
    return c->left + (x - c->x[0]) / (c->x[1] - c->x[0]) * (c->right - c->left);
}

static inline double place_y(const canvas *c, double y)
{
    return c->bottom - (y - c->y[0]) / (c->y[1] - c->y[0]) * (c->bottom - c->top);
}

// Of a path that has begun.
void pv_plot_put_line(const canvas *c, double x1, double y1, double x2, double y2);
// Inside a text that has begun.
void pv_plot_put_letters(const canvas *c, const char *text, size_t length);
// Subscripts as in pv_plot_curve's labels, superscripts as ^{ab}. anchor: start, middle, end; more: further attributes.
void pv_plot_put_text(const canvas *c, double x, double y, const char *anchor, const char *more, const char *text);

// ---- plot_axes.c -------------------------------------------------------------------------------------------------

// A frame with ticks inwards on all sides, and the numbers at them; on logarithmic axes the powers of ten.
void pv_plot_put_frame(const canvas *c);
void pv_plot_put_numbers(const canvas *c);
// About what the numbers at the left need, once top, bottom and ranges are known.
double pv_plot_y_number_width(const canvas *c);

#endif
