// SPDX-License-Identifier: Apache-2.0
// What kernels must know of a window whose counters lie on a device: for each side, flag and rank the address of the
// counter and the last value given.
#include "base/check.h"
#include "base/mem.h"
#include "comm/comm_ops.h"

struct pv_window_tables {
    pv_buffer *memory;     // addresses [2][PV_WINDOW_FLAGS][size], then last values of that shape
    pv_stream *stream;     // for looks at a counter: no other work holds it up
    uint64_t *expected;    // [size], of the host
};

static size_t entries(const pv_window *window)
{
    return 2 * PV_WINDOW_FLAGS * (size_t)window->comm->size;
}

// Of rank 0.
static size_t entry_of(const pv_window *window, pv_window_side side, int flag)
{
    return (size_t)((int)side * PV_WINDOW_FLAGS + flag) * (size_t)window->comm->size;
}

static pv_status fill(const pv_window *window, struct pv_window_tables *tables)
{
    const pv_comm *comm = window->comm;
    const size_t count = entries(window), bytes = 2 * count * sizeof(uint64_t);
    PV_TRY(pv_stream_create(comm->device, &tables->stream));
    PV_TRY(PV_ALLOC(comm->size, &tables->expected));
    PV_TRY(pv_buffer_create(comm->device, bytes, &tables->memory));
    pv_window_flag **addresses;
    PV_TRY(pv_mem_alloc(2 * count, sizeof *addresses, (void **)&addresses));
    for (int flag = 0; flag < PV_WINDOW_FLAGS; flag++)
        for (int rank = 0; rank < comm->size; rank++) {
            addresses[entry_of(window, PV_WINDOW_POST, flag) + (size_t)rank] =
                pv_window_counter(window, rank, comm->rank, flag);
            addresses[entry_of(window, PV_WINDOW_WAIT, flag) + (size_t)rank] =
                pv_window_counter(window, comm->rank, rank, flag);
        }
    const pv_status status = pv_buffer_write(tables->memory, 0, addresses, bytes);
    pv_mem_free(addresses);
    return status;
}

pv_status pv_window_tables_create(pv_window *window)
{
    struct pv_window_tables *tables;
    _Static_assert(sizeof(pv_window_flag *) == sizeof(uint64_t), "addresses and values share one array");
    PV_TRY(PV_ALLOC(1, &tables));
    window->tables = tables;
    return fill(window, tables);
}

void pv_window_tables_destroy(pv_window *window)
{
    struct pv_window_tables *tables = window->tables;
    if (!tables) return;
    pv_stream_destroy(tables->stream);
    pv_mem_free(tables->expected);
    pv_buffer_destroy(tables->memory);
    pv_mem_free(tables);
    window->tables = NULL;
}

pv_flag_set pv_window_flag_set(const pv_window *window, pv_window_side side, int flag)
{
    uint64_t *memory = pv_buffer_data(window->tables->memory);
    const size_t row = entry_of(window, side, flag);
    return (pv_flag_set){.flags = (uint64_t *const *)(memory + row),
                         .last = memory + entries(window) + row,
                         .first = 0,
                         .count = window->comm->size,
                         .base = window->base ? window->base + flag : NULL,
                         .skip = -1,
                         .number = flag};
}

pv_status pv_window_look(pv_window *window, const pv_window_flag *counter, uint64_t *value_p)
{
    PV_TRY(pv_stream_copy(window->tables->stream, value_p, counter, sizeof *value_p));
    return pv_stream_wait(window->tables->stream);
}

// ---- Ranks that share a device --------------------------------------------------------------------------------------

// What the next wait on each rank's counter would wait for.
static pv_status find_expected(pv_window *window, int flag, uint64_t value, uint64_t *expected)
{
    const pv_flag_set set = pv_window_flag_set(window, PV_WINDOW_WAIT, flag);
    const int size = window->comm->size;
    pv_stream *stream = window->tables->stream;
    uint64_t base = 0;
    if (value == PV_WINDOW_NEXT) PV_TRY(pv_stream_copy(stream, expected, set.last, (size_t)size * sizeof *expected));
    else if (set.base) PV_TRY(pv_stream_copy(stream, &base, set.base, sizeof base));
    PV_TRY(pv_stream_wait(stream));
    for (int rank = 0; rank < size; rank++)
        expected[rank] = value == PV_WINDOW_NEXT ? expected[rank] + 1 : value + base;
    return PV_OK;
}

pv_status pv_window_look_ahead(pv_window *window, pv_stream *stream, int rank, int flag, uint64_t value)
{
    const int me = window->comm->rank;
    uint64_t *expected = window->tables->expected;
    PV_TRY(pv_stream_wait(stream));
    PV_TRY(find_expected(window, flag, value, expected));
    for (int r = 0; r < window->comm->size; r++)
        if (window->bases[r] && (rank == PV_WINDOW_PEERS ? r != me : r == rank))
            PV_TRY(pv_window_wait(window, r, flag, expected[r]));
    return PV_OK;
}
