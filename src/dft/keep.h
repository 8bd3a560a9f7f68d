// SPDX-License-Identifier: Apache-2.0
// When a run writes its checkpoint, and how it is stopped: by a signal (options.stop) or by STOPCAR.
#ifndef PV_DFT_KEEP_H
#define PV_DFT_KEEP_H

#include "dft/solve/scf.h"

typedef struct pv_keep {
    const pv_dft_options *options;
    const pv_scf *scf;
    int writes;       // whether this run writes checkpoints at all
    double written_s; // when the last one was
    double looked_s;  // when STOPCAR was last looked for within a step
    int has_failed;   // to write one, and has said so
} pv_keep;

// writes = 0 for runs whose state is not worth keeping: of a fixed density. scf and options are kept. Local.
pv_keep pv_keep_begin(const pv_dft_options *options, const pv_scf *scf, int writes);

// Whether the checkpoint that the run will write can be; PV_ERR_INPUT when not. Collective.
pv_status pv_keep_check(const pv_dft_options *options, const pv_system *system, int writes);

// Why no checkpoint will be written although one is asked for; NULL: it will be, or none is asked for. Pure.
const char *pv_keep_obstacle(const pv_keep *keep);

// Within a step: whether this rank has heard that the run is to stop. Local.
int pv_keep_hears_stop(pv_keep *keep);

// After a step: writes when the last checkpoint is older than options.checkpoint_interval_s, and when the step made
// exchange (unless it took less than 2 s and the last checkpoint is younger than 10 s). When the run is asked to stop,
// or the step was interrupted for that, it writes what the last whole step left and says PV_ERR_STOPPED. A checkpoint
// that cannot be written is warned about once, and the run goes on; of a run that stops it is the failure. PV_ERR_IO
// when options.progress_directory has been removed or renamed. Collective.
pv_status pv_keep_after_step(pv_keep *keep, const pv_scf_step *step);

// At the end of a run. Collective.
pv_status pv_keep_at_end(pv_keep *keep, double energy_ha);

#endif
