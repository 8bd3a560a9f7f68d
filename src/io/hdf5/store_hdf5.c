// SPDX-License-Identifier: Apache-2.0
// HDF5 by one process. Every array is chunked with a checksum a chunk (Fletcher 32), and the file format is the one
// whose own tables are checksummed, so that a flipped bit is an error and not a number.
#include "io/store.h"

#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/check.h"
#include "base/file_read.h"
#include "base/mem.h"

typedef struct store {
    hid_t file;
    hid_t complex; // the pair r, i that h5py takes for complex numbers
    char *path;
    int writes, has_failed; // to write
    double bytes;           // of its arrays, whole chunks
    char cause[160];        // of the last failure
} store;

// ---- Errors ------------------------------------------------------------------------------------------------------

// The innermost message tells the cause: of "file write failed: ..., errno = 28, error message = 'No space left on
// device', ..." the quoted part.
static herr_t keep_innermost(unsigned n, const H5E_error2_t *error, void *context)
{
    static const char before[] = "error message = '";
    store *store = context;
    if (n > 0 || !error->desc) return 0;
    const char *quoted = strstr(error->desc, before), *text = quoted ? quoted + sizeof before - 1 : error->desc;
    snprintf(store->cause, sizeof store->cause, "%.*s", (int)strcspn(text, quoted ? "'" : "\n"), text);
    return 0;
}

// To be called right after the failure: the next call of HDF5 forgets it. Returns 0.
static int note_cause(store *store)
{
    snprintf(store->cause, sizeof store->cause, "HDF5 does not say why");
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_innermost, store);
    return 0;
}

static pv_status refuse_write(store *store, const char *name)
{
    store->has_failed = 1;
    PV_FAIL(PV_ERR_IO, "cannot write %s%s%s: %s", name ? name : "", name ? " into " : "", store->path, store->cause);
}

static pv_status refuse_read(const store *store, const char *name)
{
    PV_FAIL(PV_ERR_INPUT, "%s is damaged: %s cannot be read (%s)", store->path, name, store->cause);
}

// ---- Files -------------------------------------------------------------------------------------------------------

static pv_status begin(const char *path, store **store_p)
{
    store *store;
    // What goes wrong is told by pv_fail.
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    PV_TRY(PV_ALLOC(1, &store));
    store->file = store->complex = H5I_INVALID_HID;
    const pv_status status = pv_mem_strdup(path, &store->path);
    store->complex = H5Tcreate(H5T_COMPOUND, 2 * sizeof(double));
    if (status != PV_OK || store->complex < 0 || H5Tinsert(store->complex, "r", 0, H5T_NATIVE_DOUBLE) < 0 ||
        H5Tinsert(store->complex, "i", sizeof(double), H5T_NATIVE_DOUBLE) < 0) {
        if (store->complex >= 0) H5Tclose(store->complex);
        pv_mem_free(store->path);
        pv_mem_free(store);
        return status != PV_OK ? status : pv_fail(PV_ERR_INTERNAL, __func__, "HDF5 refuses a pair of doubles");
    }
    *store_p = store;
    return PV_OK;
}

// HDF5 cannot let go of a file that it cannot write to, and crashes at the end of the process: what it still has to say
// goes to memory instead, and is forgotten.
static void divert(const store *store)
{
    int *descriptor = NULL;
    const int memory = memfd_create("parseval", MFD_CLOEXEC);
    if (memory < 0) return;
    if (H5Fget_vfd_handle(store->file, H5P_DEFAULT, (void **)&descriptor) >= 0) dup2(memory, *descriptor);
    close(memory);
}

// Once HDF5 has failed to flush its tables it can neither try again nor let go of the file: the disk has room for all
// of them, those made last included, before it begins. File systems that cannot promise room are taken at their word.
static int has_room(store *store)
{
    enum { LAST_TABLES = 16384 };
    int *descriptor = NULL;
    hsize_t size = 0;
    if (H5Fget_filesize(store->file, &size) < 0) return 1;
    if (H5Fget_vfd_handle(store->file, H5P_DEFAULT, (void **)&descriptor) < 0) return 1;
    if (fallocate(*descriptor, FALLOC_FL_KEEP_SIZE, 0, (off_t)size + LAST_TABLES) == 0) return 1;
    if (errno != ENOSPC && errno != EDQUOT && errno != EIO) return 1;
    snprintf(store->cause, sizeof store->cause, "%s", strerror(errno));
    return 0;
}

