// SPDX-License-Identifier: Apache-2.0
// Lengths of rows that have kernels (rows_line.cuh), and how these are made:
//     X(length, points a thread, rows a block, blocks a multiprocessor at least, lines at once, radices ...)
#ifndef PV_FFT_CUDA_ROWS_LENGTHS_H
#define PV_FFT_CUDA_ROWS_LENGTHS_H

#define PV_ROWS_LENGTHS_FP64(X)       \
    X(64, 8, 4, 12, 3, 8, 8)          \
    X(128, 8, 2, 12, 3, 4, 8, 4)      \
    X(256, 8, 1, 12, 3, 8, 4, 8)      \
    X(512, 8, 1, 6, 1, 8, 8, 8)       \
    X(768, 12, 1, 4, 3, 4, 4, 12, 4)  \
    X(1024, 16, 1, 4, 3, 16, 4, 16)   \
    X(1536, 12, 1, 2, 3, 4, 4, 6, 4, 4)
#define PV_ROWS_LENGTHS_FP32(X)       \
    X(64, 8, 4, 16, 3, 8, 8)          \
    X(128, 8, 2, 16, 3, 4, 8, 4)      \
    X(256, 8, 1, 16, 3, 8, 4, 8)      \
    X(512, 8, 1, 8, 1, 8, 8, 8)       \
    X(768, 12, 1, 6, 3, 4, 4, 12, 4)  \
    X(1024, 8, 1, 4, 3, 8, 4, 4, 8)   \
    X(1536, 24, 1, 4, 3, 8, 24, 8)

#endif
