// SPDX-License-Identifier: Apache-2.0
// Signals that ask a long run to end in good order. The handler only notes the signal; the run asks for it.
#ifndef PV_CLI_INTERRUPT_H
#define PV_CLI_INTERRUPT_H

// From now on SIGTERM, SIGINT and SIGUSR1 (which mpirun passes on to its ranks without ending them) are noted; one that
// comes a second time ends the process as ever.
void pv_interrupt_begin(void);

// The first signal that has come, 0: none. context is not used.
int pv_interrupt_signal(void *context);

#endif
