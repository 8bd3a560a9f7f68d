// SPDX-License-Identifier: Apache-2.0
// Memory that is left behind on purpose: messages that nobody waits for any more may still be sent from there or be
// written there, until the process ends.
#ifndef PV_COMM_LEFT_H
#define PV_COMM_LEFT_H

// Keeps `memory` within reach, so that it is no leak. NULL: nothing.
void pv_leave(void *memory);

#endif
