// SPDX-License-Identifier: Apache-2.0
#include "io/lettering.h"

#include <string.h>

#include "harness.h"

enum { WIDTH = 200, HEIGHT = 60 };
static unsigned char rgb[3 * WIDTH * HEIGHT];

static int dark_from(int first, int last)
{
    int count = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = first; x < last; x++) count += rgb[3 * (y * WIDTH + x)] < 128;
    return count;
}

static void letters_are_as_wide_as_said(void **state)
{
    (void)state;
    memset(rgb, 255, sizeof rgb);
    const char *text = "t = 0.5 |\u03c9|";
    const double width = pv_lettering_width(text, 20.0);
    assert_true(width > 80.0 && width < 150.0);
    assert_ok(pv_lettering_put(rgb, WIDTH, HEIGHT, 10.0, 40.0, 20.0, text));
    assert_true(dark_from(10, 30) > 10);
    assert_int_equal(dark_from(0, 10), 0);
    assert_true(dark_from(10 + (int)width - 8, 10 + (int)width) > 5);
    assert_int_equal(dark_from(10 + (int)width + 1, WIDTH), 0);
}

static void marks_are_no_letters(void **state)
{
    (void)state;
    assert_near(pv_lettering_width("u_{rms}^{2}", 10.0),
                pv_lettering_width("u", 10.0) + 0.72 * pv_lettering_width("rms2", 10.0), 1e-12);
    // A character without strokes is one box, however many bytes it has.
    assert_near(pv_lettering_width("\u20ac", 10.0), pv_lettering_width("0", 10.0), 1e-12);
}

static void what_is_outside_is_left_out(void **state)
{
    (void)state;
    static const double places[][2] = {{-30.0, 20.0}, {195.0, 20.0}, {50.0, -15.0},
                                       {50.0, 2.0},   {50.0, 100.0}, {1e9, 1e9}};
    memset(rgb, 255, sizeof rgb);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        assert_ok(pv_lettering_put(rgb, WIDTH, HEIGHT, places[i][0], places[i][1], 30.0, "8Q"));
    assert_ok(pv_lettering_put(rgb, WIDTH, HEIGHT, 0.0, 20.0, 30.0, ""));
}

PV_TEST_MAIN(PV_TEST(letters_are_as_wide_as_said), PV_TEST(marks_are_no_letters), PV_TEST(what_is_outside_is_left_out))
