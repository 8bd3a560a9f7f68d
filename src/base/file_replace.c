// SPDX-License-Identifier: Apache-2.0
#include "base/report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/check.h"
#include "base/mem.h"

static pv_status write_all(int file, const char *text, const char *path)
{
    size_t left = strlen(text);
    while (left > 0) {
        ssize_t written = write(file, text, left);
        if (written < 0 && errno == EINTR) continue;
        PV_REQUIRE(written >= 0, PV_ERR_IO, "cannot write %s: %s", path, strerror(errno));
        text += written;
        left -= (size_t)written;
    }
    // Before the rename, or a crash could leave the new name with no content.
    PV_REQUIRE(fsync(file) == 0, PV_ERR_IO, "cannot flush %s to disk: %s", path, strerror(errno));
    return PV_OK;
}

static pv_status write_file(const char *path, const char *text)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    PV_REQUIRE(file >= 0, PV_ERR_IO, "cannot create %s: %s", path, strerror(errno));
    pv_status status = write_all(file, text, path);
    int closed = close(file);
    PV_TRY(status);
    PV_REQUIRE(closed == 0, PV_ERR_IO, "cannot close %s: %s", path, strerror(errno));
    return PV_OK;
}

static pv_status name_aside(const char *path, char **aside_p)
{
    const size_t room = strlen(path) + sizeof ".tmp";
    PV_TRY(PV_ALLOC(room, aside_p));
    snprintf(*aside_p, room, "%s.tmp", path);
    return PV_OK;
}

pv_status pv_file_replace(const char *path, const char *text)
{
    char *aside = NULL;
    PV_TRY(name_aside(path, &aside));
    pv_status status = write_file(aside, text);
    if (status == PV_OK && rename(aside, path) != 0)
        status = pv_fail(PV_ERR_IO, __func__, "cannot rename %s to %s: %s", aside, path, strerror(errno));
    if (status != PV_OK) unlink(aside);
    pv_mem_free(aside);
    return status;
}

// A file that is there already, left by a run that died or being written by another, stays as it is.
static pv_status try_create(const char *aside, const char *path)
{
    int file = open(aside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    const int is_new = file >= 0;
    if (!is_new && errno == EEXIST) file = open(aside, O_WRONLY | O_CLOEXEC);
    PV_REQUIRE(file >= 0, PV_ERR_IO, "%s cannot be written: creating %s fails (%s)", path, aside, strerror(errno));
    close(file);
    if (is_new) unlink(aside);
    return PV_OK;
}

pv_status pv_file_check_replace(const char *path)
{
    struct stat found;
    char *aside = NULL;
    PV_REQUIRE(*path, PV_ERR_ARGUMENT, "a file without a name was asked for; the name of a file is accepted");
    PV_REQUIRE(stat(path, &found) != 0 || !S_ISDIR(found.st_mode), PV_ERR_IO,
               "%s cannot be written: it is a directory; the name of a file is accepted", path);
    PV_TRY(name_aside(path, &aside));
    const pv_status status = try_create(aside, path);
    pv_mem_free(aside);
    return status;
}
