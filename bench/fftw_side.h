// SPDX-License-Identifier: Apache-2.0
// The opponent: FFTW-MPI in both precisions behind one face.
#ifndef PV_BENCH_FFTW_SIDE_H
#define PV_BENCH_FFTW_SIDE_H

#include <stddef.h>
#include <stdio.h>

#include <fftw3-mpi.h>
#include <parseval/fft.h>

#define FFTW(name) fftw_##name
#define PLANS fp64_plans
#define MAKE fp64_make
#define DESTROY fp64_destroy
#define LOAD fp64_load
#define SAVE fp64_save
#include "fftw_side_body.h"
#undef FFTW
#undef PLANS
#undef MAKE
#undef DESTROY
#undef LOAD
#undef SAVE
#define FFTW(name) fftwf_##name
#define PLANS fp32_plans
#define MAKE fp32_make
#define DESTROY fp32_destroy
#define LOAD fp32_load
#define SAVE fp32_save
#include "fftw_side_body.h"
#undef FFTW
#undef PLANS
#undef MAKE
#undef DESTROY
#undef LOAD
#undef SAVE

typedef struct fftw_side {
    pv_precision precision;
    fp64_plans fp64;
    fp32_plans fp32;
} fftw_side;

static inline void fftw_side_start(void)
{
    fftw_mpi_init();
    fftwf_mpi_init();
}

// One file a precision: PATH.fp64, PATH.fp32.
static inline void fftw_side_wisdom(const char *path, int save, int rank, MPI_Comm comm)
{
    char name[1024];
    if (!path) return;
    snprintf(name, sizeof name, "%s.fp64", path);
    (save ? fp64_save : fp64_load)(name, rank, comm);
    snprintf(name, sizeof name, "%s.fp32", path);
    (save ? fp32_save : fp32_load)(name, rank, comm);
}

// Planning with FFTW_MEASURE overwrites both arrays.
static inline fftw_side fftw_side_create(const int64_t shape[3], pv_fft_type type, pv_precision precision, void *in,
                                         void *out, MPI_Comm comm)
{
    const ptrdiff_t n[3] = {shape[0], shape[1], shape[2]};
    fftw_side side = {.precision = precision};
    if (precision == PV_FP64) side.fp64 = fp64_make(n, type, in, out, FFTW_MEASURE, comm);
    else side.fp32 = fp32_make(n, type, in, out, FFTW_MEASURE, comm);
    return side;
}

static inline int fftw_side_is_planned(const fftw_side *side)
{
    return side->precision == PV_FP64 ? side->fp64.forward && side->fp64.inverse
                                      : side->fp32.forward && side->fp32.inverse;
}

static inline void fftw_side_execute(const fftw_side *side, int is_inverse)
{
    if (side->precision == PV_FP64) fftw_execute(is_inverse ? side->fp64.inverse : side->fp64.forward);
    else fftwf_execute(is_inverse ? side->fp32.inverse : side->fp32.forward);
}

static inline void fftw_side_destroy(fftw_side *side)
{
    if (side->precision == PV_FP64) fp64_destroy(&side->fp64);
    else fp32_destroy(&side->fp32);
}

// Planes of the input's first axis and of the spectrum's second axis on this rank, and bytes that an array needs.
typedef struct fftw_share {
    ptrdiff_t planes, start, spectrum_planes, spectrum_start;
    size_t bytes;
} fftw_share;

static inline fftw_share fftw_share_of(const int64_t shape[3], pv_fft_type type, pv_precision precision, MPI_Comm comm)
{
    fftw_share share;
    ptrdiff_t columns = type == PV_R2C ? shape[2] / 2 + 1 : shape[2];
    ptrdiff_t elements = fftw_mpi_local_size_3d_transposed(shape[0], shape[1], columns, comm, &share.planes,
                                                           &share.start, &share.spectrum_planes, &share.spectrum_start);
    share.bytes = (size_t)elements * (precision == PV_FP64 ? 16 : 8);
    return share;
}

#endif
