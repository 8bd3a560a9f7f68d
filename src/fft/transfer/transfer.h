// SPDX-License-Identifier: Apache-2.0
// What moves between two layouts: for one rank, where each point it stores goes, where each point it loads comes
// from, and which messages carry what stores cannot reach. Pure: no communication, any number of ranks.
#ifndef PV_FFT_TRANSFER_TRANSFER_H
#define PV_FFT_TRANSFER_TRANSFER_H

#include <parseval/comm.h>

#include "fft/transfer/copy.h"
#include "fft/transfer/view.h"

typedef struct pv_transfer_desc {
    const pv_layout *from, *to;
    int rank;
    const int *node;           // [ranks]: ranks of one node store into each other's windows
    pv_block_order order;      // of what arrives, as the next pass wants to read it
    int chunk_axis, chunks;    // the sender's box is cut so, each piece being a set of messages of its own
    int64_t batch;
    size_t element_bytes;
    pv_copy_choice copies;     // groups > 0: by copies, which pv_copy_applies must allow
} pv_transfer_desc;

// The messages of one chunk; offsets are in bytes from the start of the send buffer and of the window region.
typedef struct pv_transfer_chunk {
    int64_t lower, upper;      // along chunk_axis, of this rank's box
    int send_count, receive_count;
    pv_message *send, *receive;
    size_t *send_item_bytes;   // of each message sent: what its points take in one transform of the batch
} pv_transfer_chunk;

typedef struct pv_transfer {
    pv_view store, load;       // window pieces count from the start of the region
    int64_t batch;
    int chunks;
    pv_transfer_chunk *chunk;
    int messages;              // 0: no rank of the communicator sends any; the same on every rank
    pv_copy_plan copies;       // groups > 0: what stores leave in the send buffer goes to other windows by copies
    size_t region_bytes, send_bytes;
    size_t sent_bytes;         // to other ranks, by store or by message
} pv_transfer;

pv_status pv_transfer_describe(const pv_transfer_desc *desc, pv_transfer *transfer_p);
void pv_transfer_destroy(pv_transfer *transfer);

#endif
