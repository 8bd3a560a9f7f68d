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

pv_status pv_fock_deal_bands(pv_stream *stream, int64_t bands, const int64_t *order, int64_t local,
                             const double _Complex *from, double _Complex *to)
{
    for (int64_t place = 0, next; place < bands; place = next) {
        for (next = place + 1; next < bands && order[next] == order[next - 1] + 1;) next++;
        PV_TRY(pv_stream_copy(stream, to + place * local, from + order[place] * local,
                              (size_t)((next - place) * local) * sizeof *to));
    }
    return PV_OK;
}

// The place from which each band comes is looked up in the inverse of the order: a cycle then needs one vector aside.
pv_status pv_fock_collect_bands(pv_stream *stream, int64_t bands, const int64_t *order, int64_t *scratch, int64_t local,
                                double _Complex *aside, double _Complex *vectors)
{
    const size_t bytes = (size_t)local * sizeof *vectors;
    int64_t *place_of = scratch;
    for (int64_t place = 0; place < bands; place++) place_of[order[place]] = place;
    for (int64_t first = 0; first < bands; first++) {
        if (place_of[first] == first || place_of[first] < 0) continue;
        PV_TRY(pv_stream_copy(stream, aside, vectors + first * local, bytes));
        for (int64_t band = first, place; band >= 0; band = place == first ? -1 : place) {
            place = place_of[band];
            place_of[band] = -1;
            PV_TRY(pv_stream_copy(stream, vectors + band * local, place == first ? aside : vectors + place * local,
                                  bytes));
        }
    }
    return PV_OK;
}
