// SPDX-License-Identifier: Apache-2.0
#include "cli/better_kernels.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "linalg/openblas_core.h"

void pv_better_kernels(int argc, char **argv)
{
    char program[4096];
    static const char *const commands[] = {"dft", "info", "plan"};
    int is_meant = 0;
    for (size_t i = 0; argc > 1 && i < sizeof commands / sizeof *commands; i++)
        is_meant |= strcmp(argv[1], commands[i]) == 0;
    if (!is_meant) return;
    const char *core = getenv("OPENBLAS_CORETYPE") ? NULL : pv_openblas_better_core();
    const ssize_t length = core ? readlink("/proc/self/exe", program, sizeof program - 1) : 0;
    if (length <= 0 || setenv("OPENBLAS_CORETYPE", core, 1) != 0) return;
    program[length] = '\0';
    execv(program, argv);
}
