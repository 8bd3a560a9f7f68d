// SPDX-License-Identifier: Apache-2.0
// The vendor's side of comm.h: adopt an MPI communicator.
#ifndef PARSEVAL_COMM_MPI_H
#define PARSEVAL_COMM_MPI_H

// The C++ bindings that MPI had once, which some mpi.h still bring, would want another library at the link.
#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>

#include <parseval/comm.h>

#ifdef __cplusplus
extern "C" {
#endif

// How the `mpi` transport runs an exchange: all messages at once by persistent requests (AUTO), as one Ialltoallv, or a
// few at a time in rounds (PAIRWISE, RING), which go on only while their ranks are inside calls on the communicator.
typedef enum pv_mpi_schedule {
    PV_MPI_AUTO,
    PV_MPI_PAIRWISE,
    PV_MPI_RING,
    PV_MPI_ALLTOALL,
    PV_MPI_PERSISTENT
} pv_mpi_schedule;

typedef struct pv_comm_options {
    const char *transport;     // "mpi", "shared" (host), "peer", "nccl", "nvshmem" (GPU), "self" (one rank); "auto" is
                               // shared or peer
    pv_mpi_schedule schedule;  // messages between nodes, or all of them with "mpi"
    int node_size;             // 0: ask MPI; > 0: pretend that nodes hold so many consecutive ranks (for tests)
    // Seconds in which nothing comes that a rank waits for, before its call fails with PV_ERR_TIMEOUT. 0:
    // PARSEVAL_TIMEOUT_S; without that, 600 for counters and none inside MPI. When one rank sets a limit, all have one
    // inside MPI, each its own. After a wait inside MPI that was in vain the communicator is lost to that rank: its
    // calls fail at once by the same error, and it can only be closed (docs/errors.md).
    double timeout_s;
} pv_comm_options;

pv_comm_options pv_comm_options_defaults(void);

// Messages from and to a GPU are staged through memory of the host unless MPI says that it is device-aware;
// PARSEVAL_MPI_DEVICE_AWARE=0 or 1 overrides what it says, and pv_comm_text tells what is done.
// Duplicates `mpi_comm`; MPI must be initialised and stay so until pv_comm_close. options may be NULL. An unknown
// transport fails on every rank with the list of known ones. After PV_ERR_TIMEOUT `mpi_comm` has a barrier under way
// that not all ranks have come to, and serves no more. Collective.
pv_status pv_comm_open_mpi(MPI_Comm mpi_comm, pv_device *device, const pv_comm_options *options, pv_comm **comm_p);
// The same from Fortran, where a communicator is a number (examples/fortran). Collective.
pv_status pv_comm_open_mpi_fortran(MPI_Fint mpi_comm, pv_device *device, const pv_comm_options *options,
                                   pv_comm **comm_p);

#ifdef __cplusplus
}
#endif
#endif
