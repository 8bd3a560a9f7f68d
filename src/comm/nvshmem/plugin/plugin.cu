// SPDX-License-Identifier: Apache-2.0
// Built into libparseval_nvshmem.so, where NVSHMEM is installed. Its host and device parts must be of one version.
#include "comm/nvshmem/plugin/plugin.h"

#include <dlfcn.h>
#include <nvshmem.h>
#include <nvshmemx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static_assert(sizeof(nvshmemx_uniqueid_t) <= PV_NVSHMEM_ID_BYTES, "an id fits");

enum { BLOCKS = 32, THREADS = 1024, ALIGN = 128 };

static void find_version(int found[3])
{
    nvshmemx_vendor_get_version_info(&found[0], &found[1], &found[2]);
}

// NVSHMEM opens its parts by bare names, which the linker does not know where they came with Python.
static void name_bootstrap()
{
    Dl_info info;
    char path[1024];
    if (!dladdr((void *)&nvshmemx_get_uniqueid, &info) || !info.dli_fname) return;
    const char *slash = strrchr(info.dli_fname, '/');
    if (!slash) return;
    snprintf(path, sizeof path, "%.*s/nvshmem_bootstrap_uid.so.%d", (int)(slash - info.dli_fname), info.dli_fname,
             NVSHMEM_VENDOR_MAJOR_VERSION);
    if (access(path, R_OK) == 0) setenv("NVSHMEM_BOOTSTRAP_UID_PLUGIN", path, 0);
}

static int make_id(void *id)
{
    nvshmemx_uniqueid_t made = NVSHMEMX_UNIQUEID_INITIALIZER;
    name_bootstrap();
    const int failed = nvshmemx_get_uniqueid(&made);
    memcpy(id, &made, sizeof made);
    return failed;
}

static int start(const void *id, int pe, int pe_count)
{
    nvshmemx_uniqueid_t made;
    nvshmemx_init_attr_t attributes = NVSHMEMX_INIT_ATTR_INITIALIZER;
    memcpy(&made, id, sizeof made);
    name_bootstrap();
    const int failed = nvshmemx_set_attr_uniqueid_args(pe, pe_count, &made, &attributes);
    return failed ? failed : nvshmemx_init_attr(NVSHMEMX_INIT_WITH_UNIQUEID, &attributes);
}

static void *alloc(size_t bytes)
{
    return nvshmem_malloc(bytes);
}

static void *address(const void *symmetric, int pe)
{
    return nvshmem_ptr(symmetric, pe);
}

static __global__ void put_pieces(char *to, const char *from, size_t bytes, int pe)
{
    const size_t lines = (bytes + ALIGN - 1) / ALIGN, each = (lines + gridDim.x - 1) / gridDim.x * ALIGN;
    const size_t begin = blockIdx.x * each;
    if (begin >= bytes) return;
    nvshmemx_putmem_block(to + begin, from + begin, bytes - begin < each ? bytes - begin : each, pe);
}

static int put(void *stream, void *to, const void *from, size_t bytes, int pe)
{
    const size_t useful = (bytes + 16 * THREADS - 1) / (16 * THREADS);
    const unsigned blocks = useful < 1 ? 1 : useful > BLOCKS ? BLOCKS : (unsigned)useful;
    put_pieces<<<blocks, THREADS, 0, (cudaStream_t)stream>>>((char *)to, (const char *)from, bytes, pe);
    return (int)cudaGetLastError();
}

extern "C" __attribute__((visibility("default"))) const pv_nvshmem_plugin *pv_nvshmem_plugin_table(void)
{
    static const pv_nvshmem_plugin table = {
        PV_NVSHMEM_PLUGIN_ABI,
        {NVSHMEM_VENDOR_MAJOR_VERSION, NVSHMEM_VENDOR_MINOR_VERSION, NVSHMEM_VENDOR_PATCH_VERSION},
        find_version,
        make_id,
        start,
        alloc,
        address,
        put};
    return &table;
}
