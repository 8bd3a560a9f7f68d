// SPDX-License-Identifier: Apache-2.0
// Kernels of dense algebra for processors that the linked library does not know.
#ifndef PV_CLI_BETTER_KERNELS_H
#define PV_CLI_BETTER_KERNELS_H

// For commands that compute with dense algebra. OpenBLAS chooses when it is loaded and heeds its environment alone:
// where it has chosen badly the program begins once more, told better. If that fails the slower kernels do. A user's
// own OPENBLAS_CORETYPE stands. Before MPI starts.
void pv_better_kernels(int argc, char **argv);

#endif
