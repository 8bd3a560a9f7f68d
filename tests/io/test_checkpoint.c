// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2 3
#include "io/checkpoint.h"

#include "checkpoint_case.h"

static void what_is_written_is_read(void **state)
{
    (void)state;
    fixture f;
    open_fixture(&f);
    write_all(&f);
    assert_false(is_there(&f, "state.h5.tmp"));
    pv_checkpoint *file;
    pv_array array;
    int found;
    char text[16] = "";
    double numbers[2][3];
    int64_t count;
    assert_ok(pv_checkpoint_open(f.comm, f.path, &file));
    assert_ok(pv_checkpoint_find(file, "name", &array, &found));
    assert_true(found && array.type == PV_NUMBER_TEXT && array.shape[0] == 9);
    assert_ok(pv_checkpoint_get(file, "name", &array, text));
    assert_string_equal(text, "some text");
    assert_ok(pv_checkpoint_get(file, "a/b/reals", &reals_array, numbers));
    assert_memory_equal(numbers, reals, sizeof reals);
    assert_ok(pv_checkpoint_get(file, "a/count", &(pv_array){PV_NUMBER_INT64, 1, {1}}, &count));
    assert_true(count == (int64_t)1 << 40);
    assert_ok(pv_checkpoint_find(file, "a/nothing/here", &array, &found));
    assert_false(found);
    pv_checkpoint_destroy(file);
    close_fixture(&f);
}

static void other_layouts_read_the_same(void **state)
{
    (void)state;
    fixture f;
    open_fixture(&f);
    write_all(&f);
    holder *h = calloc(1, sizeof *h);
    assert_ok(read_matrix(&f, h));
    for (int64_t row = 0; row < ROWS; row++)
        for (int64_t j = 0; j < h->count; j++)
            assert_true(h->value[row][j] == (row < ROWS - 1 ? value_at(row, h->column[j]) : 0.0));
    free(h);
    close_fixture(&f);
}

static void wrong_shapes_are_refused(void **state)
{
    (void)state;
    fixture f;
    open_fixture(&f);
    write_all(&f);
    pv_checkpoint *file;
    double numbers[12];
    assert_ok(pv_checkpoint_open(f.comm, f.path, &file));
    pv_test_mute(1);
    expect_failure(pv_checkpoint_get(file, "a/b/reals", &(pv_array){PV_NUMBER_REAL, 2, {3, 2}}, numbers), PV_ERR_INPUT,
                   "2 x 3 reals; 3 x 2 reals");
    expect_failure(pv_checkpoint_get(file, "a/b/none", &reals_array, numbers), PV_ERR_INPUT, "has no a/b/none");
    pv_test_mute(0);
    pv_checkpoint_destroy(file);
    close_fixture(&f);
}

static void without_a_commit_the_old_file_stays(void **state)
{
    (void)state;
    fixture f;
    open_fixture(&f);
    write_all(&f);
    pv_checkpoint *file;
    holder *h = calloc(1, sizeof *h);
    assert_ok(pv_checkpoint_create(f.comm, f.path, &file));
    assert_ok(pv_checkpoint_put(file, "other", &reals_array, reals));
    assert_true(is_there(&f, "state.h5.tmp"));
    assert_ok(pv_comm_barrier(f.comm));
    pv_checkpoint_destroy(file);
    assert_ok(pv_comm_barrier(f.comm));
    assert_false(is_there(&f, "state.h5.tmp"));
    assert_ok(read_matrix(&f, h));
    free(h);
    close_fixture(&f);
}

// ---- Elements
// --------------------------------------------------------------------------------------------------------

enum { PLANES = 3, LINES = 7, POINTS = 10, ELEMENTS = PLANES * LINES * POINTS };

// Element i belongs to rank (i / 11) % size.
static void give_elements(void *context, int64_t row, int64_t first, int64_t count, void *numbers)
{
    (void)context;
    assert_int_equal(row, 0);
    int64_t mine = 0;
    for (int64_t i = 0; i < ELEMENTS; i++) {
        if ((i / 11) % pv_test_size() != pv_test_rank()) continue;
        if (mine >= first && mine < first + count) ((float *)numbers)[mine - first] = (float)i;
        mine++;
    }
}

static void elements_may_be_spread_anyhow(void **state)
{
    (void)state;
    fixture f;
    open_fixture(&f);
    const pv_array array = {PV_NUMBER_SINGLE, 3, {PLANES, LINES, POINTS}}, pair = {PV_NUMBER_INT64, 1, {2}};
    pv_stretch stretches[ELEMENTS];
    float values[ELEMENTS];
    int64_t used = 0;
    for (int64_t i = 11 * pv_test_rank(); i < ELEMENTS; i += 11 * pv_test_size())
        stretches[used++] = (pv_stretch){i, i + 11 < ELEMENTS ? 11 : ELEMENTS - i};
    pv_spread *spread;
    pv_checkpoint *file;
    assert_ok(pv_spread_create(f.comm, ELEMENTS, used, stretches, &spread));
    assert_ok(pv_checkpoint_create(f.comm, f.path, &file));
    assert_ok(pv_checkpoint_note(file, "group", "Version", &pair, (int64_t[]){1, 0}));
    assert_ok(pv_checkpoint_note(file, "", "about", &(pv_array){PV_NUMBER_TEXT, 1, {4}}, "text"));
    assert_ok(pv_checkpoint_put_elements(file, "group/elements", &array, spread, give_elements, NULL));
    assert_ok(pv_checkpoint_commit(file));
    pv_checkpoint_destroy(file);
    pv_spread_destroy(spread);
    assert_ok(pv_checkpoint_open(f.comm, f.path, &file));
    assert_ok(pv_checkpoint_get(file, "group/elements", &array, values));
    for (int i = 0; i < ELEMENTS; i++) assert_near(values[i], i, 0.0);
    pv_checkpoint_destroy(file);
    close_fixture(&f);
}

static void the_file_before_is_kept(void **state)
{
    (void)state;
    fixture f;
    char previous[160];
    open_fixture(&f);
    snprintf(previous, sizeof previous, "%s.previous", f.path);
    const pv_array one = {PV_NUMBER_INT64, 1, {1}};
    for (int64_t number = 1; number <= 3; number++) {
        pv_checkpoint *file;
        assert_ok(pv_checkpoint_create(f.comm, f.path, &file));
        assert_ok(pv_checkpoint_put(file, "number", &one, &number));
        assert_ok(pv_checkpoint_commit_beside(file));
        pv_checkpoint_destroy(file);
        assert_ok(pv_comm_barrier(f.comm));
        assert_int_equal(is_there(&f, "state.h5.previous"), number > 1);
        assert_ok(pv_comm_barrier(f.comm));
    }
    for (int before = 0; before < 2; before++) {
        pv_checkpoint *file;
        int64_t number;
        assert_ok(pv_checkpoint_open(f.comm, before ? previous : f.path, &file));
        assert_ok(pv_checkpoint_get(file, "number", &one, &number));
        assert_int_equal(number, 3 - before);
        pv_checkpoint_destroy(file);
    }
    assert_ok(pv_comm_barrier(f.comm));
    if (pv_test_rank() == 0) unlink(previous);
    close_fixture(&f);
}

PV_TEST_MAIN(PV_TEST(what_is_written_is_read), PV_TEST(other_layouts_read_the_same), PV_TEST(wrong_shapes_are_refused),
             PV_TEST(without_a_commit_the_old_file_stays), PV_TEST(elements_may_be_spread_anyhow),
             PV_TEST(the_file_before_is_kept))
