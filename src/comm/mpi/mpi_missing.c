// SPDX-License-Identifier: Apache-2.0
#include "comm/mpi/mpi_missing.h"

#include <stdio.h>
#include <string.h>

void pv_mpi_missing_add(pv_mpi_missing *missing, int is_receive, int rank)
{
    char *text = is_receive ? missing->from : missing->to, number[16];
    const size_t room = sizeof missing->from, length = strlen(text);
    snprintf(number, sizeof number, " %d,", rank);
    if (length + strlen(number) + sizeof " ..." < room) {
        const size_t last = strlen(number);
        if (length < last || strcmp(text + length - last, number) != 0) strcat(text, number); // pieces of one message
    } else if (!strstr(text, "...")) {
        strcat(text, " ...,");
    }
}
