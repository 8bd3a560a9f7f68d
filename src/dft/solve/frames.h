// SPDX-License-Identifier: Apache-2.0
// The density matrix of a state as a frame: the columns A = psi sqrt(f) of orbitals psi, each holding the part f of a
// full one, with A A^H the density matrix. A Q with a unitary Q is as good; turned to be nearest to another frame,
// frames change as smoothly as density matrices do, and are mixed as densities are.
#ifndef PV_DFT_FRAMES_H
#define PV_DFT_FRAMES_H

#include "dft/solve/electrons.h"

typedef struct pv_frames {
    pv_electrons *electrons;
    int64_t bands;                     // columns: the lowest bands, all that hold anything
    // Scratch on the orbitals' device: [bands][bands], [bands of the run][bands] scalars, [bands].
    double *a, *b, *c, *wide, *wide_turned, *factor;
    int64_t *order;
    double *values, *factors;          // [bands], on the host
    int64_t *places;
} pv_frames;

// electrons is kept. Local.
pv_status pv_frames_create(pv_electrons *electrons, int64_t bands, pv_frames **frames_p);
void pv_frames_destroy(pv_frames *frames);

// Whether this rank has the state, and its orbitals make the density. Pure.
int pv_frames_have(const pv_frames *frames, int state);
// What a full orbital holds. Pure.
double pv_frames_full(const pv_frames *frames);
// Of a frame of the state on this rank. Pure.
int64_t pv_frames_length(const pv_frames *frames, int state);

// All blocks are [bands][local] of the state, sliced as its orbitals, on their device.

// The electrons' own. Local.
pv_status pv_frames_take(pv_frames *frames, int state, double _Complex *to);
// to = from Q, nearest to `nearest`; turn[bands][bands] scalars on the device: Q. Collective in the group.
pv_status pv_frames_turn(pv_frames *frames, int state, const double _Complex *from, const double _Complex *nearest,
                         double *turn, double _Complex *to);
// The natural orbitals of `frame` become the electrons', the fullest first, and what they hold, a full one at most,
// their fillings; held: the frame of that. Collective in the group.
pv_status pv_frames_give(pv_frames *frames, int state, const double _Complex *frame, double _Complex *held);

// Changes of a frame that the electrons' own was turned into by `turn`, told by what they add of band a to band v:
// amplitudes[v < bands][a < bands of the run] scalars, on the host. Collective in the group.
pv_status pv_frames_resolve(pv_frames *frames, int state, const double *turn, const double _Complex *change,
                            double *amplitudes);
// change += what the amplitudes say. Local.
pv_status pv_frames_add(pv_frames *frames, int state, const double *turn, const double *amplitudes,
                        double _Complex *change);

#endif
