// SPDX-License-Identifier: Apache-2.0
// Host memory with overflow checks and accounting; every byte of Parseval passes here.
#ifndef PV_BASE_MEM_H
#define PV_BASE_MEM_H

#include <stddef.h>

#include <parseval/status.h>

// Zeroed memory for count * size bytes, aligned to 64 (to huge pages and advised so from 4 MiB on). count or size 0
// gives NULL and PV_OK. On failure PV_ERR_MEMORY says how much was asked and how much Parseval holds.
pv_status pv_mem_alloc(size_t count, size_t size, void **memory_p);
// The same without zeroing: for large arrays whose pages the threads that use them should touch first.
pv_status pv_mem_alloc_raw(size_t count, size_t size, void **memory_p);
void pv_mem_free(void *memory);
pv_status pv_mem_strdup(const char *text, char **copy_p);

// Allocates an array of `count` of what *pointer_p points to: PV_TRY(PV_ALLOC(n, &offsets)).
#define PV_ALLOC(count, pointer_p) pv_mem_alloc((size_t)(count), sizeof **(pointer_p), (void **)(pointer_p))

// Memory held elsewhere (shared windows, device memory) enters the same account.
void pv_mem_account(size_t bytes_added, size_t bytes_removed);
size_t pv_mem_live_bytes(void);
size_t pv_mem_peak_bytes(void);
// The peak from here on, beginning with what is held now.
void pv_mem_restart_peak(void);

#endif
