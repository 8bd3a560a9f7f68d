// SPDX-License-Identifier: Apache-2.0
// The order of a state's bands in a build of exact exchange. Bands that others feel are the lowest: where the ranks
// of a group share the bands in pieces the first of them would have all the work, and the others would wait for it.
// Dealt out two by two, every rank has some of each kind.
#ifndef PV_DFT_FOCK_DEAL_H
#define PV_DFT_FOCK_DEAL_H

#include <complex.h>
#include <stdint.h>

#include <parseval/device.h>

// order[place] is the band at each place of [bands], of which every rank has the piece of pv_band_split_range_of().
pv_status pv_fock_deal(int ranks, int64_t bands, int64_t *order);

// to[place] = from[order[place]], vectors of `local`, in the order of the stream of the device where they are.
pv_status pv_fock_deal_bands(pv_stream *stream, int64_t bands, const int64_t *order, int64_t local,
                             const double _Complex *from, double _Complex *to);
// vectors[order[place]] = vectors[place], in place. scratch [bands] of the host, aside [local] of the device.
pv_status pv_fock_collect_bands(pv_stream *stream, int64_t bands, const int64_t *order, int64_t *scratch, int64_t local,
                                double _Complex *aside, double _Complex *vectors);

#endif
