// SPDX-License-Identifier: Apache-2.0
// Memory that is left behind on purpose: messages that nobody waits for any more may still be sent from there or be
// written there, until the process ends.
#ifndef PV_COMM_LEFT_H
#define PV_COMM_LEFT_H

#include <parseval/device.h>

// Keeps `memory` within reach, so that it is no leak. NULL: nothing.
void pv_leave(void *memory);

// pv_mem_free and pv_buffer_destroy, unless it is lost to such messages.
void pv_free_or_leave(void *memory, int is_lost);
void pv_buffer_destroy_or_leave(pv_buffer *buffer, int is_lost);

#endif
