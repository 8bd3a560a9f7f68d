// SPDX-License-Identifier: Apache-2.0
// How a stage is cut into runs of slices: where chunks end that are to be sent, where groups end that are to come, and
// by what fits into the memory between its passes.
#ifndef PV_FFT_CUDA_SLABS_CUDA_H
#define PV_FFT_CUDA_SLABS_CUDA_H

#include "fft/program/program.h"

// Slices that are run at once.
typedef struct pv_cuda_slab {
    int64_t lower, upper;
    int await_part; // of what arrives, -1: none
    int chunk;      // that is complete with this slab, -1: none
} pv_cuda_slab;

typedef struct pv_cuda_slabs {
    int count;
    pv_cuda_slab *slabs;
    int64_t largest; // slices of one
} pv_cuda_slabs;

// is_fused: of planes that need no memory between their passes.
pv_status pv_cuda_slabs_make(const pv_program *program, int s, int is_fused, pv_cuda_slabs *made);
void pv_cuda_slabs_destroy(pv_cuda_slabs *slabs);
// The copies that bring what stage s reads; NULL: none do.
const pv_copy_plan *pv_cuda_copies_into(const pv_program *program, int s);

#endif
