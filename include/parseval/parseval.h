// SPDX-License-Identifier: Apache-2.0
// All of Parseval's vendor-neutral interface.
#ifndef PARSEVAL_PARSEVAL_H
#define PARSEVAL_PARSEVAL_H

#include <parseval/comm.h>
#include <parseval/device.h>
#include <parseval/fft.h>
#include <parseval/status.h>

#endif
