// SPDX-License-Identifier: Apache-2.0
#include "io/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness.h"

static char *drawn(const pv_plot *plot)
{
    char path[] = "/tmp/parseval-plot-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    assert_ok(pv_plot_write(path, plot));
    char *text = calloc(1, 1 << 16);
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    assert_true(fread(text, 1, (1 << 16) - 1, in) > 500);
    fclose(in);
    remove(path);
    return text;
}

static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part)) count++;
    return count;
}

static void steps_are_round(void **state)
{
    (void)state;
    assert_near(pv_plot_step(10.0, 5), 2.0, 1e-12);
    assert_near(pv_plot_step(1.0, 10), 0.1, 1e-12);
    assert_near(pv_plot_step(23.0, 5), 5.0, 1e-12);
    assert_near(pv_plot_step(3e-7, 3), 1e-7, 1e-20);
    assert_near(pv_plot_step(8e5, 1), 1e6, 1e-3);
}

// A curve from corner to corner, with a gap: its ends are where the ranges put them.
static void points_are_where_they_belong(void **state)
{
    (void)state;
    const double x[] = {0.0, 1.0, NAN, 3.0, 4.0}, y[] = {0.0, 10.0, 5.0, 20.0, 40.0};
    const pv_plot_curve curve = {.points = 5, .x = x, .y = y, .colour = 1};
    const pv_plot plot = {.x_label = "x", .y_label = "y", .width_pt = 249.0, .height_pt = 240.0,
                          .x_range = {0.0, 4.0}, .y_range = {0.0, 40.0}, .curves = &curve, .curve_count = 1};
    char *text = drawn(&plot);
    // The frame is 40 to 240 by 8 to 208.
    static const char line[] = "d=\"M40.00 208.00L90.00 158.00M190.00 108.00L240.00 8.00\"";
    if (!strstr(text, line)) fail_msg("no such line in %s", text);
    assert_non_null(strstr(text, "M40.00 8.00H240.00V208.00H40.00Z"));
    assert_non_null(strstr(text, ">40</text>"));
    assert_int_equal(count_of(text, "<svg"), 1);
    assert_int_equal(count_of(text, "</svg>"), 1);
    free(text);
}

static void texts_and_legends(void **state)
{
    (void)state;
    const double x[] = {-1.0, 1.0}, y[] = {2.0, 3.0};
    const pv_plot_curve curves[] = {{.label = "a < b & c", .points = 2, .x = x, .y = y, .colour = 2, .dashed = 1},
                                    {.label = "second", .points = 2, .x = x, .y = y, .colour = 8, .filled = 1},
                                    {.points = 2, .x = x, .y = y}};
    const pv_plot_tick ticks[] = {{-1.0, "Γ"}, {1.0, "1/2\n0\n0"}};
    const double zero = 0.0;
    const pv_plot plot = {.title = "title", .y_label = "E − E_{F} (eV)", .x_ticks = ticks, .x_tick_count = 2,
                          .x_lines = &zero, .x_line_count = 1, .curves = curves, .curve_count = 3};
    char *text = drawn(&plot);
    static const char *const parts[] = {">title<", "a &lt; b &amp; c", ">second<", "E − E<tspan dy=\"2\"",
                                        ">F</tspan>",
                                        ">Γ<", ">1/2<", "stroke-dasharray=\"4 2\"", "fill-opacity=\"0.18\""};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!strstr(text, parts[i])) fail_msg("'%s' is not in %s", parts[i], text);
    assert_null(strstr(text, ">−1<")); // ticks of one's own replace the numbers
    assert_int_equal(count_of(text, ">0<"), 2);
    assert_int_equal(count_of(text, "#0072b2"), 0);
    assert_int_equal(count_of(text, "#d55e00"), 5); // 8 is 2 again: two curves, two samples, one area
    free(text);
}

// Marks with and without lines.
static void marks_and_lines(void **state)
{
    (void)state;
    const double x[] = {0.0, 1.0, 5.0}, y[] = {0.0, 1.0, 1.0};
    const pv_plot_curve curves[] = {{.points = 3, .x = x, .y = y, .mark = PV_MARK_DISC},
                                    {.points = 2, .x = x, .y = y, .mark = PV_MARK_SQUARE, .no_line = 1, .colour = 1}};
    const pv_plot plot = {.x_range = {0.0, 2.0}, .width_pt = 249.0, .height_pt = 240.0, .curves = curves,
                          .curve_count = 2};
    char *text = drawn(&plot);
    assert_int_equal(count_of(text, "<circle"), 2); // the third point is outside
    assert_int_equal(count_of(text, "m-1.8 -1.8h3.6v3.6h-3.6z"), 2);
    assert_int_equal(count_of(text, "stroke=\"#0072b2\""), 2); // the marks alone
    free(text);
}

