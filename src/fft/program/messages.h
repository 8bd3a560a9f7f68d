// SPDX-License-Identifier: Apache-2.0
// The part of a program's making that concerns all ranks: its messages, and where they and stores arrive.
#ifndef PV_FFT_PROGRAM_MESSAGES_H
#define PV_FFT_PROGRAM_MESSAGES_H

#include "fft/program/program.h"

// Those after stage s, where its transfer has messages. Collective.
pv_status pv_program_make_exchanges(pv_program *program, int s);
// Collective.
pv_status pv_program_agree_regions(pv_program *program);

#endif
