// SPDX-License-Identifier: Apache-2.0
// The steps of lines that are transformed in shared memory, and their roots of unity.
#ifndef PV_FFT_CUDA_PLANES_AXES_H
#define PV_FFT_CUDA_PLANES_AXES_H

#include <parseval/fft.h>

#include "fft/cuda/planes_device.h"

// Whether lines of n points have steps: products of 2, 3, 5 and 7, not too many. Pure.
int pv_planes_have_steps(int64_t n);
// Local.
pv_status pv_planes_make_axes(pv_device *device, const int64_t shape[3], pv_precision precision, pv_planes_axis axis[3],
                              pv_buffer **roots_p);

#endif
