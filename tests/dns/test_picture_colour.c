// SPDX-License-Identifier: Apache-2.0
// What the colours of pictures mean: fields at every point, and scales.
// ranks: 1 2 3
// devices: cuda
#include "dns/picture/colour.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dns/flow.h"
#include "run.h"

// Of the Taylor-Green vortex; its scalar is u.
static double field_at(int field, double x, double y, double z)
{
    const double u[3] = {sin(x) * cos(y) * cos(z), -cos(x) * sin(y) * cos(z), 0.0};
    const double w[3] = {-cos(x) * sin(y) * sin(z), -sin(x) * cos(y) * sin(z), 2.0 * sin(x) * sin(y) * cos(z)};
    const double ux = cos(x) * cos(y) * cos(z), uy = -sin(x) * sin(y) * cos(z), uz = -sin(x) * cos(y) * sin(z);
    const double vx = sin(x) * sin(y) * cos(z), vy = -ux, vz = cos(x) * sin(y) * sin(z);
    switch (field) {
    case PV_COLOUR_SPEED: return sqrt(u[0] * u[0] + u[1] * u[1]);
    case PV_COLOUR_U:
    case PV_COLOUR_V:
    case PV_COLOUR_W: return u[field - PV_COLOUR_U];
    case PV_COLOUR_VORTICITY: return sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    case PV_COLOUR_VORTICITY_X:
    case PV_COLOUR_VORTICITY_Y:
    case PV_COLOUR_VORTICITY_Z: return w[field - PV_COLOUR_VORTICITY_X];
    case PV_COLOUR_Q: return -0.5 * (ux * ux + vy * vy + 2.0 * uy * vx + 0.0 * uz * vz);
    case PV_COLOUR_PRESSURE: return (cos(2.0 * x) + cos(2.0 * y)) * (cos(2.0 * z) + 2.0) / 16.0;
    default: return u[0];
    }
}

static double value_at(const pv_dns_state *s, const double *field, int64_t i, int which, double *expected)
{
    const pv_box *box = &s->space->boxes[pv_test_rank()];
    const int64_t n = s->grid[0], x = i % n, y = i / n % n, z = i / n / n;
    const double h = 6.283185307179586 / (double)n;
    *expected = field_at(which, (double)x * h, (double)y * h, (double)(z + box->lower[0]) * h);
    return field[(z * n + y) * s->pitch + x];
}

// Also on a finer grid, and behind another field.
static void colours_are_of_any_field(void **state)
{
    (void)state;
    run r;
    run_open(&r);
    pv_dns_params p = cube_of(12, 0.01, 0.05, 0.1);
    pv_dns_state *s = NULL, *view = NULL;
    p.scalars = 2;
    p.picture_scalar = 2;
    assert_ok(pv_dns_state_create(r.comm, &p, &s));
    assert_ok(pv_dns_flow_set(s));
    assert_ok(pv_dns_state_view(s, 2, &view));
    double *field = malloc(view->field_bytes);
    assert_non_null(field);
    for (int which = PV_COLOUR_SPEED; which <= PV_COLOUR_SCALAR; which++)
        for (int w = 0; w < 2; w++) {
            int work = -1;
            assert_ok(pv_dns_picture_derive(view, which, w, &work));
            assert_true(work >= w && work < w + 3);
            assert_ok(pv_stream_wait(view->stream));
            assert_ok(pv_buffer_read(view->work[work], 0, field, view->field_bytes));
            for (int64_t i = 0; i < view->points; i++) {
                double expected;
                const double value = value_at(view, field, i, which, &expected);
                if (fabs(value - expected) > 1e-13) fail_msg("field %d: %g for %g", which, value, expected);
            }
        }
    free(field);
    pv_dns_state_destroy(view);
    pv_dns_state_destroy(s);
    run_close(&r);
}

