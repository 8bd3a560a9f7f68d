// SPDX-License-Identifier: Apache-2.0
#include "base/check.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/log.h"

static _Thread_local char last_error[2048];

pv_status pv_fail(pv_status status, const char *where, const char *format, ...)
{
    // Arguments may point into last_error (a caller that quotes it), so the new text is made aside.
    char text[sizeof last_error];
    int used = snprintf(text, sizeof text, "%s: ", where);
    if (used < 0 || (size_t)used >= sizeof text) used = 0;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, sizeof text - (size_t)used, format, arguments);
    va_end(arguments);

    snprintf(last_error, sizeof last_error, "%s", text);
    // The rank that failed first has spoken; the others only pass it on.
    pv_log(status == PV_ERR_PEER ? PV_LOG_DEBUG : PV_LOG_ERROR, "%s (%s: %s)", last_error, pv_status_name(status),
           pv_status_text(status));
    return status;
}

const char *pv_last_error(void)
{
    return last_error;
}

#ifdef PV_DEBUG
void pv_assert_failed(const char *condition, const char *file, int line)
{
    pv_log(PV_LOG_ERROR, "%s:%d: invariant violated: %s", file, line, condition);
    __builtin_trap();
}
#endif
