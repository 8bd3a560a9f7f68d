// SPDX-License-Identifier: Apache-2.0
// Transforms of many small grids of one shape on one device, and memory that holds some of them. Made once for all who
// ask for the same on a device: who shares the memory works in the order of one stream.
#ifndef PV_FFT_BATCH_BATCH_H
#define PV_FFT_BATCH_BATCH_H

#include <stdint.h>

#include <parseval/fft.h>

typedef struct pv_batch pv_batch;

typedef enum pv_direction { PV_FORWARD, PV_INVERSE } pv_direction; // exp(-i k x), and exp(+i k x)

// bytes: wanted of the memory, which holds one grid at least; what there is already stays as it is. Local; one thread
// at a time.
pv_status pv_batch_open(pv_device *device, const int64_t shape[3], pv_precision precision, size_t bytes,
                        pv_batch **batch_p);
void pv_batch_close(pv_batch *batch);

void *pv_batch_memory(const pv_batch *batch);
size_t pv_batch_bytes(const pv_batch *batch);
int64_t pv_batch_most(const pv_batch *batch); // grids that the memory holds

// [count][n0][n1][n2] complex numbers, in the order of the stream; in == out is allowed. Nothing is normalised. Local.
pv_status pv_batch_run(const pv_batch *batch, pv_stream *stream, pv_direction direction, int64_t count, const void *in,
                       void *out);

#endif
