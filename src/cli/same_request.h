// SPDX-License-Identifier: Apache-2.0
// Ranks that were asked for different things would wait for each other for ever; they are compared before any work.
#ifndef PV_CLI_SAME_REQUEST_H
#define PV_CLI_SAME_REQUEST_H

// 1 when every rank of MPI_COMM_WORLD has the same arguments, the program's name left out. Else 0 on all ranks, and
// rank 0 has said on standard error which ranks have what. Collective; MPI runs.
int pv_same_request(int argc, char **argv);

#endif
