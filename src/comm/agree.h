// SPDX-License-Identifier: Apache-2.0
// A status and the rank that has it, packed so that the largest number is the verdict of all ranks.
#ifndef PV_COMM_AGREE_H
#define PV_COMM_AGREE_H

#include <stdint.h>

#include <parseval/status.h>

// Statuses rank by the order of PV_STATUS_LIST; among equals the lowest rank speaks.
int64_t pv_agree_pack(pv_status status, int rank);
void pv_agree_unpack(int64_t packed, pv_status *status_p, int *rank_p);

#endif
