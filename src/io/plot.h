// SPDX-License-Identifier: Apache-2.0
// Curves as SVG, made to stand in a paper: a frame with ticks inwards on all sides, the legend above it, thin lines,
// colours that the colour-blind tell apart.
#ifndef PV_IO_PLOT_H
#define PV_IO_PLOT_H

#include <parseval/status.h>

typedef enum pv_plot_mark {
    PV_MARK_NONE,
    PV_MARK_DISC,
    PV_MARK_SQUARE,
    PV_MARK_DIAMOND,
    PV_MARK_TRIANGLE
} pv_plot_mark;

// Labels: UTF-8; x_{ab} is a subscript, x^{ab} a superscript.
typedef struct pv_plot_curve {
    const char *label;         // in the legend; NULL: none
    int points;
    const double *x, *y;       // [points]; a NaN interrupts the line
    int colour;                // 0 black, 1 to 6: blue, vermilion, green, purple, orange, sky; further ones begin again
    int dashed;
    pv_plot_mark mark;         // at each point
    int no_line;               // marks alone
    int filled;                // down or up to y = 0
    double width_pt;           // 0: the usual 1
} pv_plot_curve;

typedef struct pv_plot_tick {
    double at;
    const char *label;         // a newline begins a further line: these are set small
} pv_plot_tick;

// Small, inside the frame, just above the point; x and y as of curves.
typedef struct pv_plot_note {
    double x, y;
    const char *text;
    int colour, ends;          // as of curves; ends: at x, instead of beginning there
} pv_plot_note;

typedef struct pv_plot {
    const char *title;         // NULL: none
    const char *x_label, *y_label;
    double width_pt, height_pt; // 0: a column of a journal, 3.4 x 2.6 inch
    double x_range[2], y_range[2]; // equal ends: what the curves need
    int x_log, y_log;          // the axis shows powers of ten; its values here are logarithms to the base 10
    int x_twos;                // with x_log: 1, 2, 4, 8 instead
    int y_plain;               // with y_log: 5, 10, 20 instead, as on axes with less than two powers of ten
    const pv_plot_tick *x_ticks; // NULL: chosen; else a thin line through the frame at each
    int x_tick_count;
    const double *x_lines, *y_lines; // thin dashed lines through the frame
    int x_line_count, y_line_count;
    const pv_plot_note *notes;
    int note_count;
    const pv_plot_curve *curves;
    int curve_count;
} pv_plot;

// Replaces `path` whole or not at all. PV_ERR_ARGUMENT when no curve has a point that can be drawn. Local.
pv_status pv_plot_write(const char *path, const pv_plot *plot);

// The step of ticks, 1, 2 or 5 times a power of ten, that gives about `wanted` of them in a range. Pure.
double pv_plot_step(double range, int wanted);

#endif
