// SPDX-License-Identifier: Apache-2.0
// Exchange and correlation at points, in the order of a stream on its device.
#ifndef PV_DFT_XC_POINTS_H
#define PV_DFT_XC_POINTS_H

#include <stdint.h>

#include <parseval/device.h>

#include "dft/terms/xc_terms.h"

// All on the device. A density of one spin channel is the total; two are up and down.
typedef struct pv_xc_fields {
    int64_t points;
    const double *density;             // [spins][points]
    double *gradient;                  // [spins][3][points], becomes the field whose divergence the potential lacks:
                                       // de/d(grad rho_s)
    double *history;                   // [1 or 3][points], zero at first: where corrections count (of both spins; or of
                                       // exchange by spin, of correlation)
    double *potential;                 // [spins][points]
    double *energy;                    // [points], a volume
    double *left_out;                  // [points], with a hole: short-range exchange that flat points lack
} pv_xc_fields;

pv_status pv_xc_points(pv_stream *stream, const pv_xc_terms *terms, int spins, const pv_xc_fields *fields);

#endif
