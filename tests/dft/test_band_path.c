// SPDX-License-Identifier: Apache-2.0
#include "dft/model/band_path.h"

#include "crystals.h"
#include "dft/files/kpoints.h"

static pv_cell *cubic(void)
{
    pv_cell *cell;
    assert_ok(pv_cell_create(1, 1, 0, &cell));
    const double edge = 2.0 * PV_PI; // reciprocal vectors of length 1
    assert_ok(pv_cell_set_lattice(cell, (const double[3][3]){{edge, 0, 0}, {0, edge, 0}, {0, 0, edge}}));
    return cell;
}

static void lines_of_a_file(void **state)
{
    (void)state;
    static const char text[] = "path\n3\nLine\nrec\n0 0 0 \\Gamma\n0.5 0 0 X_1\n\n0.5 0 0 X_1\n0.5 0.5 0 M\n\n"
                               "0 0 0.5 Z\n0 0 0\n";
    pv_cell *cell = cubic();
    pv_kpoints *kpoints;
    pv_band_path *path;
    assert_ok(pv_kpoints_parse(text, sizeof text - 1, "KPOINTS", cell, &kpoints));
    assert_int_equal(kpoints->line_points, 3);
    assert_ok(pv_band_path_create(cell, 9, (const double (*)[3])kpoints->fractional, kpoints->weight, kpoints, &path));
    assert_int_equal(path->count, 9);
    static const double at[] = {0, 0.25, 0.5, 0.5, 0.75, 1.0, 1.0, 1.25, 1.5};
    static const int begins[] = {1, 0, 0, 0, 0, 0, 1, 0, 0};
    for (int i = 0; i < 9; i++) {
        assert_int_equal(path->point[i], i);
        assert_near(path->at[i], at[i], 1e-12);
        assert_int_equal(path->begins[i], begins[i]);
    }
    static const struct { double at; const char *label; } ticks[] = {
        {0, "Γ"}, {0.5, "X_{1}"}, {1.0, "M|Z"}, {1.5, "Γ"}};
    assert_int_equal(path->ticks, 4);
    for (int t = 0; t < 4; t++) {
        assert_near(path->tick_at[t], ticks[t].at, 1e-12);
        assert_string_equal(path->tick_label[t], ticks[t].label);
    }
    pv_band_path_destroy(path);
    pv_kpoints_destroy(kpoints);
    pv_cell_destroy(cell);
}

// Of a hybrid's list the points of weight 0; a corner and a jump are found by what the steps do.
static void points_without_weight(void **state)
{
    (void)state;
    static const double kpoint[][3] = {{0, 0, 0},   {0.5, 0.5, 0.5}, {0, 0, 0},     {0.1, 0, 0}, {0.2, 0, 0},
                                       {0.2, 0.1, 0}, {0.2, 0.2, 0}, {0, 0, 0.7}, {0, 0, 0.6}, {0, 0, 0.5}};
    static const double weight[] = {0.5, 0.5, 0, 0, 0, 0, 0, 0, 0, 0};
    pv_cell *cell = cubic();
    pv_band_path *path;
    assert_ok(pv_band_path_create(cell, 10, kpoint, weight, NULL, &path));
    assert_int_equal(path->count, 8);
    assert_int_equal(path->point[0], 2);
    assert_near(path->at[7], 0.6, 1e-12);
    static const int begins[] = {1, 0, 0, 0, 0, 1, 0, 0};
    for (int i = 0; i < 8; i++) assert_int_equal(path->begins[i], begins[i]);
    assert_int_equal(path->ticks, 4);
    static const char *const labels[] = {"Γ", "1/5\n0\n0", "1/5|0\n1/5|0\n0|7/10", "0\n0\n1/2"};
    for (int t = 0; t < 4; t++) assert_string_equal(path->tick_label[t], labels[t]);
    assert_near(path->tick_at[2], 0.4, 1e-12);
    pv_band_path_destroy(path);

    assert_ok(pv_band_path_create(cell, 2, kpoint, weight, NULL, &path)); // a mesh
    assert_int_equal(path->count, 0);
    assert_int_equal(path->ticks, 0);
    pv_band_path_destroy(path);
    pv_band_path_destroy(NULL);
    pv_cell_destroy(cell);
}

PV_TEST_MAIN(PV_TEST(lines_of_a_file), PV_TEST(points_without_weight))
