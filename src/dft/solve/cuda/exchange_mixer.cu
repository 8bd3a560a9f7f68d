// SPDX-License-Identifier: Apache-2.0
#include "dft/solve/exchange_mixer_kernels.h"
