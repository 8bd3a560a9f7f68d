// SPDX-License-Identifier: Apache-2.0
// The plan of a run as text: the same lines in a log, a bug report and a test.
#ifndef PV_DFT_PLAN_TEXT_H
#define PV_DFT_PLAN_TEXT_H

#include "dft/model/system.h"

// *text_p: lines, each ending in a newline; pv_mem_free. Local.
pv_status pv_dft_plan_write(const pv_system *system, char **text_p);

#endif
