// SPDX-License-Identifier: Apache-2.0
#include "base/folder_make.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/check.h"

enum { MOST_PATH = 4096 };

static int is_folder(const char *path)
{
    struct stat found;
    return stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

static pv_status make_one(const char *part, const char *whole)
{
    if (is_folder(part) || mkdir(part, 0777) == 0) return PV_OK;
    const int why = errno;
    // Another process may have been faster.
    if (is_folder(part)) return PV_OK;
    return pv_fail(PV_ERR_IO, __func__, "cannot make the folder %s%s%s: %s", part,
                   strcmp(part, whole) == 0 ? "" : " of ", strcmp(part, whole) == 0 ? "" : whole,
                   why == EEXIST ? "a file has this name" : strerror(why));
}

pv_status pv_folder_make(const char *path)
{
    char part[MOST_PATH];
    const size_t length = strlen(path);
    PV_REQUIRE(length > 0 && length < sizeof part, PV_ERR_ARGUMENT,
               "a folder's path of %zu letters; 1 to %d are accepted", length, MOST_PATH - 1);
    memcpy(part, path, length + 1);
    for (size_t i = 1; i < length; i++) {
        if (part[i] != '/') continue;
        part[i] = '\0';
        PV_TRY(make_one(part, path));
        part[i] = '/';
    }
    return make_one(path, path);
}