static pv_status end(store *store)
{
    const int has_spoken = store->has_failed;
    if (store->file >= 0) {
        if (store->writes && !store->has_failed) store->has_failed = !has_room(store);
        if (store->writes && !store->has_failed && H5Fflush(store->file, H5F_SCOPE_LOCAL) < 0)
            store->has_failed = !note_cause(store);
        if (store->has_failed) divert(store);
        if (H5Fclose(store->file) < 0 && !store->has_failed) store->has_failed = !note_cause(store);
    }
    const pv_status status = has_spoken ? PV_ERR_IO : store->has_failed ? refuse_write(store, NULL) : PV_OK;
    H5Tclose(store->complex);
    pv_mem_free(store->path);
    pv_mem_free(store);
    return status;
}

// The file is written aside and renamed, so that locks, which some file systems lack, are of no use.
static hid_t access_properties(void)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_LATEST);
#if H5_VERSION_GE(1, 10, 7)
    H5Pset_file_locking(access, 0, 1);
#endif
    return access;
}

static pv_status create(const char *path, void **store_p)
{
    store *new;
    PV_TRY(begin(path, &new));
    const hid_t access = access_properties();
    new->file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    if (new->file < 0) note_cause(new);
    H5Pclose(access);
    if (new->file < 0) {
        const pv_status status = pv_fail(PV_ERR_IO, __func__, "cannot create %s: %s", path, new->cause);
        unlink(path); // begun, and of no use
        end(new);
        return status;
    }
    new->writes = 1;
    *store_p = new;
    return PV_OK;
}

static pv_status open_file(const char *path, void **store_p)
{
    PV_TRY(pv_file_check_read(path));
    PV_REQUIRE(access(path, R_OK) == 0, PV_ERR_IO, "cannot open %s: %s", path, strerror(errno));
    store *new;
    PV_TRY(begin(path, &new));
    const hid_t access = access_properties();
    new->file = H5Fopen(path, H5F_ACC_RDONLY, access);
    if (new->file < 0) note_cause(new);
    H5Pclose(access);
    if (new->file < 0) {
        const pv_status status =
            pv_fail(PV_ERR_INPUT, __func__, "%s is no HDF5 file, or a damaged one: %s", path, new->cause);
        end(new);
        return status;
    }
    *store_p = new;
    return PV_OK;
}

static pv_status close_file(void *store)
{
    return end(store);
}

// ---- Arrays ------------------------------------------------------------------------------------------------------

// Fresh, to be closed. A text is one string of its length.
static hid_t type_of(const store *store, const pv_array *array)
{
    switch (array->type) {
    case PV_NUMBER_INT32: return H5Tcopy(H5T_NATIVE_INT32);
    case PV_NUMBER_INT64: return H5Tcopy(H5T_NATIVE_INT64);
    case PV_NUMBER_REAL: return H5Tcopy(H5T_NATIVE_DOUBLE);
    case PV_NUMBER_COMPLEX: return H5Tcopy(store->complex);
    case PV_NUMBER_SINGLE: return H5Tcopy(H5T_NATIVE_FLOAT);
    case PV_NUMBER_TEXT: break;
    }
    const hid_t text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, array->shape[0] > 0 ? (size_t)array->shape[0] : 1);
    H5Tset_strpad(text, H5T_STR_NULLPAD);
    return text;
}

static void to_hsize(const pv_array *array, const int64_t *from, hsize_t to[PV_ARRAY_DIMENSIONS])
{
    for (int d = 0; d < array->dimensions; d++) to[d] = array->type == PV_NUMBER_TEXT ? 1 : (hsize_t)from[d];
}

