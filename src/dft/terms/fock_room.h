// SPDX-License-Identifier: Apache-2.0
// The memory of a build of exact exchange. Targets whose fields and sums do not all fit are worked on in tiles of some
// states, one after another, and bands of others come in smaller portions.
#ifndef PV_DFT_FOCK_ROOM_H
#define PV_DFT_FOCK_ROOM_H

#include "dft/terms/fock_bundle.h"

typedef struct pv_fock_room {
    int states;
    int tile;         // states of a tile
    int64_t portion;  // bands of others at once
    int64_t together; // bands at a point of symmetry at once
    pv_fock_bundle own, other[2];
    pv_fock_bundle returned[2];   // what was done for another rank's bands
    pv_buffer *result, *received; // [own.total]: what others and tiles did for this rank's; the last that came
    pv_buffer *field, *sum;       // of the bands of a tile
    pv_buffer *foreign_field, *foreign_sum; // [portion] fields
    pv_buffer *carried, *image_field;       // [together]: bands at another point, as coefficients and fields
    pv_buffer *scratch;                     // [portion] bands of the largest basis
    unsigned char *wanted;                  // [portion][group]
} pv_fock_room;

// For bundles of all ranks in the precision of fock. With fewer bytes than wanted on the device tiles and portions are
// smaller, which the log says. Local; room is zeroed before.
pv_status pv_fock_room_make(pv_fock *fock, int ranks, int rank, pv_fock_room *room);
void pv_fock_room_free(pv_fock_room *room);

// A line, with its newline, on what builds will choose with the memory that is free now: "512 bands a rank, all of them
// on the grid at once (12.1 GB); those of 3 others come by". Collective.
pv_status pv_fock_room_describe(pv_fock *fock, char *text, size_t size);

#endif
