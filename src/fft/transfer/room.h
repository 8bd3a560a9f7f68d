// SPDX-License-Identifier: Apache-2.0
// Whether there is memory for a plan, asked before it is made: the system promises more than it has, and later ends the
// process that takes it. On devices whose memory is not the host's the device itself refuses.
#ifndef PV_FFT_TRANSFER_ROOM_H
#define PV_FFT_TRANSFER_ROOM_H

#include <parseval/comm.h>

// PV_ERR_MEMORY when one array of a transform, input or output, has no place in all memory of all nodes. Collective.
pv_status pv_room_check_array(pv_comm *comm, const int64_t shape[3], int64_t batch, size_t element_bytes);

// PV_ERR_MEMORY when a node has not this many bytes free for each of its ranks. Collective; bytes are equal on all
// ranks.
pv_status pv_room_check_workspace(pv_comm *comm, size_t bytes);

#endif
