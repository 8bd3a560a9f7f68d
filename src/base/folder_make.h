// SPDX-License-Identifier: Apache-2.0
// A folder and those above it, made where they are not there.
#ifndef PV_FOLDER_MAKE_H
#define PV_FOLDER_MAKE_H

#include <parseval/status.h>

// PV_ERR_IO names the part of the path that could not be made; those above it then stay.
pv_status pv_folder_make(const char *path);

#endif
