// SPDX-License-Identifier: Apache-2.0
// A file of named arrays as one process writes and reads it: a const table per format, so that a build without the
// format's library links and says what it lacks.
#ifndef PV_IO_STORE_H
#define PV_IO_STORE_H

#include "io/array.h"

typedef struct pv_store_ops {
    const char *name;
    // A new file, replacing one of that name. *store_p is the format's own.
    pv_status (*create)(const char *path, void **store_p);
    // PV_ERR_INPUT for a file that is not of this format, or cut short.
    pv_status (*open)(const char *path, void **store_p);
    // Frees everything in any case; a failure means that not all that was written has reached the file.
    pv_status (*close)(void *store);
    // Names are paths of groups, a/b; groups are made as needed. The array is written piece by piece.
    pv_status (*make)(void *store, const char *name, const pv_array *array);
    pv_status (*write)(void *store, const char *name, const pv_array *array, const pv_piece *piece, const void *data);
    // A small array beside the data of a group, "" the file itself; what other programs look for there.
    pv_status (*note)(void *store, const char *group, const char *name, const pv_array *array, const void *data);
    // *found_p = 0 without an array of that name.
    pv_status (*find)(void *store, const char *name, pv_array *array_p, int *found_p);
    // PV_ERR_INPUT where a checksum does not fit.
    pv_status (*read)(void *store, const char *name, const pv_array *array, const pv_piece *piece, void *data);
} pv_store_ops;

extern const pv_store_ops pv_store_hdf5;

// The format of this build; NULL: none. Pure.
const pv_store_ops *pv_store_built(void);

#endif
