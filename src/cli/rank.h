// SPDX-License-Identifier: Apache-2.0
// Which rank this process is, before MPI starts as well as after.
#ifndef PV_CLI_RANK_H
#define PV_CLI_RANK_H

#include <parseval/device.h>
#include <parseval/status.h>

// From MPI while it runs; else from the launcher's environment; 0 without a launcher.
int pv_rank_of_process(void);
// 1 on the rank that writes to standard output.
int pv_rank_speaks(void);
int pv_rank_mpi_runs(void);
// Processes that the launcher started together, from its environment; 1 without a launcher.
int pv_rank_launched_together(void);

// Ranks that share this one's memory. Collective.
int pv_rank_node_size(void);

// Opens a device by name; "cuda" without a number is, under a launcher, the GPU that the rank's number among those of
// the node stands for, in turn. Local.
pv_status pv_rank_open_device(const char *name, pv_device **device_p);

// pv_comm_agree before there is a communicator: PV_OK when every rank passed it; else a rank's own failure, or
// PV_ERR_PEER. Collective.
pv_status pv_rank_agree(pv_status mine);

// What the launcher tells, without MPI: the number among the ranks of the node, -1 when not told; how many these are,
// 0 when not told.
int pv_rank_local(void);
int pv_rank_local_size(void);

#endif
