// SPDX-License-Identifier: Apache-2.0
#include "dft/terms/xc_points.h"

#include "dft/terms/xc_kernels.h"

// By the hole, PV_XC_HOLES where there are no corrections, and by whether LDA's short range counts.
#define PV_XC_HOLES 3
#define ROWS(spins)                                                                        \
    {                                                                                      \
        [PV_XC_HOLE_NONE] = {&xc_##spins##_pbe, &xc_##spins##_pbe},                        \
        [PV_XC_HOLE_EP] = {&xc_##spins##_ep, &xc_##spins##_ep_short},                      \
        [PV_XC_HOLE_HJS] = {&xc_##spins##_hjs, &xc_##spins##_hjs_short},                   \
        [PV_XC_HOLES] = {&xc_##spins##_lda, &xc_##spins##_lda_short},                      \
    }
static const pv_kernel *const kernels[2][PV_XC_HOLES + 1][2] = {ROWS(plain), ROWS(spins)};

pv_status pv_xc_points(pv_stream *stream, const pv_xc_terms *terms, int spins, const pv_xc_fields *fields)
{
    const int short_range = terms->lda_short != 0.0 || terms->uniform_short != 0.0;
    const int row = terms->gradients ? (int)terms->hole : PV_XC_HOLES;
    const xc_arguments arguments = {*terms, *fields};
    return pv_kernel_launch(stream, kernels[spins - 1][row][short_range], fields->points, &arguments);
}
