// SPDX-License-Identifier: Apache-2.0
// Ends this process when another of the node has gone: MPI would wait for it without end.
#ifndef PV_CLI_WATCH_H
#define PV_CLI_WATCH_H

// Between MPI_Init and MPI_Finalize. begin is collective; failures to watch are silent.
void pv_watch_begin(void);
void pv_watch_end(void);

#endif
