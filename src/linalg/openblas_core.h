// SPDX-License-Identifier: Apache-2.0
// Which of its sets of kernels OpenBLAS has chosen for this processor.
#ifndef PV_LINALG_OPENBLAS_CORE_H
#define PV_LINALG_OPENBLAS_CORE_H

// "SkylakeX", "Haswell", ...: as OpenBLAS names them.
const char *pv_openblas_core(void);

// An OpenBLAS that is older than the processor does not know it, and takes kernels of SSE3, several times slower than
// those that would do. The name of better ones, or NULL where the choice is good. OpenBLAS heeds it in the environment
// variable OPENBLAS_CORETYPE, and that only while it is loaded.
const char *pv_openblas_better_core(void);

#endif
