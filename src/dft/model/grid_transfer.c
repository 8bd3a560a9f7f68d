// SPDX-License-Identifier: Apache-2.0
#include "dft/model/grid_transfer.h"

#include <stdlib.h>

#include "base/mem.h"

// Where a wave stands in a half spectrum of the grid; -1 when the grid cannot hold it.
static int64_t place_of(const int64_t shape[3], const int32_t miller[3])
{
    int64_t at[3];
    for (int d = 0; d < 3; d++) {
        if (2 * llabs(miller[d]) >= shape[d]) return -1;
        at[d] = miller[d] < 0 ? miller[d] + shape[d] : miller[d];
    }
    return (at[0] * shape[1] + at[1]) * (shape[2] / 2 + 1) + at[2];
}

pv_status pv_grid_transfer(const pv_grid *from, const double _Complex *waves, const pv_grid *to,
                           double _Complex *transferred)
{
    double _Complex *all = NULL;
    const int64_t count = to->shape[0] * to->shape[1] * (to->shape[2] / 2 + 1);
    pv_status status = pv_comm_agree(to->comm, PV_ALLOC(count, &all));
    for (int64_t i = 0; i < from->waves && status == PV_OK; i++) {
        const int64_t place = place_of(to->shape, from->miller[i]);
        if (place >= 0) all[place] = waves[i];
    }
    // Every wave is on one rank of `from`: the sum is what that one has.
    if (status == PV_OK) status = pv_comm_reduce_f64(to->comm, PV_SUM, 2 * count, (double *)all);
    for (int64_t i = 0; i < to->waves && status == PV_OK; i++) transferred[i] = all[place_of(to->shape, to->miller[i])];
    pv_mem_free(all);
    return status;
}
