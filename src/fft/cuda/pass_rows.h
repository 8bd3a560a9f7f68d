// SPDX-License-Identifier: Apache-2.0
// A pass of lines without a kernel of ours: they are gathered into rows, a slab at a time, which cuFFT transforms, and
// scattered. Steps of a convolution and factors of a long line act on the rows.
#ifndef PV_FFT_CUDA_PASS_ROWS_H
#define PV_FFT_CUDA_PASS_ROWS_H

#include "fft/cuda/pass_cuda.h"

// Of a pass whose device part is described.
pv_status pv_cuda_pass_make_rows(pv_device *device, pv_cuda_pass *made);
void pv_cuda_pass_destroy_rows(pv_cuda_pass *made);
// memory holds made->rows_bytes; step and context: of a convolution.
pv_status pv_cuda_pass_run_rows(const pv_cuda_pass *made, pv_device_call *call, char *memory, pv_fft_pointwise step,
                                void *context, void *cuda_stream);

#endif
