// SPDX-License-Identifier: Apache-2.0
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"
#include "harness_ranks.h"

// Cleared when a test comes to its end; still set in the teardown when an assertion has left it.
static int is_unfinished;

static void run_case(void **state)
{
    const pv_test *test = *state;
    is_unfinished = 1;
    *state = NULL;
    test->run(state);
    is_unfinished = 0;
    if (!pv_test_ranks_agree(0)) fail_msg("%s failed on another rank", test->name);
}

static int end_case(void **state)
{
    (void)state;
    pv_test_mute(0);
    if (is_unfinished) pv_test_ranks_agree(1);
    is_unfinished = 0;
    return 0;
}

void pv_test_skip(const char *format, ...)
{
    is_unfinished = 0;
    if (!pv_test_ranks_agree(0)) fail_msg("asked to skip a test that failed on another rank");
    if (pv_test_rank() == 0) {
        va_list arguments;
        va_start(arguments, format);
        printf("SKIP: ");
        vprintf(format, arguments);
        printf("\n");
        va_end(arguments);
    }
    skip();
}

void pv_test_mute(int mute)
{
    pv_log_mute_errors(mute);
}

void pv_test_assert_status(pv_status found, pv_status expected, const char *call, const char *file, int line)
{
    pv_test_mute(0);
    if (found == expected) return;
    print_error("rank %d: %s gave %s (%s), expected %s\n", pv_test_rank(), call, pv_status_name(found),
                   found == PV_OK ? "" : pv_last_error(), pv_status_name(expected));
    _fail(file, line);
}

void pv_test_assert_near(double found, double expected, double tolerance, const char *what, const char *file, int line)
{
    if (fabs(found - expected) <= tolerance) return;
    print_error("rank %d: %s is %.17g, expected %.17g within %.3g (off by %.3g)\n", pv_test_rank(), what, found,
                   expected, tolerance, fabs(found - expected));
    _fail(file, line);
}

int pv_test_main(int *argc, char ***argv, const pv_test *tests, size_t count)
{
    pv_test_ranks_start(argc, argv);
    // One rank tells what runs; errors of every rank go to stderr.
    if (pv_test_rank() != 0 && !freopen("/dev/null", "w", stdout)) perror("/dev/null");
    if (pv_test_size() > 1) pv_log_set_rank(pv_test_rank());

    struct CMUnitTest *units = calloc(count, sizeof *units);
    if (!units) return EXIT_FAILURE;
    for (size_t i = 0; i < count; i++)
        units[i] = (struct CMUnitTest){.name = tests[i].name,
                                       .test_func = run_case,
                                       .teardown_func = end_case,
                                       .initial_state = (void *)(uintptr_t)&tests[i]};
    // _cmocka_run_group_tests is what the macro calls; the macro itself wants an array of known size.
    int failures = _cmocka_run_group_tests("tests", units, count, NULL, NULL);
    free(units);
    pv_test_ranks_end();
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
