// SPDX-License-Identifier: Apache-2.0
#include "linalg/matrix_kernels.h"
