// SPDX-License-Identifier: Apache-2.0
// Reshapes beyond <parseval/fft.h>: many that take turns with one workspace.
#ifndef PV_FFT_PLAN_RESHAPE_H
#define PV_FFT_PLAN_RESHAPE_H

#include <parseval/fft.h>

// As pv_reshape_create(), but in *shared, the workspace of all reshapes that were given the same address: NULL before
// the first, replaced by a larger one where that does not suffice. It belongs to the caller, who destroys it after the
// last of them. Collective.
pv_status pv_reshape_create_sharing(pv_comm *comm, const pv_layout *from, const pv_layout *to, size_t element_bytes,
                                    int64_t batch, pv_workspace **shared, pv_reshape **reshape_p);

#endif