// Logarithms of 1 to 2048: every power of two has a number, to 4096 every other one; a note stands at its point,
// in its curve's colour, and one outside the frame does not.
static void powers_of_two_and_notes(void **state)
{
    (void)state;
    const double x[] = {0.0, log10(2048.0)}, y[] = {0.0, 1.0};
    const pv_plot_curve curve = {.points = 2, .x = x, .y = y};
    const pv_plot_note notes[] = {{0.0, 0.5, "70 %", 1, 0}, {x[1], 0.25, "here", 0, 1}, {-1.0, 0.5, "outside", 0, 0}};
    pv_plot plot = {.x_range = {0.0, log10(2048.0)}, .x_log = 1, .x_twos = 1, .y_range = {0.0, 1.0}, .width_pt = 249.0,
                    .height_pt = 240.0, .curves = &curve, .curve_count = 1, .notes = notes, .note_count = 3};
    char *text = drawn(&plot);
    assert_int_equal(count_of(text, ">2048<"), 1);
    assert_int_equal(count_of(text, ">1024<"), 1);
    assert_int_equal(count_of(text, ">1<"), 1);
    assert_int_equal(count_of(text, "text-anchor=\"start\" fill=\"#0072b2\">70 %<"), 1);
    assert_int_equal(count_of(text, "text-anchor=\"end\" fill=\"#000000\">here<"), 1);
    assert_int_equal(count_of(text, "outside"), 0);
    free(text);
    plot.x_range[1] = log10(4096.0);
    text = drawn(&plot);
    assert_int_equal(count_of(text, ">4096<"), 1);
    assert_int_equal(count_of(text, ">2048<"), 0);
    free(text);
}

static void nothing_to_draw(void **state)
{
    (void)state;
    const double x[] = {1.0, NAN}, y[] = {INFINITY, 2.0};
    const pv_plot_curve curve = {.points = 2, .x = x, .y = y};
    const pv_plot plot = {.curves = &curve, .curve_count = 1};
    assert_fails(PV_ERR_ARGUMENT, pv_plot_write("/tmp/parseval-never-drawn.svg", &plot));
    assert_int_equal(access("/tmp/parseval-never-drawn.svg", F_OK), -1);
    const double one = 1.0;
    const pv_plot_curve point = {.points = 1, .x = &one, .y = &one};
    const pv_plot single = {.curves = &point, .curve_count = 1};
    free(drawn(&single));
    assert_fails(PV_ERR_IO, pv_plot_write("/nowhere/plot.svg", &single));
}

// Values that only round-off tells apart are one value: a step of ticks could not be added to them.
static void round_off_is_one_value(void **state)
{
    (void)state;
    static const double sizes[] = {0.25, -3.0, 1e-30, 1e9, 1e300};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const double x[] = {0.0, 1.0}, y[] = {sizes[i], sizes[i] * (1.0 + 4e-16)};
        const pv_plot_curve curve = {.points = 2, .x = x, .y = y};
        const pv_plot plot = {.curves = &curve, .curve_count = 1};
        free(drawn(&plot));
        const pv_plot_curve turned = {.points = 2, .x = y, .y = x};
        const pv_plot other = {.curves = &turned, .curve_count = 1};
        free(drawn(&other));
    }
}

// No long rows of zeros.
static void numbers_are_short(void **state)
{
    (void)state;
    const double x[] = {0.0, 4e12}, y[] = {-2e-36, 2e-36};
    const pv_plot_curve curve = {.points = 2, .x = x, .y = y};
    const pv_plot plot = {.curves = &curve, .curve_count = 1};
    char *text = drawn(&plot);
    static const char *const parts[] = {">0</text>", ">1e-36</text>", ">\u22121e-36</text>", ">2e+12</text>"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!strstr(text, parts[i])) fail_msg("'%s' is not in %s", parts[i], text);
    assert_null(strstr(text, "0000000"));
    free(text);
}

PV_TEST_MAIN(PV_TEST(numbers_are_short), PV_TEST(round_off_is_one_value), PV_TEST(steps_are_round), PV_TEST(points_are_where_they_belong), PV_TEST(texts_and_legends),
             PV_TEST(marks_and_lines), PV_TEST(powers_of_two_and_notes), PV_TEST(nothing_to_draw))
