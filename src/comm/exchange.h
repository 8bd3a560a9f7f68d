// SPDX-License-Identifier: Apache-2.0
// The description of one side of an exchange, checked and tidied. Pure: no communication.
#ifndef PV_COMM_EXCHANGE_H
#define PV_COMM_EXCHANGE_H

#include <stddef.h>
#include <stdint.h>

#include <parseval/comm.h>

// MPI counts in int; pieces stay well below, and aligned.
#define PV_PIECE_BYTES ((size_t)1 << 30)

// Messages to (or from) other ranks by ascending rank, none of them empty, and the one to oneself (0 bytes: none).
typedef struct pv_message_list {
    int count;
    pv_message *messages;
    pv_message self;
} pv_message_list;

// `side` ("send" or "receive") is for the error text: a rank out of range or named twice.
pv_status pv_message_list_create(const char *side, int size, int rank, int count, const pv_message *messages,
                                 pv_message_list *list_p);
void pv_message_list_destroy(pv_message_list *list);
// Bytes exchanged with `peer`; 0 when there is no message.
size_t pv_message_list_bytes(const pv_message_list *list, int peer);

// Two sums that cancel over all ranks exactly when (up to a chance of 2^-64) every message sent is one expected.
// They do not overflow for up to 2^15 ranks.
void pv_exchange_digest(int rank, const pv_message_list *send, const pv_message_list *receive, int64_t digest[2]);

// A message of `bytes` goes as pieces of at most `piece_bytes`.
int64_t pv_piece_count(size_t bytes, size_t piece_bytes);
size_t pv_piece_bytes(size_t bytes, size_t piece_bytes, int64_t index);

// The only way down to MPI's int.
pv_status pv_int_from_size(size_t value, const char *what, int *value_p);

#endif
