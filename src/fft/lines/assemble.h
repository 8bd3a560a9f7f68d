// SPDX-License-Identifier: Apache-2.0
// From a recipe to a transform that runs: leaves that are convolutions get their inner transform here.
#ifndef PV_FFT_LINES_ASSEMBLE_H
#define PV_FFT_LINES_ASSEMBLE_H

#include <parseval/fft.h>

#include "fft/lines/transform.h"

// PV_MEASURE: inner transforms follow wisdom where it knows them. PV_ESTIMATE: they depend on the recipe alone.
pv_status pv_lines_assemble(const pv_lines_kernels *kernels, const pv_lines_recipe *recipe, pv_rigor rigor,
                            pv_lines_ends ends, pv_lines_transform **transform_p);

#endif
