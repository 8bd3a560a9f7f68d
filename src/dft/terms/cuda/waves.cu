// SPDX-License-Identifier: Apache-2.0
#include "dft/terms/waves_kernels.h"
