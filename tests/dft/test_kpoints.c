// SPDX-License-Identifier: Apache-2.0
#include "dft/files/kpoints.h"

#include <math.h>
#include <string.h>

#include "dft/model/units.h"
#include "harness.h"

// 4 x 5 x 6 Angstrom, scale 2.
static pv_cell *make_cell(void)
{
    pv_cell *cell;
    const double a = 1.0 / PV_BOHR_ANGSTROM, lattice[3][3] = {{4 * a, 0, 0}, {0, 5 * a, 0}, {0, 0, 6 * a}};
    assert_ok(pv_cell_create(1, 1, 0, &cell));
    assert_ok(pv_cell_set_lattice(cell, lattice));
    cell->scale_angstrom = 2.0;
    return cell;
}

static pv_kpoints *parsed(const char *text)
{
    pv_cell *cell = make_cell();
    pv_kpoints *kpoints = NULL;
    assert_ok(pv_kpoints_parse(text, strlen(text), "KPOINTS", cell, &kpoints));
    pv_cell_destroy(cell);
    double sum = 0.0;
    for (int k = 0; k < kpoints->count; k++) sum += kpoints->weight[k];
    assert_near(sum, 1.0, 1e-12);
    return kpoints;
}

static void refused(const char *text, const char *said)
{
    pv_cell *cell = make_cell();
    pv_kpoints *kpoints = NULL;
    assert_fails(PV_ERR_INPUT, pv_kpoints_parse(text, strlen(text), "KPOINTS", cell, &kpoints));
    assert_null(kpoints);
    if (!strstr(pv_last_error(), said)) fail_msg("'%s' does not say '%s'", pv_last_error(), said);
    pv_cell_destroy(cell);
}

static void assert_point(const pv_kpoints *kpoints, int k, double x, double y, double z)
{
    const double expected[3] = {x, y, z};
    for (int i = 0; i < 3; i++) assert_near(kpoints->fractional[k][i], expected[i], 1e-14);
}

static void gamma_centred_meshes(void **state)
{
    (void)state;
    pv_kpoints *kpoints = parsed("mesh\n0\nGamma\n2 3 1\n0 0 0\n");
    assert_int_equal(kpoints->count, 6);
    assert_int_equal(kpoints->is_mesh, 1);
    assert_int_equal(kpoints->mesh[1], 3);
    assert_point(kpoints, 0, 0, 0, 0);
    assert_point(kpoints, 1, 0.5, 0, 0);
    assert_point(kpoints, 2, 0, 1.0 / 3, 0);
    assert_point(kpoints, 5, 0.5, -1.0 / 3, 0);
    for (int k = 0; k < 6; k++) assert_int_equal(kpoints->first_of[k], k);
    pv_kpoints_destroy(kpoints);
    kpoints = parsed("\xef\xbb\xbfmesh\r\n0\r\ngamma\r\n1 1 1"); // no shift, no line end
    assert_int_equal(kpoints->count, 1);
    pv_kpoints_destroy(kpoints);
}

static void monkhorst_pack_meshes(void **state)
{
    (void)state;
    pv_kpoints *kpoints = parsed("mesh\n0\nMonkhorst\n4 3 2\n0 0 0.5\n");
    assert_int_equal(kpoints->count, 24);
    assert_point(kpoints, 0, -0.375, -1.0 / 3, 0.0); // even: half a step off; odd: Gamma is in it; shifted by the file
    assert_point(kpoints, 5, -0.125, 0.0, 0.0);
    pv_kpoints_destroy(kpoints);
}

