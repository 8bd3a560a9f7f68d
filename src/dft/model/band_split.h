// SPDX-License-Identifier: Apache-2.0
// Two ways to share out a block of orbitals: slices (every rank has some plane waves of all bands: products of
// matrices) and bands (every rank, or team of neighbouring ranks, has all plane waves of some bands: transforms to the
// grid).
#ifndef PV_DFT_BAND_SPLIT_H
#define PV_DFT_BAND_SPLIT_H

#include <complex.h>

#include <parseval/fft.h>

#include "dft/model/basis.h"

typedef struct pv_band_split pv_band_split;
typedef struct pv_band_room pv_band_room;

// The memory for blocks on their way, in which splits of several bases on comm take turns: what one of them gathers is
// there until the next gathers. It grows with what its splits need. comm is kept. Collective.
pv_status pv_band_room_create(pv_comm *comm, pv_band_room **room_p);
void pv_band_room_destroy(pv_band_room *room); // after its splits. Collective

// For blocks of at most `bands_most`, in a room of its own or a given one. sphere: bands go to the ranks that share its
// fields; NULL: whole bands to each rank. In a room of its own it is that of the basis. All are kept. Collective.
pv_status pv_band_split_create(const pv_basis *basis, int64_t bands_most, pv_band_split **split_p);
pv_status pv_band_split_create_in(pv_band_room *room, const pv_basis *basis, const pv_sphere *sphere,
                                  int64_t bands_most, pv_band_split **split_p);
void pv_band_split_destroy(pv_band_split *split);

// Which of `bands` bands this rank or its team has; pairs stay together where two real fields share a transform. Pure.
void pv_band_split_range(const pv_band_split *split, int64_t bands, int64_t *lower_p, int64_t *upper_p);
// The same of any rank, or team, of `ranks` that share a state. Pure.
void pv_band_split_range_of(int ranks, int rank, int64_t bands, int64_t *lower_p, int64_t *upper_p);

// How many of their coefficients it has. Pure.
int64_t pv_band_split_count(const pv_band_split *split);

// sliced[bands][local] to whole[range][count], in memory of the room or, on one rank, `sliced` itself. Collective.
pv_status pv_band_split_gather(pv_band_split *split, int64_t bands, const double _Complex *sliced,
                               const double _Complex **whole_p);
// Where this rank puts whole[range][count] before pv_band_split_scatter(); on one rank `sliced` itself.
double _Complex *pv_band_split_room(pv_band_split *split, double _Complex *sliced);
// The other way, from pv_band_split_room(). Collective.
pv_status pv_band_split_scatter(pv_band_split *split, int64_t bands, double _Complex *sliced);

#endif
