// SPDX-License-Identifier: Apache-2.0
// The orbitals that exact exchange is built of next, from what earlier builds were built of and what came of them:
// Anderson's mixing (D. G. Anderson, J. ACM 12, 547 (1965)) of frames (frames.h), as projected commutator DIIS has it
// (W. Hu, L. Lin and C. Yang, J. Chem. Theory Comput. 13, 5458 (2017)), with a model of how a state answers.
// docs/decisions/0031-mixing-of-exchange.md.
#ifndef PV_DFT_EXCHANGE_MIXER_H
#define PV_DFT_EXCHANGE_MIXER_H

#include "dft/solve/frames.h"

typedef struct pv_exchange_mixer pv_exchange_mixer;

// For states that hold something in the lowest `felt` bands, and a few more, should that change. What is remembered
// lies with the orbitals, or on the host where it would take more than a tenth of their device's free memory. electrons
// is kept. Collective.
pv_status pv_exchange_mixer_create(pv_electrons *electrons, int64_t felt, pv_exchange_mixer **mixer_p);
void pv_exchange_mixer_destroy(pv_exchange_mixer *mixer);
// Above these nothing may be held. Pure.
int64_t pv_exchange_mixer_bands(const pv_exchange_mixer *mixer);

// How many times less energy the last step misses than a plain one, to where the orbitals had been solved, would have:
// 1 where it was the longer. Pure.
double pv_exchange_mixer_held_back(const pv_exchange_mixer *mixer);

// Exchange is built of the electrons' orbitals as they are; what was before is forgotten. Collective.
pv_status pv_exchange_mixer_begin(pv_exchange_mixer *mixer);

// The electrons' orbitals and fillings, solved with the last build, become those to build exchange of. Collective.
pv_status pv_exchange_mixer_mix(pv_exchange_mixer *mixer);

#endif
