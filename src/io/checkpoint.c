// SPDX-License-Identifier: Apache-2.0
#include "io/checkpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "base/file_replace.h"
#include "base/mem.h"
#include "io/store.h"

#define PIECE_BYTES ((size_t)1 << 25) // of an array at a time; rank 0 holds a few such

struct pv_checkpoint {
    pv_comm *comm;
    const pv_store_ops *ops;
    void *store;        // on rank 0, while the file is open
    char *path, *aside; // aside: NULL for a file that is read
    int is_there;       // aside exists, on rank 0
};

int pv_checkpoint_is_built(void)
{
    return pv_store_built() != NULL;
}

static int is_root(const pv_checkpoint *file)
{
    return pv_comm_rank(file->comm) == 0;
}

// ---- Files -------------------------------------------------------------------------------------------------------

static pv_status begin(pv_comm *comm, const char *path, int writes, pv_checkpoint *file)
{
    file->comm = comm;
    file->ops = pv_store_built();
    PV_REQUIRE(file->ops, PV_ERR_NOT_BUILT, "%s: checkpoints need HDF5, and this build has none", path);
    // Links are followed where the file is written.
    PV_TRY(writes && is_root(file) ? pv_file_target(path, &file->path) : pv_mem_strdup(path, &file->path));
    if (!writes) return is_root(file) ? file->ops->open(path, &file->store) : PV_OK;
    const size_t room = strlen(file->path) + sizeof ".tmp";
    PV_TRY(PV_ALLOC(room, &file->aside));
    snprintf(file->aside, room, "%s.tmp", file->path);
    if (!is_root(file)) return PV_OK;
    PV_TRY(file->ops->create(file->aside, &file->store));
    file->is_there = 1;
    return PV_OK;
}

static pv_status make(pv_comm *comm, const char *path, int writes, pv_checkpoint **file_p)
{
    pv_checkpoint *file = NULL;
    pv_status status = PV_ALLOC(1, &file);
    if (status == PV_OK) status = begin(comm, path, writes, file);
    status = pv_comm_agree(comm, status);
    if (status != PV_OK) {
        pv_checkpoint_destroy(file);
        return status;
    }
    *file_p = file;
    return PV_OK;
}

pv_status pv_checkpoint_create(pv_comm *comm, const char *path, pv_checkpoint **file_p)
{
    return make(comm, path, 1, file_p);
}

pv_status pv_checkpoint_open(pv_comm *comm, const char *path, pv_checkpoint **file_p)
{
    return make(comm, path, 0, file_p);
}

static pv_status flush(const char *path, int flags)
{
    const int file = open(path, flags | O_CLOEXEC);
    PV_REQUIRE(file >= 0, PV_ERR_IO, "cannot open %s to flush it: %s", path, strerror(errno));
    const int flushed = fsync(file), why = errno;
    close(file);
    PV_REQUIRE(flushed == 0, PV_ERR_IO, "cannot flush %s to disk: %s", path, strerror(why));
    return PV_OK;
}

static pv_status flush_folder(const char *path)
{
    char *folder;
    PV_TRY(pv_mem_strdup(path, &folder));
    char *end = strrchr(folder, '/');
    if (end) end[end == folder] = '\0';
    const pv_status status = flush(end ? folder : ".", O_RDONLY | O_DIRECTORY);
    pv_mem_free(folder);
    return status;
}

static pv_status close_store(pv_checkpoint *file)
{
    void *store = file->store;
    file->store = NULL;
    return store ? file->ops->close(store) : PV_OK;
}

// A second name for the file, put in the place of an older one. File systems without such names lose the first one
// until the new file has it.
static pv_status keep_previous(const pv_checkpoint *file)
{
    char *spare = NULL, *previous = NULL;
    const size_t room = strlen(file->path) + sizeof ".previous.tmp";
    pv_status status = PV_ALLOC(room, &spare);
    if (status == PV_OK) status = PV_ALLOC(room, &previous);
    if (status == PV_OK) {
        snprintf(spare, room, "%s.previous.tmp", file->path);
        snprintf(previous, room, "%s.previous", file->path);
        unlink(spare);
        const int is_linked = link(file->path, spare) == 0;
        const int is_kept = is_linked || errno == ENOENT ? !is_linked || rename(spare, previous) == 0
                                                         : rename(file->path, previous) == 0;
        if (!is_kept)
            status = pv_fail(PV_ERR_IO, __func__, "cannot keep %s as %s: %s", file->path, previous, strerror(errno));
    }
    pv_mem_free(spare);
    pv_mem_free(previous);
    return status;
}

static pv_status replace(pv_checkpoint *file, int keeps)
{
    PV_TRY(close_store(file));
    PV_TRY(flush(file->aside, O_RDONLY)); // before the rename, or a crash could leave the new name with no content
    if (keeps) PV_TRY(keep_previous(file));
    PV_REQUIRE(rename(file->aside, file->path) == 0, PV_ERR_IO, "cannot rename %s to %s: %s", file->aside, file->path,
               strerror(errno));
    file->is_there = 0;
    return flush_folder(file->path);
}

