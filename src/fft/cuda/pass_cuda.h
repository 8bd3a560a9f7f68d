// SPDX-License-Identifier: Apache-2.0
// One pass made ready for a GPU: its description in device memory and, for lines without a kernel of ours, cuFFT's
// plan.
#ifndef PV_FFT_CUDA_PASS_CUDA_H
#define PV_FFT_CUDA_PASS_CUDA_H

#include <cufft.h>

#include "fft/cuda/pass_device.h"
#include "fft/program/pass.h"

typedef struct pv_cuda_pass {
    const pv_pass *pass;
    pv_device_pass device;
    pv_buffer *description;        // cells, segments and pieces
    pv_device_piece *pieces;       // on the host, load then store; windows are filled in when they are known
    size_t pieces_offset;
    pv_buffer *roots;              // of our own kernels
    int has_cufft, has_back;
    cufftHandle cufft, cufft_back; // the second: of a convolution, after the pointwise step
    pv_buffer *twiddle;            // tables of a long line, coarse then fine
    pv_device_rows rows;           // memory is the runner's, shared by all passes
    size_t rows_bytes;
    int64_t slices;                // at most so many a run
} pv_cuda_pass;

pv_status pv_cuda_pass_create(pv_device *device, const pv_pass *pass, int64_t slices, pv_cuda_pass *made);
void pv_cuda_pass_destroy(pv_cuda_pass *made);
// windows[r] are the bases of the ranks' windows; offsets are those of the regions read and written.
pv_status pv_cuda_pass_bind(pv_cuda_pass *made, void *const *windows, size_t load_offset, size_t store_offset);
// step and context: of a convolution.
pv_status pv_cuda_pass_run(const pv_cuda_pass *made, pv_device_call *call, char *rows_memory, pv_fft_pointwise step,
                           void *context, void *cuda_stream);

// Whether the lines have a kernel of our own, else cuFFT transforms rows that are gathered first.
int pv_cuda_pass_has_kernel(const pv_pass *pass);
// exp(-2 pi i k / n), k < n, on the device.
pv_status pv_cuda_roots_create(pv_device *device, int64_t n, pv_precision precision, pv_buffer **roots_p);
// convolved_tables.c: of lines with pv_cuda_convolved_points.
pv_status pv_cuda_convolved_create(pv_device *device, int64_t n, pv_precision precision, pv_buffer **tables_p);

#endif
