// SPDX-License-Identifier: Apache-2.0
#include "base/report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
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

pv_status pv_file_replace(const char *path, const char *text)
{
    char *aside = NULL;
    const size_t room = strlen(path) + sizeof ".tmp";
    PV_TRY(PV_ALLOC(room, &aside));
    snprintf(aside, room, "%s.tmp", path);

    pv_status status = write_file(aside, text);
    if (status == PV_OK && rename(aside, path) != 0)
        status = pv_fail(PV_ERR_IO, __func__, "cannot rename %s to %s: %s", aside, path, strerror(errno));
    if (status != PV_OK) unlink(aside);
    pv_mem_free(aside);
    return status;
}
