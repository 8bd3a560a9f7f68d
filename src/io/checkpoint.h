// SPDX-License-Identifier: Apache-2.0
// Named arrays in one file, written and read by all ranks together; nothing in the file depends on how many they are
// or on who holds what. Rank 0 alone touches the file, in pieces of bounded size: docs/decisions/0022-checkpoints.md.
// A file is written aside (PATH.tmp), flushed to disk, and renamed: an older one is replaced whole or not at all. Every
// block is checksummed, so that a truncated or corrupt file is an error (PV_ERR_INPUT) and never data.
// All calls are collective, and fail on all ranks or on none.
#ifndef PV_IO_CHECKPOINT_H
#define PV_IO_CHECKPOINT_H

#include "io/spread.h"

typedef struct pv_checkpoint pv_checkpoint;

// Whether this build can write and read checkpoints; the calls below say PV_ERR_NOT_BUILT otherwise. Pure.
int pv_checkpoint_is_built(void);

// ---- Both ways -----------------------------------------------------------------------------------------------------

// A file to write. comm is kept.
pv_status pv_checkpoint_create(pv_comm *comm, const char *path, pv_checkpoint **file_p);
// What was written becomes the file. After a failure the older file is there as before.
pv_status pv_checkpoint_commit(pv_checkpoint *file);
// The same, and what PATH was before is kept as PATH.previous: at every moment PATH is there and whole.
pv_status pv_checkpoint_commit_beside(pv_checkpoint *file);
// A file to read.
pv_status pv_checkpoint_open(pv_comm *comm, const char *path, pv_checkpoint **file_p);
// Without a commit before it what was written is removed.
void pv_checkpoint_destroy(pv_checkpoint *file);

pv_comm *pv_checkpoint_comm(const pv_checkpoint *file);

// ---- Small arrays: the same on every rank ----------------------------------------------------------------------

// Rank 0's data are written.
pv_status pv_checkpoint_put(pv_checkpoint *file, const char *name, const pv_array *array, const void *data);
// Beside a group's data, for programs that look there (attributes of HDF5); "": the file's own.
pv_status pv_checkpoint_note(pv_checkpoint *file, const char *group, const char *name, const pv_array *array,
                             const void *data);
// *found_p = 0 without an array of that name.
pv_status pv_checkpoint_find(pv_checkpoint *file, const char *name, pv_array *array_p, int *found_p);
// PV_ERR_INPUT unless the file has the array with this type and shape. data on every rank.
pv_status pv_checkpoint_get(pv_checkpoint *file, const char *name, const pv_array *array, void *data);

// ---- Large arrays: rows along the first axis, columns spread over the ranks ----------------------------------------

// Numbers of one row, in columns that are this rank's local ones `first` to first + count: give fills them, take uses
// them. Local.
typedef void (*pv_row_give)(void *context, int64_t row, int64_t first, int64_t count, void *numbers);
typedef void (*pv_row_take)(void *context, int64_t row, int64_t first, int64_t count, const void *numbers);

// Every column must have exactly one holder.
pv_status pv_checkpoint_put_rows(pv_checkpoint *file, const char *name, const pv_array *array, const pv_spread *spread,
                                 pv_row_give give, void *context);
// The same for arrays whose elements, in their order in the file, are spread over the ranks: give is asked for row 0,
// and first counts elements of this rank.
pv_status pv_checkpoint_put_elements(pv_checkpoint *file, const char *name, const pv_array *array,
                                     const pv_spread *spread, pv_row_give give, void *context);
// Columns that nobody asks for are passed over, and others go to all who do. Rows beyond `rows` are not read.
pv_status pv_checkpoint_get_rows(pv_checkpoint *file, const char *name, const pv_array *array, int64_t rows,
                                 const pv_spread *spread, pv_row_take take, void *context);

#endif
