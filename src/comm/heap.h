// SPDX-License-Identifier: Apache-2.0
// Which parts of a range of bytes are taken: places in memory that was taken at once. Touches none of it.
#ifndef PV_COMM_HEAP_H
#define PV_COMM_HEAP_H

#include <stddef.h>

#include <parseval/status.h>

typedef struct pv_heap pv_heap;

enum { PV_HEAP_ALIGN = 512 };

pv_status pv_heap_create(size_t bytes, pv_heap **heap_p);
void pv_heap_destroy(pv_heap *heap);
// The first gap that is large enough; PV_ERR_MEMORY when there is none. 0 bytes take one unit.
pv_status pv_heap_take(pv_heap *heap, size_t bytes, size_t *offset_p);
void pv_heap_give_back(pv_heap *heap, size_t offset);
size_t pv_heap_taken_bytes(const pv_heap *heap);

#endif
