// SPDX-License-Identifier: Apache-2.0
// Convolutions of many small boxes with one real factor, and the step of exact exchange made of them, on one device.
//
//   method    device  precision  boxes
//   cluster   cuda    FP32       shapes of a table (shapes.h), 32 to 72 points along each axis: one kernel, which reads
//                                each box once and writes it once; in between it lies in the distributed shared memory
//                                of a cluster of blocks (compute capability 9.0)
//   planes    cuda    both       lengths of factors 2, 3, 5, 7, planes of constant x that fit the shared memory of a
//                                block: three kernels, with boxes in memory between them, and of their spectra the
//                                columns of x where the factor is not zero. Some shapes have kernels of their own
//                                (shapes.h)
//   cufft     cuda    both       any: batches through cuFFT forward, a product, cuFFT inverse
//   plan      cpu     both       any: pv_fft_convolve, box by box
//
// Arrays are [count][n0][n1][n2] of complex numbers (or reals, where that is said) of the precision, in memory of the
// device. Nothing is normalised: the factor holds 1 / (number of points) where that is wanted.
#ifndef PV_FFT_CUBES_H
#define PV_FFT_CUBES_H

#include <stdint.h>

#include <parseval/fft.h>

#include "fft/pair.h"

typedef struct pv_cubes pv_cubes;

// What a GPU of compute capability 9.0 convolves boxes of a shape with. Pure.
typedef enum pv_cubes_kind {
    PV_CUBES_IN_CLUSTERS,   // one kernel of this shape
    PV_CUBES_BY_OWN_PLANES, // planes, by kernels of this shape
    PV_CUBES_BY_ANY,        // planes or cuFFT, by kernels of any shape
} pv_cubes_kind;
pv_cubes_kind pv_cubes_kind_of(const int64_t shape[3], pv_precision precision);

// method: NULL or "auto" for the first of the table that can; by name it must be able (PV_ERR_UNSUPPORTED says what it
// lacks). batch: boxes side by side in memory of its own, for methods that need some. Local.
pv_status pv_cubes_create(pv_device *device, const char *method, const int64_t shape[3], pv_precision precision,
                          int64_t batch, pv_cubes **cubes_p);
void pv_cubes_destroy(pv_cubes *cubes);
// How, with the numbers of the choice: "cluster of 8 blocks of 384 threads, 15 at once". Belongs to cubes.
const char *pv_cubes_text(const pv_cubes *cubes);
const char *pv_cubes_method(const pv_cubes *cubes);

// out[b] = inverse(factor * forward(in[b])); factor[n0][n1][n2] real. in == out is allowed, other overlap is not. In
// the order of the stream. Local.
pv_status pv_cubes_convolve(pv_cubes *cubes, pv_stream *stream, const void *factor, int64_t count, const void *in,
                            void *out);

// Pairs of fields that are boxes (pair.h), as many as the list has, with the factor for the kernel. Real fields: the
// factor is even, factor[-k] = factor[k], so that potentials are real. phase, of real fields whose products are not
// periodic but are when they are multiplied by it: three tables of complex numbers, [n0], [n1] and [n2], whose product
// is 1 over the phase of products, and the factor belongs to products times that; phase[0] = NULL: none.
// Sums may be added to in any order, which methods cluster and planes do, or in that of the list, which the others do.
typedef struct pv_cubes_pairs {
    int is_real;
    int64_t count;
    const void *list; // [count] of pv_real_pair or pv_complex_pair, in memory of the device
    const void *phase[3];
} pv_cubes_pairs;

// In the order of the stream. Fields and sums do not overlap. Local.
pv_status pv_cubes_run_pairs(pv_cubes *cubes, pv_stream *stream, const void *factor, const pv_cubes_pairs *pairs);

#endif
