// SPDX-License-Identifier: Apache-2.0
// One sink for messages: "parseval[rank] level: text" on stderr.
#ifndef PV_BASE_LOG_H
#define PV_BASE_LOG_H

typedef enum pv_log_level { PV_LOG_ERROR, PV_LOG_WARN, PV_LOG_INFO, PV_LOG_DEBUG } pv_log_level;

// Default PV_LOG_WARN, or PARSEVAL_LOG=error|warn|info|debug.
void pv_log_set_level(pv_log_level level);
// Whether it is one of these names. Pure.
int pv_log_is_level(const char *name);
// Shown in the prefix; -1 (default) hides it.
void pv_log_set_rank(int rank);
// Errors kept quiet (tests that provoke them); pv_last_error still works.
void pv_log_mute_errors(int mute);
void pv_log(pv_log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
