// SPDX-License-Identifier: Apache-2.0
#include "base/folder_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
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

void pv_folder_unlock(int lock)
{
    if (lock >= 0) close(lock);
}
