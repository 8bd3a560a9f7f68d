// SPDX-License-Identifier: Apache-2.0
// Transforms along one to three axes at once between arrays in natural order: a stage done as planes, by cuFFT or by a
// kernel of ours, or a whole program on one rank by either.
#ifndef PV_FFT_CUDA_PLANES_CUDA_H
#define PV_FFT_CUDA_PLANES_CUDA_H

#include <cufft.h>

#include "fft/cuda/fused_cuda.h"
#include "fft/cuda/visits_cuda.h"
#include "fft/program/program.h"

enum { PV_CUDA_PLANES_SIZES = 16 };

typedef struct pv_cuda_planes {
    const pv_piece *from, *to;         // NULL: this rank has no points
    size_t from_size, to_size;         // bytes of an element
    int outer_axis;                    // slices are counted along it; -1: transforms of a batch are
    int rank;
    long long n[3], from_embed[3], to_embed[3], from_step, to_step, from_distance, to_distance;
    long long per_slice;               // transforms a slice
    cufftType type;
    int direction;
    int size_count;
    struct { int64_t slices; cufftHandle plan; } sizes[PV_CUDA_PLANES_SIZES];
    size_t work_bytes;                 // the most of any size
    pv_cuda_fused fused;               // in place of cuFFT
    pv_cuda_visits visits;             // the same, for whole programs
} pv_cuda_planes;

// Where slots and windows are, and which slices lower <= outer < upper of which transform of a batch.
typedef struct pv_cuda_planes_call {
    char *slots[PV_SLOT_COUNT];
    char *from_window, *to_window;     // regions of this rank
    char *work;
    int64_t batch, lower, upper;
} pv_cuda_planes_call;

pv_status pv_cuda_planes_of_stage(const pv_program *program, int s, pv_cuda_planes *planes);
// 0 when the program is no transform of three axes between arrays that cuFFT can name.
int pv_cuda_planes_of_program(const pv_program *program, pv_cuda_planes *planes);
// By our own kernels, where the program asks for them and there are some.
pv_status pv_cuda_planes_choose_visits(const pv_program *program, pv_cuda_planes *planes);
// Makes cuFFT's plan for so many slices at once, if one is needed and there is none yet.
pv_status pv_cuda_planes_add(pv_cuda_planes *planes, int64_t slices);
pv_status pv_cuda_planes_run(const pv_cuda_planes *planes, const pv_cuda_planes_call *call, void *cuda_stream);
void pv_cuda_planes_destroy(pv_cuda_planes *planes);

#endif
