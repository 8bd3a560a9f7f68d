// SPDX-License-Identifier: Apache-2.0
// Long lines in the caller's own layouts.
#include "base/check.h"
#include "fft/layout/layout.h"
#include "fft/plan/plan.h"

pv_status pv_line_end_create(pv_comm *comm, const pv_layout *caller, const pv_layout *rows, size_t element_bytes,
                             pv_line_end *end)
{
    if (pv_layout_is_equal(caller, rows)) return PV_OK;
    const size_t bytes = (size_t)pv_layout_count(rows, pv_comm_rank(comm)) * element_bytes;
    PV_TRY(pv_comm_agree(comm, pv_buffer_create(pv_comm_device(comm), bytes, &end->rows)));
    PV_TRY(pv_reshape_create(comm, caller, rows, element_bytes, 1, &end->to_rows));
    return pv_reshape_create(comm, rows, caller, element_bytes, 1, &end->from_rows);
}

void pv_line_end_destroy(pv_line_end *end)
{
    pv_reshape_destroy(end->to_rows);
    pv_reshape_destroy(end->from_rows);
    pv_buffer_destroy(end->rows);
    *end = (pv_line_end){0};
}

pv_status pv_line_run(pv_fft_plan *plan, pv_program *program, pv_line_end *from, pv_line_end *to,
                      const pv_plan_call *call)
{
    const void *in = call->in;
    if (from->to_rows) {
        PV_TRY(pv_reshape_execute(from->to_rows, in, pv_buffer_data(from->rows)));
        in = pv_buffer_data(from->rows);
    }
    void *out = to->from_rows ? pv_buffer_data(to->rows) : call->out;
    PV_TRY(pv_program_run(program, plan->workspace, in, out, call->step, call->context));
    return to->from_rows ? pv_reshape_execute(to->from_rows, out, call->out) : PV_OK;
}
