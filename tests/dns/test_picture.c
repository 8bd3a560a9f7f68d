// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2 3 4
// devices: cuda
#include "dns/picture/picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dns/derived.h"
#include "dns/flow.h"
#include "dns/launch.h"
#include "fft/layout/box.h"
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

// ---- Slices --------------------------------------------------------------------------------------------------------

enum { NX = 9, NY = 7, NZ = 5, PITCH = 16, WIDE = 48, HIGH = 32 };

// A field that rises from 0 to 1 along a direction, this rank's planes of it and the one above.
static void slope_slice(run *r, int along, int axis, double slice, int64_t pixels[WIDE * HIGH])
{
    static const int64_t n[3] = {NX, NY, NZ};
    static double field[(NZ + 1) * NY * PITCH];
    const size_t plane = NY * PITCH * sizeof(double);
    pv_buffer *planes, *halo, *image;
    int64_t lower, upper;
    pv_split(NZ, pv_test_size(), pv_test_rank(), &lower, &upper);
    for (int64_t i = 0; i < (NZ + 1) * NY * PITCH; i++) {
        const int64_t at[3] = {i % PITCH, i / PITCH % NY, i / PITCH / NY + lower};
        field[i] = (double)at[along] / (double)(n[along] - 1);
    }
    const size_t mine = (size_t)(upper - lower) * plane;
    assert_ok(pv_buffer_create(r->device, mine, &planes));
    assert_ok(pv_buffer_create(r->device, plane, &halo));
    assert_ok(pv_buffer_create(r->device, WIDE * HIGH * sizeof *pixels, &image));
    assert_ok(pv_buffer_write(planes, 0, field, mine));
    assert_ok(pv_buffer_write(halo, 0, (char *)field + mine, plane));
    const dns_surface a = {.camera = {.width = WIDE, .height = HIGH, .window = {0.0, 0.0, WIDE, HIGH}},
                           .brick = {.field = {pv_buffer_data(planes)},
                                     .halo = {pv_buffer_data(halo)},
                                     .nx = NX,
                                     .ny = NY,
                                     .nz = NZ,
                                     .pitch = PITCH,
                                     .z0 = lower,
                                     .planes = upper - lower,
                                     .top = upper < NZ ? upper - lower : upper - lower - 1,
                                     .per = {1.0, 1.0, 1.0}},
                           .per_colour = 1.0,
                           .slice = slice,
                           .axis = axis,
                           .pixels = pv_buffer_data(image)};
    assert_ok(pv_dns_launch(pv_device_stream(r->device), DNS_SLICE, PV_FP64, WIDE * HIGH, &a));
    assert_ok(pv_stream_wait(pv_device_stream(r->device)));
    assert_ok(pv_buffer_read(image, 0, pixels, WIDE * HIGH * sizeof *pixels));
    assert_ok(pv_comm_reduce_i64(r->comm, PV_MIN, WIDE * HIGH, pixels));
    pv_buffer_destroy(planes);
    pv_buffer_destroy(halo);
    pv_buffer_destroy(image);
}

// Each has the colours of the field where it lies, in the middle of the image, to the edges of the box and no further.
static void slices_lie_across_an_axis(void **state)
{
    (void)state;
    static const int right[3] = {1, 0, 0}, up[3] = {2, 2, 1};
    static const double last[3] = {NX - 1, NY - 1, NZ - 1};
    static int64_t pixels[WIDE * HIGH];
    run r;
    run_open(&r);
    for (int axis = 0; axis < 3; axis++)
        for (int along = 0; along < 3; along++) {
            const double wide = last[right[axis]], high = last[up[axis]], unit = fmax(wide / WIDE, high / HIGH);
            slope_slice(&r, along, axis, 2.75, pixels);
            for (int i = 0; i < WIDE * HIGH; i++) {
                double at[3];
                at[axis] = 2.75;
                at[right[axis]] = 0.5 * wide + (i % WIDE + 0.5 - 0.5 * WIDE) * unit;
                at[up[axis]] = 0.5 * high - (i / WIDE + 0.5 - 0.5 * HIGH) * unit;
                const int is_inside = at[right[axis]] >= 0.0 && at[right[axis]] <= wide && at[up[axis]] >= 0.0 &&
                                      at[up[axis]] <= high;
                assert_int_equal(pixels[i] != DNS_NOTHING, is_inside);
                if (!is_inside) continue;
                const int64_t expected = dns_pixel(0.0, dns_colour_of(at[along] / last[along]));
                for (int shift = 0; shift < 24; shift += 8)
                    assert_near((double)(pixels[i] >> shift & 255), (double)(expected >> shift & 255), 1.0);
            }
        }
    run_close(&r);
}

typedef struct picture_file {
    unsigned char bytes[1 << 16];
    size_t size;
} picture_file;

// Of |w| = 2 |cos x cos y|. Rank 0 reads it.
static void take_slice(run *r, int axis, double slice, picture_file *file)
{
    char path[64];
    pv_dns_params p = cube_of(16, 0.01, 0.05, 0.1);
    p.flow = PV_FLOW_TAYLOR_GREEN_2D;
    p.picture = PV_PICTURE_SLICE;
    p.picture_slice = slice;
    p.picture_slice_axis = axis;
    p.picture_width = 64;
    p.picture_height = 48;
    assert_ok(pv_dns_create(r->comm, &p, &r->dns));
    snprintf(path, sizeof path, "dns_slice_%d_%d.png", pv_test_size(), test_device() != NULL);
    assert_ok(pv_dns_picture(r->dns, path));
    pv_dns_destroy(r->dns);
    r->dns = NULL;
    if (pv_test_rank() > 0) return;
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    file->size = fread(file->bytes, 1, sizeof file->bytes, in);
    fclose(in);
    unlink(path);
}

static int is_same(const picture_file *a, const picture_file *b)
{
    return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

// At a quarter of x, or y, nothing turns, whatever z.
static void a_run_slices_across_its_axis(void **state)
{
    (void)state;
    enum { X, Y, Z };
    static picture_file still_x, still_y, x, z;
    run r;
    run_open(&r);
    take_slice(&r, X, 0.25, &still_x);
    take_slice(&r, Y, 0.25, &still_y);
    take_slice(&r, X, 0.0, &x);
    take_slice(&r, Z, 0.25, &z);
    if (pv_test_rank() == 0) {
        assert_true(is_same(&still_x, &still_y));
        assert_false(is_same(&still_x, &x));
        assert_false(is_same(&still_x, &z));
        assert_false(is_same(&x, &z));
    }
    run_close(&r);
}

// ---- Runs ----------------------------------------------------------------------------------------------------------

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
        p.picture_colour = kind == PV_PICTURE_VORTICITY ? PV_COLOUR_AUTO : kind == PV_PICTURE_Q ? PV_COLOUR_PRESSURE
                           : kind == PV_PICTURE_SLICE   ? PV_COLOUR_VORTICITY_Z : PV_COLOUR_U;
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
             PV_TEST(views_are_exact), PV_TEST(slices_lie_across_an_axis),
             PV_TEST(a_run_slices_across_its_axis), PV_TEST(takes_pictures_of_a_run))
