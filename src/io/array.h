// SPDX-License-Identifier: Apache-2.0
// A named array in a file, and how a large one is cut into pieces. Pure.
#ifndef PV_IO_ARRAY_H
#define PV_IO_ARRAY_H

#include <stddef.h>
#include <stdint.h>

#include <parseval/status.h>

#define PV_ARRAY_DIMENSIONS  4
#define PV_ARRAY_CHUNK_BYTES ((size_t)1 << 20) // of the file's own pieces, which are checksummed and read as a whole

typedef enum pv_number {
    PV_NUMBER_INT32,
    PV_NUMBER_INT64,
    PV_NUMBER_REAL,    // double
    PV_NUMBER_COMPLEX, // double _Complex
    PV_NUMBER_SINGLE,  // float
    PV_NUMBER_TEXT     // one dimension: bytes, without a terminating zero
} pv_number;

typedef struct pv_array {
    pv_number type;
    int dimensions;                     // 1 to PV_ARRAY_DIMENSIONS
    int64_t shape[PV_ARRAY_DIMENSIONS]; // last fastest
} pv_array;

size_t pv_number_bytes(pv_number type);
int64_t pv_array_count(const pv_array *array);
int pv_array_is_same(const pv_array *a, const pv_array *b);
// "3 x 4 reals", for messages. Returns text.
const char *pv_array_show(const pv_array *array, char text[96]);

// A block of the array that lies contiguously in it: whole rows (all that follows the first axis), or a part of one.
typedef struct pv_piece {
    int64_t offset[PV_ARRAY_DIMENSIONS], count[PV_ARRAY_DIMENSIONS];
    int64_t row, rows;       // along the first axis
    int64_t column, columns; // of the axes after it, as one
} pv_piece;

// The block that a file keeps as a unit.
void pv_array_chunk(const pv_array *array, int64_t chunk[PV_ARRAY_DIMENSIONS]);

// Zero *piece, then call until the answer is 0: pieces of at most most_bytes (at least PV_ARRAY_CHUNK_BYTES), in order,
// no two of which share a chunk.
int pv_array_next_piece(const pv_array *array, size_t most_bytes, pv_piece *piece);

#endif
