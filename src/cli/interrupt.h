// SPDX-License-Identifier: Apache-2.0
// Signals that ask a long run to end in good order. The handler only notes the signal; the run asks for it.
#ifndef PV_CLI_INTERRUPT_H
#define PV_CLI_INTERRUPT_H

// From now on SIGTERM, SIGINT and SIGUSR1 (which mpirun passes on to its ranks without ending them) are noted; one that
// comes a second time ends the process as ever. says: what this rank writes on standard error at the first one, since a
// launcher may not wait for more; NULL: nothing. Nor does a file end it that grows beyond a limit: it cannot be
// written.
void pv_interrupt_begin(const char *says);

// The run has failed, and nothing is said any more: launchers end the other ranks by SIGTERM.
void pv_interrupt_hush(void);

// The first signal that has come, 0: none. context is not used.
int pv_interrupt_signal(void *context);

#endif
