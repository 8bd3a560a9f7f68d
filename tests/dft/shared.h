// SPDX-License-Identifier: Apache-2.0
// Data that is not part of the sources: $PARSEVAL_SHARED, or the folder shared beside the source tree.
#ifndef PV_TESTS_DFT_SHARED_H
#define PV_TESTS_DFT_SHARED_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness.h"

// The path of a file or folder of the shared data; the test is skipped, and says so, where there is none.
static inline const char *shared_or_skip(const char *name)
{
    static char path[4096];
    const char *root = getenv("PARSEVAL_SHARED");
    snprintf(path, sizeof path, "%s/%s", root ? root : "../shared", name);
    if (access(path, R_OK) != 0) pv_test_skip("%s is not there (PARSEVAL_SHARED names the folder)", path);
    return path;
}

#endif
