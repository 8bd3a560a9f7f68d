// SPDX-License-Identifier: Apache-2.0
// Files of fields: what VTKHDF wants in them, and the Taylor-Green vortex at its points.
// ranks: 1 2 3 4 7
// devices: cuda
#include "dns/files/field_names.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "io/checkpoint.h"
#include "run.h"

enum { NX = 12, NY = 10, NZ = 8 };
#define TWO_PI 6.283185307179586

typedef struct contents {
    double velocity[NZ][NY][NX][3], vorticity[NZ][NY][NX][3], q[NZ][NY][NX], pressure[NZ][NY][NX], scalar[NZ][NY][NX];
} contents;

static void path_of(char path[64])
{
    snprintf(path, 64, "dns_fields_%d_%d.vtkhdf", pv_test_size(), getenv("PARSEVAL_TEST_DEVICE") != NULL);
}

static void get(pv_checkpoint *file, const char *name, int is_single, int components, double *values)
{
    static float single[NZ * NY * NX * 3];
    const pv_array array = {
        is_single ? PV_NUMBER_SINGLE : PV_NUMBER_REAL, components > 1 ? 4 : 3, {NZ, NY, NX, components}};
    char path[64];
    snprintf(path, sizeof path, "VTKHDF/PointData/%s", name);
    assert_ok(pv_checkpoint_get(file, path, &array, is_single ? (void *)single : (void *)values));
    for (int i = 0; is_single && i < NZ * NY * NX * components; i++) values[i] = (double)single[i];
}

static void write_and_read(run *r, const pv_dns_params *p, contents *c)
{
    char path[64];
    pv_checkpoint *file;
    path_of(path);
    (void)run_to_end(r, p);
    const pv_status status = pv_dns_fields(r->dns, path);
    if (status == PV_ERR_NOT_BUILT) pv_test_skip("no HDF5 in this build");
    assert_ok(status);
    const int is_single = p->fields_precision == PV_FP32;
    assert_ok(pv_checkpoint_open(r->comm, path, &file));
    get(file, "velocity", is_single, 3, &c->velocity[0][0][0][0]);
    get(file, "vorticity", is_single, 3, &c->vorticity[0][0][0][0]);
    get(file, "q", is_single, 1, &c->q[0][0][0]);
    get(file, "pressure", is_single, 1, &c->pressure[0][0][0]);
    if (p->scalars > 0) get(file, "scalar1", is_single, 1, &c->scalar[0][0][0]);
    pv_checkpoint_destroy(file);
    assert_ok(pv_comm_barrier(r->comm));
    if (pv_test_rank() == 0) unlink(path);
}

// With rotation about z the pressure has 2 Omega times the stream function of the horizontal flow in it, cos x cos y
// cos z (lap of it is -3 times, w_z = 2 sin x sin y cos z).
static void check_point(const contents *c, int z, int y, int x, double rotation, double tolerance)
{
    const double a = TWO_PI * x / NX, b = TWO_PI * y / NY, d = TWO_PI * z / NZ;
    assert_near(c->velocity[z][y][x][0], sin(a) * cos(b) * cos(d), tolerance);
    assert_near(c->velocity[z][y][x][1], -cos(a) * sin(b) * cos(d), tolerance);
    assert_near(c->velocity[z][y][x][2], 0.0, tolerance);
    assert_near(c->vorticity[z][y][x][0], -cos(a) * sin(b) * sin(d), tolerance);
    assert_near(c->vorticity[z][y][x][1], -sin(a) * cos(b) * sin(d), tolerance);
    assert_near(c->vorticity[z][y][x][2], 2.0 * sin(a) * sin(b) * cos(d), tolerance);
    const double p = (cos(2.0 * a) + cos(2.0 * b)) * (cos(2.0 * d) + 2.0) / 16.0;
    const double lap = -((cos(2.0 * a) + cos(2.0 * b)) * (8.0 * cos(2.0 * d) + 8.0)) / 16.0;
    assert_near(c->q[z][y][x], 0.5 * lap, tolerance);
    assert_near(c->pressure[z][y][x], p - 4.0 / 3.0 * rotation * sin(a) * sin(b) * cos(d), tolerance);
}

static void of_taylor_green(int precision, int fields_precision, double rotation, double tolerance)
{
    static contents c;
    run r;
    run_open(&r);
    pv_dns_params p = cube_of(NX, 0.01, 0.1, 0.0);
    p.grid[1] = NY;
    p.grid[2] = NZ;
    p.precision = precision;
    p.rotation = rotation;
    p.fields = "velocity, q,vorticity,pressure";
    p.fields_precision = fields_precision;
    // Looking leaves the shift of the grid behind.
    p.dealias = PV_DEALIAS_SHIFT;
    write_and_read(&r, &p, &c);
    for (int z = 0; z < NZ; z++)
        for (int y = 0; y < NY; y++)
            for (int x = 0; x < NX; x++) check_point(&c, z, y, x, rotation, tolerance);
    run_close(&r);
}

static void have_the_fields_at_points(void **state)
{
    (void)state;
    of_taylor_green(PV_FP64, PV_FP64, 0.0, 1e-14);
    of_taylor_green(PV_FP64, PV_FP32, 0.0, 2e-7);
    of_taylor_green(PV_FP32, PV_FP64, 1.5, 2e-6);
    of_taylor_green(PV_FP64, PV_FP64, 1.5, 1e-14);
}

static void have_scalars(void **state)
{
    (void)state;
    static contents c;
    run r;
    run_open(&r);
    pv_dns_params p = cube_of(NX, 0.01, 0.1, 0.1);
    p.grid[1] = NY;
    p.grid[2] = NZ;
    p.scalars = 1;
    p.scalar_gradient[0][0] = 1.0;
    p.fields = "scalars,velocity,vorticity,q,pressure";
    write_and_read(&r, &p, &c);
    pv_dns_record record;
    assert_ok(pv_dns_observe(r.dns, &record));
    double sum = 0.0;
    for (int z = 0; z < NZ; z++)
        for (int y = 0; y < NY; y++)
            for (int x = 0; x < NX; x++) sum += c.scalar[z][y][x] * c.scalar[z][y][x];
    assert_true(record.scalar_variance[0] > 0.0);
    assert_near(sum / (NZ * NY * NX) / record.scalar_variance[0], 1.0, 1e-6);
    pv_dns_destroy(r.dns);
    r.dns = NULL;
    p.scalars = 0; // a file without what was asked for would be no answer
    assert_fails(PV_ERR_INPUT, pv_dns_create(r.comm, &p, &r.dns));
    assert_non_null(strstr(pv_last_error(), "fields = scalars"));
    run_close(&r);
}

static void says_which_names_there_are(void **state)
{
    (void)state;
    unsigned fields;
    assert_ok(pv_dns_fields_parse(" q , pressure", &fields));
    assert_int_equal(fields, 12);
    assert_fails(PV_ERR_INPUT, pv_dns_fields_parse("velocity,vortcity", &fields));
    assert_non_null(
        strstr(pv_last_error(), "there is no field \"vortcity\" (did you mean vorticity?); velocity, vorticity"));
    assert_fails(PV_ERR_INPUT, pv_dns_fields_parse("", &fields));
    assert_fails(PV_ERR_INPUT, pv_dns_fields_parse("q,", &fields));
    assert_fails(PV_ERR_INPUT, pv_dns_fields_parse("q velocity", &fields));
}

PV_TEST_MAIN(PV_TEST(have_the_fields_at_points), PV_TEST(have_scalars), PV_TEST(says_which_names_there_are))
