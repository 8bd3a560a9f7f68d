// SPDX-License-Identifier: Apache-2.0
// What the tuner has learnt in this process: pairs of one-line texts, written to and read from wisdom files together
// with the engines' own wisdom.
#ifndef PV_FFT_ENGINE_WISDOM_H
#define PV_FFT_ENGINE_WISDOM_H

#include <parseval/fft.h>

// NULL when nothing is known.
const char *pv_wisdom_find(const char *key);
pv_status pv_wisdom_learn(const char *key, const char *value);

#endif
