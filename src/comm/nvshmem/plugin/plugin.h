// SPDX-License-Identifier: Apache-2.0
// What the plug-in gives: NVSHMEM for who has none of its headers. libparseval opens it at run time.
#ifndef PV_COMM_NVSHMEM_PLUGIN_PLUGIN_H
#define PV_COMM_NVSHMEM_PLUGIN_PLUGIN_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { PV_NVSHMEM_PLUGIN_ABI = 1, PV_NVSHMEM_ID_BYTES = 128 };

typedef struct pv_nvshmem_plugin {
    int abi;                       // PV_NVSHMEM_PLUGIN_ABI; first, whatever else changes
    int built_for[3];              // version of NVSHMEM's headers
    void (*find_version)(int found[3]); // of the library that is loaded
    // 0: done. On the current GPU.
    int (*make_id)(void *id);
    int (*start)(const void *id, int pe, int pe_count);
    void *(*alloc)(size_t bytes);  // collective, the same bytes everywhere; NULL: no memory
    void *(*address)(const void *symmetric, int pe); // NULL: plain stores do not reach it
    // In the order of a CUDA stream, by a kernel. `to` is the address here of memory that every one has.
    int (*put)(void *stream, void *to, const void *from, size_t bytes, int pe);
} pv_nvshmem_plugin;

// The only symbol of the plug-in.
#define PV_NVSHMEM_PLUGIN_SYMBOL "pv_nvshmem_plugin_table"
typedef const pv_nvshmem_plugin *(*pv_nvshmem_plugin_getter)(void);

#ifdef __cplusplus
}
#endif
#endif
