// SPDX-License-Identifier: Apache-2.0
#include "comm/mpi/mpi_patience.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "comm/mpi/mpi_roll_call.h"

// A peer that runs answers within the first looks. Sleeps are short, since messages of many pieces go on by looks.
enum { LOOKS_BEFORE_YIELD = 100, LOOKS_PER_SLEEP = 16, SLEEP_NS = 50000 };
#define YIELD_S 0.002 // before a wait sleeps, too

pv_patience pv_patience_begin(pv_comm *comm)
{
    const pv_mpi_comm *mpi = comm->state;
    return (pv_patience){.comm = comm, .since_s = pv_clock_s(), .seen = mpi->arrived};
}

int pv_patience_rest(pv_patience *patience)
{
    const pv_comm *comm = patience->comm;
    const pv_mpi_comm *mpi = comm->state;
    if (!comm->is_limited) {
        sched_yield();
        return 1;
    }
    if (patience->seen != mpi->arrived) *patience = pv_patience_begin(patience->comm);
    if (++patience->looks < LOOKS_BEFORE_YIELD) return 1;
    const double waited_s = pv_clock_s() - patience->since_s;
    if (waited_s >= comm->timeout_s) return 0;
    if (waited_s > YIELD_S && patience->looks % LOOKS_PER_SLEEP == 0)
        nanosleep(&(struct timespec){0, SLEEP_NS}, NULL);
    else sched_yield();
    return 1;
}

pv_status pv_mpi_check_kept(pv_comm *comm)
{
    const pv_mpi_comm *mpi = comm->state;
    return mpi->lost[0] ? pv_fail(mpi->lost_by, mpi->lost_in, "%s", mpi->lost) : PV_OK;
}

static pv_status lose(pv_comm *comm, pv_status status, const char *where)
{
    pv_mpi_comm *mpi = comm->state;
    comm->is_lost = 1;
    mpi->lost_by = status;
    mpi->lost_in = where;
    return pv_mpi_check_kept(comm);
}

pv_status pv_mpi_give_up(pv_comm *comm, const char *where, const char *what)
{
    pv_mpi_comm *mpi = comm->state;
    snprintf(mpi->lost, sizeof mpi->lost,
             "rank %d waited %g s for %s. All ranks must make the same calls; timeout_s of pv_comm_options or "
             "PARSEVAL_TIMEOUT_S sets the limit. The communicator cannot be used any more, only closed",
             comm->rank, comm->timeout_s, what);
    return lose(comm, PV_ERR_TIMEOUT, where);
}

pv_status pv_mpi_check_others(pv_comm *comm)
{
    pv_mpi_comm *mpi = comm->state;
    PV_TRY(pv_mpi_check_kept(comm));
    const int gone = comm->is_limited ? pv_mpi_gone_rank(comm) : -1;
    if (gone < 0) return PV_OK;
    snprintf(
        mpi->lost, sizeof mpi->lost,
        "rank %d has waited for others longer than its limit and given up. The communicator cannot be used any more, "
        "only closed",
        gone);
    return lose(comm, PV_ERR_PEER, __func__);
}

void pv_mpi_drop(MPI_Request *request, int is_receive)
{
    int done = 0;
    if (*request == MPI_REQUEST_NULL) return;
    (void)MPI_Request_get_status(*request, &done, MPI_STATUS_IGNORE);
    if (!done && is_receive) (void)MPI_Cancel(request);
    (void)MPI_Request_free(request);
}

static pv_status wait_for(pv_comm *comm, MPI_Request *request, int *done)
{
    pv_patience patience = pv_patience_begin(comm);
    do PV_MPI_TRY(MPI_Test(request, done, MPI_STATUS_IGNORE));
    while (!*done && pv_patience_rest(&patience));
    return PV_OK;
}

// `others` is what they were to do.
static pv_status give_up_all(pv_comm *comm, const char *where, const char *others)
{
    char what[160];
    pv_mpi_missing missing = {0};
    pv_mpi_call_roll(comm, &missing);
    const int length = (int)strlen(missing.from);
    snprintf(what, sizeof what, "%s%s%.*s%s", others, length ? " (no word from rank" : "", length ? length - 1 : 0,
             missing.from, length ? ")" : "");
    return pv_mpi_give_up(comm, where, what);
}

pv_status pv_mpi_wait(pv_comm *comm, MPI_Request *request, const char *where, const char *what)
{
    int done;
    if (!comm->is_limited) {
        PV_MPI_TRY(MPI_Wait(request, MPI_STATUS_IGNORE));
        return PV_OK;
    }
    PV_TRY(wait_for(comm, request, &done));
    return done ? PV_OK : give_up_all(comm, where, what);
}

// Twice: one who comes after the others have given up finds their first arrival, and waits for the second in vain.
pv_status pv_mpi_meet(pv_comm *comm, MPI_Comm group, const char *where, const char *what)
{
    for (int i = 0; i < 2; i++) {
        MPI_Request request;
        int done;
        PV_MPI_TRY(MPI_Ibarrier(group, &request));
        PV_TRY(wait_for(comm, &request, &done));
        if (!done) return pv_mpi_give_up(comm, where, what);
    }
    return PV_OK;
}

pv_status pv_mpi_give_up_exchange(pv_comm *comm, const pv_mpi_missing *missing)
{
    char what[160];
    const int from = (int)strlen(missing->from), to = (int)strlen(missing->to);
    snprintf(what, sizeof what, "messages of an exchange%s%.*s%s%s%.*s", from ? " from rank" : "", from ? from - 1 : 0,
             missing->from, from && to ? " and" : "", to ? " to rank" : "", to ? to - 1 : 0, missing->to);
    return pv_mpi_give_up(comm, "pv_exchange_wait", what);
}
