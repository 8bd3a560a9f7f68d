// SPDX-License-Identifier: Apache-2.0
// How long the work of a stream takes by part, where calls return when it is queued: marks between the parts, read when
// there are many of them.
#ifndef PV_DEVICE_STOPWATCH_H
#define PV_DEVICE_STOPWATCH_H

#include <parseval/device.h>

typedef struct pv_stopwatch pv_stopwatch;

// For so many parts. Local.
pv_status pv_stopwatch_create(pv_device *device, int parts, pv_stopwatch **watch_p);
void pv_stopwatch_destroy(pv_stopwatch *watch);

// Begins; what the stream is given from now on belongs to the part that the next lap names. NULL watches do nothing.
pv_status pv_stopwatch_start(pv_stopwatch *watch);
// All since the last mark was of this part.
pv_status pv_stopwatch_lap(pv_stopwatch *watch, int part);
// Seconds of a part so far; waits for what has been marked.
pv_status pv_stopwatch_read(pv_stopwatch *watch, int part, double *seconds_p);

#endif
