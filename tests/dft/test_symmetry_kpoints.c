// SPDX-License-Identifier: Apache-2.0
#include "dft/model/symmetry_kpoints.h"

#include <stdlib.h>

#include "crystals.h"

typedef struct mesh_case {
    const crystal *crystal;
    int mesh[3];
    double steps[3];           // shift in steps of the mesh
    int points;                // Quantum ESPRESSO 6.7, K_POINTS automatic
    int symmetric;             // whether every rotation takes the mesh into itself
} mesh_case;

static const mesh_case cases[] = {
    {&silicon, {4, 4, 4}, {0, 0, 0}, 8, 1},
    {&silicon, {3, 3, 3}, {0, 0, 0}, 4, 1},
    {&silicon, {2, 2, 2}, {0.5, 0.5, 0.5}, 2, 0}, // the two points of Chadi and Cohen
    {&silicon, {4, 4, 4}, {0.5, 0.5, 0.5}, 10, 0},
    {&silicon_cubic, {4, 4, 4}, {0, 0, 0}, 10, 1},
    {&magnesia, {3, 3, 3}, {0, 0, 0}, 4, 1},
    {&hafnia, {2, 2, 2}, {0, 0, 0}, 8, 1},
    {&hafnia, {3, 3, 3}, {0, 0, 0}, 10, 1},
    {&hafnia, {4, 4, 4}, {0, 0, 0}, 30, 1},
    {&hafnia, {2, 2, 2}, {0.5, 0.5, 0.5}, 2, 1},
    {&hafnia, {3, 2, 4}, {0, 0.5, 0}, 7, 1},
    {&magnesium, {4, 4, 2}, {0, 0, 0}, 8, 1},
    {&magnesium, {6, 6, 4}, {0, 0, 0}, 21, 1},
    {&magnesium, {4, 4, 2}, {0, 0, 0.5}, 4, 1},
    {&magnesium, {4, 4, 2}, {0.5, 0.5, 0}, 12, 0},
    {&magnesium, {3, 3, 3}, {0.5, 0.5, 0.5}, 8, 0},
    {&silicon, {4, 4, 2}, {0, 0, 0}, 8, 0},
    {&rutile, {4, 4, 4}, {0, 0, 0}, 18, 1},
    {&rutile, {2, 2, 3}, {0.5, 0.5, 0}, 2, 1},
    {&rutile, {3, 3, 5}, {0, 0, 0}, 9, 1},
};

static void assert_image(const pv_symmetry *symmetry, const pv_kpoints *full, const pv_kpoints *reduced,
                         const pv_kpoint_image *images, int k)
{
    const pv_kpoint_image *image = &images[k];
    assert_in_range(image->from, 0, reduced->count - 1);
    const double *from = reduced->fractional[image->from];
    for (int i = 0; i < 3; i++) {
        double turned = 0.0;
        for (int j = 0; j < 3; j++) turned += symmetry->operation[image->operation].reciprocal[i][j] * from[j];
        assert_near((image->reversed ? -turned : turned) + image->umklapp[i], full->fractional[k][i], 1e-12);
    }
}

static void irreducible_points(void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        pv_cell *cell = cell_of(cases[c].crystal);
        pv_symmetry *symmetry;
        pv_kpoints *full, *reduced;
        assert_ok(pv_symmetry_create(cell, NULL, 2, 1e-5, &symmetry));
        assert_ok(pv_kpoints_create_mesh(cases[c].mesh, cases[c].steps, &full));
        pv_kpoint_image *images = calloc((size_t)full->count, sizeof *images);
        unsigned char *keep = calloc((size_t)symmetry->count, 1);
        int kept;
        assert_ok(pv_symmetry_reduce_kpoints(symmetry, full, images, &reduced));
        if (reduced->count != cases[c].points)
            fail_msg("%s %dx%dx%d: %d points, not %d", cases[c].crystal->name, full->mesh[0], full->mesh[1],
                     full->mesh[2], reduced->count, cases[c].points);
        assert_int_equal(reduced->is_mesh, 1);
        double sum = 0.0;
        for (int k = 0; k < reduced->count; k++) sum += reduced->weight[k];
        assert_near(sum, 1.0, 1e-14);
        for (int k = 0; k < full->count; k++) assert_image(symmetry, full, reduced, images, k);
        assert_ok(pv_symmetry_of_kpoints(symmetry, full, keep, &kept));
        assert_int_equal(kept == symmetry->count, cases[c].symmetric);
        free(images);
        free(keep);
        pv_kpoints_destroy(reduced);
        pv_kpoints_destroy(full);
        pv_symmetry_destroy(symmetry);
        pv_cell_destroy(cell);
    }
}