// Memory that takes what cannot be written (divert) has the limit that the process has for files: HDF5 never meets it.
static int stays_below_limit(store *store, int dimensions, const hsize_t *shape, const hsize_t *chunk, size_t size)
{
    const double tables = 262144.0;
    struct rlimit limit = {.rlim_cur = RLIM_INFINITY};
    double bytes = (double)size;
    for (int d = 0; d < dimensions; d++)
        bytes *= chunk[d] > 0 ? ceil((double)shape[d] / (double)chunk[d]) * (double)chunk[d] : 0.0;
    store->bytes += bytes;
    getrlimit(RLIMIT_FSIZE, &limit);
    if (limit.rlim_cur == RLIM_INFINITY || store->bytes + tables <= (double)limit.rlim_cur) return 1;
    snprintf(store->cause, sizeof store->cause, "File too large, with the limit of %.0f bytes of this process",
             (double)limit.rlim_cur);
    return 0;
}

static pv_status make(void *from, const char *name, const pv_array *array)
{
    store *store = from;
    int64_t pieces[PV_ARRAY_DIMENSIONS];
    hsize_t shape[PV_ARRAY_DIMENSIONS], chunk[PV_ARRAY_DIMENSIONS];
    to_hsize(array, array->shape, shape);
    pv_array_chunk(array, pieces);
    to_hsize(array, pieces, chunk);
    const hid_t type = type_of(store, array), space = H5Screate_simple(array->dimensions, shape, NULL);
    const hid_t link = H5Pcreate(H5P_LINK_CREATE), how = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_create_intermediate_group(link, 1);
    H5Pset_fill_time(how, H5D_FILL_TIME_NEVER);
    if (pv_array_count(array) > 0) {
        H5Pset_chunk(how, array->dimensions, chunk);
        H5Pset_fletcher32(how);
    }
    int done = stays_below_limit(store, array->dimensions, shape, chunk, H5Tget_size(type));
    if (done) {
        const hid_t set = H5Dcreate2(store->file, name, type, space, link, how, H5P_DEFAULT);
        done = (set >= 0 && H5Dclose(set) >= 0) || note_cause(store);
    }
    H5Pclose(how);
    H5Pclose(link);
    H5Sclose(space);
    H5Tclose(type);
    return done ? PV_OK : refuse_write(store, name);
}

static hid_t open_group(const store *store, const char *name)
{
    if (*name == '\0') return H5Gopen2(store->file, "/", H5P_DEFAULT);
    if (H5Lexists(store->file, name, H5P_DEFAULT) > 0) return H5Gopen2(store->file, name, H5P_DEFAULT);
    const hid_t link = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(link, 1);
    const hid_t group = H5Gcreate2(store->file, name, link, H5P_DEFAULT, H5P_DEFAULT);
    H5Pclose(link);
    return group;
}

static pv_status note(void *from, const char *group, const char *name, const pv_array *array, const void *data)
{
    store *store = from;
    hsize_t shape[PV_ARRAY_DIMENSIONS];
    to_hsize(array, array->shape, shape);
    const hid_t at = open_group(store, group), type = type_of(store, array);
    const hid_t space = array->type == PV_NUMBER_TEXT ? H5Screate(H5S_SCALAR)
                                                      : H5Screate_simple(array->dimensions, shape, NULL);
    const hid_t set = at >= 0 ? H5Acreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT) : H5I_INVALID_HID;
    const int done = (set >= 0 && H5Awrite(set, type, data) >= 0) || note_cause(store);
    if (set >= 0) H5Aclose(set);
    if (at >= 0) H5Gclose(at);
    H5Sclose(space);
    H5Tclose(type);
    return done ? PV_OK : refuse_write(store, name);
}

