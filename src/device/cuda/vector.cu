// SPDX-License-Identifier: Apache-2.0
#include "device/vector_kernels.h"
