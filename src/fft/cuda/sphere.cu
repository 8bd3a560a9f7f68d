// SPDX-License-Identifier: Apache-2.0
#include "fft/sphere/kernels.h"
