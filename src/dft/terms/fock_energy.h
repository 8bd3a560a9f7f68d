// SPDX-License-Identifier: Apache-2.0
#ifndef PV_DFT_FOCK_ENERGY_H
#define PV_DFT_FOCK_ENERGY_H

#include <complex.h>
#include <stdint.h>

#include <parseval/device.h>

// Sum over bands of weight[band] <u_band|v_band>, real parts; u, v [bands][local] in memory of the stream's device.
// Local.
pv_status pv_fock_energy(pv_stream *stream, pv_device *device, int64_t bands, int64_t local, const double *weight,
                         const double _Complex *u, const double _Complex *v, double *sum_p);

#endif
