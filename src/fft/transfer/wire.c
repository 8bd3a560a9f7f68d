// SPDX-License-Identifier: Apache-2.0
#include "fft/transfer/wire.h"

#include "base/check.h"
#include "fft/transfer/wire_kernels.h"

enum { BLOCK_BYTES = PV_WIRE_BLOCK * sizeof(float), WIRE_BYTES = PV_WIRE_WORDS * sizeof(int16_t) };

size_t pv_wire_bytes(pv_precision precision, size_t bytes)
{
    return precision == PV_FP64 ? bytes / 2 : bytes / BLOCK_BYTES * WIRE_BYTES;
}

// FP32: half a unit of the last place, 2^-15 of the largest value of a block, in each of its values at worst: the root
// of their number times that. The last factor is for blocks whose largest value is rounded up to a power of two.
double pv_wire_error(pv_precision precision)
{
    return precision == PV_FP64 ? 0x1p-24 : sqrt((double)PV_WIRE_BLOCK) * 0x1p-15 * (1.0 + 0x1p-15);
}

pv_status pv_wire_pack(pv_stream *stream, pv_precision precision, const pv_transfer *transfer, int chunk,
                       const char *send, char *wire)
{
    const pv_transfer_chunk *c = &transfer->chunk[chunk];
    for (int i = 0; i < c->send_count; i++) {
        const pv_message *message = &c->send[i];
        const void *from = send + message->offset_bytes;
        void *to = wire + pv_wire_bytes(precision, message->offset_bytes);
        if (precision == PV_FP64) {
            const narrow_arguments a = {from, to};
            PV_TRY(pv_kernel_launch(stream, &narrow, (int64_t)(message->bytes / sizeof(double)), &a));
        } else {
            const int64_t blocks = (int64_t)(message->bytes / BLOCK_BYTES);
            const pack_arguments a = {from, to, (int64_t)(c->send_item_bytes[i] / sizeof(float)),
                                      blocks / transfer->batch};
            PV_TRY(pv_kernel_launch(stream, &pack, blocks, &a));
        }
    }
    return PV_OK;
}

pv_status pv_wire_unpack(pv_stream *stream, pv_precision precision, const pv_transfer *transfer, int chunk,
                         const char *wire, char *region)
{
    const pv_transfer_chunk *c = &transfer->chunk[chunk];
    for (int i = 0; i < c->receive_count; i++) {
        const pv_message *message = &c->receive[i];
        const void *from = wire + pv_wire_bytes(precision, message->offset_bytes);
        void *to = region + message->offset_bytes;
        if (precision == PV_FP64) {
            const widen_arguments a = {from, to};
            PV_TRY(pv_kernel_launch(stream, &widen, (int64_t)(message->bytes / sizeof(double)), &a));
        } else {
            const unpack_arguments a = {from, to};
            PV_TRY(pv_kernel_launch(stream, &unpack, (int64_t)(message->bytes / BLOCK_BYTES), &a));
        }
    }
    return PV_OK;
}
