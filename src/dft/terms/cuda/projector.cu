// SPDX-License-Identifier: Apache-2.0
#include "dft/terms/projector_kernels.h"
