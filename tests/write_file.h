// SPDX-License-Identifier: Apache-2.0
// A text file in a folder of a test.
#ifndef PV_TESTS_WRITE_FILE_H
#define PV_TESTS_WRITE_FILE_H

#include <stdio.h>

#include "harness.h"

static inline void write_file(const char *folder, const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    assert_int_equal(fclose(out), 0);
}

#endif
