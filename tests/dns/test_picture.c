// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2 3 4
// devices: cuda
#include "dns/picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dns/derived.h"
#include "dns/flow.h"
#include "run.h"

// The middle of the box is in the middle of the picture, and its corners are in it.
static void camera_sees_the_box(void **state)
{
    (void)state;
    static const double size[3] = {39.0, 29.0, 19.0};
    for (int turn = 0; turn < 6; turn++) {
        const pv_dns_page page = pv_dns_page_of(200, 100, size);
        const dns_camera c = pv_dns_camera_of(size, &page, 0, 60.0 * turn, 15.0 * turn - 40.0);
        const dns_ray middle = dns_ray_of(&c, 50 * 200 + 100);
        for (int d = 0; d < 3; d++) assert_near(middle.d[d], c.axis[d], 0.05);
        const dns_brick whole = {.nx = 40, .ny = 30, .planes = 20, .top = 19, .per = {1.0, 1.0, 1.0}};
        double t0, t1;
        assert_true(dns_ray_through(&middle, &whole, &t0, &t1));
        assert_true(t0 > 0.0 && t1 - t0 > 10.0 && t1 - t0 < 60.0);
        for (int corner = 0; corner < 4; corner++) {
            const dns_ray ray = dns_ray_of(&c, (corner & 1 ? 99 * 200 : 0) + (corner & 2 ? 199 : 0));
            assert_false(dns_ray_through(&ray, &whole, &t0, &t1));
        }
        // It fills the image from side to side or from top to bottom, and no further.
        int64_t first[2] = {200, 100}, last[2] = {0, 0};
        for (int64_t i = 0; i < 200 * 100; i++) {
            const dns_ray ray = dns_ray_of(&c, i);
            if (!dns_ray_through(&ray, &whole, &t0, &t1)) continue;
            const int64_t at[2] = {i % 200, i / 200};
            for (int d = 0; d < 2; d++) {
                first[d] = at[d] < first[d] ? at[d] : first[d];
                last[d] = at[d] > last[d] ? at[d] : last[d];
            }
        }
        assert_true(last[0] - first[0] > 190 || last[1] - first[1] > 92);
        assert_true(first[0] > 1 && last[0] < 198 && first[1] > 0 && last[1] < 99);
        assert_near((double)(first[0] + last[0]), 199.0, 2.0);
        assert_near((double)(first[1] + last[1]), 99.0, 2.0);
    }
}

static void nearest_point_is_seen(void **state)
{
    (void)state;
    static const double size[3] = {7.0, 7.0, 7.0};
    const pv_dns_page page = pv_dns_page_of(2, 2, size);
    const dns_camera c = pv_dns_camera_of(size, &page, 1, 30.0, 20.0);
    const dns_rgb red = {1.0, 0.0, 0.0}, blue = {0.0, 0.0, 1.0};
    assert_true(dns_pixel(3.0, red) < dns_pixel(3.1, blue));
    assert_true(dns_pixel(1e6, blue) < DNS_NOTHING);
    int64_t pixels[16];
    unsigned char rgb[12];
    for (int i = 0; i < 16; i++) pixels[i] = i < 8 ? dns_pixel(2.0, red) : DNS_NOTHING;
    pv_dns_picture_develop(&c, size, 0, pixels, rgb);
    static const unsigned char expected[] = {255, 0, 0, 255, 0, 0, 255, 255, 255, 255, 255, 255};
    assert_memory_equal(rgb, expected, sizeof expected);
    // Edges lie behind what is nearer.
    for (int i = 0; i < 16; i++) pixels[i] = dns_pixel(0.5, red);
    pv_dns_picture_develop(&c, size, 1, pixels, rgb);
    assert_memory_equal(rgb, expected, 6);
}

