// SPDX-License-Identifier: Apache-2.0
// OUTCAR and OSZICAR in the parts that they grow by while a run is at work, and out of which they are written at once
// where nothing grew.
#ifndef PV_DFT_RUN_TEXT_H
#define PV_DFT_RUN_TEXT_H

#include "dft/files/run.h"

typedef struct pv_run_text {
    const char *name;          // of the file
    void (*begin)(FILE *out, const pv_run *run);            // what is known before the first step
    void (*step)(FILE *out, const pv_run *run, int number); // from 1
    void (*end)(FILE *out, const pv_run *run);
} pv_run_text;

extern const pv_run_text pv_outcar_text, pv_oszicar_text;

// How long a file is that has grown so far; negative: not of this run, or no more.
typedef int64_t pv_run_grown;

// Begin replaces the file; add appends the last step of the run, or leaves the file as it was; finish appends the end,
// and writes a file anew that did not grow until then or that others have changed meanwhile.
pv_status pv_run_text_begin(const pv_run_text *text, const char *path, const pv_run *run, pv_run_grown *grown_p);
pv_status pv_run_text_add(const pv_run_text *text, const char *path, const pv_run *run, pv_run_grown *grown);
pv_status pv_run_text_finish(const pv_run_text *text, const char *path, const pv_run *run, pv_run_grown grown);
// All at once.
pv_status pv_run_text_write(const pv_run_text *text, const char *path, const pv_run *run);

#endif
