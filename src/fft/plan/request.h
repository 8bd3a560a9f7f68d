// SPDX-License-Identifier: Apache-2.0
// Border guard of plan creation: the same arguments on every rank, and valid ones.
#ifndef PV_FFT_PLAN_REQUEST_H
#define PV_FFT_PLAN_REQUEST_H

#include "fft/plan/plan.h"

// Collective; the same verdict everywhere. Disagreement is found first; what is wrong on all ranks, rank 0 reports.
pv_status pv_request_check(const pv_plan_request *request);

// A number that tells layouts apart; 0 for NULL.
int64_t pv_request_hash_layout(const pv_layout *layout);

// For movements: both layouts and two numbers.
pv_status pv_request_check_move(pv_comm *comm, const pv_layout *from, const pv_layout *to, int64_t element_bytes,
                                int64_t batch);

// The arrays of a call, on the rank at fault alone: nothing has been sent yet, and to agree would cost every call a
// round of messages. The same array twice is let pass.
pv_status pv_request_check_arrays(const void *in, size_t in_bytes, const void *out, size_t out_bytes, size_t alignment);

#endif
