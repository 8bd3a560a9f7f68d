// SPDX-License-Identifier: Apache-2.0
#include "dft/terms/fock_kernels.h"
