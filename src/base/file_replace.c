// SPDX-License-Identifier: Apache-2.0
#include "base/file_replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
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

static pv_status resolve_link(const char *path, char **target_p)
{
    char *resolved = realpath(path, NULL);
    PV_REQUIRE(resolved, PV_ERR_IO, "cannot find what the link %s points to: %s", path, strerror(errno));
    const pv_status status = pv_mem_strdup(resolved, target_p);
    free(resolved);
    return status;
}

// A rename would put a file in the place of a link, a device or a pipe.
pv_status pv_file_target(const char *path, char **target_p)
{
    struct stat found;
    PV_REQUIRE(*path, PV_ERR_ARGUMENT, "a file without a name was asked for; the name of a file is accepted");
    if (lstat(path, &found) != 0) return pv_mem_strdup(path, target_p); // nothing there yet
    const int is_link = S_ISLNK(found.st_mode);
    PV_REQUIRE(!is_link || stat(path, &found) == 0, PV_ERR_INPUT,
               "%s cannot be written: it is a link to a file that is not there; the name of a file is accepted", path);
    PV_REQUIRE(!S_ISDIR(found.st_mode), PV_ERR_INPUT,
               "%s cannot be written: it is a directory; the name of a file is accepted", path);
    PV_REQUIRE(S_ISREG(found.st_mode), PV_ERR_INPUT,
               "%s cannot be written: it is a device, a pipe or a socket; the name of a regular file, of a link to one "
               "or of a file to be made is accepted",
               path);
    return is_link ? resolve_link(path, target_p) : pv_mem_strdup(path, target_p);
}

static pv_status with_ending(const char *path, const char *ending, char **name_p)
{
    const size_t room = strlen(path) + strlen(ending) + 1;
    PV_TRY(PV_ALLOC(room, name_p));
    snprintf(*name_p, room, "%s%s", path, ending);
    return PV_OK;
}

static pv_status replace(const char *path, const char *text)
{
    char *aside = NULL;
    PV_TRY(with_ending(path, ".tmp", &aside));
    pv_status status = write_file(aside, text);
    if (status == PV_OK && rename(aside, path) != 0)
        status = pv_fail(PV_ERR_IO, __func__, "cannot rename %s to %s: %s", aside, path, strerror(errno));
    if (status != PV_OK) unlink(aside);
    pv_mem_free(aside);
    return status;
}

pv_status pv_file_replace(const char *path, const char *text)
{
    char *target = NULL;
    PV_TRY(pv_file_target(path, &target));
    const pv_status status = replace(target, text);
    pv_mem_free(target);
    return status;
}

static pv_status set_aside(const char *path, const char *target)
{
    char *before = NULL;
    PV_TRY(with_ending(target, ".before", &before));
    pv_status status = PV_OK;
    if (rename(target, before) != 0)
        status = pv_fail(PV_ERR_IO, __func__, "cannot rename %s to %s: %s", target, before, strerror(errno));
    pv_mem_free(before);
    PV_TRY(status);
    return strcmp(path, target) == 0 ? PV_OK : write_file(target, "");
}

pv_status pv_file_set_aside(const char *path, int *was_there_p)
{
    struct stat found;
    char *target = NULL;
    *was_there_p = lstat(path, &found) == 0;
    if (!*was_there_p) return PV_OK;
    PV_TRY(pv_file_target(path, &target));
    const pv_status status = set_aside(path, target);
    pv_mem_free(target);
    return status;
}

// A file that is there already, left by a run that died or being written by another, stays as it is.
static pv_status try_create(const char *aside, const char *path)
{
    int file = open(aside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    const int is_new = file >= 0;
    if (!is_new && errno == EEXIST) file = open(aside, O_WRONLY | O_CLOEXEC);
    PV_REQUIRE(file >= 0, PV_ERR_INPUT, "%s cannot be written: creating %s fails (%s)", path, aside, strerror(errno));
    close(file);
    if (is_new) unlink(aside);
    return PV_OK;
}

pv_status pv_file_check_replace(const char *path)
{
    char *target = NULL, *aside = NULL;
    PV_TRY(pv_file_target(path, &target));
    pv_status status = with_ending(target, ".tmp", &aside);
    if (status == PV_OK) status = try_create(aside, path);
    pv_mem_free(aside);
    pv_mem_free(target);
    return status;
}

pv_status pv_file_check_apart(const char *path, const char *folder, const char *name)
{
    struct stat written, read;
    char *given = NULL;
    const size_t room = strlen(name) + (folder ? strlen(folder) + 2 : 1);
    PV_TRY(PV_ALLOC(room, &given));
    snprintf(given, room, "%s%s%s", folder ? folder : "", folder ? "/" : "", name);
    const int are_there = stat(path, &written) == 0 && stat(given, &read) == 0;
    pv_mem_free(given);
    PV_REQUIRE(!are_there || written.st_dev != read.st_dev || written.st_ino != read.st_ino, PV_ERR_INPUT,
               "%s cannot be written: it is read, too, and would be lost; the name of another file is accepted", path);
    return PV_OK;
}
