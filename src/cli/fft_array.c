// SPDX-License-Identifier: Apache-2.0
#include "cli/fft_array.h"

pv_array pv_array_describe(const pv_layout *layout, int rank, int64_t batch, int is_complex, pv_precision precision,
                           int padded)
{
    pv_array array = {
        .is_complex = is_complex, .precision = precision, .box = layout->boxes[rank], .batch = batch};
    int64_t lengths[3];
    for (int i = 0; i < 3; i++) {
        int axis = layout->order[i];
        array.shape[i] = layout->shape[i];
        array.order[i] = axis;
        lengths[i] = array.box.upper[axis] - array.box.lower[axis];
    }
    int is_empty = pv_box_count(&array.box) == 0;
    array.lines = is_empty ? 0 : lengths[0] * lengths[1];
    array.length = is_empty ? 0 : lengths[2];
    array.row = padded && !is_complex ? 2 * (array.length / 2 + 1) : array.length;
    return array;
}

void pv_array_point(const pv_array *array, int64_t line, int64_t point[3])
{
    int slowest = array->order[0], middle = array->order[1], fastest = array->order[2];
    int64_t lines_of_plane = array->box.upper[middle] - array->box.lower[middle];
    point[slowest] = array->box.lower[slowest] + line / lines_of_plane;
    point[middle] = array->box.lower[middle] + line % lines_of_plane;
    point[fastest] = array->box.lower[fastest];
}

void *pv_array_line(const pv_array *array, int64_t batch, int64_t line)
{
    int64_t element_bytes = (array->precision == PV_FP64 ? 8 : 4) * (array->is_complex ? 2 : 1);
    return (char *)array->data + (batch * array->lines + line) * array->row * element_bytes;
}

void pv_array_scale(const pv_array *array, double factor)
{
    int64_t count = array->length * (array->is_complex ? 2 : 1);
#pragma omp parallel for schedule(static)
    for (int64_t line = 0; line < array->batch * array->lines; line++) {
        void *values = pv_array_line(array, 0, line);
        if (array->precision == PV_FP64)
            for (int64_t i = 0; i < count; i++) ((double *)values)[i] *= factor;
        else
            for (int64_t i = 0; i < count; i++) ((float *)values)[i] *= (float)factor;
    }
}