pv_status pv_checkpoint_commit(pv_checkpoint *file)
{
    return pv_comm_agree(file->comm, is_root(file) ? replace(file, 0) : PV_OK);
}

pv_status pv_checkpoint_commit_beside(pv_checkpoint *file)
{
    return pv_comm_agree(file->comm, is_root(file) ? replace(file, 1) : PV_OK);
}

void pv_checkpoint_destroy(pv_checkpoint *file)
{
    if (!file) return;
    close_store(file);
    if (file->is_there) unlink(file->aside);
    pv_mem_free(file->aside);
    pv_mem_free(file->path);
    pv_mem_free(file);
}

pv_comm *pv_checkpoint_comm(const pv_checkpoint *file) { return file->comm; }

// ---- Small arrays ------------------------------------------------------------------------------------------------

static pv_status put_all(const pv_checkpoint *file, const char *name, const pv_array *array, const char *data)
{
    pv_piece piece = {0};
    const size_t size = pv_number_bytes(array->type);
    PV_TRY(file->ops->make(file->store, name, array));
    while (pv_array_next_piece(array, PIECE_BYTES, &piece)) {
        const int64_t columns = pv_array_count(array) / array->shape[0];
        PV_TRY(file->ops->write(file->store, name, array, &piece,
                                data + (size_t)(piece.row * columns + piece.column) * size));
    }
    return PV_OK;
}

pv_status pv_checkpoint_put(pv_checkpoint *file, const char *name, const pv_array *array, const void *data)
{
    return pv_comm_agree(file->comm, is_root(file) ? put_all(file, name, array, data) : PV_OK);
}

pv_status pv_checkpoint_note(pv_checkpoint *file, const char *group, const char *name, const pv_array *array,
                             const void *data)
{
    return pv_comm_agree(file->comm, is_root(file) ? file->ops->note(file->store, group, name, array, data) : PV_OK);
}

pv_status pv_checkpoint_find(pv_checkpoint *file, const char *name, pv_array *array_p, int *found_p)
{
    struct {
        pv_array array;
        int found;
    } answer = {0};
    const pv_status status = is_root(file) ? file->ops->find(file->store, name, &answer.array, &answer.found) : PV_OK;
    PV_TRY(pv_comm_agree(file->comm, status));
    PV_TRY(pv_comm_broadcast(file->comm, 0, sizeof answer, &answer));
    *array_p = answer.array;
    *found_p = answer.found;
    return PV_OK;
}

// On rank 0.
static pv_status check_array(const pv_checkpoint *file, const char *name, const pv_array *array)
{
    pv_array there;
    int found;
    char have[96], want[96];
    PV_TRY(file->ops->find(file->store, name, &there, &found));
    PV_REQUIRE(found, PV_ERR_INPUT, "%s has no %s", file->path, name);
    PV_REQUIRE(pv_array_is_same(&there, array), PV_ERR_INPUT, "%s: %s is %s; %s are expected", file->path, name,
               pv_array_show(&there, have), pv_array_show(array, want));
    return PV_OK;
}

static pv_status get_all(const pv_checkpoint *file, const char *name, const pv_array *array, char *data)
{
    pv_piece piece = {0};
    const size_t size = pv_number_bytes(array->type);
    PV_TRY(check_array(file, name, array));
    while (pv_array_next_piece(array, PIECE_BYTES, &piece)) {
        const int64_t columns = pv_array_count(array) / array->shape[0];
        PV_TRY(file->ops->read(file->store, name, array, &piece,
                               data + (size_t)(piece.row * columns + piece.column) * size));
    }
    return PV_OK;
}

pv_status pv_checkpoint_get(pv_checkpoint *file, const char *name, const pv_array *array, void *data)
{
    PV_TRY(pv_comm_agree(file->comm, is_root(file) ? get_all(file, name, array, data) : PV_OK));
    return pv_comm_broadcast(file->comm, 0, (size_t)pv_array_count(array) * pv_number_bytes(array->type), data);
}

// ---- Large arrays ------------------------------------------------------------------------------------------------

// An array on its way, with room for the largest piece: all of it on rank 0, and what this rank has of it.
typedef struct transfer {
    const pv_checkpoint *file;
    const char *name;
    const pv_array *array;
    const pv_spread *spread;
    char *whole, *mine;
    int is_flat; // elements are spread, not columns
} transfer;

// A piece as the spread counts: a piece is contiguous, so that to elements it is one row.
static pv_piece as_spread(const transfer *t, pv_piece piece)
{
    if (!t->is_flat) return piece;
    const int64_t columns = pv_array_count(t->array) / t->array->shape[0];
    piece.column += piece.row * columns;
    piece.columns *= piece.rows;
    piece.row = 0;
    piece.rows = 1;
    return piece;
}

