// SPDX-License-Identifier: Apache-2.0
#include "dft/terms/nonlocal_kernels.h"
