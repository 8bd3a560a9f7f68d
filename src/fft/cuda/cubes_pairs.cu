// SPDX-License-Identifier: Apache-2.0
#include "fft/cubes/kernels.h"
