// SPDX-License-Identifier: Apache-2.0
#include "cli/interrupt.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t noted;
static const char *volatile answer;

static void note(int signal)
{
    const int error = errno;
    if (!noted) {
        noted = signal;
        const char *says = answer;
        if (says && write(STDERR_FILENO, says, strlen(says)) < 0) answer = NULL;
    }
    errno = error;
}

void pv_interrupt_begin(const char *says)
{
    answer = says;
    static const int signals[] = {SIGTERM, SIGINT, SIGUSR1};
    struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESTART | (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) sigaction(signals[i], &action, NULL);
    signal(SIGXFSZ, SIG_IGN); // a file beyond the limit of its size is an error of its writing
}

void pv_interrupt_hush(void)
{
    answer = NULL;
}

int pv_interrupt_signal(void *context)
{
    (void)context;
    return noted;
}
