// SPDX-License-Identifier: Apache-2.0
// The whole error vocabulary. The first detector speaks (PV_FAIL, PV_REQUIRE); callers pass on (PV_TRY).
#ifndef PV_BASE_CHECK_H
#define PV_BASE_CHECK_H

#include <parseval/status.h>

// Keeps the message for pv_last_error(), logs it once, and returns `status`. `where` is the function at fault.
pv_status pv_fail(pv_status status, const char *where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Say what was asked, what was found, what would be accepted.
#define PV_FAIL(status, ...) return pv_fail((status), __func__, __VA_ARGS__)

#define PV_REQUIRE(condition, status, ...)                 \
    do {                                                   \
        if (!(condition)) PV_FAIL(status, __VA_ARGS__);    \
    } while (0)

// What the caller of a public function must give.
#define PV_REQUIRE_GIVEN(pointer) PV_REQUIRE(pointer, PV_ERR_ARGUMENT, "%s is NULL", #pointer)

#define PV_TRY(call)                                       \
    do {                                                   \
        pv_status pv_try_status_ = (call);                 \
        if (pv_try_status_ != PV_OK) return pv_try_status_; \
    } while (0)

// As PV_TRY where something must be undone: sets `status` and goes to the cleanup label.
#define PV_TRY_GOTO(call, status, label)                   \
    do {                                                   \
        (status) = (call);                                 \
        if ((status) != PV_OK) goto label;                 \
    } while (0)

// Our own invariants; compiled in debug builds only.
#ifdef PV_DEBUG
void pv_assert_failed(const char *condition, const char *file, int line);
#define PV_ASSERT(condition) ((condition) ? (void)0 : pv_assert_failed(#condition, __FILE__, __LINE__))
#else
#define PV_ASSERT(condition) ((void)0)
#endif

#endif
