// SPDX-License-Identifier: Apache-2.0
// What runners of all devices do with messages.
#include "base/check.h"
#include "fft/program/runner.h"
#include "fft/transfer/wire.h"

static char *region_of(const pv_run *run, int s)
{
    return pv_run_window(run) + pv_program_region_offset(run->program, s);
}

// Behind the send buffer: what is sent, then what is received.
static char *wire_of(const pv_run *run, int is_received)
{
    const pv_program *program = run->program;
    return pv_run_send(run) + program->send_bytes + (is_received ? program->wire_bytes[0] : 0);
}

pv_status pv_run_start_messages(const pv_run *run, int s, int chunk, pv_stream *stream)
{
    const pv_program *program = run->program;
    const pv_stage *stage = &program->stages[s];
    pv_exchange *exchange = stage->exchanges[chunk];
    if (!program->wire) return pv_exchange_start_on(exchange, stream, pv_run_send(run), region_of(run, s));
    PV_TRY(pv_wire_pack(stream, program->precision, &stage->transfer, chunk, pv_run_send(run), wire_of(run, 0)));
    return pv_exchange_start_on(exchange, stream, wire_of(run, 0), wire_of(run, 1));
}

pv_status pv_run_finish_messages(const pv_run *run, int s, pv_stream *stream)
{
    const pv_program *program = run->program;
    const pv_stage *stage = &program->stages[s];
    for (int c = 0; stage->exchanges && c < stage->transfer.chunks; c++) {
        PV_TRY(pv_exchange_wait_on(stage->exchanges[c], stream));
        if (program->wire)
            PV_TRY(pv_wire_unpack(stream, program->precision, &stage->transfer, c, wire_of(run, 1), region_of(run, s)));
    }
    return PV_OK;
}
