// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"
#include "capture.h"

static void level_decides_and_rank_shows(void **state)
{
    (void)state;
    char text[512];
    capture c = begin_capture();
    pv_log_set_level(PV_LOG_WARN);
    pv_log(PV_LOG_INFO, "hidden");
    pv_log(PV_LOG_WARN, "seen %d", 1);
    pv_log_set_rank(3);
    pv_log(PV_LOG_ERROR, "seen %d", 2);
    pv_log_set_rank(-1);
    end_capture(&c, "", text, sizeof text);
    assert_string_equal(text, "parseval warn: seen 1\nparseval[3] error: seen 2\n");
}

static void levels_are_four(void **state)
{
    (void)state;
    assert_true(pv_log_is_level("error") && pv_log_is_level("warn") && pv_log_is_level("info") &&
                pv_log_is_level("debug"));
    assert_false(pv_log_is_level("warning") || pv_log_is_level("") || pv_log_is_level(NULL));
}

static void muting_hides_errors_alone(void **state)
{
    (void)state;
    char text[512];
    capture c = begin_capture();
    pv_log_mute_errors(1);
    pv_log(PV_LOG_ERROR, "provoked");
    pv_log(PV_LOG_WARN, "still here");
    pv_log_mute_errors(0);
    end_capture(&c, "", text, sizeof text);
    assert_string_equal(text, "parseval warn: still here\n");
}

static void long_lines_end_with_a_newline(void **state)
{
    (void)state;
    char line[6000], text[8000];
    memset(line, 'a', sizeof line - 1);
    line[sizeof line - 1] = '\0';
    capture c = begin_capture();
    pv_log(PV_LOG_ERROR, "%s", line);
    end_capture(&c, "", text, sizeof text);
    size_t length = strlen(text);
    assert_in_range(length, 4000, 4096);
    assert_int_equal(text[length - 1], '\n');
    assert_int_equal(text[length - 2], 'a');
}

PV_TEST_MAIN(PV_TEST(level_decides_and_rank_shows), PV_TEST(levels_are_four), PV_TEST(muting_hides_errors_alone),
             PV_TEST(long_lines_end_with_a_newline))
