// SPDX-License-Identifier: Apache-2.0
// A scaling study of runs of one system: what each takes for so many iterations, speed-up and efficiency against a
// reference, where efficiency falls too low, and transports side by side.
#ifndef PV_SCALE_STUDY_H
#define PV_SCALE_STUDY_H

#include "scale/model.h"
#include "scale/run_times.h"
#include "scale/predict.h"

typedef enum pv_scale_unit { PV_SCALE_AUTO, PV_SCALE_GPUS, PV_SCALE_CORES, PV_SCALE_RANKS } pv_scale_unit;

typedef struct pv_scale_settings {
    int builds;            // of exact exchange in them, where no run tells; 0: as often as the run's own iterations
    int iterations;        // 0: the most of any run
    const char *reference; // a run's name; NULL: the one on the fewest
    pv_scale_unit unit;    // AUTO: GPUs where every run has them, else cores
    int by_cpu;            // the processor's time in the place of the clock's
    int force;             // runs of different systems and runs without an end are taken, too
    double most;           // the model is drawn up to so many
    pv_scale_rates rates;  // zeros: those of H200s, or of cores where these are counted
} pv_scale_settings;

typedef struct pv_scale_run {
    const char *name; // the folder, as given
    pv_run_times times;
    int count;                // of the unit
    pv_prediction prediction; // of settings.iterations
    double error;             // of what it promises of the longest run on the same machine; NaN: there is no longer one
    double loops_error;       // the same of its iterations alone
    int full;                 // that run, of study.run
    int checked_by;           // whose iterations it takes for those of that run, of study.run; -1: its own mean
    double speedup, efficiency;
    int is_point; // stands for its count and transport; others are shorter runs on the same
} pv_scale_run;

typedef struct pv_scale_crossing {
    double level; // of efficiency, 0.7
    double count; // where it falls below; NaN: not up to settings.most
    int is_model; // found beyond the points
} pv_scale_crossing;

enum { PV_SCALE_LEVELS = 2 };

typedef struct pv_scale_line {
    const char *transport; // "": not said
    int points;
    int *run; // [points] of study.run, by rising count
    pv_scale_model model;
    double last_error; // of the model that is fitted to all points but the last, there; NaN with less than three
    pv_scale_crossing crossing[PV_SCALE_LEVELS];
} pv_scale_line;

typedef struct pv_scale_study {
    pv_scale_settings settings;
    const char *unit; // "GPUs"
    int runs, lines;
    pv_scale_run *run;   // [runs], by rising count, then transport, then iterations
    int reference;       // of run
    int profile;         // of run, whose iterations others are taken to have; -1: none is needed
    pv_scale_line *line; // [lines], a transport each
} pv_scale_study;

// names: folders with an OUTCAR or, without one, a results.json; or such files; kept. PV_ERR_INPUT where one is
// missing, cut off, without LOOP lines, or of another system than the first (unless settings.force). Local.
pv_status pv_scale_study_open(int count, const char *const *names, const pv_scale_settings *settings,
                              pv_scale_study *study_p);
void pv_scale_study_release(pv_scale_study *study);

// The model's efficiency against the reference. Pure.
double pv_scale_line_efficiency(const pv_scale_study *study, const pv_scale_line *line, double count);

#endif
