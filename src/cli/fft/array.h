// SPDX-License-Identifier: Apache-2.0
// One rank's part of a distributed array, seen as lines along the axis that is fastest in memory.
#ifndef PV_CLI_FFT_ARRAY_H
#define PV_CLI_FFT_ARRAY_H

#include <parseval/fft.h>

typedef struct pv_fft_array {
    pv_device *device;
    pv_buffer *buffer; // on the device
    int is_complex;
    pv_precision precision;
    pv_box box;            // the points held here
    int64_t shape[3];      // of the whole grid
    int order[3];          // axes, slowest first
    int64_t batch;         // boxes one after another
    int64_t lines, length; // of one box: lines of so many values
    int64_t row;           // elements from one line to the next
} pv_fft_array;

// padded: lines of a real array have room for the spectrum's line, as in-place transforms need.
pv_fft_array pv_fft_array_describe(const pv_layout *layout, int rank, int64_t batch, int is_complex,
                                   pv_precision precision, int padded);

void *pv_fft_array_data(const pv_fft_array *array); // on the device
// Grid point of a line's first value.
void pv_fft_array_point(const pv_fft_array *array, int64_t line, int64_t point[3]);
size_t pv_fft_array_row_bytes(const pv_fft_array *array);

// Works on rows on the host. Row batch * lines + line; the values of `first` are the first.
typedef void (*pv_fft_array_visit)(void *context, const pv_fft_array *array, int64_t first, int64_t count,
                                   char *values);
// Rows that `visit` fills, or looks at, a few at a time where the device is not the host. Complete on return. Local.
pv_status pv_fft_array_write(const pv_fft_array *array, int64_t first, int64_t count, pv_fft_array_visit visit,
                             void *context);
pv_status pv_fft_array_read(const pv_fft_array *array, int64_t first, int64_t count, pv_fft_array_visit visit,
                            void *context);

pv_status pv_fft_array_scale(const pv_fft_array *array, pv_stream *stream, double factor);

#endif
