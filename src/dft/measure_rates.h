// SPDX-License-Identifier: Apache-2.0
// What one core of this machine does, for forecasts of a system: its own transforms, products and functional, timed.
#ifndef PV_DFT_MEASURE_RATES_H
#define PV_DFT_MEASURE_RATES_H

#include "dft/forecast.h"

// A second or two, and the memory of one k-point's plane waves. Local.
pv_status pv_dft_measure_rates(const pv_system *system, pv_dft_rates *rates_p);

#endif
