// SPDX-License-Identifier: Apache-2.0
// A page round cmocka, for tests that run on one rank or on many.
//
//     // ranks: 1 2 3 4 7            <- in the first lines of a test file: runs under MPI with each of these; without
//     #include "harness.h"              such a line the program runs alone and without MPI
//     static void sums_all_ranks(void **state) { ... assert_int_equal(...); }
//     PV_TEST_MAIN(PV_TEST(sums_all_ranks), PV_TEST(...))
//
// cmocka's assertions may fail on one rank only: the test then fails on all, and ranks that wait in a collective call
// for the one that has left are ended after a grace time instead of waiting for ever.
#ifndef PV_TESTS_HARNESS_H
#define PV_TESTS_HARNESS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <parseval/status.h>

int pv_test_rank(void);
int pv_test_size(void);

// Ends the test as skipped, on all ranks alike (the reason must hold on all of them), and says why.
void pv_test_skip(const char *format, ...) __attribute__((format(printf, 1, 2)));

// The call succeeds; the message of the failure is shown otherwise.
#define assert_ok(call) pv_test_assert_status((call), PV_OK, #call, __FILE__, __LINE__)
// The call fails with this status; its error is not logged. pv_last_error() is left to look at.
#define assert_fails(expected, call) \
    (pv_test_mute(1), pv_test_assert_status((call), (expected), #call, __FILE__, __LINE__))
void pv_test_mute(int mute);
void pv_test_assert_status(pv_status found, pv_status expected, const char *call, const char *file, int line);

// |found - expected| <= tolerance, and neither is NaN; shows the numbers.
#define assert_near(found, expected, tolerance) \
    pv_test_assert_near((found), (expected), (tolerance), #found, __FILE__, __LINE__)
void pv_test_assert_near(double found, double expected, double tolerance, const char *what, const char *file, int line);

typedef struct pv_test {
    const char *name;
    void (*run)(void **state);
} pv_test;

#define PV_TEST(function) {#function, function}
#define PV_TEST_MAIN(...)                                                                   \
    int main(int argc, char **argv)                                                         \
    {                                                                                       \
        static const pv_test tests[] = {__VA_ARGS__};                                       \
        return pv_test_main(&argc, &argv, tests, sizeof tests / sizeof tests[0]);           \
    }
// Exit status of the program: 0 when every test passed or was skipped, on every rank.
int pv_test_main(int *argc, char ***argv, const pv_test *tests, size_t count);

#endif
