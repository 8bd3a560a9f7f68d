// SPDX-License-Identifier: Apache-2.0
// The libraries that this program runs with.
#ifndef PV_CLI_INFO_LIBRARIES_H
#define PV_CLI_INFO_LIBRARIES_H

#include <stddef.h>

// Name of the index-th library that Parseval can use, NULL after the last; its version goes to `version`, or "" when
// this program was built without it.
const char *pv_library_at(int index, char *version, size_t size);

#endif