static void meshes_by_length_and_spacing(void **state)
{
    (void)state;
    pv_kpoints *kpoints = parsed("mesh\n0\nAuto\n 25\n"); // 25 / (4, 5, 6) + 1/2 = 6.75, 5.5, 4.67
    const int by_length[3] = {6, 5, 4};
    assert_memory_equal(kpoints->mesh, by_length, sizeof by_length);
    pv_kpoints_destroy(kpoints);
    kpoints = parsed("mesh\n0\nAuto\n 0.1\n");
    assert_int_equal(kpoints->count, 1);
    pv_kpoints_destroy(kpoints);

    pv_cell *cell = make_cell();
    assert_ok(
        pv_kpoints_read("there/is/no/KPOINTS", cell, 0.5, 1, &kpoints)); // 2 pi / (4, 5, 6) / 0.5 = 3.14, 2.51, 2.09
    const int by_spacing[3] = {4, 3, 3};
    assert_memory_equal(kpoints->mesh, by_spacing, sizeof by_spacing);
    assert_point(kpoints, 0, 0, 0, 0);
    pv_kpoints_destroy(kpoints);
    assert_ok(pv_kpoints_read("there/is/no/KPOINTS", cell, 2.0 * PV_PI / 8.0, 0, &kpoints)); // exactly 2, 1.6, 1.33
    const int exact[3] = {2, 2, 2};
    assert_memory_equal(kpoints->mesh, exact, sizeof exact);
    assert_point(kpoints, 0, -0.25, -0.25, -0.25);
    pv_kpoints_destroy(kpoints);
    assert_fails(PV_ERR_INPUT, pv_kpoints_create_spacing(cell, -0.5, 1, &kpoints));
    assert_fails(PV_ERR_INPUT, pv_kpoints_create_spacing(cell, 1e-9, 1, &kpoints));
    pv_cell_destroy(cell);
}

static void lists_with_weights(void **state)
{
    (void)state;
    pv_kpoints *kpoints =
        parsed("list\n3\nReciprocal\n0 0 0 1\n0.5 0 0 3 ! X\n0.25 0 0 0\nTetrahedra\n1 0.5\n1 1 2 2 3\n");
    assert_int_equal(kpoints->count, 3);
    assert_int_equal(kpoints->is_mesh, 0);
    assert_near(kpoints->weight[0], 0.25, 1e-15);
    assert_near(kpoints->weight[1], 0.75, 1e-15);
    assert_near(kpoints->weight[2], 0.0, 0.0);
    pv_kpoints_destroy(kpoints);
    kpoints = parsed("list\n1\nCartesian\n0.25 0.2 0 1\n"); // 2 pi / scale, scale 2: times a / scale
    assert_point(kpoints, 0, 0.5, 0.5, 0.0);
    pv_kpoints_destroy(kpoints);
}

static void repeated_band_points_are_marked(void **state)
{
    (void)state;
    pv_kpoints *kpoints = parsed("bands\n6\nrec\n0 0 0 1\n0.5 0.5 0.5 1\n0 0 0 0\n0.33333333 0 0 0\n-0.6666667 1 0 0\n"
                                 "0.5 -0.5 0.5 0\n");
    const int first[6] = {0, 1, 0, 3, 3, 1};
    assert_memory_equal(kpoints->first_of, first, sizeof first);
    assert_near(kpoints->weight[0], 0.5, 0.0);
    pv_kpoints_destroy(kpoints);
}

static void lines_with_labels(void **state)
{
    (void)state;
    pv_kpoints *kpoints =
        parsed("path\n3\nLine-mode\nreciprocal\n0 0 0 ! GAMMA\n0.5 0 0 X\n\n0.5 0 0 ! X\n0.5 0.5 0\n");
    assert_int_equal(kpoints->count, 6);
    assert_int_equal(kpoints->is_path, 1);
    assert_point(kpoints, 1, 0.25, 0, 0);
    assert_point(kpoints, 4, 0.5, 0.25, 0);
    assert_string_equal(kpoints->label[0], "GAMMA");
    assert_string_equal(kpoints->label[1], "");
    assert_string_equal(kpoints->label[2], "X");
    assert_string_equal(kpoints->label[5], "");
    assert_int_equal(kpoints->first_of[3], 2);
    pv_kpoints_destroy(kpoints);
    refused("path\n3\nLine\nrec\n0 0 0\n0.5 0 0\n0 0 0\n", "3 ends");
    refused("path\n1\nLine\nrec\n0 0 0\n0.5 0 0\n", "line mode takes 2");
    refused(
        "path\n100000\nLine\nrec\n0 0 0\n1 0 0\n0 0 0\n1 0 0\n0 0 0\n1 0 0\n0 0 0\n1 0 0\n0 0 0\n1 0 0\n0 0 0\n1 0 0\n"
        "0 0 0\n1 0 0\n0 0 0\n1 0 0\n0 0 0\n1 0 0\n0 0 0\n1 0 0\n0 0 0\n1 0 0\n",
        "at most");
}

