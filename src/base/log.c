// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEVEL_UNSET = -1 };

static const char *const level_names[] = {
    [PV_LOG_ERROR] = "error", [PV_LOG_WARN] = "warn", [PV_LOG_INFO] = "info", [PV_LOG_DEBUG] = "debug"};

static atomic_int level_shown = LEVEL_UNSET;
static atomic_int rank_shown = -1;
static atomic_int errors_muted = 0;

static int level_called(const char *name)
{
    for (int level = PV_LOG_ERROR; name && level <= PV_LOG_DEBUG; level++)
        if (strcmp(name, level_names[level]) == 0) return level;
    return LEVEL_UNSET;
}

int pv_log_is_level(const char *name)
{
    return level_called(name) != LEVEL_UNSET;
}

static int level_from_environment(void)
{
    const int level = level_called(getenv("PARSEVAL_LOG"));
    return level == LEVEL_UNSET ? PV_LOG_WARN : level;
}

void pv_log_set_level(pv_log_level level)
{
    atomic_store(&level_shown, (int)level);
}

void pv_log_set_rank(int rank)
{
    atomic_store(&rank_shown, rank);
}

void pv_log_mute_errors(int mute)
{
    atomic_store(&errors_muted, mute);
}

static int is_shown(pv_log_level level)
{
    int unset = LEVEL_UNSET;
    if (atomic_load(&level_shown) == LEVEL_UNSET)
        atomic_compare_exchange_strong(&level_shown, &unset, level_from_environment());
    if (level == PV_LOG_ERROR && atomic_load(&errors_muted)) return 0;
    return (int)level <= atomic_load(&level_shown);
}

void pv_log(pv_log_level level, const char *format, ...)
{
    if (!is_shown(level)) return;

    // One line, one write: lines of several ranks and threads do not mix.
    char line[4096];
    const int room = (int)sizeof line - 1;
    int rank = atomic_load(&rank_shown);
    int used = rank < 0 ? snprintf(line, sizeof line, "parseval %s: ", level_names[level])
                        : snprintf(line, sizeof line, "parseval[%d] %s: ", rank, level_names[level]);
    va_list arguments;
    va_start(arguments, format);
    int text = vsnprintf(line + used, (size_t)(room - used), format, arguments);
    va_end(arguments);
    if (text < 0) return;
    used = used + text < room ? used + text : room - 1;
    line[used++] = '\n';
    fwrite(line, 1, (size_t)used, stderr);
}
