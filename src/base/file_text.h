// SPDX-License-Identifier: Apache-2.0
// A text that is printed in parts and becomes a file whole or not at all.
#ifndef PV_BASE_FILE_TEXT_H
#define PV_BASE_FILE_TEXT_H

#include <stdio.h>

#include <parseval/status.h>

typedef struct pv_file_text {
    FILE *out; // print here
    const char *path;
    char *text;
    size_t length;
} pv_file_text;

// path is for pv_file_text_end, and kept by reference. PV_ERR_MEMORY.
pv_status pv_file_text_begin(const char *path, pv_file_text *text_p);
// What was printed replaces the file (pv_file_replace); whatever happens, the text is freed.
pv_status pv_file_text_end(pv_file_text *text);

#endif
