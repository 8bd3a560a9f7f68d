// SPDX-License-Identifier: Apache-2.0
// The tuner: which decomposition, how many chunks, through the caches or past them.
#include "fft/plan.h"

#include "base/check.h"

pv_status pv_tune(const pv_plan_request *request, pv_candidate *candidate_p)
{
    const pv_fft_options *o = request->options;
    pv_problem problem = pv_problem_make(request->shape, request->type, request->precision, o->batch, pv_comm_size(request->comm));
    pv_candidate candidate = {.chunks = o->chunks > 0 ? o->chunks : 1};
    PV_TRY(pv_route_choose(&problem, o->decomposition, o->grid, &candidate.route));
    *candidate_p = candidate;
    return PV_OK;
}
