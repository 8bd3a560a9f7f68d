// SPDX-License-Identifier: Apache-2.0
// MPI errors to status, with the text of the call and MPI's own words.
#ifndef PV_COMM_MPI_MPI_CHECK_H
#define PV_COMM_MPI_MPI_CHECK_H

#include <mpi.h>

#include "base/check.h"

// MPICH's MPI_STATUSES_IGNORE is the address 1, which gcc takes for an array of no bytes.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wstringop-overflow"
#endif

static inline pv_status pv_mpi_fail(int error, const char *where, const char *call)
{
    char text[MPI_MAX_ERROR_STRING] = "unknown error";
    int length;
    (void)MPI_Error_string(error, text, &length);
    return pv_fail(PV_ERR_COMM, where, "%s: %s", call, text);
}

#define PV_MPI_TRY(call)                                                                            \
    do {                                                                                            \
        const int pv_mpi_error_ = (call);                                                           \
        if (pv_mpi_error_ != MPI_SUCCESS) return pv_mpi_fail(pv_mpi_error_, __func__, #call);       \
    } while (0)

#endif
