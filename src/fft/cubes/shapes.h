// SPDX-License-Identifier: Apache-2.0
// The shapes of boxes for which GPUs have kernels of their own, with what these are made of: by measurement on an H200.
// Shared by C and CUDA sources, so it includes nothing of Parseval's. What has no entry goes through kernels for any
// shape (cubes.h).
#ifndef PV_FFT_CUBES_SHAPES_H
#define PV_FFT_CUBES_SHAPES_H

// In clusters, FP32: points along x, y, z; blocks a box, of them on a multiprocessor, and Shape's TWICE
// (fft/cuda/cubes.cuh). In three parts, since each kernel takes a while to compile.
#define PV_CUBES_SMALL_CLUSTERS(X)  \
    X(32, 32, 32, 2, 1, true)       \
    X(36, 36, 36, 9, 4, true)       \
    X(40, 40, 40, 8, 2, false)      \
    X(42, 42, 42, 14, 4, false)     \
    X(45, 45, 45, 15, 3, false)

#define PV_CUBES_MIDDLE_CLUSTERS(X) \
    X(45, 48, 48, 15, 3, false)     \
    X(48, 48, 48, 16, 3, false)     \
    X(48, 48, 50, 16, 3, false)     \
    X(50, 50, 50, 8, 1, true)       \
    X(54, 54, 54, 8, 1, true)       \
    X(54, 54, 56, 8, 1, true)       \
    X(56, 56, 56, 8, 1, true)

#define PV_CUBES_LARGE_CLUSTERS(X)  \
    X(60, 60, 60, 15, 1, false)     \
    X(60, 60, 64, 15, 1, false)     \
    X(63, 63, 63, 16, 1, false)     \
    X(64, 64, 64, 16, 1, false)     \
    X(70, 70, 70, 14, 1, false)     \
    X(72, 72, 72, 15, 1, false)

#define PV_CUBES_CLUSTERS(X) PV_CUBES_SMALL_CLUSTERS(X) PV_CUBES_MIDDLE_CLUSTERS(X) PV_CUBES_LARGE_CLUSTERS(X)

// Plane by plane: a real number; points; of a thread's points along z, of a block's threads, and of blocks on a
// multiprocessor as planes go and as they come back (fft/cuda/planes_fixed.cuh).
#define PV_CUBES_FIXED_PLANES(X)          \
    X(float, 96, 96, 60, 1, 256, 4, 4)    \
    X(double, 96, 96, 60, 1, 256, 2, 2)   \
    X(double, 60, 60, 60, 1, 192, 3, 3)

#endif
