// SPDX-License-Identifier: Apache-2.0
#include "dft/solve/mixer_kernels.h"
