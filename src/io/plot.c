// SPDX-License-Identifier: Apache-2.0
#include "io/plot.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/file_text.h"
#include "io/plot_canvas.h"

// Lengths in points, 1/72 inch.
static const double usual_width = 245.0, usual_height = 187.0;
static const double font = PV_PLOT_FONT, small_font = PV_PLOT_SMALL_FONT;
static const double margin_left = 40.0, margin_right = 9.0, margin_top = 8.0, margin_bottom = 20.0;
static const double small_line = 7.5;
static const double row_height = 12.0; // of title, labels, rows of the legend
static const char *const palette[] = {"#000000", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"};
enum { COLOURS = sizeof palette / sizeof *palette };

static const char *colour_of(int colour)
{
    return palette[colour <= 0 ? 0 : 1 + (colour - 1) % (COLOURS - 1)];
}

// ---- Ranges ------------------------------------------------------------------------------------------------------

static int is_drawn(const pv_plot_curve *curve, int i) { return isfinite(curve->x[i]) && isfinite(curve->y[i]); }

// What the curves need, with a little room above and below.
static void widen(const pv_plot *plot, double x[2], double y[2])
{
    x[0] = y[0] = DBL_MAX;
    x[1] = y[1] = -DBL_MAX;
    for (int k = 0; k < plot->curve_count; k++) {
        const pv_plot_curve *curve = &plot->curves[k];
        for (int i = 0; i < curve->points; i++) {
            if (!is_drawn(curve, i)) continue;
            x[0] = fmin(x[0], curve->x[i]);
            x[1] = fmax(x[1], curve->x[i]);
            y[0] = fmin(y[0], curve->y[i]);
            y[1] = fmax(y[1], curve->y[i]);
        }
        if (curve->filled) y[0] = fmin(y[0], 0.0), y[1] = fmax(y[1], 0.0);
    }
    const double room = 0.05 * (y[1] - y[0]);
    if (y[0] != 0.0) y[0] -= room;
    if (y[1] != 0.0) y[1] += room;
}

static void choose_range(const double given[2], const double needed[2], double range[2])
{
    const int is_given = given[0] != given[1];
    range[0] = is_given ? given[0] : needed[0];
    range[1] = is_given ? given[1] : needed[1];
    // A single value, or several that only round-off tells apart: no step of ticks could be added to them.
    const double size = fmax(fabs(range[0]), fabs(range[1]));
    if (fabs(range[1] - range[0]) <= 1e-12 * size || range[0] == range[1]) {
        const double reach = fmax(1.0, 1e-6 * size);
        range[0] -= reach;
        range[1] += reach;
    }
}

// ---- Text --------------------------------------------------------------------------------------------------------

// Lines of a label of several are small.
static void put_tick_label(const canvas *c, const pv_plot_tick *tick, double y)
{
    const char *text = tick->label, *end = strchr(text, '\n');
    const double x = place_x(c, tick->at);
    if (!end) {
        pv_plot_put_text(c, x, y, "middle", "", text);
        return;
    }
    fprintf(c->out, "<g font-size=\"%g\">\n", small_font);
    for (y -= font - small_font; *text; y += small_line) {
        const size_t length = strcspn(text, "\n");
        fprintf(c->out, "<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"middle\">", x, y);
        pv_plot_put_letters(c, text, length);
        fputs("</text>\n", c->out);
        text += length + (text[length] == '\n');
    }
    fputs("</g>\n", c->out);
}

// ---- Frame -------------------------------------------------------------------------------------------------------

static void put_x_labels(const canvas *c)
{
    const pv_plot *plot = c->plot;
    const double below = c->bottom + font + 2.5;
    for (int i = 0; plot->x_ticks && i < plot->x_tick_count; i++) put_tick_label(c, &plot->x_ticks[i], below);
}

static void put_labels(const canvas *c)
{
    const pv_plot *plot = c->plot;
    char turn[80];
    const double middle = 0.5 * (c->top + c->bottom);
    if (plot->title) pv_plot_put_text(c, 0.5 * (c->left + c->right), font + 3.0, "middle", "", plot->title);
    if (plot->x_label) pv_plot_put_text(c, 0.5 * (c->left + c->right), c->height - 5.0, "middle", "", plot->x_label);
    snprintf(turn, sizeof turn, " transform=\"rotate(-90 %.2f %.2f)\"", font + 1.0, middle);
    if (plot->y_label) pv_plot_put_text(c, font + 1.0, middle, "middle", turn, plot->y_label);
}

static int is_within(double at, const double range[2]) { return at >= range[0] && at <= range[1]; }

// Lines outside the ranges are not drawn.
static void put_guides(const canvas *c)
{
    const pv_plot *plot = c->plot;
    fputs("<path fill=\"none\" stroke=\"#808080\" stroke-width=\"0.5\" d=\"", c->out);
    for (int i = 0; plot->x_ticks && i < plot->x_tick_count; i++)
        pv_plot_put_line(c, place_x(c, plot->x_ticks[i].at), c->top, place_x(c, plot->x_ticks[i].at), c->bottom);
    fputs("\"/>\n<path fill=\"none\" stroke=\"#808080\" stroke-width=\"0.5\" stroke-dasharray=\"3 2\" d=\"", c->out);
    for (int i = 0; i < plot->x_line_count; i++)
        if (is_within(plot->x_lines[i], c->x))
            pv_plot_put_line(c, place_x(c, plot->x_lines[i]), c->top, place_x(c, plot->x_lines[i]), c->bottom);
    for (int i = 0; i < plot->y_line_count; i++)
        if (is_within(plot->y_lines[i], c->y))
            pv_plot_put_line(c, c->left, place_y(c, plot->y_lines[i]), c->right, place_y(c, plot->y_lines[i]));
    fputs("\"/>\n", c->out);
}

static void put_notes(const canvas *c)
{
    if (c->plot->note_count == 0) return;
    fprintf(c->out, "<g font-size=\"%g\">\n", PV_PLOT_NOTE_FONT);
    for (int i = 0; i < c->plot->note_count; i++) {
        const pv_plot_note *note = &c->plot->notes[i];
        char fill[32];
        if (!is_within(note->x, c->x) || !is_within(note->y, c->y)) continue;
        snprintf(fill, sizeof fill, " fill=\"%s\"", colour_of(note->colour));
        pv_plot_put_text(c, place_x(c, note->x) + (note->ends ? -3.0 : 3.0), place_y(c, note->y) - 2.5,
                         note->ends ? "end" : "start", fill, note->text);
    }
    fputs("</g>\n", c->out);
}

// ---- Curves ------------------------------------------------------------------------------------------------------

// Far outside the frame numbers would only be long: the renderer clips what is left.
static double limited(double at, double low, double high) { return fmin(fmax(at, low - 1e4), high + 1e4); }

static void put_point(const canvas *c, const pv_plot_curve *curve, int i, char command)
{
    fprintf(c->out, "%c%.2f %.2f", command, limited(place_x(c, curve->x[i]), c->left, c->right),
            limited(place_y(c, curve->y[i]), c->top, c->bottom));
}

static void put_area(const canvas *c, const pv_plot_curve *curve)
{
    const double zero = place_y(c, 0.0);
    fprintf(c->out, "<path fill=\"%s\" fill-opacity=\"0.18\" stroke=\"none\" d=\"", colour_of(curve->colour));
    for (int i = 0; i < curve->points; i++) {
        if (!is_drawn(curve, i)) continue;
        const int begins = i == 0 || !is_drawn(curve, i - 1), ends = i + 1 == curve->points || !is_drawn(curve, i + 1);
        if (begins) fprintf(c->out, "M%.2f %.2f", place_x(c, curve->x[i]), zero);
        put_point(c, curve, i, 'L');
        if (ends) fprintf(c->out, "L%.2f %.2fZ", place_x(c, curve->x[i]), zero);
    }
    fputs("\"/>\n", c->out);
}

static void put_stroke(const canvas *c, const pv_plot_curve *curve)
{
    fprintf(c->out, "stroke=\"%s\" stroke-width=\"%g\"%s", colour_of(curve->colour),
            curve->width_pt > 0.0 ? curve->width_pt : 1.0, curve->dashed ? " stroke-dasharray=\"4 2\"" : "");
}

// Filled with white, so that lines do not run through them; as large as a disc of 2 pt.
static void put_mark(const canvas *c, const pv_plot_curve *curve, double x, double y)
{
    static const char *const shapes[] = {"", "", "m-1.8 -1.8h3.6v3.6h-3.6z", "m0 -2.5l2.5 2.5l-2.5 2.5l-2.5 -2.5z",
                                         "m0 -2.4l2.2 3.9h-4.4z"};
    if (curve->mark == PV_MARK_NONE) return;
    if (curve->mark == PV_MARK_DISC) fprintf(c->out, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"2\"", x, y);
    else fprintf(c->out, "<path d=\"M%.2f %.2f%s\"", x, y, shapes[curve->mark]);
    fprintf(c->out, " fill=\"#fff\" stroke=\"%s\" stroke-width=\"1\"/>\n", colour_of(curve->colour));
}

static void put_marks(const canvas *c)
{
    for (int k = 0; k < c->plot->curve_count; k++) {
        const pv_plot_curve *curve = &c->plot->curves[k];
        for (int i = 0; i < curve->points; i++) {
            if (!is_drawn(curve, i)) continue;
            const double x = place_x(c, curve->x[i]), y = place_y(c, curve->y[i]);
            if (x >= c->left && x <= c->right && y >= c->top && y <= c->bottom) put_mark(c, curve, x, y);
        }
    }
}

static void put_curves(const canvas *c)
{
    fprintf(c->out, "<clipPath id=\"frame\"><rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"/></clipPath>\n",
            c->left, c->top, c->right - c->left, c->bottom - c->top);
    fputs("<g clip-path=\"url(#frame)\" fill=\"none\" stroke-linejoin=\"round\" stroke-linecap=\"butt\">\n", c->out);
    for (int k = 0; k < c->plot->curve_count; k++) {
        const pv_plot_curve *curve = &c->plot->curves[k];
        if (curve->filled) put_area(c, curve);
        if (curve->no_line) continue;
        fputs("<path ", c->out);
        put_stroke(c, curve);
        fputs(" d=\"", c->out);
        for (int i = 0; i < curve->points; i++)
            if (is_drawn(curve, i)) put_point(c, curve, i, i == 0 || !is_drawn(curve, i - 1) ? 'M' : 'L');
        fputs("\"/>\n", c->out);
    }
    fputs("</g>\n", c->out);
}

// ---- Legend ------------------------------------------------------------------------------------------------------

static const double sample = 16.0, gap = 4.0, between = 12.0; // lengths along a row: line, space, next entry

// Width of a text, about: characters are the bytes that continue no UTF-8 character; marks of raised and lowered ones
// are not seen.
static double width_of(const char *text)
{
    double width = 0.0, size = font;
    for (; *text; text++) {
        if ((*text == '_' || *text == '^') && text[1] == '{') {
            size = small_font;
            text++;
        } else if (*text == '}') {
            size = font;
        } else if (((unsigned char)*text & 0xc0) != 0x80) {
            width += 0.55 * size;
        }
    }
    return width;
}

// Rows of entries from left to right; with `c` they are drawn, the first row at `top`.
static int lay_legend(const pv_plot *plot, double width, const canvas *c, double top)
{
    double at = 0.0;
    int rows = 0;
    for (int k = 0; k < plot->curve_count; k++) {
        const pv_plot_curve *curve = &plot->curves[k];
        if (!curve->label) continue;
        const double length = sample + gap + width_of(curve->label);
        if (rows == 0 || at + length > width) {
            at = 0.0;
            rows++;
        }
        if (c) {
            const double x = c->left + at, y = top + (rows - 0.5) * row_height;
            fputs("<path fill=\"none\" ", c->out);
            put_stroke(c, curve);
            fprintf(c->out, " d=\"M%.2f %.2fh%.2f\"/>\n", x, y, curve->no_line ? 0.0 : sample);
            put_mark(c, curve, x + 0.5 * sample, y);
            pv_plot_put_text(c, x + sample + gap, y + 0.35 * font, "start", "", curve->label);
        }
        at += length + between;
    }
    return rows;
}

// ---- File --------------------------------------------------------------------------------------------------------

static void put_figure(const canvas *c)
{
    fprintf(c->out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%gpt\" height=\"%gpt\" viewBox=\"0 0 %g %g\" "
                    "font-family=\"Helvetica, Arial, 'Liberation Sans', sans-serif\" font-size=\"%g\">\n",
            c->width, c->height, c->width, c->height, font);
    fprintf(c->out, "<rect width=\"%g\" height=\"%g\" fill=\"#fff\"/>\n", c->width, c->height);
    put_guides(c);
    put_curves(c);
    pv_plot_put_frame(c);
    put_marks(c);
    put_notes(c);
    put_x_labels(c);
    pv_plot_put_numbers(c);
    put_labels(c);
    lay_legend(c->plot, c->right - c->left, c, c->top - 2.0 - c->legend_rows * row_height);
    fputs("</svg>\n", c->out);
}

static int lines_of(const pv_plot *plot)
{
    int most = 1;
    for (int i = 0; plot->x_ticks && i < plot->x_tick_count; i++) {
        int lines = 1;
        for (const char *at = plot->x_ticks[i].label; *at; at++) lines += *at == '\n';
        if (lines > most) most = lines;
    }
    return most;
}

static void lay_top(canvas *c)
{
    c->legend_rows = lay_legend(c->plot, c->right - c->left, NULL, 0.0);
    c->top = margin_top + row_height * (c->legend_rows + (c->plot->title ? 1 : 0));
}

static canvas canvas_of(const pv_plot *plot)
{
    canvas c = {.plot = plot,
                .width = plot->width_pt > 0.0 ? plot->width_pt : usual_width,
                .height = plot->height_pt > 0.0 ? plot->height_pt : usual_height,
                .left = margin_left};
    double x[2], y[2];
    c.right = c.width - margin_right;
    c.bottom = c.height - margin_bottom - (plot->x_label ? row_height : 0.0) - small_line * (lines_of(plot) - 1);
    widen(plot, x, y);
    choose_range(plot->x_range, x, c.x);
    choose_range(plot->y_range, y, c.y);
    lay_top(&c);
    // Long numbers stay clear of the label.
    const double needed = pv_plot_y_number_width(&c) + 3.5 + (plot->y_label ? font + 6.5 : 3.0);
    if (needed > c.left) {
        c.left = needed;
        lay_top(&c);
    }
    return c;
}

static int has_point(const pv_plot *plot)
{
    for (int k = 0; k < plot->curve_count; k++)
        for (int i = 0; i < plot->curves[k].points; i++)
            if (is_drawn(&plot->curves[k], i)) return 1;
    return 0;
}

pv_status pv_plot_write(const char *path, const pv_plot *plot)
{
    PV_REQUIRE(has_point(plot), PV_ERR_ARGUMENT, "a plot of %d curves without a point, for %s; at least one is needed",
               plot->curve_count, path);
    pv_file_text text;
    PV_TRY(pv_file_text_begin(path, &text));
    canvas c = canvas_of(plot);
    c.out = text.out;
    put_figure(&c);
    return pv_file_text_end(&text);
}
