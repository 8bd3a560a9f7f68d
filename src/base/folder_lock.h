// SPDX-License-Identifier: Apache-2.0
// One run at a time in a folder, or for a file. The lock ends with the process.
#ifndef PV_FOLDER_LOCK_H
#define PV_FOLDER_LOCK_H

#include <parseval/status.h>

// Waits for nobody: PV_ERR_INPUT when another process holds the folder, or, shared, holds it alone. On a file system
// without locks there is none, and no error. *lock_p goes to pv_folder_unlock.
pv_status pv_folder_lock(const char *folder, int shared, int *lock_p);
// One run for a file, by FILE.lock beside it, which unlocking removes; one that a killed run has left stops nobody.
pv_status pv_file_lock(const char *path, int *lock_p);
void pv_file_unlock(const char *path, int lock);
// Not locked: -1.
void pv_folder_unlock(int lock);
// Whether it has been removed or renamed; not for failures that may pass.
int pv_folder_is_gone(const char *folder);

#endif
