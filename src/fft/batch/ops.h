// SPDX-License-Identifier: Apache-2.0
// What a device's way of transforming batches fills in, and the object it works on.
#ifndef PV_FFT_BATCH_OPS_H
#define PV_FFT_BATCH_OPS_H

#include "fft/batch/batch.h"

typedef struct pv_batch_ops {
    pv_status (*create)(pv_batch *batch); // may set state
    void (*destroy)(pv_batch *batch);
    pv_status (*run)(const pv_batch *batch, pv_stream *stream, pv_direction direction, int64_t count, const void *in,
                     void *out);
} pv_batch_ops;

struct pv_batch {
    const pv_batch_ops *ops;
    pv_device *device;
    int64_t shape[3], grid_bytes, most;
    pv_precision precision;
    pv_buffer *memory;
    void *state; // the way's own
    int users;
    pv_batch *next;
};

extern const pv_batch_ops pv_batch_plan, pv_batch_cufft;

#endif
