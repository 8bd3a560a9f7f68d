// SPDX-License-Identifier: Apache-2.0
// What a run tells while it is at work: lines for options.say, and OUTCAR and OSZICAR in options.progress_directory.
#ifndef PV_DFT_PROGRESS_H
#define PV_DFT_PROGRESS_H

#include "dft/history.h"
#include "dft/run_files.h"

typedef struct pv_progress {
    const pv_dft_options *options;
    const pv_scf *scf;
    const pv_run_description *described; // on rank 0
    pv_history history;
    pv_run_growth growth;
    double build_start_s, build_said_s, build_done; // of the exchange in the making
    double step_start_s, heard_s; // of the step in the making: when it began, when something was said of it
    int grows;                    // whether there are files to add steps to
} pv_progress;

// All is kept. Local.
pv_progress pv_progress_open(const pv_dft_options *options, const pv_scf *scf, const pv_run_description *described);
void pv_progress_close(pv_progress *progress);

// A line, by rank 0. Local, as all below.
void pv_progress_say(const pv_progress *progress, const char *line);

// Files of an earlier run are set aside; time of the first step counts from here.
void pv_progress_begin(pv_progress *progress);

// After a step of the self-consistent loop; after one that found bands of points of weight 0.
void pv_progress_step(pv_progress *progress, const pv_scf_step *step);
void pv_progress_bands(pv_progress *progress, const pv_scf_step *step);
// After a step that was given up.
void pv_progress_skip(pv_progress *progress);

// Within a build of exchange, `done` of 1, and while orbitals are solved for: something every few seconds.
void pv_progress_build(pv_progress *progress, double done);
void pv_progress_orbitals(pv_progress *progress);

#endif
