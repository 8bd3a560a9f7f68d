// SPDX-License-Identifier: Apache-2.0
#include "dft/model/defects.h"

#include "crystals.h"
#include "dft/model/supercell.h"

typedef struct bulk {
    pv_cell *cell;
    pv_symmetry *symmetry;
} bulk;

static bulk bulk_of(const crystal *crystal, int x, int y, int z)
{
    bulk bulk;
    pv_cell *small = cell_of(crystal);
    assert_ok(pv_supercell_create(small, (const int[3]){x, y, z}, &bulk.cell));
    assert_ok(pv_symmetry_create(bulk.cell, NULL, 1, 1e-5, &bulk.symmetry));
    pv_cell_destroy(small);
    return bulk;
}

static void release(bulk *bulk)
{
    pv_symmetry_destroy(bulk->symmetry);
    pv_cell_destroy(bulk->cell);
}

// Copies of all distinct choices are all choices there are: none is missing, none stands twice.
static void every_choice_is_counted_once(void **state)
{
    (void)state;
    static const struct {
        const crystal *crystal;
        int repeat[3], kinds;
        pv_defect defects[2];
        int distinct;          // -1: not known otherwise
        long long all;
    } cases[] = {
        {&hafnia, {1, 1, 1}, 1, {{"O", "", 1}}, 2, 8},
        {&hafnia, {2, 2, 2}, 1, {{"O", "", 1}}, 2, 64},
        {&hafnia, {2, 2, 2}, 1, {{"Hf", "Si", 1}}, 1, 32},
        {&hafnia, {2, 2, 2}, 1, {{"Hf", "Zr", 30}}, -1, 496},
        {&hafnia, {2, 2, 2}, 1, {{"Hf", "Zr", 31}}, 1, 32},
        {&hafnia, {2, 2, 2}, 1, {{"Hf", "Zr", 32}}, 1, 1}, // and not all ways to begin it
        {&hafnia, {2, 1, 1}, 1, {{"Hf", "Si", 2}}, -1, 28},
        {&hafnia, {2, 1, 1}, 2, {{"Hf", "Si", 1}, {"O", "", 1}}, 16, 8 * 16},
        {&hafnia, {1, 1, 1}, 2, {{"Hf", "Si", 2}, {"Hf", "Zr", 1}}, 3, 12},
        {&hafnia, {1, 1, 1}, 2, {{"Hf", "Si", 2}, {"O", "", 2}}, -1, 6 * 28},
        {&silicon_cubic, {1, 1, 1}, 1, {{"Si", "", 1}}, 1, 8},
        {&silicon_cubic, {1, 1, 1}, 1, {{"Si", "Ge", 2}}, 2, 28}, // first and second neighbours
        {&silicon_cubic, {1, 1, 1}, 1, {{"Si", "Ge", 4}}, -1, 70},
        {&magnesia, {2, 2, 2}, 1, {{"Mg", "", 2}}, -1, 28},
        {&magnesia, {1, 1, 1}, 2, {{"Mg", "", 1}, {"O", "S", 1}}, 1, 1},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        bulk bulk = bulk_of(cases[c].crystal, cases[c].repeat[0], cases[c].repeat[1], cases[c].repeat[2]);
        pv_placements *found;
        assert_ok(pv_placements_create(bulk.cell, bulk.symmetry, cases[c].kinds, cases[c].defects, 1000, &found));
        long long all = 0;
        for (int i = 0; i < found->count; i++) all += found->copies[i];
        assert_int_equal(all, cases[c].all);
        assert_int_equal(found->complete, 1);
        if (cases[c].distinct >= 0) assert_int_equal(found->count, cases[c].distinct);
        assert_int_equal(found->site[0], cases[c].defects[0].from[0] == 'O' ? bulk.cell->count_of[0] : 0);
        pv_placements_destroy(found);
        release(&bulk);
    }
}

static void search_ends_where_it_was_told_to(void **state)
{
    (void)state;
    bulk bulk = bulk_of(&hafnia, 2, 2, 2);
    const pv_defect defect = {"O", "", 12};
    pv_placements *found;
    assert_ok(pv_placements_create(bulk.cell, bulk.symmetry, 1, &defect, 20, &found));
    assert_int_equal(found->count, 20);
    assert_int_equal(found->complete, 0);
    assert_int_equal(found->defects, 12);
    pv_placements_destroy(found);
    pv_placements_destroy(NULL);
    release(&bulk);
}

static void defects_are_applied(void **state)
{
    (void)state;
    bulk bulk = bulk_of(&hafnia, 1, 1, 1);
    const pv_defect defects[] = {{"Hf", "Si", 2}, {"O", "", 1}, {"O", "Hf", 1}};
    const int site[] = {1, 2, 5, 11};
    pv_cell *changed;
    strcpy(bulk.cell->comment, "hafnia");
    assert_ok(pv_defects_apply(bulk.cell, 3, defects, site, &changed));
    assert_string_equal(changed->comment, "hafnia, 2 Si for Hf, 1 vacant O, 1 Hf for O");
    assert_int_equal(changed->atoms, 11);
    assert_int_equal(changed->species, 3);
    static const char *const names[] = {"Hf", "O", "Si"};
    static const int counts[] = {3, 6, 2}, atoms[] = {0, 3, 11, 4, 6, 7, 8, 9, 10, 1, 2};
    for (int s = 0; s < 3; s++) {
        assert_string_equal(changed->species_name[s], names[s]);
        assert_int_equal(changed->count_of[s], counts[s]);
    }
    for (int a = 0; a < 11; a++) {
        assert_memory_equal(changed->fractional[a], bulk.cell->fractional[atoms[a]], sizeof changed->fractional[a]);
        assert_int_equal(changed->species_of[a], a < 3 ? 0 : a < 9 ? 1 : 2);
    }
    pv_cell_destroy(changed);

    const pv_defect all[] = {{"Hf", "", 4}};
    assert_ok(pv_defects_apply(bulk.cell, 1, all, (const int[]){0, 1, 2, 3}, &changed));
    assert_int_equal(changed->species, 1);
    assert_string_equal(changed->species_name[0], "O");
    assert_int_equal(changed->species_of[0], 0);
    pv_cell_destroy(changed);
    release(&bulk);
}

static void wrong_requests_are_refused(void **state)
{
    (void)state;
    bulk bulk = bulk_of(&hafnia, 1, 1, 1);
    static const struct { int kinds; pv_defect defects[2]; const char *word; } cases[] = {
        {1, {{"Si", "", 1}}, "has none"},
        {1, {{"Hf", "Si", 5}}, "the cell has 4"},
        {2, {{"O", "", 5}, {"O", "N", 4}}, "the cell has 8"},
        {2, {{"O", "", 1}, {"O", "", 1}}, "twice"},
        {1, {{"O", "O", 1}}, "by itself"},
        {1, {{"O", "", 0}}, "at least 1"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        pv_placements *untouched = NULL;
        assert_fails(PV_ERR_INPUT,
                     pv_placements_create(bulk.cell, bulk.symmetry, cases[c].kinds, cases[c].defects, 10, &untouched));
        assert_null(untouched);
        if (!strstr(pv_last_error(), cases[c].word)) fail_msg("'%s' is not in: %s", cases[c].word, pv_last_error());
    }
    release(&bulk);
}

PV_TEST_MAIN(PV_TEST(every_choice_is_counted_once), PV_TEST(search_ends_where_it_was_told_to),
             PV_TEST(defects_are_applied), PV_TEST(wrong_requests_are_refused))
