// SPDX-License-Identifier: Apache-2.0
#include "comm/nvshmem/nvshmem_world.h"

#include <parseval/device_cuda.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "comm/heap.h"
#include "comm/mpi/mpi_check.h"
#include "comm/nvshmem/nvshmem_load.h"
#include "device/cuda/cuda_check.h"
#include "device/cuda/cuda_device.h"

// What ranks that started together have in common, and where each stands.
typedef struct membership {
    uint64_t mark; // 0: not started
    int pe, pe_count;
} membership;

static struct {
    const pv_nvshmem_plugin *plugin;
    membership mine;
    int has_failed;
    char *base;
    size_t bytes;
    void **bases; // [pe_count]
    pv_heap *heap;
} world;

// PARSEVAL_NVSHMEM_HEAP, else a quarter of the GPU's memory.
static pv_status choose_bytes(size_t *bytes_p)
{
    size_t free_bytes, total_bytes;
    const char *text = getenv("PARSEVAL_NVSHMEM_HEAP");
    PV_CUDA_TRY(cudaMemGetInfo(&free_bytes, &total_bytes));
    double bytes = 0.25 * (double)total_bytes;
    if (text) {
        char *end;
        bytes = 1e9 * strtod(text, &end);
        PV_REQUIRE(end != text && *end == '\0' && bytes > 0 && bytes <= (double)total_bytes, PV_ERR_INPUT,
                   "PARSEVAL_NVSHMEM_HEAP is \"%s\"; the GB of NVSHMEM's heap on a GPU are accepted, up to %.3g", text,
                   1e-9 * (double)total_bytes);
    }
    const size_t unit = (size_t)2 << 20;
    *bytes_p = ((size_t)bytes + unit - 1) / unit * unit;
    return PV_OK;
}

// The network it starts over is that of the node, and nothing else of it is used.
static void stay_on_node(size_t bytes)
{
    char text[32];
    snprintf(text, sizeof text, "%zu", bytes + ((size_t)64 << 20));
    (void)setenv("NVSHMEM_BOOTSTRAP_UID_SOCK_IFNAME", "lo", 0);
    (void)setenv("NVSHMEM_REMOTE_TRANSPORT", "none", 0);
    (void)setenv("NVSHMEM_SYMMETRIC_SIZE", text, 0);
}

static pv_status prepare(const pv_comm *comm, size_t *bytes_p)
{
    PV_TRY(pv_nvshmem_load(&world.plugin));
    PV_TRY(pv_cuda_use(comm->device));
    PV_REQUIRE(!world.has_failed, PV_ERR_COMM, "NVSHMEM failed to start in this process before, and starts only once");
    PV_TRY(choose_bytes(bytes_p));
    stay_on_node(*bytes_p);
    return PV_OK;
}

static pv_status start(const unsigned char *id, int pe, int pe_count, size_t bytes)
{
    PV_TRY(PV_ALLOC(pe_count, &world.bases));
    const int failed = world.plugin->start(id, pe, pe_count);
    PV_REQUIRE(!failed, PV_ERR_COMM,
               "NVSHMEM did not start among %d ranks of the node (status %d); NVSHMEM_DEBUG=INFO tells why", pe_count,
               failed);
    world.base = world.plugin->alloc(bytes);
    PV_REQUIRE(world.base, PV_ERR_MEMORY,
               "NVSHMEM gave no heap of %zu bytes on each GPU of the node; PARSEVAL_NVSHMEM_HEAP asks for other GB",
               bytes);
    world.bytes = bytes;
    for (int other = 0; other < pe_count; other++) world.bases[other] = world.plugin->address(world.base, other);
    for (int other = 0; other < pe_count; other++)
        PV_REQUIRE(
            world.bases[other], PV_ERR_UNSUPPORTED,
            "NVSHMEM's rank %d of the node is not reached by stores from rank %d; transports mpi and nccl do without",
            other, pe);
    PV_TRY(pv_heap_create(bytes, &world.heap));
    return PV_OK;
}

