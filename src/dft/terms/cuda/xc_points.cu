// SPDX-License-Identifier: Apache-2.0
#include "dft/terms/xc_kernels.h"
