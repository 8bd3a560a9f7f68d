// SPDX-License-Identifier: Apache-2.0
// Exchanges of ranks on devices that reach each other's windows: messages go through inboxes, in the order of streams.
// Entries of pv_comm_ops for communicators whose state is that of the shared transport.
#ifndef PV_COMM_SHARED_INBOX_EXCHANGE_H
#define PV_COMM_SHARED_INBOX_EXCHANGE_H

#include "comm/shared/shared_comm.h"

pv_status pv_inbox_exchange_create(pv_exchange *exchange);
void pv_inbox_exchange_destroy(pv_exchange *exchange);
pv_status pv_inbox_exchange_start(pv_exchange *exchange, pv_stream *stream, const void *send, void *receive);
pv_status pv_inbox_exchange_progress(pv_exchange *exchange, int block, int *done);
pv_status pv_inbox_exchange_join(pv_exchange *exchange, pv_stream *stream);

#endif