static pv_status begin(pv_comm *comm, MPI_Comm node, int pe)
{
    unsigned char id[PV_NVSHMEM_ID_BYTES] = {0};
    size_t bytes = 0;
    pv_status status = prepare(comm, &bytes);
    if (status == PV_OK && pe == 0 && world.plugin->make_id(id) != 0)
        status = pv_fail(PV_ERR_COMM, __func__, "NVSHMEM made no id to start with; NVSHMEM_DEBUG=INFO tells why");
    PV_TRY(pv_shared_agree_on_node(node, status));
    PV_MPI_TRY(MPI_Bcast(id, sizeof id, MPI_BYTE, 0, node));
    uint64_t least = bytes;
    PV_MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_UINT64_T, MPI_MIN, node));
    status = start(id, pe, comm->node_size, (size_t)least);
    if (status != PV_OK) world.has_failed = 1;
    PV_TRY(pv_shared_agree_on_node(node, status));
    world.mine = (membership){.mark = 1, .pe = pe, .pe_count = comm->node_size};
    for (size_t i = 0; i < sizeof id; i++) world.mine.mark = world.mine.mark * 1099511628211u + id[i];
    world.mine.mark |= 1;
    return PV_OK;
}

// They may be fewer than those that started; nobody may have started with others.
static pv_status check_same(const pv_comm *comm, const membership *all)
{
    for (int slot = 0; slot < comm->node_size; slot++)
        PV_REQUIRE(all[slot].mark == all[0].mark, PV_ERR_UNSUPPORTED,
                   "NVSHMEM starts once a process, and ranks 0 and %d of this node started it with others or not yet; "
                   "open the "
                   "communicator of all ranks first",
                   slot);
    return PV_OK;
}

pv_status pv_nvshmem_join(pv_comm *comm)
{
    const pv_shared_comm *shared = comm->state;
    membership *all;
    int pe;
    PV_MPI_TRY(MPI_Comm_rank(shared->node, &pe));
    PV_TRY(pv_shared_agree_on_node(shared->node, PV_ALLOC(comm->node_size, &all)));
    pv_status status = pv_shared_gather_on_node(shared->node, sizeof world.mine, &world.mine, all);
    if (status == PV_OK) status = check_same(comm, all);
    pv_mem_free(all);
    PV_TRY(pv_shared_agree_on_node(shared->node, status));
    return world.mine.mark ? PV_OK : begin(comm, shared->node, pe);
}

// The memory account counts what windows have of the heap, as it does on other transports.
pv_status pv_nvshmem_take(size_t bytes, size_t *offset_p)
{
    const size_t before = pv_heap_taken_bytes(world.heap);
    const pv_status status = pv_heap_take(world.heap, bytes, offset_p);
    PV_REQUIRE(status == PV_OK, status,
               "NVSHMEM's heap on this GPU holds %zu bytes, of which %zu are taken, and %zu were asked for; "
               "PARSEVAL_NVSHMEM_HEAP (in GB) makes it larger",
               world.bytes, before, bytes);
    pv_mem_account(pv_heap_taken_bytes(world.heap) - before, 0);
    return PV_OK;
}

void pv_nvshmem_give_back(size_t offset)
{
    const size_t before = pv_heap_taken_bytes(world.heap);
    pv_heap_give_back(world.heap, offset);
    pv_mem_account(0, before - pv_heap_taken_bytes(world.heap));
}

int pv_nvshmem_pe(void)
{
    return world.mine.pe;
}

void *pv_nvshmem_address(int pe, size_t offset)
{
    return pe >= 0 && pe < world.mine.pe_count ? (char *)world.bases[pe] + offset : NULL;
}

pv_status pv_nvshmem_put(pv_stream *stream, void *to, const void *from, size_t bytes)
{
    int pe = 0;
    while (pe < world.mine.pe_count &&
           ((char *)to < (char *)world.bases[pe] || (char *)to >= (char *)world.bases[pe] + world.bytes))
        pe++;
    PV_REQUIRE(pe < world.mine.pe_count, PV_ERR_INTERNAL, "a put to %p, which is in no heap of NVSHMEM", to);
    PV_TRY(pv_cuda_use(stream->device));
    char *symmetric = world.base + ((char *)to - (char *)world.bases[pe]);
    const int failed = world.plugin->put(pv_stream_cuda(stream), symmetric, from, bytes, pe);
    if (failed) return pv_cuda_fail((cudaError_t)failed, __func__, "a put of NVSHMEM");
    return PV_OK;
}
