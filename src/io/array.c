// SPDX-License-Identifier: Apache-2.0
#include "io/array.h"

#include <inttypes.h>
#include <stdio.h>

size_t pv_number_bytes(pv_number type)
{
    static const size_t bytes[] = {[PV_NUMBER_INT32] = 4,
                                   [PV_NUMBER_INT64] = 8,
                                   [PV_NUMBER_REAL] = 8,
                                   [PV_NUMBER_COMPLEX] = 16,
                                   [PV_NUMBER_SINGLE] = 4,
                                   [PV_NUMBER_TEXT] = 1};
    return bytes[type];
}

// Elements from `axis` on.
static int64_t count_from(const pv_array *array, int axis)
{
    int64_t count = 1;
    for (int d = axis; d < array->dimensions; d++) count *= array->shape[d];
    return count;
}

int64_t pv_array_count(const pv_array *array)
{
    return count_from(array, 0);
}

int pv_array_is_same(const pv_array *a, const pv_array *b)
{
    if (a->type != b->type || a->dimensions != b->dimensions) return 0;
    for (int d = 0; d < a->dimensions; d++)
        if (a->shape[d] != b->shape[d]) return 0;
    return 1;
}

const char *pv_array_show(const pv_array *array, char text[96])
{
    static const char *const names[] = {[PV_NUMBER_INT32] = "32-bit integers",
                                        [PV_NUMBER_INT64] = "64-bit integers",
                                        [PV_NUMBER_REAL] = "reals",
                                        [PV_NUMBER_COMPLEX] = "complex numbers",
                                        [PV_NUMBER_SINGLE] = "single-precision reals",
                                        [PV_NUMBER_TEXT] = "letters"};
    size_t used = 0;
    for (int d = 0; d < array->dimensions && used < 72; d++)
        used += (size_t)snprintf(text + used, 96 - used, "%s%" PRId64, d ? " x " : "", array->shape[d]);
    if (used < 80) snprintf(text + used, 96 - used, " %s", names[array->type]);
    return text;
}

// The axis along which blocks of at most most_bytes are cut, and how many of its indices one holds: all that follows
// the axis is whole.
static int cut(const pv_array *array, size_t most_bytes, int64_t *step_p)
{
    const int64_t most = (int64_t)(most_bytes / pv_number_bytes(array->type));
    int axis = 0;
    while (axis < array->dimensions - 1 && count_from(array, axis + 1) > most) axis++;
    const int64_t inner = count_from(array, axis + 1), step = inner > 0 ? most / inner : array->shape[axis];
    *step_p = step < 1 ? 1 : step > array->shape[axis] ? array->shape[axis] : step;
    return axis;
}

// Chunks are stored whole: equal ones leave no room unused behind the last.
static int cut_chunks(const pv_array *array, int64_t *step_p)
{
    int64_t step;
    const int axis = cut(array, PV_ARRAY_CHUNK_BYTES, &step);
    const int64_t chunks = step > 0 ? (array->shape[axis] + step - 1) / step : 1;
    *step_p = chunks > 0 ? (array->shape[axis] + chunks - 1) / chunks : 1;
    return axis;
}

void pv_array_chunk(const pv_array *array, int64_t chunk[PV_ARRAY_DIMENSIONS])
{
    int64_t step;
    const int axis = cut_chunks(array, &step);
    for (int d = 0; d < array->dimensions; d++) chunk[d] = d < axis ? 1 : d == axis ? step : array->shape[d];
}

static void set_rows_and_columns(const pv_array *array, pv_piece *piece)
{
    piece->row = piece->offset[0];
    piece->rows = piece->count[0];
    piece->column = 0;
    piece->columns = 1;
    for (int d = 1; d < array->dimensions; d++) {
        piece->column = piece->column * array->shape[d] + piece->offset[d];
        piece->columns *= piece->count[d];
    }
}

// Moves offset to the first index after the piece; 0 at the end of the array.
static int advance(const pv_array *array, int axis, pv_piece *piece)
{
    piece->offset[axis] += piece->count[axis];
    for (int d = axis; d > 0 && piece->offset[d] >= array->shape[d]; d--) {
        piece->offset[d] = 0;
        piece->offset[d - 1]++;
    }
    return piece->offset[0] < array->shape[0];
}

int pv_array_next_piece(const pv_array *array, size_t most_bytes, pv_piece *piece)
{
    int64_t step, chunk_step;
    if (pv_array_count(array) == 0) return 0;
    const int axis = cut(array, most_bytes, &step);
    // Along the axis of the chunks a step is a number of them.
    if (cut_chunks(array, &chunk_step) == axis && step < array->shape[axis]) step -= step % chunk_step;
    if (piece->rows > 0 && !advance(array, axis, piece)) return 0;
    for (int d = 0; d < array->dimensions; d++) piece->count[d] = d < axis ? 1 : d == axis ? step : array->shape[d];
    const int64_t left = array->shape[axis] - piece->offset[axis];
    if (piece->count[axis] > left) piece->count[axis] = left;
    set_rows_and_columns(array, piece);
    return 1;
}
