// SPDX-License-Identifier: Apache-2.0
#include "dft/terms/fock_deal.h"

#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "dft/model/band_split.h"

pv_status pv_fock_deal(int ranks, int64_t bands, int64_t *order)
{
    int64_t *next; // [ranks][2]: a rank's next place, and its end
    PV_TRY(PV_ALLOC(2 * (int64_t)ranks, &next));
    for (int r = 0; r < ranks; r++) pv_band_split_range_of(ranks, r, bands, &next[2 * r], &next[2 * r + 1]);
    for (int64_t band = 0; band < bands;)
        for (int r = 0; r < ranks; r++)
            // Neighbours stay together: real orbitals share a transform.
            for (int k = 0; k < 2 && next[2 * r] < next[2 * r + 1]; k++) order[next[2 * r]++] = band++;
    pv_mem_free(next);
    return PV_OK;
}

void pv_fock_deal_bands(int64_t bands, const int64_t *order, int64_t local, const double _Complex *from,
                        double _Complex *to)
{
    for (int64_t place = 0; place < bands; place++)
        memcpy(to + place * local, from + order[place] * local, (size_t)local * sizeof *to);
}

static void swap(int64_t local, double _Complex *a, double _Complex *b)
{
    for (int64_t i = 0; i < local; i++) {
        const double _Complex kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

void pv_fock_collect_bands(int64_t bands, int64_t *order, int64_t local, double _Complex *vectors)
{
    for (int64_t place = 0; place < bands; place++)
        while (order[place] != place) {
            const int64_t home = order[place];
            swap(local, vectors + place * local, vectors + home * local);
            order[place] = order[home];
            order[home] = home;
        }
}
