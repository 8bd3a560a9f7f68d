// SPDX-License-Identifier: Apache-2.0
// What a piece of a test writes to stderr.
#ifndef PV_TESTS_CAPTURE_H
#define PV_TESTS_CAPTURE_H

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness.h"

typedef struct capture {
    FILE *sink;
    int before;
} capture;

static inline capture begin_capture(void)
{
    capture c = {.sink = tmpfile()};
    assert_non_null(c.sink);
    fflush(stderr);
    c.before = dup(STDERR_FILENO);
    dup2(fileno(c.sink), STDERR_FILENO);
    return c;
}

// How many times `part` stands in what was written; as much of it as fits goes to text[room].
static inline int end_capture(capture *c, const char *part, char *text, size_t room)
{
    char line[8192];
    int found = 0;
    size_t used = 0;
    fflush(stderr);
    dup2(c->before, STDERR_FILENO);
    close(c->before);
    rewind(c->sink);
    text[0] = '\0';
    while (fgets(line, sizeof line, c->sink)) {
        found += strstr(line, part) != NULL;
        if (used + 1 < room) used += (size_t)snprintf(text + used, room - used, "%s", line);
    }
    fclose(c->sink);
    return found;
}

#endif
