// SPDX-License-Identifier: Apache-2.0
#include "dft/model/carry_kernels.h"
