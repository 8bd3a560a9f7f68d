// SPDX-License-Identifier: Apache-2.0
// What happens at single plane waves of a block of orbitals [bands][local]: loops over coefficients that are kernels of
// a stream's device, on which all arrays lie. Local.
#ifndef PV_DFT_WAVES_H
#define PV_DFT_WAVES_H

#include <complex.h>
#include <stdint.h>

#include <parseval/device.h>

// out += kinetic * in.
pv_status pv_waves_add_kinetic(pv_stream *stream, int64_t bands, int64_t local, const double *kinetic_ha,
                               const double _Complex *in, double _Complex *out);
// out[local] = a + b + constant.
pv_status pv_waves_add(pv_stream *stream, int64_t local, const double *a, const double *b, double constant,
                       double *out);

// sums[bands] = sum of the squares of a band's numbers; block[bands][reals].
pv_status pv_waves_squares(pv_stream *stream, int64_t bands, int64_t reals, const double *block, double *sums);
// block /= sqrt(squares[band]).
pv_status pv_waves_divide_by_norms(pv_stream *stream, int64_t bands, int64_t local, const double *squares,
                                   double _Complex *block);

// Band j of out: band from[j] of `in` over a smooth, positive stand-in for (diagonal - energy[j]), as Quantum
// ESPRESSO's g_psi has it.
pv_status pv_waves_precondition(pv_stream *stream, int64_t bands, int64_t local, const double *diagonal_ha,
                                const double *energy_ha, const int64_t *from, const double _Complex *in,
                                double _Complex *out);

// out = i q_axis in, with q[local][3].
pv_status pv_waves_differentiate(pv_stream *stream, int64_t bands, int64_t local, const double (*q)[3], int axis,
                                 const double _Complex *in, double _Complex *out);
// sums[local] = sum over bands of weights[band] |c|^2.
pv_status pv_waves_weigh(pv_stream *stream, int64_t bands, int64_t local, const double *weights,
                         const double _Complex *block, double *sums);

#endif
