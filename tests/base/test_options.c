// SPDX-License-Identifier: Apache-2.0
#include "harness.h"

#include <string.h>

#include "base/options.h"

static int verify, type;
static int64_t repeat, shape[3], weights;
static double time_s, weight[PV_OPTION_MOST_REALS];
static const char *pseudo;

static const pv_option options[] = {
    {"verify", PV_OPTION_FLAG, &verify, NULL, NULL, 0, 0, "Check the result.", NULL, NULL},
    {"repeat", PV_OPTION_INT, &repeat, "N", NULL, 1, 100, "How often.", NULL, NULL},
    {"time", PV_OPTION_REAL, &time_s, "S", NULL, 0, 10, "How long.", "run", NULL},
    {"pseudo", PV_OPTION_TEXT, &pseudo, "DIR", NULL, 0, 0, "Where pseudopotentials are.", "plan", NULL},
    {"type", PV_OPTION_CHOICE, &type, NULL, "c2c|r2c", 0, 0, "Which transform.", NULL, NULL},
    {"shape", PV_OPTION_SHAPE, shape, NULL, NULL, 0, 0, "Points in each direction.", NULL, NULL},
    {"weight", PV_OPTION_REALS, weight, NULL, NULL, -1, 10, "Of each.", NULL, &weights},
};
enum { COUNT = sizeof options / sizeof options[0], MOST_WORDS = 16 };

static int argc;
static char *argv[MOST_WORDS + 1];
static int help;

// Parses the words of `line`, as a shell would split it, over fresh defaults.
static pv_status parse(const char *line, int words)
{
    static char text[256];
    verify = 0, type = 1, repeat = 5, time_s = 0.5, pseudo = "here", help = 0;
    memset(shape, 0, sizeof shape);
    weight[0] = 1.0, weights = 1;
    snprintf(text, sizeof text, "program %s", line);
    argc = 0;
    for (char *word = strtok(text, " "); word && argc < MOST_WORDS; word = strtok(NULL, " ")) argv[argc++] = word;
    argv[argc] = NULL;
    return pv_options_parse(options, COUNT, words, &argc, argv, &help);
}

static void values_are_read_in_both_forms(void **state)
{
    (void)state;
    assert_ok(parse("--verify --repeat 7 --time=2.5e0 --pseudo=/a=b --type c2c --shape 64x32x16", 0));
    assert_int_equal(verify, 1);
    assert_int_equal(repeat, 7);
    assert_near(time_s, 2.5, 0);
    assert_string_equal(pseudo, "/a=b");
    assert_int_equal(type, 0);
    assert_true(shape[0] == 64 && shape[1] == 32 && shape[2] == 16);
    assert_int_equal(help, 0);
}

static void defaults_stay_without_options(void **state)
{
    (void)state;
    assert_ok(parse("", 0));
    assert_int_equal(repeat, 5);
    assert_int_equal(type, 1);
    assert_string_equal(pseudo, "here");
}

static void missing_leading_dimensions_are_one(void **state)
{
    (void)state;
    assert_ok(parse("--shape 256", 0));
    assert_true(shape[0] == 1 && shape[1] == 1 && shape[2] == 256);
    assert_ok(parse("--shape 8x9", 0));
    assert_true(shape[0] == 1 && shape[1] == 8 && shape[2] == 9);
}

static void lists_have_one_number_or_more(void **state)
{
    (void)state;
    static const struct {
        const char *line, *message;
    } bad[] = {{"--weight 1,", "--weight is \"1,\"; a finite number is accepted, or several with commas between"},
               {"--weight ,1", "--weight is \",1\""},
               {"--weight 1;2", "--weight is \"1;2\""},
               {"--weight 1,inf", "--weight is \"1,inf\""},
               {"--weight 1,11", "--weight is 11; -1 to 10 is accepted"},
               {"--weight 1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1", "at most 16 numbers are accepted"}};
    assert_ok(parse("--weight 2.5", 0));
    assert_true(weights == 1 && weight[0] == 2.5);
    assert_ok(parse("--weight=1e0,-0.5,3", 0));
    assert_true(weights == 3 && weight[0] == 1.0 && weight[1] == -0.5 && weight[2] == 3.0);
    assert_ok(pv_option_set(&options[COUNT - 1], "case.ini:1", "4 ,\t5"));
    assert_true(weights == 2 && weight[0] == 4.0 && weight[1] == 5.0);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_fails(PV_ERR_ARGUMENT, parse(bad[i].line, 0));
        if (!strstr(pv_last_error(), bad[i].message)) fail_msg("%s: %s", bad[i].line, pv_last_error());
    }
}

