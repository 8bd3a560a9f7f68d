// SPDX-License-Identifier: Apache-2.0
// How filled orbitals answer to exchange that was built of others: as to a level shift. Where band a comes into the
// filled band v, it lowers what has come in by U, the levels are e_a - e_v apart, and so of an error the share
// U / (e_a - e_v) is there again after a build. Amplitudes are those of frames.h, of the electrons' own bands.
#ifndef PV_DFT_EXCHANGE_ANSWER_H
#define PV_DFT_EXCHANGE_ANSWER_H

#include "dft/solve/frames.h"

// Least squares for U, sums[0] / sums[1] in the end: what `followed` where a frame was moved. Local.
void pv_answer_fit(const pv_frames *frames, int state, const double *followed, const double *moved, double sums[2]);

// Amplitudes of a residual become what is missing from the error behind it. Local.
void pv_answer_undo(const pv_frames *frames, int state, double u, double *amplitudes);

#endif
