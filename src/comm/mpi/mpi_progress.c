// SPDX-License-Identifier: Apache-2.0
#include "comm/mpi/mpi_progress.h"

#include "comm/mpi/mpi_patience.h"
#include "comm/mpi/mpi_rounds.h"
#include "comm/mpi/mpi_stage.h"

pv_status pv_mpi_advance(pv_comm *comm)
{
    pv_mpi_comm *mpi = comm->state;
    PV_TRY(pv_mpi_check_kept(comm));
    PV_TRY(pv_mpi_rounds_advance(mpi));
    return mpi->stage ? pv_mpi_stage_advance(comm) : PV_OK;
}

pv_status pv_mpi_settle(pv_comm *comm)
{
    const pv_mpi_comm *mpi = comm->state;
    pv_patience patience = pv_patience_begin(comm);
    PV_TRY(pv_mpi_check_others(comm));
    while (mpi->in_flight || pv_mpi_stage_is_busy(mpi->stage)) {
        PV_TRY(pv_mpi_advance(comm));
        if (!mpi->in_flight && !pv_mpi_stage_is_busy(mpi->stage)) break;
        if (!pv_patience_rest(&patience)) return pv_mpi_give_up(comm, __func__, "exchanges in flight to end");
    }
    return PV_OK;
}
