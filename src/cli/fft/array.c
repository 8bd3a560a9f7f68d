// SPDX-License-Identifier: Apache-2.0
#include "cli/fft/array.h"

#include "base/check.h"
#include "device/vector.h"

pv_fft_array pv_fft_array_describe(const pv_layout *layout, int rank, int64_t batch, int is_complex,
                                   pv_precision precision, int padded)
{
    pv_fft_array array = {.is_complex = is_complex, .precision = precision, .box = layout->boxes[rank], .batch = batch};
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

void pv_fft_array_point(const pv_fft_array *array, int64_t line, int64_t point[3])
{
    int slowest = array->order[0], middle = array->order[1], fastest = array->order[2];
    int64_t lines_of_plane = array->box.upper[middle] - array->box.lower[middle];
    point[slowest] = array->box.lower[slowest] + line / lines_of_plane;
    point[middle] = array->box.lower[middle] + line % lines_of_plane;
    point[fastest] = array->box.lower[fastest];
}

void *pv_fft_array_data(const pv_fft_array *array)
{
    return pv_buffer_data(array->buffer);
}

size_t pv_fft_array_row_bytes(const pv_fft_array *array)
{
    return (size_t)array->row * (array->precision == PV_FP64 ? 8 : 4) * (array->is_complex ? 2 : 1);
}

// ---- Rows on the host -------------------------------------------------------------------------------------------

typedef struct staging {
    pv_buffer *host; // NULL: the device's memory is the host's
    int64_t rows;    // at a time
} staging;

static pv_status open_staging(const pv_fft_array *array, int64_t count, staging *s)
{
    const int64_t most_bytes = (int64_t)64 << 20, row_bytes = (int64_t)pv_fft_array_row_bytes(array);
    *s = (staging){.rows = count};
    if (count == 0 || pv_device_is_host(array->device)) return PV_OK;
    if (s->rows > most_bytes / row_bytes + 1) s->rows = most_bytes / row_bytes + 1;
    return pv_buffer_create_host(array->device, (size_t)(s->rows * row_bytes), &s->host);
}

static pv_status visit_rows(const pv_fft_array *array, int64_t first, int64_t count, int is_write,
                            pv_fft_array_visit visit, void *context)
{
    staging s;
    PV_TRY(open_staging(array, count, &s));
    pv_status status = PV_OK;
    const size_t row_bytes = pv_fft_array_row_bytes(array);
    for (int64_t done = 0; done < count && status == PV_OK; done += s.rows) {
        const int64_t row = first + done, rows = s.rows < count - done ? s.rows : count - done;
        const size_t offset = (size_t)row * row_bytes, bytes = (size_t)rows * row_bytes;
        char *values = s.host ? pv_buffer_data(s.host) : (char *)pv_fft_array_data(array) + offset;
        if (s.host && !is_write) status = pv_buffer_read(array->buffer, offset, values, bytes);
        if (status == PV_OK) visit(context, array, row, rows, values);
        if (s.host && is_write) status = pv_buffer_write(array->buffer, offset, values, bytes);
    }
    pv_buffer_destroy(s.host);
    return status;
}

pv_status pv_fft_array_write(const pv_fft_array *array, int64_t first, int64_t count, pv_fft_array_visit visit,
                             void *context)
{
    return visit_rows(array, first, count, 1, visit, context);
}

pv_status pv_fft_array_read(const pv_fft_array *array, int64_t first, int64_t count, pv_fft_array_visit visit,
                            void *context)
{
    return visit_rows(array, first, count, 0, visit, context);
}

pv_status pv_fft_array_scale(const pv_fft_array *array, pv_stream *stream, double factor)
{
    const int64_t count = array->batch * array->lines * array->row * (array->is_complex ? 2 : 1);
    if (array->precision == PV_FP64) return pv_vector_scale(stream, count, factor, pv_fft_array_data(array));
    return pv_vector_scale_fp32(stream, count, factor, pv_fft_array_data(array));
}
