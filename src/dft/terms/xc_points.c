// SPDX-License-Identifier: Apache-2.0
#include "dft/terms/xc_points.h"

#include "dft/terms/xc_kernels.h"

pv_status pv_xc_points(pv_stream *stream, const pv_xc_terms *terms, int spins, const pv_xc_fields *fields)
{
    static const pv_kernel *const corrected[2][3] = {{&xc_plain_pbe, &xc_plain_ep, &xc_plain_hjs},
                                                     {&xc_spins_pbe, &xc_spins_ep, &xc_spins_hjs}};
    const pv_kernel *local = spins == 2 ? &xc_spins_lda : &xc_plain_lda;
    const pv_kernel *kernel = terms->gradients ? corrected[spins - 1][terms->hole] : local;
    const xc_arguments arguments = {*terms, *fields};
    return pv_kernel_launch(stream, kernel, fields->points, &arguments);
}
