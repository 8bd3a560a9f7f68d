// SPDX-License-Identifier: Apache-2.0
#include "base/choices.h"

#include <stdio.h>

void pv_choices_write(const char *(*choice)(int index, int *is_built_p), char *text, size_t size)
{
    const char *name;
    int is_built;
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; used < size && (name = choice(i, &is_built)) != NULL; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s%s", i ? ", " : "", name,
                                 is_built ? " (built in)" : " (not built in)");
}
