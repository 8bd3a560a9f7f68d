// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2 3 4
// devices: cuda
#include "dns/picture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "run.h"

// The middle of the box is in the middle of the picture, and its corners are in it.
static void camera_sees_the_box(void **state)
{
    (void)state;
    const int64_t n[3] = {40, 30, 20};
    for (int turn = 0; turn < 6; turn++) {
        const dns_camera c = pv_dns_camera_of(n, 200, 100, 60.0 * turn, 15.0 * turn - 40.0);
        const dns_ray middle = dns_ray_of(&c, 50 * 200 + 100);
        for (int d = 0; d < 3; d++) assert_near(middle.d[d], c.forward[d], 0.01);
        const dns_brick whole = {.nx = n[0], .ny = n[1], .planes = n[2], .top = n[2] - 1};
        double t0, t1;
        assert_true(dns_ray_through(&middle, &whole, &t0, &t1));
        assert_true(t0 > 0.0 && t1 - t0 > 10.0 && t1 - t0 < 60.0);
        for (int corner = 0; corner < 4; corner++) {
            const dns_ray ray = dns_ray_of(&c, (corner & 1 ? 99 * 200 : 0) + (corner & 2 ? 199 : 0));
            assert_false(dns_ray_through(&ray, &whole, &t0, &t1));
        }
    }
}

static void nearest_point_is_seen(void **state)
{
    (void)state;
    const int64_t n[3] = {8, 8, 8};
    const dns_camera c = pv_dns_camera_of(n, 4, 4, 30.0, 20.0);
    const dns_rgb red = {1.0, 0.0, 0.0}, blue = {0.0, 0.0, 1.0};
    assert_true(dns_pixel(3.0, red) < dns_pixel(3.1, blue));
    assert_true(dns_pixel(1e6, blue) < DNS_NOTHING);
    int64_t pixels[16];
    unsigned char rgb[12];
    for (int i = 0; i < 16; i++) pixels[i] = i < 8 ? dns_pixel(2.0, red) : DNS_NOTHING;
    pv_dns_picture_develop(&c, n, 0, pixels, rgb);
    static const unsigned char expected[] = {255, 0, 0, 255, 0, 0, 255, 255, 255, 255, 255, 255};
    assert_memory_equal(rgb, expected, sizeof expected);
    // Edges lie behind what is nearer.
    for (int i = 0; i < 16; i++) pixels[i] = dns_pixel(0.5, red);
    pv_dns_picture_develop(&c, n, 1, pixels, rgb);
    assert_memory_equal(rgb, expected, 6);
}

// Light through what is in front of it; what is opaque hides all.
static void light_is_laid_over_light(void **state)
{
    (void)state;
    const int64_t half = dns_pack((dns_gathered){0.25, 0.0, 0.5, 0.5}), nothing = dns_pack((dns_gathered){0.0, 0.0, 0.0, 1.0});
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
        p.picture_width = 64;
        p.picture_height = 48;
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
             PV_TEST(takes_pictures_of_a_run))
