// SPDX-License-Identifier: Apache-2.0
// Waits inside MPI that end: where a communicator has a time limit, MPI is asked again and again whether something has
// come, instead of being told to wait. After a limit the requests cannot be completed: the communicator is lost, its
// calls fail with the same error from then on, and memory that MPI may still look at is left behind (comm/left.h).
// Hence what collective calls send and receive goes through memory of the communicator, not of the caller.
#ifndef PV_COMM_MPI_MPI_PATIENCE_H
#define PV_COMM_MPI_MPI_PATIENCE_H

#include "comm/mpi/mpi_check.h"
#include "comm/mpi/mpi_comm.h"
#include "comm/mpi/mpi_missing.h"

typedef struct pv_patience {
    pv_comm *comm;
    double since_s;         // when something has come for the last time
    uint64_t seen;          // messages that had come by then
    int looks;              // since then
} pv_patience;

pv_patience pv_patience_begin(pv_comm *comm);
// Between two looks: leaves the core to others, the longer the wait, the more. 0: nothing has come for longer than the
// limit; never without one.
int pv_patience_rest(pv_patience *patience);

// Loses the communicator. PV_ERR_TIMEOUT, with what this rank has waited for.
pv_status pv_mpi_give_up(pv_comm *comm, const char *where, const char *what);
// The error that the communicator was lost by; PV_OK when it is not.
pv_status pv_mpi_check_kept(pv_comm *comm);
// The same; and loses it with PV_ERR_PEER where another rank has told that it has given up.
pv_status pv_mpi_check_others(pv_comm *comm);
// Gives up a request that may not be complete; what was to be received goes nowhere.
void pv_mpi_drop(MPI_Request *request, int is_receive);

// MPI_Wait, patiently, for a collective call. `what` completes "waited 5 s for".
pv_status pv_mpi_wait(pv_comm *comm, MPI_Request *request, const char *where, const char *what);
// All ranks of `group` are here: before calls of MPI that cannot be waited for patiently.
pv_status pv_mpi_meet(pv_comm *comm, MPI_Comm group, const char *where, const char *what);

// A collective call of MPI on the communicator, with all but its last argument: `now` blocks, `later` does not.
#define PV_MPI_TOGETHER(comm_, what, now, later, ...)                                    \
    do {                                                                                 \
        const pv_mpi_comm *together_ = (comm_)->state;                                   \
        MPI_Request request_;                                                            \
        if ((comm_)->is_limited) {                                                       \
            PV_MPI_TRY(later(__VA_ARGS__, together_->comm, &request_));                  \
            PV_TRY(pv_mpi_wait(comm_, &request_, __func__, what));                       \
        } else {                                                                         \
            PV_MPI_TRY(now(__VA_ARGS__, together_->comm));                               \
        }                                                                                \
    } while (0)

pv_status pv_mpi_give_up_exchange(pv_comm *comm, const pv_mpi_missing *missing);

#endif
