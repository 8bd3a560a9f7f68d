// SPDX-License-Identifier: Apache-2.0
#include "dft/terms/hartree_kernels.h"
