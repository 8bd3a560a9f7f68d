// SPDX-License-Identifier: Apache-2.0
// Bodies of arrays.c for both compilers; included by it and cuda/arrays.cu alone.
#ifndef PV_COMM_ARRAYS_KERNELS_H
#define PV_COMM_ARRAYS_KERNELS_H

#include "device/kernel.h"

// What every rank has brought, side by side or each in its own window.
typedef struct pv_brought {
    const double *const *bases;  // [ranks], of the windows; NULL: what ranks have brought lies in `inbox`
    const double *inbox;
    int64_t step;                // from one rank to the next in the inbox
} pv_brought;

PV_KERNEL_FUNCTION const double *brought_by(pv_brought brought, int64_t rank)
{
    return brought.bases ? brought.bases[rank] : brought.inbox + rank * brought.step;
}

typedef struct add_ranks_arguments {
    pv_brought brought;
    int64_t offset;              // of the first number
    int ranks;
    double *to;
} add_ranks_arguments;

// In the order of ranks.
PV_KERNEL_FUNCTION void add_ranks_at(add_ranks_arguments a, int64_t i)
{
    double sum = brought_by(a.brought, 0)[a.offset + i];
    for (int rank = 1; rank < a.ranks; rank++) sum += brought_by(a.brought, rank)[a.offset + i];
    a.to[i] = sum;
}
PV_KERNEL(add_ranks, add_ranks_arguments, add_ranks_at)

typedef struct join_shares_arguments {
    pv_brought brought;
    int64_t offset, share;       // numbers of a rank's share, which every rank has in its place of the whole
    double *to;
} join_shares_arguments;

PV_KERNEL_FUNCTION void join_shares_at(join_shares_arguments a, int64_t i)
{
    a.to[i] = brought_by(a.brought, i / a.share)[a.offset + i];
}
PV_KERNEL(join_shares, join_shares_arguments, join_shares_at)

#endif
