// SPDX-License-Identifier: Apache-2.0
#include "dns/kernels_both.h"
