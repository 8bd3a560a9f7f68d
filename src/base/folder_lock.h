// SPDX-License-Identifier: Apache-2.0
// One run at a time in a folder. The lock ends with the process and leaves no file.
#ifndef PV_FOLDER_LOCK_H
#define PV_FOLDER_LOCK_H

#include <parseval/status.h>

// Waits for nobody: PV_ERR_INPUT when another process holds the folder, or, shared, holds it alone. On a file system
// without locks there is none, and no error. *lock_p goes to pv_folder_unlock.
pv_status pv_folder_lock(const char *folder, int shared, int *lock_p);
// Not locked: -1.
void pv_folder_unlock(int lock);

#endif
