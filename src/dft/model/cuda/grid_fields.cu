// SPDX-License-Identifier: Apache-2.0
#include "dft/model/grid_kernels.h"