static void weights_of_two_points(void **state)
{
    (void)state;
    pv_cell *cell = cell_of(&silicon);
    pv_symmetry *symmetry;
    pv_kpoints *full, *reduced;
    assert_ok(pv_symmetry_create(cell, NULL, 2, 1e-5, &symmetry));
    assert_ok(pv_kpoints_create_mesh((const int[3]){2, 2, 2}, (const double[3]){0.5, 0.5, 0.5}, &full));
    assert_ok(pv_symmetry_reduce_kpoints(symmetry, full, NULL, &reduced));
    assert_int_equal(reduced->count, 2);
    assert_near(reduced->weight[0], 0.25, 1e-15);
    assert_near(reduced->weight[1], 0.75, 1e-15);
    pv_kpoints_destroy(reduced);
    pv_kpoints_destroy(full);
    pv_symmetry_destroy(symmetry);
    pv_cell_destroy(cell);
}

static void levels_of_isym(void **state)
{
    (void)state;
    static const int counts[] = {27, 14, 4, 4, 4}; // ISYM = -1, 0, 1, 2, 3
    pv_cell *cell = cell_of(&magnesia);
    pv_kpoints *full, *reduced;
    assert_ok(pv_kpoints_create_mesh((const int[3]){3, 3, 3}, (const double[3]){0, 0, 0}, &full));
    for (int level = -1; level <= 3; level++) {
        pv_symmetry *symmetry;
        assert_ok(pv_symmetry_create(cell, NULL, level, 1e-5, &symmetry));
        assert_ok(pv_symmetry_reduce_kpoints(symmetry, full, NULL, &reduced));
        assert_int_equal(reduced->count, counts[level + 1]);
        pv_kpoints_destroy(reduced);
        pv_symmetry_destroy(symmetry);
    }
    pv_kpoints_destroy(full);
    pv_cell_destroy(cell);
}

// A mesh with another number along one axis keeps the operations that leave the axis alone, and these form a group
// under which the mesh is symmetric.
static void mesh_with_less_symmetry(void **state)
{
    (void)state;
    pv_cell *cell = cell_of(&magnesia);
    pv_symmetry *symmetry, *part;
    pv_kpoints *full;
    unsigned char keep[48];
    int kept;
    assert_ok(pv_symmetry_create(cell, NULL, 2, 1e-5, &symmetry));
    assert_ok(pv_kpoints_create_mesh((const int[3]){3, 3, 2}, (const double[3]){0, 0, 0}, &full));
    assert_ok(pv_symmetry_of_kpoints(symmetry, full, keep, &kept));
    assert_in_range(kept, 2, 24);
    assert_int_equal(48 % kept, 0);
    assert_ok(pv_symmetry_create_part(symmetry, keep, &part));
    unsigned char all[48];
    int again;
    assert_ok(pv_symmetry_of_kpoints(part, full, all, &again));
    assert_int_equal(again, kept);
    pv_symmetry_destroy(part);
    pv_kpoints_destroy(full);
    pv_symmetry_destroy(symmetry);
    pv_cell_destroy(cell);
}

