// SPDX-License-Identifier: Apache-2.0
#include "fft/wire_kernels.h"
