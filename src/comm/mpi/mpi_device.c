// SPDX-License-Identifier: Apache-2.0
// How messages from and to a device other than the host travel by MPI.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "comm/mpi/mpi_check.h"
#include "comm/mpi/mpi_comm.h"

#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

static int mpi_says_aware(void)
{
#if defined(OPEN_MPI) && defined(MPIX_CUDA_AWARE_SUPPORT)
    return MPIX_Query_cuda_support();
#else
    return 0;
#endif
}

pv_status pv_mpi_find_staging(const pv_comm *comm, int *is_staged_p, const char **reason_p)
{
    const char *asked = getenv("PARSEVAL_MPI_DEVICE_AWARE");
    *is_staged_p = 0;
    *reason_p = "memory of the host";
    if (comm->device->ops->is_host) return PV_OK;
    if (!asked) {
        const int is_aware = mpi_says_aware();
        *is_staged_p = !is_aware;
        *reason_p = is_aware ? "MPI says that it is device-aware" : "MPI does not say that it is device-aware";
        return PV_OK;
    }
    PV_REQUIRE(strcmp(asked, "0") == 0 || strcmp(asked, "1") == 0, PV_ERR_INPUT,
               "PARSEVAL_MPI_DEVICE_AWARE is \"%s\"; 0 or 1", asked);
    *is_staged_p = asked[0] == '0';
    *reason_p = *is_staged_p ? "PARSEVAL_MPI_DEVICE_AWARE=0" : "PARSEVAL_MPI_DEVICE_AWARE=1";
    return PV_OK;
}

pv_status pv_mpi_describe(pv_comm *comm)
{
    if (comm->device->ops->is_host) return PV_OK;
    int is_staged = 0;
    const char *reason;
    PV_TRY(pv_comm_agree(comm, pv_mpi_find_staging(comm, &is_staged, &reason)));
    int64_t first = is_staged;
    PV_TRY(pv_comm_broadcast(comm, 0, sizeof first, &first));
    pv_status mine = PV_OK;
    if (first != is_staged)
        mine = pv_fail(PV_ERR_MISMATCH, __func__, "rank %d %s messages (%s), unlike rank 0", comm->rank,
                       is_staged ? "stages" : "does not stage", reason);
    PV_TRY(pv_comm_agree(comm, mine));
    snprintf(comm->text, sizeof comm->text, "%s: messages by MPI, %s (%s)", comm->ops->name,
             is_staged ? "staged through pinned memory of the host" : "straight from and to the device", reason);
    return PV_OK;
}