static void bands_and_paths_are_left_alone(void **state)
{
    (void)state;
    pv_cell *cell = cell_of(&magnesia);
    pv_symmetry *symmetry;
    pv_kpoints *full, *reduced;
    pv_kpoint_image images[6];
    assert_ok(pv_symmetry_create(cell, NULL, 2, 1e-5, &symmetry));
    assert_ok(pv_kpoints_create(6, &full));
    static const double points[6][3] = {{0.25, 0, 0}, {0, 0.25, 0}, {0, 0, -0.25},
                                        {0.25, 0, 0}, {0, 0.25, 0}, {0.1, 0, 0}};
    static const double weights[6] = {0.25, 0.25, 0.5, 0, 0, 0};
    memcpy(full->fractional, points, sizeof points);
    memcpy(full->weight, weights, sizeof weights);
    assert_ok(pv_symmetry_reduce_kpoints(symmetry, full, images, &reduced));
    assert_int_equal(reduced->count, 4);
    assert_near(reduced->weight[0], 1.0, 1e-15);
    assert_near(reduced->weight[1], 0.0, 0.0);
    const int from[6] = {0, 0, 0, 1, 2, 3}, first[4] = {0, 0, 2, 3};
    for (int k = 0; k < 6; k++) assert_int_equal(images[k].from, from[k]);
    assert_memory_equal(reduced->first_of, first, sizeof first);
    pv_kpoints_destroy(reduced);
    full->is_path = 1;
    assert_ok(pv_symmetry_reduce_kpoints(symmetry, full, images, &reduced));
    assert_int_equal(reduced->count, 6);
    assert_int_equal(reduced->is_path, 1);
    pv_kpoints_destroy(reduced);
    pv_kpoints_destroy(full);
    pv_symmetry_destroy(symmetry);
    pv_cell_destroy(cell);
}

// An orbital at k', turned: its value at a turned place is its value at the place itself, or the conjugate.
static void waves_are_carried(void **state)
{
    (void)state;
    const crystal *const crystals[] = {&silicon, &hafnia, &rutile};
    for (int c = 0; c < 3; c++) {
        pv_cell *cell = cell_of(crystals[c]);
        pv_symmetry *symmetry;
        pv_kpoints *full, *reduced;
        assert_ok(pv_symmetry_create(cell, NULL, 2, 1e-5, &symmetry));
        assert_ok(pv_kpoints_create_mesh((const int[3]){3, 3, 3}, (const double[3]){0, 0, 0}, &full));
        pv_kpoint_image images[27];
        assert_ok(pv_symmetry_reduce_kpoints(symmetry, full, images, &reduced));
        static const int32_t waves[3][3] = {{0, 0, 0}, {1, -2, 3}, {-1, 0, 2}};
        static const double _Complex coefficients[3] = {1.0 + 0.5 * I, -0.25 * I, 0.75};
        static const double place[3] = {0.123, 0.77, 0.31};
        int turned_ones = 0;
        for (int k = 0; k < 27; k++) {
            const pv_operation *p = &symmetry->operation[images[k].operation];
            const double *from = reduced->fractional[images[k].from];
            double target[3];
            for (int i = 0; i < 3; i++) {
                target[i] = p->translation[i];
                for (int j = 0; j < 3; j++) target[i] += p->rotation[i][j] * place[j];
            }
            double _Complex before = 0.0, after = 0.0;
            for (int w = 0; w < 3; w++) {
                int32_t to[3];
                const double _Complex factor =
                    pv_symmetry_carry_wave(p, &images[k], full->fractional[k], waves[w], to);
                double phase = 0.0, turned = 0.0;
                for (int i = 0; i < 3; i++) {
                    phase += (from[i] + waves[w][i]) * place[i];
                    turned += (full->fractional[k][i] + to[i]) * target[i];
                }
                before += coefficients[w] * cexp(2.0 * PV_PI * I * phase);
                after += factor * (images[k].reversed ? conj(coefficients[w]) : coefficients[w])
                         * cexp(2.0 * PV_PI * I * turned);
            }
            if (images[k].reversed) before = conj(before);
            assert_near(cabs(after - before), 0.0, 1e-12);
            turned_ones += images[k].operation != 0;
        }
        assert_in_range(turned_ones, 1, 27);
        pv_kpoints_destroy(reduced);
        pv_kpoints_destroy(full);
        pv_symmetry_destroy(symmetry);
        pv_cell_destroy(cell);
    }
}

PV_TEST_MAIN(PV_TEST(irreducible_points), PV_TEST(weights_of_two_points), PV_TEST(levels_of_isym),
             PV_TEST(mesh_with_less_symmetry), PV_TEST(bands_and_paths_are_left_alone), PV_TEST(waves_are_carried))