// One piece of a data set, either way.
static int move(store *store, const char *name, const pv_array *array, const pv_piece *piece, const void *out, void *in)
{
    hsize_t offset[PV_ARRAY_DIMENSIONS] = {0}, count[PV_ARRAY_DIMENSIONS];
    to_hsize(array, piece->count, count);
    for (int d = 0; d < array->dimensions && array->type != PV_NUMBER_TEXT; d++) offset[d] = (hsize_t)piece->offset[d];
    const hid_t set = H5Dopen2(store->file, name, H5P_DEFAULT);
    if (set < 0) return note_cause(store);
    const hid_t space = H5Dget_space(set), memory = H5Screate_simple(array->dimensions, count, NULL);
    const hid_t type = type_of(store, array);
    int done = H5Sselect_hyperslab(space, H5S_SELECT_SET, offset, NULL, count, NULL) >= 0;
    if (done && out) done = H5Dwrite(set, type, memory, space, H5P_DEFAULT, out) >= 0;
    if (done && in) done = H5Dread(set, type, memory, space, H5P_DEFAULT, in) >= 0;
    if (!done) note_cause(store);
    H5Tclose(type);
    H5Sclose(memory);
    H5Sclose(space);
    // A piece may be in HDF5's cache until here.
    const int closed = H5Dclose(set) >= 0;
    return done && (closed || note_cause(store));
}

static pv_status write_piece(void *store, const char *name, const pv_array *array, const pv_piece *piece,
                             const void *data)
{
    return move(store, name, array, piece, data, NULL) ? PV_OK : refuse_write(store, name);
}

static pv_status read_piece(void *store, const char *name, const pv_array *array, const pv_piece *piece, void *data)
{
    return move(store, name, array, piece, NULL, data) ? PV_OK : refuse_read(store, name);
}

// 0 for a type that this program does not write.
static int recognise(const store *store, hid_t type, pv_array *array)
{
    static const pv_number known[] = {PV_NUMBER_INT32, PV_NUMBER_INT64, PV_NUMBER_REAL, PV_NUMBER_COMPLEX,
                                      PV_NUMBER_SINGLE};
    if (H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0) {
        *array = (pv_array){PV_NUMBER_TEXT, 1, {(int64_t)H5Tget_size(type)}};
        return 1;
    }
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        array->type = known[i];
        const hid_t wanted = type_of(store, array);
        const int same = H5Tequal(type, wanted) > 0;
        H5Tclose(wanted);
        if (same) return 1;
    }
    return 0;
}

static pv_status describe(const store *store, const char *name, hid_t set, pv_array *array_p)
{
    hsize_t shape[H5S_MAX_RANK];
    pv_array array = {0};
    const hid_t type = H5Dget_type(set), space = H5Dget_space(set);
    const int known = type >= 0 && recognise(store, type, &array);
    const int dimensions = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
    const int fits = dimensions > 0 && dimensions <= PV_ARRAY_DIMENSIONS;
    if (fits) H5Sget_simple_extent_dims(space, shape, NULL);
    H5Sclose(space);
    H5Tclose(type);
    PV_REQUIRE(known && fits, PV_ERR_INPUT, "%s: %s is no array of numbers that Parseval writes", store->path, name);
    if (array.type != PV_NUMBER_TEXT) {
        array.dimensions = dimensions;
        for (int d = 0; d < dimensions; d++) array.shape[d] = (int64_t)shape[d];
    }
    *array_p = array;
    return PV_OK;
}

// Every group on the way must be there before HDF5 may be asked for the next. Negative where a group cannot be read.
static int exists(store *store, const char *name)
{
    char part[256];
    for (const char *end = name;; end++) {
        end += strcspn(end, "/");
        snprintf(part, sizeof part, "%.*s", (int)(end - name), name);
        const htri_t found = H5Lexists(store->file, part, H5P_DEFAULT);
        if (found < 0) note_cause(store);
        if (found <= 0 || *end == '\0') return found;
    }
}

static pv_status find(void *from, const char *name, pv_array *array_p, int *found_p)
{
    store *store = from;
    *found_p = exists(store, name);
    if (*found_p == 0) return PV_OK;
    if (*found_p < 0) return refuse_read(store, name);
    const hid_t set = H5Dopen2(store->file, name, H5P_DEFAULT);
    if (set < 0) {
        note_cause(store);
        return refuse_read(store, name);
    }
    const pv_status status = describe(store, name, set, array_p);
    H5Dclose(set);
    return status;
}

const pv_store_ops pv_store_hdf5 = {"hdf5", create, open_file, close_file, make, write_piece, note, find, read_piece};
