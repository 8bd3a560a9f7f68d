// SPDX-License-Identifier: Apache-2.0
// NCCL's errors to status, with the text of the call and NCCL's own words.
#ifndef PV_COMM_NCCL_NCCL_CHECK_H
#define PV_COMM_NCCL_NCCL_CHECK_H

#include <nccl.h>

#include "base/check.h"

static inline pv_status pv_nccl_fail(ncclResult_t result, const char *where, const char *call)
{
    return pv_fail(PV_ERR_COMM, where, "%s: %s (%s)", call, ncclGetErrorString(result), ncclGetLastError(NULL));
}

#define PV_NCCL_TRY(call)                                                                               \
    do {                                                                                                \
        const ncclResult_t pv_nccl_result_ = (call);                                                    \
        if (pv_nccl_result_ != ncclSuccess) return pv_nccl_fail(pv_nccl_result_, __func__, #call);      \
    } while (0)

#endif
