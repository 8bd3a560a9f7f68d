// SPDX-License-Identifier: Apache-2.0
// What a method of convolving boxes fills in, and the object it works on.
#ifndef PV_FFT_CUBES_OPS_H
#define PV_FFT_CUBES_OPS_H

#include "fft/cubes/cubes.h"

typedef struct pv_cubes_ops {
    const char *name;
    int on_gpu;
    // Sets *why_p to what is lacking on a device of its kind, NULL when it can.
    void (*supports)(const pv_device *device, const int64_t shape[3], pv_precision precision, const char **why_p);
    pv_status (*create)(pv_cubes *cubes); // may set state, text, batch and boxes
    void (*destroy)(pv_cubes *cubes);
    pv_status (*convolve)(pv_cubes *cubes, pv_stream *stream, const void *factor, int64_t count, const void *in,
                          void *out);
    // NULL: through memory, by products, convolve and sums (pairs.c).
    pv_status (*run_pairs)(pv_cubes *cubes, pv_stream *stream, const void *factor, const pv_cubes_pairs *pairs);
} pv_cubes_ops;

struct pv_cubes {
    const pv_cubes_ops *ops;
    pv_device *device;
    int64_t shape[3], points;
    pv_precision precision;
    int64_t batch;
    void *boxes; // [batch], where ops has no run_pairs: the method's own, or work's
    pv_buffer *work;
    char text[128];
    void *state; // the method's own
};

extern const pv_cubes_ops pv_cubes_plan, pv_cubes_cufft, pv_cubes_by_planes, pv_cubes_cluster;

// pairs.c
pv_status pv_cubes_pairs_in_memory(pv_cubes *cubes, pv_stream *stream, const void *factor, const pv_cubes_pairs *pairs);
// x[b] *= factor. At most 2^32 points.
pv_status pv_cubes_multiply(const pv_cubes *cubes, pv_stream *stream, const void *factor, int64_t count, void *x);

#endif