// Light through what is in front of it; what is opaque hides all.
static void light_is_laid_over_light(void **state)
{
    (void)state;
    const int64_t half = dns_pack((dns_gathered){0.25, 0.0, 0.5, 0.5}),
                  nothing = dns_pack((dns_gathered){0.0, 0.0, 0.0, 1.0});
    const int64_t wall = dns_pack((dns_gathered){0.0, 1.0, 0.0, 0.0});
    assert_int_equal(pv_dns_picture_behind(nothing, half), half);
    assert_int_equal(pv_dns_picture_behind(half, nothing), half);
    assert_int_equal(pv_dns_picture_behind(wall, half), wall);
    const dns_gathered seen = dns_unpack(pv_dns_picture_behind(half, wall));
    assert_near(seen.r, 0.25, 1e-4);
    assert_near(seen.g, 0.5, 1e-4);
    assert_near(seen.b, 0.5, 1e-4);
    assert_near(seen.through, 0.0, 1e-4);
    unsigned char rgb[6] = {255, 255, 255, 10, 20, 30};
    const int64_t rays[] = {half, nothing};
    pv_dns_picture_overlay(2, rays, rgb);
    static const unsigned char expected[] = {191, 128, 255, 10, 20, 30};
    for (int i = 0; i < 6; i++) assert_near(rgb[i], expected[i], 1.0);
}

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
    // An image that is too small for letters has none.
    const pv_dns_page small = pv_dns_page_of(64, 48, size);
    memset(rgb, 255, sizeof rgb);
    assert_ok(pv_dns_page_letter(&small, &legend, rgb));
    for (int64_t i = 0; i < 3 * 64 * 48; i++) assert_int_equal(rgb[i], 255);
}

// What lies between points is what the modes say: every other point of a view is a point of the run, every point has
// the value of the flow.
static void views_are_exact(void **state)
{
    (void)state;
    enum { N = 12, FACTOR = 2 };
    run r;
    run_open(&r);
    pv_dns_params p = cube_of(N, 0.01, 0.05, 0.1);
    pv_dns_state *s = NULL, *view = NULL;
    assert_ok(pv_dns_state_create(r.comm, &p, &s));
    assert_ok(pv_dns_flow_set(s));
    assert_ok(pv_dns_state_view(s, FACTOR, &view));
    assert_ok(pv_dns_derive_velocity(view, 0));
    assert_ok(pv_stream_wait(view->stream));
    double *u = malloc(view->field_bytes);
    assert_non_null(u);
    assert_ok(pv_buffer_read(view->work[0], 0, u, view->field_bytes));
    const pv_box *box = &view->space->boxes[pv_test_rank()];
    const double h = 6.283185307179586 / (N * FACTOR);
    for (int64_t z = box->lower[0]; z < box->upper[0] && view->points > 0; z++)
        for (int64_t y = 0; y < N * FACTOR; y++)
            for (int64_t x = 0; x < N * FACTOR; x++)
                assert_near(u[((z - box->lower[0]) * N * FACTOR + y) * view->pitch + x],
                            sin((double)x * h) * cos((double)y * h) * cos((double)z * h), 1e-14);
    free(u);
    pv_dns_state_destroy(view);
    pv_dns_state_destroy(s);
    run_close(&r);
}

static void takes_pictures_of_a_run(void **state)
{
    (void)state;
    run r;
    run_open(&r);
    for (int kind = PV_PICTURE_VORTICITY; kind <= PV_PICTURE_VOLUME; kind++) {
        char path[64];
        unsigned char begin[8] = {0};
        pv_dns_params p = cube_of(16, 0.01, 0.05, 0.1);
        p.picture = kind;
        p.picture_width = kind == PV_PICTURE_VOLUME ? 240 : 64; // with words, and from a finer grid
        p.picture_height = kind == PV_PICTURE_VOLUME ? 240 : 48;
        p.picture_level = 1.0;
        p.form = kind == PV_PICTURE_Q ? PV_FORM_DIVERGENCE : PV_FORM_VORTICITY;
        pv_dns_record before = run_to_end(&r, &p), after;
        snprintf(path, sizeof path, "dns_picture_%d_%d.png", pv_test_size(), getenv("PARSEVAL_TEST_DEVICE") != NULL);
        assert_ok(pv_dns_picture(r.dns, path));
        // The run is none the wiser.
        assert_ok(pv_dns_observe(r.dns, &after));
        assert_memory_equal(&before, &after, sizeof before);
        if (pv_test_rank() > 0) continue;
        FILE *in = fopen(path, "rb");
        assert_non_null(in);
        assert_int_equal(fread(begin, 1, 8, in), 8);
        assert_memory_equal(begin + 1, "PNG", 3);
        assert_int_equal(fseek(in, 0, SEEK_END), 0);
        assert_true(ftell(in) > 300);
        fclose(in);
        unlink(path);
    }
    run_close(&r);
}

PV_TEST_MAIN(PV_TEST(camera_sees_the_box), PV_TEST(nearest_point_is_seen), PV_TEST(light_is_laid_over_light),
             PV_TEST(words_stand_beside_the_flow), PV_TEST(views_are_exact), PV_TEST(takes_pictures_of_a_run))
