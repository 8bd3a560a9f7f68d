// SPDX-License-Identifier: Apache-2.0
// What an OUTCAR, of this program or of VASP, says of a run's time, of the machine it had and of its system.
#ifndef PV_SCALE_OUTCAR_TIMES_H
#define PV_SCALE_OUTCAR_TIMES_H

#include <stddef.h>

#include "scale/run_times.h"

// `name` is for messages. PV_ERR_INPUT where the text is no OUTCAR or a number of it cannot be read. Local.
pv_status pv_outcar_times_parse(const char *data, size_t length, const char *name, pv_run_times *times_p);
pv_status pv_outcar_times_read(const char *path, pv_run_times *times_p);

#endif
