// SPDX-License-Identifier: Apache-2.0
#include "dft/files/stopcar.h"

#include <unistd.h>

#include "base/check.h"
#include "dft/files/incar.h"

pv_status pv_stopcar_read(const char *path, pv_stopcar *stopcar_p)
{
    pv_incar *tags;
    int stop = 0, abort_now = 0;
    *stopcar_p = PV_STOPCAR_NONE;
    if (access(path, F_OK) != 0) return PV_OK;
    PV_TRY(pv_incar_read(path, &tags));
    pv_status status = pv_incar_logical(tags, "LSTOP", &stop);
    if (status == PV_OK) status = pv_incar_logical(tags, "LABORT", &abort_now);
    pv_incar_destroy(tags);
    if (status == PV_OK && stop) *stopcar_p = PV_STOPCAR_LSTOP;
    if (status == PV_OK && abort_now) *stopcar_p = PV_STOPCAR_LABORT;
    return status;
}
