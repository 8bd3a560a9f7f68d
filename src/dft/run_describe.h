// SPDX-License-Identifier: Apache-2.0
// What is known of a run before its first step, as the files in VASP's format tell it.
#ifndef PV_DFT_RUN_DESCRIBE_H
#define PV_DFT_RUN_DESCRIBE_H

#include <time.h>

#include "dft/files/run.h"
#include "dft/machine.h"
#include "dft/model/system.h"

typedef struct pv_run_origin {
    const pv_system *system;
    const char *input;         // folder with the INCAR
    const char *version;       // of the program
    time_t started;
    pv_dft_machine machine;
} pv_run_origin;

// `run` has what is known, and of its results the dimensions and k-points; the rest is what it shows.
typedef struct pv_run_description {
    pv_run run;
    pv_results results;
    pv_incar *incar;
    int64_t *plane_waves;
    const char **potential;
    double *valence;
    char date[16], time[16];
} pv_run_description;

// The system and origin's strings must outlive it. Local.
pv_status pv_run_describe(const pv_run_origin *origin, pv_run_description **description_p);
void pv_run_description_destroy(pv_run_description *description);

#endif
