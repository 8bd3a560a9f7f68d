// SPDX-License-Identifier: Apache-2.0
// Files that are read whole.
#ifndef PV_BASE_FILE_READ_H
#define PV_BASE_FILE_READ_H

#include <stddef.h>

#include <parseval/status.h>

// Whether PATH is a regular file or a link to one. PV_ERR_INPUT: it is not, or nothing is there; PV_ERR_IO.
pv_status pv_file_check_read(const char *path);

// The bytes of such a file and a zero behind them, which length does not count; *data_p is the caller's (pv_mem_free).
// PV_ERR_INPUT: it has more than `most` bytes.
pv_status pv_file_read(const char *path, size_t most, char **data_p, size_t *length_p);

#endif
