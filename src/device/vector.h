// SPDX-License-Identifier: Apache-2.0
// Vectors on a stream's device, of doubles where no other precision is named. x and y have shape [count] and do not
// overlap.
#ifndef PV_DEVICE_VECTOR_H
#define PV_DEVICE_VECTOR_H

#include <stdint.h>

#include <parseval/device.h>

pv_status pv_vector_scale(pv_stream *stream, int64_t count, double factor, double *x); // x *= factor
pv_status pv_vector_scale_fp32(pv_stream *stream, int64_t count, double factor, float *x); // x *= factor
pv_status pv_vector_axpy(pv_stream *stream, int64_t count, double factor, const double *x, double *y); // y += factor x

#endif
