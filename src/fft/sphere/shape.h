// SPDX-License-Identifier: Apache-2.0
// What the passes of a sphere transform know: columns and planes of a list of points on a grid, and the lines.
#ifndef PV_FFT_SPHERE_SHAPE_H
#define PV_FFT_SPHERE_SHAPE_H

#include <complex.h>

#include "fft/lines/split.h"
#include "fft/sphere/fold.h"

typedef double _Complex pv_c64;

// Column: the points of one (x, y), wrapped into the grid. Columns are sorted by x, then y.
typedef struct pv_sphere_column {
    int32_t x, y;
    int64_t first, last; // into z and the full spectrum
} pv_sphere_column;

// An x for which there are columns.
typedef struct pv_sphere_plane {
    int32_t x;
    int64_t first_column, last_column;
} pv_sphere_plane;

typedef struct pv_sphere_shape {
    int64_t n[3];
    int64_t full_count; // points of the whole sphere
    int32_t *z;         // [full_count], wrapped
    int64_t column_count;
    pv_sphere_column *columns;
    int64_t plane_count;
    pv_sphere_plane *planes;
    int32_t *plane_of;     // [n0]: which plane an x is; -1: none
    int32_t *column_of;    // [plane_count][n1]: which column of the plane a y is, from 0 on; -1: none
    int64_t lanes, slices; // slices * lanes >= n[2]: slices of z
    int64_t groups;        // groups * lanes >= column_count: columns in groups of lanes
    pv_c64 *phase[3];      // exp(i k r) by axis, [n0], [n1], [slices * lanes]; NULL where it is 1
    pv_precision precision;
    const pv_slot_ops *ops;
    size_t slot_bytes;
    pv_split_line inverse[3], forward[3]; // by axis
} pv_sphere_shape;

// Columns, planes and maps of points[count] as pv_sphere_create takes them, and where the points are among them. Both
// are zeroed before; lines come from elsewhere. Local.
pv_status pv_sphere_shape_list(const int64_t n[3], int64_t count, const int32_t (*points)[3], const int *twice_k,
                               pv_sphere_shape *shape, pv_sphere_fold *fold);
// The lists of a shape, and of a fold.
void pv_sphere_shape_free(pv_sphere_shape *shape);
void pv_sphere_fold_free(pv_sphere_fold *fold);

// Slices and groups of as many lanes as the kernels have, after the lists.
void pv_sphere_shape_slice(const pv_lines_kernels *kernels, pv_sphere_shape *shape);

#endif