static void what_is_wrong_is_said_with_its_line(void **state)
{
    (void)state;
    refused("", "is empty");
    refused("c\n", "the number of k-points");
    refused("c\nmany\n", "KPOINTS:2: found 'many'");
    refused("c\n-4\n", "KPOINTS:2:");
    refused("c\n0\n", "Gamma, Monkhorst-Pack or Automatic");
    refused("c\n0\nReciprocal\n0.25 0 0\n0 0.25 0\n0 0 0.25\n0 0 0\n", "generating vectors");
    refused("c\n0\nG\n2 2\n", "KPOINTS:4: found '2 2'");
    refused("c\n0\nG\n2 0 2\n", "positive integers");
    refused("c\n0\nG\n2 2 2\nnan 0 0\n", "KPOINTS:5:");
    refused("c\n0\nG\n1000 1000 1000\n", "at most 1000000");
    refused("c\n0\nG\n2147483647 2147483647 2147483647\n", "mesh");
    refused("c\n0\nA\n-5\n", "one positive length");
    refused("c\n0\nA\n1e300\n", "mesh");
    refused("c\n2\nRec\n0 0 0 1\n            \n", "with 1 of 2");
    refused("c\n2\nRec\n0 0 0\n.5 0 0\n", "KPOINTS:4: found '0 0 0', without a weight");
    refused("c\n2000000000\nRec\n0 0 0 1\n", "room for at most");
    refused("c\n1\nGamma\n1 1 1\n0 0 0\n", "a mesh has the count 0");
    refused("c\n1\nRec\n0 0 0 -1\n", "not negative");
    refused("c\n2\nRec\n0 0 0 0\n0 0 0.5 0\n", "zero");
    refused("c\n1\nRec\n0 0 1e9 1\n", "KPOINTS:4:");
}

static void a_path_follows_a_mesh(void **state)
{
    (void)state;
    pv_kpoints *mesh = parsed("mesh\n0\nGamma\n2 1 1\n"), *both;
    pv_kpoints *path = parsed("path\n3\nLine\nrec\n0 0 0\n0.5 0 0\n");
    assert_ok(pv_kpoints_append(mesh, path, &both));
    assert_int_equal(both->count, 5);
    assert_int_equal(pv_kpoints_weightless(both), 3);
    assert_true(both->is_mesh && !both->is_path);
    const double weight[5] = {0.5, 0.5, 0.0, 0.0, 0.0};
    const int first[5] = {0, 1, 0, 3, 1};
    assert_memory_equal(both->weight, weight, sizeof weight);
    assert_memory_equal(both->first_of, first, sizeof first);
    assert_point(both, 3, 0.25, 0.0, 0.0);
    pv_kpoints_destroy(mesh);
    pv_kpoints_destroy(path);
    pv_kpoints_destroy(both);
}

PV_TEST_MAIN(PV_TEST(gamma_centred_meshes), PV_TEST(monkhorst_pack_meshes), PV_TEST(meshes_by_length_and_spacing),
             PV_TEST(lists_with_weights), PV_TEST(repeated_band_points_are_marked), PV_TEST(lines_with_labels),
             PV_TEST(what_is_wrong_is_said_with_its_line), PV_TEST(a_path_follows_a_mesh))
