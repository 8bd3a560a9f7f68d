// SPDX-License-Identifier: Apache-2.0
// Fields by which a transform is judged. Both depend on the grid point alone, so they are the same for any number of
// ranks, any layout and any device, and need little memory beside the transform's own arrays.
//
// The exact field is a product a(x) b(y) c(z) of sequences of small random integers, which both precisions represent
// without rounding. Its spectrum A(kx) B(ky) C(kz) follows from three one-dimensional sums in extended precision; all
// coefficients are different and none vanishes, so a misplaced one shows, where a few plane waves would leave most of
// the spectrum untested.
#ifndef PV_CLI_FFT_FIELD_H
#define PV_CLI_FFT_FIELD_H

#include "cli/fft/array.h"

// Fills the real-space array. Local.
pv_status pv_field_write_exact(const pv_fft_array *space);
pv_status pv_field_write_random(const pv_fft_array *space);

// Relative L2 distance, over the stored values of all ranks and the whole batch, from the exact field's spectrum, and
// of factor * array from the random field. Collective.
pv_status pv_field_spectrum_error(pv_comm *comm, const pv_fft_array *spectrum, const pv_fft_array *space,
                                  double *error_p);
pv_status pv_field_random_error(pv_comm *comm, const pv_fft_array *space, double factor, double *error_p);

#endif
