// SPDX-License-Identifier: Apache-2.0
// Transfers between slabs by copies, for devices that copy beside their computing. Each rank has its box whole, in
// natural order, in its send buffer; copies bring the parts of others into their windows, whole boxes in natural order
// too. What a rank keeps is stored in the own window at once, or left in the send buffer, where the next pass reads it;
// where neither pass can work on two arrays, it is copied too.
//
// The sender's box is cut into chunks, as it is computed, the receiver's into groups, as it is worked on. Of each chunk
// the part for group 0 leaves as soon as the chunk is there, under the computing of the next; groups 1, 2, ... follow
// when all chunks are there, under what the receiver does with the groups before them. Pure: no communication.
#ifndef PV_FFT_TRANSFER_COPY_H
#define PV_FFT_TRANSFER_COPY_H

#include <stddef.h>
#include <stdint.h>

#include <parseval/fft.h>

struct pv_transfer_desc;
struct pv_transfer;

enum { PV_COPY_PIECES = 3 };       // of a view: what is kept, and what lies on either side of it

// Where what a rank keeps is stored, and whence it is loaded.
typedef enum pv_copy_keep { PV_KEEP_IN_WINDOW, PV_KEEP_IN_SEND, PV_KEEP_BY_COPY } pv_copy_keep;

typedef struct pv_copy_choice {
    int groups;                    // 0: no copies; fewer than PV_EXCHANGE_PARTS
    int early_percent;             // group 0's share of the receiver's box, when there are more groups
    int group_axis;                // along which the receiver works
    pv_copy_keep keep;
} pv_copy_choice;

// `height` rows of `width` bytes, from the send buffer into the window of `rank`; offsets are from the start of the
// send buffer and of the region.
typedef struct pv_copy {
    int rank;
    size_t from_bytes, to_bytes, width, height, from_pitch, to_pitch;
} pv_copy;

typedef struct pv_copy_list {
    int count;
    pv_copy *copies;
} pv_copy_list;

// lists[c]: group 0 of chunk c; lists[chunks + g - 1]: group g of all chunks.
typedef struct pv_copy_plan {
    int groups, list_count;
    pv_copy_list *lists;
    pv_copy_list *own;             // [chunks], to this rank, of all groups; NULL: none
    int64_t *ends;                 // [groups + 1], of this rank's groups along group_axis; groups may be empty
} pv_copy_plan;

// Whether a transfer that walks along these axes may go by copies: between slabs split along them, each rank having a
// part of both, and neither along the fastest axis, where rows would be short.
int pv_copy_applies(const pv_layout *from, const pv_layout *to, const int *node, int chunk_axis, int group_axis);
pv_status pv_copy_describe(const struct pv_transfer_desc *desc, struct pv_transfer *transfer);
void pv_copy_destroy(pv_copy_plan *plan);

#endif
