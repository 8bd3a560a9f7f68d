// SPDX-License-Identifier: Apache-2.0
// STOPCAR: how a user asks a running calculation to end.
#ifndef PV_DFT_STOPCAR_H
#define PV_DFT_STOPCAR_H

#include <parseval/status.h>

typedef enum pv_stopcar {
    PV_STOPCAR_NONE,
    PV_STOPCAR_LSTOP, // after the ionic step
    PV_STOPCAR_LABORT // after the step of the self-consistent loop
} pv_stopcar;

// PV_STOPCAR_NONE where there is no file. Local.
pv_status pv_stopcar_read(const char *path, pv_stopcar *stopcar_p);

#endif
