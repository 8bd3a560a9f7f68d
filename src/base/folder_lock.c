// SPDX-License-Identifier: Apache-2.0
#include "base/folder_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/check.h"

pv_status pv_folder_lock(const char *folder, int shared, int *lock_p)
{
    const int lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    *lock_p = -1;
    // A folder that may be written but not listed cannot be locked, either.
    PV_REQUIRE(lock >= 0 || errno == EACCES, PV_ERR_INPUT, "cannot open the folder %s: %s", folder, strerror(errno));
    if (lock < 0) return PV_OK;
    if (flock(lock, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0) {
        *lock_p = lock;
        return PV_OK;
    }
    const int is_held = errno == EWOULDBLOCK;
    close(lock);
    PV_REQUIRE(!is_held, PV_ERR_INPUT, "another run is at work in %s; one at a time writes its files there", folder);
    return PV_OK;
}

static void name_lock(const char *path, char name[4096 + 8]) { snprintf(name, 4096 + 8, "%.4096s.lock", path); }

// Whether the name still belongs to the file that was opened: another run may have removed it in between.
static int is_still_named(int lock, const char *name)
{
    struct stat held, named;
    return fstat(lock, &held) == 0 && stat(name, &named) == 0 && held.st_dev == named.st_dev
           && held.st_ino == named.st_ino;
}

pv_status pv_file_lock(const char *path, int *lock_p)
{
    char name[4096 + 8];
    name_lock(path, name);
    *lock_p = -1;
    for (;;) {
        const int lock = open(name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
        PV_REQUIRE(lock >= 0, PV_ERR_INPUT, "cannot make %s: %s", name, strerror(errno));
        const int is_held = flock(lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
        if (!is_held && is_still_named(lock, name)) {
            *lock_p = lock;
            return PV_OK;
        }
        close(lock);
        PV_REQUIRE(!is_held, PV_ERR_INPUT, "another run is at work for %s; one at a time writes it", path);
    }
}

void pv_file_unlock(const char *path, int lock)
{
    char name[4096 + 8];
    name_lock(path, name);
    if (lock < 0) return;
    unlink(name);
    close(lock);
}

void pv_folder_unlock(int lock)
{
    if (lock >= 0) close(lock);
}

int pv_folder_is_gone(const char *folder)
{
    struct stat found;
    return stat(folder, &found) == 0 ? found.st_nlink == 0 : errno == ENOENT || errno == ENOTDIR;
}
