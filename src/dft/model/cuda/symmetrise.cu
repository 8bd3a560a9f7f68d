// SPDX-License-Identifier: Apache-2.0
#include "dft/model/symmetrise_kernels.h"
