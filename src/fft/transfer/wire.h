// SPDX-License-Identifier: Apache-2.0
// Messages with half their bits, PV_WIRE_REDUCED: FP64 as FP32, FP32 as block float. Blocks of a transfer's messages
// are whole groups of 16 elements, so that offsets and lengths in memory and on the wire are proportional.
#ifndef PV_FFT_TRANSFER_WIRE_H
#define PV_FFT_TRANSFER_WIRE_H

#include "fft/transfer/transfer.h"

size_t pv_wire_bytes(pv_precision precision, size_t bytes);
// What one exchange changes at most, relative to the 2-norm of the array.
double pv_wire_error(pv_precision precision);

// The messages of a chunk, from where the transfer has them (the send buffer, the region) to the wire's buffer and
// back, in the order of the stream.
pv_status pv_wire_pack(pv_stream *stream, pv_precision precision, const pv_transfer *transfer, int chunk,
                       const char *send, char *wire);
pv_status pv_wire_unpack(pv_stream *stream, pv_precision precision, const pv_transfer *transfer, int chunk,
                         const char *wire, char *region);

#endif