// Ends of scales, in the units that stand at them.
static void scales_follow_the_field(void **state)
{
    (void)state;
    run r;
    run_open(&r);
    pv_dns_params p = cube_of(12, 0.01, 0.05, 0.1);
    pv_dns_state *s = NULL;
    pv_dns_colours c;
    int work;
    p.picture = PV_PICTURE_Q;
    assert_ok(pv_dns_state_create(r.comm, &p, &s));
    assert_ok(pv_dns_flow_set(s));
    const double rms = 0.5, rms_vorticity = sqrt(0.75); // of |u| and |w|
    assert_ok(pv_dns_picture_derive(s, PV_COLOUR_V, 1, &work));
    assert_ok(pv_dns_picture_colours(s, PV_COLOUR_V, work, rms, rms_vorticity, &c));
    assert_near(c.high, 2.5 * sqrt(0.125), 1e-13);
    assert_near(c.low, -c.high, 1e-13);
    assert_true(c.map == DNS_MAP_SIGNED && strcmp(c.title, "u_{y}") == 0);
    assert_ok(pv_dns_picture_derive(s, PV_COLOUR_W, 1, &work));
    assert_ok(pv_dns_picture_colours(s, PV_COLOUR_W, work, rms, rms_vorticity, &c));
    assert_true(c.low == c.high); // nothing moves along z: no scale
    assert_ok(pv_dns_picture_colours(s, PV_COLOUR_SPEED, work, rms, rms_vorticity, &c));
    assert_true(c.low == 0.0 && c.high == 2.25 * rms && c.map == DNS_MAP_TINT && c.unit == 1.0);
    assert_ok(pv_dns_picture_colours(s, PV_COLOUR_VORTICITY, work, rms, rms_vorticity, &c));
    assert_true(c.high == 2.0 * p.picture_level * rms_vorticity && c.unit == rms_vorticity);
    assert_true(strcmp(c.title, "|\u03c9| / \u03c9_{rms}") == 0);
    assert_ok(pv_dns_picture_colours(s, PV_COLOUR_VORTICITY_X, work, rms, rms_vorticity, &c));
    assert_true(c.high == p.picture_level * rms_vorticity && c.low == -c.high && c.map == DNS_MAP_SIGNED);
    assert_ok(pv_dns_picture_colours(s, PV_COLOUR_Q, work, rms, rms_vorticity, &c));
    assert_near(c.high, p.picture_level * 0.1875, 1e-15); // 0.75 / 4
    assert_true(c.low == -c.high && strcmp(c.title, "Q / \u03c9_{rms}^{2}") == 0);
    s->params.picture_low = -3.0;
    s->params.picture_high = 1.5;
    assert_ok(pv_dns_picture_colours(s, PV_COLOUR_VORTICITY, work, rms, rms_vorticity, &c));
    assert_true(c.low == -3.0 && c.high == 1.5 && c.unit == 1.0 && strcmp(c.title, "|\u03c9|") == 0);
    pv_dns_state_destroy(s);
    run_close(&r);
}

// As light on both sides, and grey between.
static void signs_have_two_colours(void **state)
{
    (void)state;
    const dns_rgb low = dns_sign_of(-1.0), middle = dns_sign_of(0.5), high = dns_sign_of(2.0);
    assert_true(low.b > 0.7 && low.r < 0.3 && high.r > 0.7 && high.b < 0.2);
    assert_true(middle.r == middle.g && middle.g == middle.b);
    for (int i = 0; i <= 40; i++) {
        const dns_rgb a = dns_sign_of(0.5 - i / 80.0), b = dns_sign_of(0.5 + i / 80.0);
        const double light = 0.2126 * (a.r - b.r) + 0.7152 * (a.g - b.g) + 0.0722 * (a.b - b.b);
        assert_near(light, 0.0, 0.2);
        assert_true(b.r >= b.b && a.b >= a.r);
    }
}

PV_TEST_MAIN(PV_TEST(colours_are_of_any_field), PV_TEST(scales_follow_the_field), PV_TEST(signs_have_two_colours))
