// SPDX-License-Identifier: Apache-2.0
#include "io/plot_canvas.h"

#include <math.h>

enum { MOST_TWOS = 12 }; // numbers of three digits side by side

static const double font = PV_PLOT_FONT, tick_length = 3.5, minor_length = 2.0;

double pv_plot_step(double range, int wanted)
{
    const double raw = range / wanted, power = pow(10.0, floor(log10(raw)));
    const double lead = raw / power;
    return power * (lead < 1.5 ? 1.0 : lead < 3.0 ? 2.0 : lead < 7.0 ? 5.0 : 10.0);
}

// Between the ticks: halves of 1 and 2, fifths of 5.
static double minor_step(double step)
{
    const double lead = step / pow(10.0, floor(log10(step) + 1e-9));
    return lead > 4.0 ? step / 5.0 : step / 2.0;
}

static double x_step(const canvas *c)
{
    const double step = pv_plot_step(c->x[1] - c->x[0], (int)((c->right - c->left) / 36.0) + 1);
    return c->plot->x_log ? fmax(1.0, round(step)) : step;
}

static double y_step(const canvas *c)
{
    const double step = pv_plot_step(c->y[1] - c->y[0], (int)((c->bottom - c->top) / 26.0) + 1);
    return c->plot->y_log ? fmax(1.0, round(step)) : step;
}

// ---- Ticks ---------------------------------------------------------------------------------------------------------

static void put_x_tick(const canvas *c, double at, double length)
{
    if (at < c->x[0] || at > c->x[1]) return;
    pv_plot_put_line(c, place_x(c, at), c->bottom, place_x(c, at), c->bottom - length);
    pv_plot_put_line(c, place_x(c, at), c->top, place_x(c, at), c->top + length);
}

static void put_y_tick(const canvas *c, double at, double length)
{
    if (at < c->y[0] || at > c->y[1]) return;
    pv_plot_put_line(c, c->left, place_y(c, at), c->left + length, place_y(c, at));
    pv_plot_put_line(c, c->right, place_y(c, at), c->right - length, place_y(c, at));
}

typedef void (*put_tick)(const canvas *c, double at, double length);

static void put_steps(const canvas *c, const double range[2], double step, double length, put_tick put)
{
    for (double at = ceil(range[0] / step - 1e-9) * step; at <= range[1] + 1e-9 * step; at += step) put(c, at, length);
}

// Between powers of ten the multiples 2 to 9, where every power has its tick.
static void put_ticks(const canvas *c, const double range[2], double step, int is_log, put_tick put)
{
    put_steps(c, range, step, tick_length, put);
    if (!is_log) {
        put_steps(c, range, minor_step(step), minor_length, put);
    } else if (step > 1.0) {
        put_steps(c, range, 1.0, minor_length, put);
    } else {
        for (double power = floor(range[0]); power <= range[1]; power += 1.0)
            for (int m = 2; m < 10; m++) put(c, power + log10(m), minor_length);
    }
}

// From 1 on. Where they are many, every other one has a number; the last has one.
static void put_twos(const canvas *c, void (*put)(const canvas *c, double at, int has_number))
{
    const int last = (int)floor(c->x[1] / log10(2.0) + 1e-9), stride = last >= MOST_TWOS ? 2 : 1;
    for (int power = 0; power <= last; power++)
        if (power * log10(2.0) >= c->x[0] - 1e-9) put(c, power * log10(2.0), (last - power) % stride == 0);
}

static void put_tick_of_two(const canvas *c, double at, int has_number)
{
    put_x_tick(c, at, has_number ? tick_length : minor_length);
}

static int has_twos(const pv_plot *plot) { return plot->x_log && plot->x_twos && !plot->x_ticks; }

void pv_plot_put_frame(const canvas *c)
{
    fputs("<path fill=\"none\" stroke=\"#000\" stroke-width=\"0.6\" d=\"", c->out);
    fprintf(c->out, "M%.2f %.2fH%.2fV%.2fH%.2fZ", c->left, c->top, c->right, c->bottom, c->left);
    if (has_twos(c->plot))
        put_twos(c, put_tick_of_two);
    else if (!c->plot->x_ticks)
        put_ticks(c, c->x, x_step(c), c->plot->x_log, put_x_tick);
    put_ticks(c, c->y, y_step(c), c->plot->y_log, put_y_tick);
    fputs("\"/>\n", c->out);
}

// ---- Numbers -------------------------------------------------------------------------------------------------------

// Ten and its exponent as two texts: renderers disagree on where a text with a superscript is anchored.
static void put_power(const canvas *c, double x, double y, const char *anchor, double exponent)
{
    char text[48];
    snprintf(text, sizeof text, "%s%.0f", exponent < -0.5 ? "\u2212" : "", fabs(exponent));
    const int letters = (exponent < -0.5) + (fabs(exponent) < 9.5 ? 1 : fabs(exponent) < 99.5 ? 2 : 3);
    const double wide = 0.58 * PV_PLOT_SMALL_FONT * letters, ten = 0.58 * font * 2;
    const double at = anchor[0] == 'e' ? x - wide : x + 0.5 * (ten - wide);
    pv_plot_put_text(c, at, y, "end", "", "10");
    fprintf(c->out, "<g font-size=\"%g\">", PV_PLOT_SMALL_FONT);
    pv_plot_put_text(c, at + 0.4, y - 3.2, "start", "", text);
    fputs("</g>\n", c->out);
}