static pv_status take_room(transfer *t)
{
    size_t whole = 0, mine = 0;
    const size_t size = pv_number_bytes(t->array->type);
    for (pv_piece next = {0}; pv_array_next_piece(t->array, PIECE_BYTES, &next);) {
        int64_t first, count;
        const pv_piece piece = as_spread(t, next);
        pv_spread_local(t->spread, piece.column, piece.column + piece.columns, &first, &count);
        const size_t all = (size_t)(piece.rows * piece.columns) * size, part = (size_t)(piece.rows * count) * size;
        if (all > whole) whole = all;
        if (part > mine) mine = part;
    }
    PV_TRY(pv_mem_alloc_raw(mine, 1, (void **)&t->mine));
    return pv_mem_alloc_raw(is_root(t->file) ? whole : 0, 1, (void **)&t->whole);
}

static void release(transfer *t)
{
    pv_mem_free(t->whole);
    pv_mem_free(t->mine);
}

static pv_status put_piece(const transfer *t, const pv_piece *piece, pv_row_give give, void *context)
{
    const size_t size = pv_number_bytes(t->array->type);
    const pv_piece p = as_spread(t, *piece);
    const int64_t lower = p.column, upper = lower + p.columns;
    int64_t first, count;
    pv_spread_local(t->spread, lower, upper, &first, &count);
    for (int64_t r = 0; count > 0 && r < p.rows; r++)
        give(context, p.row + r, first, count, t->mine + (size_t)(r * count) * size);
    PV_TRY(pv_spread_collect(t->spread, lower, upper, p.rows, size, t->mine, t->whole));
    const pv_checkpoint *file = t->file;
    return pv_comm_agree(file->comm,
                         is_root(file) ? file->ops->write(file->store, t->name, t->array, piece, t->whole) : PV_OK);
}

static pv_status put_spread(transfer t, int64_t spread_over, pv_row_give give, void *context)
{
    const pv_checkpoint *file = t.file;
    PV_REQUIRE(pv_spread_total(t.spread) == spread_over, PV_ERR_ARGUMENT,
               "%s: the ranks hold %" PRId64 " %s of %" PRId64 "; each must have one holder", t.name,
               pv_spread_total(t.spread), t.is_flat ? "elements" : "columns", spread_over);
    pv_status status = take_room(&t);
    if (status == PV_OK && is_root(file)) status = file->ops->make(file->store, t.name, t.array);
    status = pv_comm_agree(file->comm, status);
    for (pv_piece piece = {0}; status == PV_OK && pv_array_next_piece(t.array, PIECE_BYTES, &piece);)
        status = put_piece(&t, &piece, give, context);
    release(&t);
    return status;
}

pv_status pv_checkpoint_put_rows(pv_checkpoint *file, const char *name, const pv_array *array, const pv_spread *spread,
                                 pv_row_give give, void *context)
{
    const int64_t columns = array->shape[0] > 0 ? pv_array_count(array) / array->shape[0] : 0;
    return put_spread((transfer){.file = file, .name = name, .array = array, .spread = spread}, columns, give, context);
}

pv_status pv_checkpoint_put_elements(pv_checkpoint *file, const char *name, const pv_array *array,
                                     const pv_spread *spread, pv_row_give give, void *context)
{
    return put_spread((transfer){.file = file, .name = name, .array = array, .spread = spread, .is_flat = 1},
                      pv_array_count(array), give, context);
}

static pv_status get_piece(const transfer *t, const pv_piece *piece, int64_t rows, pv_row_take take, void *context)
{
    const size_t size = pv_number_bytes(t->array->type);
    const int64_t lower = piece->column, upper = lower + piece->columns;
    const pv_checkpoint *file = t->file;
    int64_t first, count;
    PV_TRY(pv_comm_agree(file->comm,
                         is_root(file) ? file->ops->read(file->store, t->name, t->array, piece, t->whole) : PV_OK));
    PV_TRY(pv_spread_hand_out(t->spread, lower, upper, piece->rows, size, t->whole, t->mine));
    pv_spread_local(t->spread, lower, upper, &first, &count);
    for (int64_t r = 0; count > 0 && r < piece->rows && piece->row + r < rows; r++)
        take(context, piece->row + r, first, count, t->mine + (size_t)(r * count) * size);
    return PV_OK;
}

pv_status pv_checkpoint_get_rows(pv_checkpoint *file, const char *name, const pv_array *array, int64_t rows,
                                 const pv_spread *spread, pv_row_take take, void *context)
{
    transfer t = {.file = file, .name = name, .array = array, .spread = spread};
    pv_status status = take_room(&t);
    if (status == PV_OK && is_root(file)) status = check_array(file, name, array);
    status = pv_comm_agree(file->comm, status);
    for (pv_piece piece = {0}; status == PV_OK && pv_array_next_piece(array, PIECE_BYTES, &piece);) {
        if (piece.row >= rows) break;
        status = get_piece(&t, &piece, rows, take, context);
    }
    release(&t);
    return status;
}
