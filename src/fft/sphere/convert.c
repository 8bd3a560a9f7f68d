// SPDX-License-Identifier: Apache-2.0
#include "fft/sphere/convert.h"

#include "fft/sphere/pass.h"

// Where lane 0 of a line's row i begins: rows[i * parts + part], of a slice and line y.
static int64_t row_at(const pv_sphere_shape *shape, int parts, int64_t slice, int64_t line, int64_t x, int part)
{
    return (((slice * shape->n[1] + line) * shape->n[0] + x) * parts + part) * shape->lanes;
}

void pv_sphere_narrow(const pv_sphere *wide, const pv_sphere *narrow, int parts, const double *from, float *to)
{
    const pv_sphere_shape *w = pv_sphere_shape_of(wide), *n = pv_sphere_shape_of(narrow);
    const int64_t each = n->lanes / w->lanes;
    for (int64_t s = 0; s < n->slices * each; s++)
        for (int64_t y = 0; y < n->n[1]; y++)
            for (int64_t x = 0; x < n->n[0]; x++)
                for (int part = 0; part < parts; part++) {
                    const double *row = from + row_at(w, parts, s, y, x, part);
                    float *target = to + row_at(n, parts, s / each, y, x, part) + s % each * w->lanes;
                    for (int64_t i = 0; i < w->lanes; i++) target[i] = s < w->slices ? (float)row[i] : 0.0f;
                }
}

void pv_sphere_widen(const pv_sphere *narrow, const pv_sphere *wide, int parts, const float *from, double *to)
{
    const pv_sphere_shape *w = pv_sphere_shape_of(wide), *n = pv_sphere_shape_of(narrow);
    const int64_t each = n->lanes / w->lanes;
    for (int64_t s = 0; s < w->slices; s++)
        for (int64_t y = 0; y < w->n[1]; y++)
            for (int64_t x = 0; x < w->n[0]; x++)
                for (int part = 0; part < parts; part++) {
                    const float *row = from + row_at(n, parts, s / each, y, x, part) + s % each * w->lanes;
                    double *target = to + row_at(w, parts, s, y, x, part);
                    for (int64_t i = 0; i < w->lanes; i++) target[i] = row[i];
                }
}
