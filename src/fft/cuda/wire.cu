// SPDX-License-Identifier: Apache-2.0
#include "fft/transfer/wire_kernels.h"
