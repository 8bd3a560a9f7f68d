// SPDX-License-Identifier: Apache-2.0
// Two ways to share out a block of orbitals: slices (every rank has some plane waves of all bands: products of
// matrices) and bands (every rank has all plane waves of some bands: transforms to the grid).
#ifndef PV_DFT_BAND_SPLIT_H
#define PV_DFT_BAND_SPLIT_H

#include <complex.h>

#include <parseval/fft.h>

#include "dft/model/basis.h"

typedef struct pv_band_split pv_band_split;
typedef struct pv_band_room pv_band_room;

// The memory for blocks on their way, in which splits of several bases on comm take turns: what one of them gathers is
// there until the next gathers. local_most, count_most: of the bases. comm is kept. Collective.
pv_status pv_band_room_create(pv_comm *comm, int64_t local_most, int64_t count_most, int64_t bands_most,
                              pv_band_room **room_p);
void pv_band_room_destroy(pv_band_room *room); // after its splits. Collective

// For blocks of at most `bands_most`, in a room of its own or a given one. basis and room are kept. Collective.
pv_status pv_band_split_create(const pv_basis *basis, int64_t bands_most, pv_band_split **split_p);
pv_status pv_band_split_create_in(pv_band_room *room, const pv_basis *basis, int64_t bands_most,
                                  pv_band_split **split_p);
void pv_band_split_destroy(pv_band_split *split);

// Which of `bands` bands this rank has; pairs stay together where two real fields share a transform. Pure.
void pv_band_split_range(const pv_band_split *split, int64_t bands, int64_t *lower_p, int64_t *upper_p);
// The same of any rank of `ranks` that share a state. Pure.
void pv_band_split_range_of(int ranks, int rank, int64_t bands, int64_t *lower_p, int64_t *upper_p);

// sliced[bands][local] to whole[range][count], in memory of the room or, on one rank, `sliced` itself. Collective.
pv_status pv_band_split_gather(pv_band_split *split, int64_t bands, const double _Complex *sliced,
                               const double _Complex **whole_p);
// Where this rank puts whole[range][count] before pv_band_split_scatter(); on one rank `sliced` itself.
double _Complex *pv_band_split_room(pv_band_split *split, double _Complex *sliced);
// The other way, from pv_band_split_room(). Collective.
pv_status pv_band_split_scatter(pv_band_split *split, int64_t bands, double _Complex *sliced);

#endif
