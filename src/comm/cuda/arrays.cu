// SPDX-License-Identifier: Apache-2.0
#include "comm/arrays_kernels.h"
