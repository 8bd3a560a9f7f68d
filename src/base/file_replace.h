// SPDX-License-Identifier: Apache-2.0
// Files that are replaced whole or not at all.
#ifndef PV_BASE_FILE_REPLACE_H
#define PV_BASE_FILE_REPLACE_H

#include <parseval/status.h>

// The file that a text for PATH belongs to (pv_mem_free): PATH, or what it links to. What is there and neither a
// regular file nor a link to one is refused.
pv_status pv_file_target(const char *path, char **target_p);
// Writes text to PATH.tmp, flushes it to disk, renames: an existing file is replaced whole or not at all. Of a link,
// the file that it points to.
pv_status pv_file_replace(const char *path, const char *text);
// Renames PATH, where it is there, to PATH.before, in the place of a file of that name. Of a link the file that it
// points to, and an empty one takes its place. *was_there_p: whether there was anything.
pv_status pv_file_set_aside(const char *path, int *was_there_p);
// Whether pv_file_replace can be expected to succeed: its target is a regular file or not there, and
// PATH.tmp can be created. Leaves no trace; PV_ERR_INPUT when not.
pv_status pv_file_check_replace(const char *path);
// PV_ERR_INPUT when PATH is the file FOLDER/NAME, or NAME where folder is NULL, which is read and would be lost.
pv_status pv_file_check_apart(const char *path, const char *folder, const char *name);

#endif
