// SPDX-License-Identifier: Apache-2.0
#include "fft/program/messages.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "fft/transfer/wire.h"

// The messages as they travel.
static pv_message *on_wire(const pv_program *program, const pv_message *messages, int count, pv_message *wire)
{
    for (int i = 0; i < count; i++) {
        wire[i] = messages[i];
        if (!program->wire) continue;
        wire[i].offset_bytes = pv_wire_bytes(program->precision, messages[i].offset_bytes);
        wire[i].bytes = pv_wire_bytes(program->precision, messages[i].bytes);
    }
    return wire;
}

static pv_status make_exchange(const pv_program *program, const pv_transfer_chunk *chunk, pv_exchange **exchange_p)
{
    pv_message *send = NULL, *receive = NULL;
    pv_status status = PV_ALLOC(chunk->send_count, &send);
    if (status == PV_OK) status = PV_ALLOC(chunk->receive_count, &receive);
    status = pv_comm_agree(program->comm, status);
    if (status == PV_OK)
        status = pv_exchange_create(program->comm, chunk->send_count,
                                    on_wire(program, chunk->send, chunk->send_count, send), chunk->receive_count,
                                    on_wire(program, chunk->receive, chunk->receive_count, receive), exchange_p);
    pv_mem_free(send);
    pv_mem_free(receive);
    return status;
}

pv_status pv_program_make_exchanges(pv_program *program, int s)
{
    pv_stage *stage = &program->stages[s];
    if (!stage->has_transfer || !stage->transfer.messages) return PV_OK;
    PV_TRY(pv_comm_agree(program->comm, PV_ALLOC(stage->transfer.chunks, &stage->exchanges)));
    pv_status status = PV_OK;
    for (int c = 0; c < stage->transfer.chunks && status == PV_OK; c++)
        status = make_exchange(program, &stage->transfer.chunk[c], &stage->exchanges[c]);
    return status;
}

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

// Regions alternate between exchanges; peers write into them, so every rank lays them out alike.
pv_status pv_program_agree_regions(pv_program *program)
{
    int64_t bytes[3] = {0, 0, 0};
    for (int s = 0; s < program->stage_count; s++) {
        const pv_transfer *transfer = &program->stages[s].transfer;
        if ((int64_t)transfer->region_bytes > bytes[s % 2]) bytes[s % 2] = (int64_t)transfer->region_bytes;
        if ((int64_t)transfer->send_bytes > bytes[2]) bytes[2] = (int64_t)transfer->send_bytes;
    }
    if (program->as_one) memset(bytes, 0, sizeof bytes);
    PV_TRY(pv_comm_reduce_i64(program->comm, PV_MAX, 3, bytes));
    for (int i = 0; i < 2; i++) program->region_bytes[i] = ((size_t)bytes[i] + 4095) / 4096 * 4096;
    program->send_bytes = ((size_t)bytes[2] + 4095) / 4096 * 4096;
    if (!program->wire) return PV_OK;
    const size_t region = larger(program->region_bytes[0], program->region_bytes[1]);
    program->wire_bytes[0] = (pv_wire_bytes(program->precision, program->send_bytes) + 4095) / 4096 * 4096;
    program->wire_bytes[1] = (pv_wire_bytes(program->precision, region) + 4095) / 4096 * 4096;
    return PV_OK;
}

// Each exchange adds its share. What stands for a half spectrum weighs twice at most in the other half: to reals, and
// in reals that become one, the norm of an error may grow by the root of two against that of the array.
double pv_program_wire_bound(const pv_program *program)
{
    double factor = 1.0;
    int is_real = 0;
    for (int s = 0; s < program->stage_count; s++) {
        const pv_route_stage *route = &program->route.stages[s];
        is_real |= route->real_load || route->real_store;
        if (program->wire && program->stages[s].transfer.messages) factor *= 1.0 + pv_wire_error(program->precision);
    }
    return (factor - 1.0) * (is_real ? sqrt(2.0) : 1.0);
}
