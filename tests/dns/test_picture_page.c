// SPDX-License-Identifier: Apache-2.0
// What stands beside the flow on a picture: words, a scale, axes.
#include <string.h>

#include "dns/picture/picture.h"
#include "harness.h"

static dns_rgb grey_of(double x)
{
    return (dns_rgb){x, x, x};
}

// Letters and the scale are outside the window.
static void words_stand_beside_the_flow(void **state)
{
    (void)state;
    enum { WIDTH = 400, HEIGHT = 300 };
    static unsigned char rgb[3 * WIDTH * HEIGHT];
    static const double size[3] = {31.0, 31.0, 31.0};
    const pv_dns_page page = pv_dns_page_of(WIDTH, HEIGHT, size);
    const pv_dns_legend legend = {.caption = "t = 0.5", .title = "|u|", .low = 0.0, .high = 2.0, .colour = grey_of};
    memset(rgb, 255, sizeof rgb);
    assert_ok(pv_dns_page_letter(&page, &legend, rgb));
    int64_t inside = 0, above = 0, beside = 0;
    for (int64_t i = 0; i < WIDTH * HEIGHT; i++) {
        const double x = (double)(i % WIDTH) + 0.5, y = (double)(i / WIDTH) + 0.5;
        if (rgb[3 * i] == 255) continue;
        inside += x > page.window[0] && x < page.window[2] && y > page.window[1];
        above += y < page.window[1] && x < 100.0;
        beside += x > page.window[2];
    }
    assert_int_equal(inside, 0);
    assert_true(above > 50 && beside > 1000);
    // A field that is nothing has no scale, nor a name for one.
    const pv_dns_legend nothing = {.caption = "t = 0", .title = "|u|", .colour = grey_of};
    memset(rgb, 255, sizeof rgb);
    assert_ok(pv_dns_page_letter(&page, &nothing, rgb));
    for (int64_t i = 0; i < WIDTH * HEIGHT; i++)
        if ((double)(i % WIDTH) > page.window[2]) assert_int_equal(rgb[3 * i], 255);
    const pv_dns_legend narrow = {
        .caption = "t = 0", .title = "c", .low = 1.0, .high = 1.0000000000000002, .colour = grey_of};
    assert_ok(pv_dns_page_letter(&page, &narrow, rgb));
    // An image that is too small for letters has none.
    const pv_dns_page small = pv_dns_page_of(64, 48, size);
    memset(rgb, 255, sizeof rgb);
    assert_ok(pv_dns_page_letter(&small, &legend, rgb));
    for (int64_t i = 0; i < 3 * 64 * 48; i++) assert_int_equal(rgb[i], 255);
}

// Ticks, numbers and names lie beside the box, from wherever one looks, and on the image.
static void axes_stand_beside_the_box(void **state)
{
    (void)state;
    enum { WIDTH = 480, HEIGHT = 360 };
    static unsigned char rgb[3 * WIDTH * HEIGHT];
    static const double length[3] = {6.3, 3.1, 4.0};
    for (int turn = 0; turn < 10; turn++) {
        const double size[3] = {63.0, 31.0, 5.0 + 6.0 * turn};
        const pv_dns_page page = pv_dns_page_of(WIDTH, HEIGHT, size);
        const dns_camera c = pv_dns_camera_of(size, &page, 1, 47.0 * turn - 100.0, 19.0 * (turn % 9) - 76.0);
        const dns_brick whole = {.nx = 64, .ny = 32, .planes = 80, .top = (int64_t)size[2], .per = {1.0, 1.0, 1.0}};
        int inside = 0, outside = 0, at_edge = 0;
        memset(rgb, 255, sizeof rgb);
        assert_ok(pv_dns_page_axes(&page, &c, size, length, rgb));
        for (int64_t i = 0; i < WIDTH * HEIGHT; i++) {
            const int64_t row = i / WIDTH, column = i % WIDTH;
            double t0, t1;
            if (rgb[3 * i] == 255) continue;
            const dns_ray ray = dns_ray_of(&c, 2 * row * c.width + 2 * column);
            // But for the half of a tick's width by which it lies over the edge.
            inside += dns_ray_through(&ray, &whole, &t0, &t1) && t1 - t0 > 4.0;
            outside++;
            at_edge += row == 0 || column == 0 || row == HEIGHT - 1 || column == WIDTH - 1;
        }
        if (inside > 20 || outside < 150 || at_edge > 0)
            fail_msg("turn %d: %d inside, %d outside, %d at the edge", turn, inside, outside, at_edge);
    }
    for (int across = 0; across < 3; across++) {
        const double size[3] = {63.0, 31.0, 21.0};
        const pv_dns_page page = pv_dns_page_of(WIDTH, HEIGHT, size);
        int left = 0, below = 0;
        memset(rgb, 255, sizeof rgb);
        assert_ok(pv_dns_page_frame(&page, across, size, length, rgb));
        for (int64_t i = 0; i < WIDTH * HEIGHT; i++) {
            left += rgb[3 * i] < 255 && (double)(i % WIDTH) < page.window[0] - page.letter;
            below += rgb[3 * i] < 255 && (double)(i / WIDTH) > page.window[3] + page.letter;
        }
        assert_true(left > 5 || below > 5);
    }
}

PV_TEST_MAIN(PV_TEST(words_stand_beside_the_flow), PV_TEST(axes_stand_beside_the_box))