// A true minus sign; no digits that the step does not need, and no long rows of zeros. Returns how many letters.
static int number_text(double value, double step, char text[48])
{
    const int decimals = (int)fmin(fmax(ceil(-log10(step) - 1e-9), 0.0), 12.0);
    if (fabs(value) < 1e-9 * step) value = 0.0;
    const int is_negative = value < 0.0;
    if (value != 0.0 && (step < 1e-6 || step >= 1e7)) {
        const int digits = (int)fmin(fmax(ceil(log10(fabs(value) / step) - 1e-9) + 1.0, 1.0), 12.0);
        return snprintf(text, 48, "%s%.*g", is_negative ? "\u2212" : "", digits, fabs(value)) - (is_negative ? 2 : 0);
    }
    if (value == 0.0) return snprintf(text, 48, "%.*f", step < 1e-6 ? 0 : decimals, value);
    return snprintf(text, 48, "%s%.*f", is_negative ? "\u2212" : "", decimals, fabs(value)) - (is_negative ? 2 : 0);
}

static void put_number(const canvas *c, double x, double y, const char *anchor, double value, double step, int is_log)
{
    char text[48];
    if (is_log) {
        put_power(c, x, y, anchor, value);
        return;
    }
    number_text(value, step, text);
    pv_plot_put_text(c, x, y, anchor, "", text);
}

double pv_plot_y_number_width(const canvas *c)
{
    char text[48];
    const double dy = y_step(c);
    int most = 4; // of powers of ten, too
    for (double at = ceil(c->y[0] / dy - 1e-9) * dy; !c->plot->y_log && at <= c->y[1] + 1e-9 * dy; at += dy) {
        const int letters = number_text(at, dy, text);
        most = letters > most ? letters : most;
    }
    return 0.63 * font * most; // of digits in the wider of the fonts
}

// One power of ten, or none, says little on a logarithmic axis.
static int needs_plain_numbers(const double range[2])
{
    return floor(range[1] + 1e-9) - ceil(range[0] - 1e-9) < 1.0;
}

typedef void (*put_number_at)(const canvas *c, double at, const char *text); // text: NULL, a power of ten

static void put_x_plain(const canvas *c, double at, const char *text)
{
    const double below = c->bottom + font + 2.5;
    if (text)
        pv_plot_put_text(c, place_x(c, at), below, "middle", "", text);
    else
        put_power(c, place_x(c, at), below, "middle", at);
}

static void put_y_plain(const canvas *c, double at, const char *text)
{
    const double y = place_y(c, at) + 0.35 * font;
    if (text)
        pv_plot_put_text(c, c->left - 3.5, y, "end", "", text);
    else
        put_power(c, c->left - 3.5, y, "end", at);
}

static void put_number_of_two(const canvas *c, double at, int has_number)
{
    char text[32];
    snprintf(text, sizeof text, "%.0f", pow(10.0, at));
    if (has_number) put_x_plain(c, at, text);
}

// All multiples of powers of ten, or 1, 2 and 5 times these, or the powers alone, by how many there are.
static void put_plain_numbers(const canvas *c, const double range[2], double most_decades_of_all, put_number_at put)
{
    static const double all[] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0}, few[] = {1.0, 2.0, 5.0};
    const double decades = range[1] - range[0], *multiples = decades < most_decades_of_all ? all : few;
    const int count = multiples == all ? 9 : decades < 2.0 ? 3 : 1;
    for (double power = floor(range[0]); power <= range[1]; power += 1.0)
        for (int m = 0; m < count; m++) {
            const double at = power + log10(multiples[m]);
            if (at < range[0] - 1e-9 || at > range[1] + 1e-9) continue;
            if (power < -3.5 || power > 4.5) {
                if (m == 0) put(c, power, NULL);
                continue;
            }
            char text[48];
            snprintf(text, sizeof text, "%g", multiples[m] * pow(10.0, power));
            put(c, at, text);
        }
}

void pv_plot_put_numbers(const canvas *c)
{
    const double below = c->bottom + font + 2.5, dx = x_step(c), dy = y_step(c);
    // Numbers side by side need more room than those above each other.
    if (has_twos(c->plot))
        put_twos(c, put_number_of_two);
    else if (c->plot->x_log && !c->plot->x_ticks && needs_plain_numbers(c->x))
        put_plain_numbers(c, c->x, 0.4, put_x_plain);
    else if (!c->plot->x_ticks)
        for (double at = ceil(c->x[0] / dx - 1e-9) * dx; at <= c->x[1] + 1e-9 * dx; at += dx)
            put_number(c, place_x(c, at), below, "middle", at, dx, c->plot->x_log);
    if (c->plot->y_log && (c->plot->y_plain || needs_plain_numbers(c->y)))
        put_plain_numbers(c, c->y, 0.9, put_y_plain);
    else
        for (double at = ceil(c->y[0] / dy - 1e-9) * dy; at <= c->y[1] + 1e-9 * dy; at += dy)
            put_number(c, c->left - 3.5, place_y(c, at) + 0.35 * font, "end", at, dy, c->plot->y_log);
}
