// SPDX-License-Identifier: Apache-2.0
#include "harness.h"

#include "base/spell.h"

typedef struct record {
    int number;
    const char *name;
} record;

static const record records[] = {{1, "shape"}, {2, "transport"}, {3, "type"}, {4, "ML_*"}};
enum { COUNT = sizeof records / sizeof records[0] };

static const char *nearest(const char *word)
{
    return pv_spell_nearest(word, &records[0].name, COUNT, sizeof records[0]);
}

static void near_names_are_found(void **state)
{
    (void)state;
    assert_string_equal(nearest("shpae"), "shape");
    assert_string_equal(nearest("tpye"), "type");
    assert_string_equal(nearest("tranport"), "transport");
    assert_string_equal(nearest("transports"), "transport");
    assert_string_equal(nearest("Tpye"), "type");
}

static void far_words_have_no_neighbour(void **state)
{
    (void)state;
    assert_null(nearest("zzzzzz"));
    assert_null(nearest(""));
    assert_null(nearest("ML_")); // a pattern is no name
    assert_null(pv_spell_nearest("shape", NULL, 0, sizeof records[0]));
}

PV_TEST_MAIN(PV_TEST(near_names_are_found), PV_TEST(far_words_have_no_neighbour))