static void words_are_kept_in_order_or_refused(void **state)
{
    (void)state;
    assert_ok(parse("first --repeat 2 second --verify -", 1));
    assert_int_equal(argc, 4);
    assert_string_equal(argv[1], "first");
    assert_string_equal(argv[2], "second");
    assert_string_equal(argv[3], "-");
    assert_null(argv[4]);
    assert_fails(PV_ERR_ARGUMENT, parse("first --repeat 2", 0));
    assert_non_null(strstr(pv_last_error(), "first"));
}

// The last one would count, and what came before it be lost.
static void given_twice_is_refused(void **state)
{
    (void)state;
    static const char *const lines[] = {"--repeat 2 --repeat 3", "--repeat=2 --verify --repeat 2", "--verify --verify"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        assert_fails(PV_ERR_ARGUMENT, parse(lines[i], 0));
        assert_non_null(strstr(pv_last_error(), "is given more than once"));
    }
    assert_ok(parse("--repeat 2 --pseudo --repeat --verify", 0)); // a value
    assert_string_equal(pseudo, "--repeat");
}

static void help_is_asked_for(void **state)
{
    (void)state;
    assert_ok(parse("--repeat 2 --help --nonsense", 0));
    assert_int_equal(help, 1);
}

static void wrong_input_is_told_off(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"--repet 3", "--repeat"},    {"--zzzzzzzz", "--help"},        {"--repeat", "needs a value"},
        {"--repeat 0", "1 to 100"},   {"--repeat 101", "1 to 100"},    {"--repeat 3.5", "whole number"},
        {"--repeat 99999999999999999999", "whole number"},             {"--time nan", "finite"},
        {"--time 1s", "finite"},      {"--time 11", "0 to 10"},        {"--type r2", "c2c|r2c"},
        {"--shape 3x", "64x64x128"},  {"--shape 1x2x3x4", "64x64x128"}, {"--shape 0x4x4", "64x64x128"},
        {"--shape -3", "64x64x128"},  {"--verify=1", "no value"},      {"-v", "begin with --"},
        {"--pseudo=", "empty text"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_fails(PV_ERR_ARGUMENT, parse(wrong[i][0], 0));
        if (!strstr(pv_last_error(), wrong[i][1])) fail_msg("\"%s\": %s", wrong[i][0], pv_last_error());
    }
}

static void options_of_one_kind_are_refused_by_others(void **state)
{
    (void)state;
    assert_ok(parse("--time 1 run --repeat 2", 1));
    assert_ok(parse("plan run --pseudo x", 1));
    assert_fails(PV_ERR_ARGUMENT, parse("--time 1 plan", 1));
    assert_non_null(strstr(pv_last_error(), "--time is given to program plan; program run alone takes it"));
    assert_ok(parse("rnu --time 1", 1)); // no kind at all: not ours to say
    assert_ok(parse("--time 1", 1));
}

static void help_text_shows_every_option(void **state)
{
    (void)state;
    char text[4096] = "";
    parse("", 0);
    FILE *out = fmemopen(text, sizeof text, "w");
    assert_non_null(out);
    pv_options_help(out, options, COUNT);
    fclose(out);
    static const char *const lines[] = {
        "  --verify\n      Check the result.\n",
        "  --repeat N\n      How often. From 1 to 100. Default: 5.\n",
        "  --time S\n      run: How long. From 0 to 10. Default: 0.5.\n",
        "  --pseudo DIR\n      plan: Where pseudopotentials are. Default: \"here\".\n",
        "  --type c2c|r2c\n      Which transform. Default: r2c.\n",
        "  --shape AxBxC\n      Points in each direction.\n",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        if (!strstr(text, lines[i])) fail_msg("missing: %s in: %s", lines[i], text);
    out = fmemopen(text, sizeof text, "w");
    assert_non_null(out);
    pv_options_explain(out, options, COUNT);
    fclose(out);
    assert_non_null(strstr(text, "  time = S\n      run: How long. From 0 to 10. Default: 0.5.\n"));
    assert_null(strstr(text, "--"));
}

PV_TEST_MAIN(PV_TEST(values_are_read_in_both_forms), PV_TEST(defaults_stay_without_options),
             PV_TEST(missing_leading_dimensions_are_one), PV_TEST(lists_have_one_number_or_more),
             PV_TEST(words_are_kept_in_order_or_refused), PV_TEST(given_twice_is_refused), PV_TEST(help_is_asked_for),
             PV_TEST(wrong_input_is_told_off), PV_TEST(options_of_one_kind_are_refused_by_others),
             PV_TEST(help_text_shows_every_option))
