// SPDX-License-Identifier: Apache-2.0
// What is known of a run's time, of the machine it had and of its system.
#ifndef PV_SCALE_RUN_TIMES_H
#define PV_SCALE_RUN_TIMES_H

#include <stddef.h>
#include <stdint.h>

#include <parseval/status.h>

enum { PV_TIMES_PARTS = 16, PV_TIMES_NAME = 16 };

typedef struct pv_step_times {
    double loop_s;
    double part_s[PV_TIMES_PARTS]; // of pv_run_times.part; 0 where the step has none
    double loop_cpu_s, part_cpu_s[PV_TIMES_PARTS]; // the same, of the processor
    int64_t applications;          // "eigenvalue-minimisations": bands that the Hamiltonian acted on
} pv_step_times;

// Numbers that the file lacks are 0, seconds NaN.
typedef struct pv_run_times {
    char program[32];                         // "vasp.6.3.0", "parseval 0.1.0"
    int cores, ranks, threads, nodes, gpus;   // cores of all ranks, threads a rank
    int groups;                               // of k-points
    char transport[16];                       // "mpi", "nccl", ...; "": not said
    int atoms, spins, kpoints, bands, hybrid; // hybrid: exact exchange
    double electrons, cutoff_ev, volume_angstrom3;
    char elements[64];                        // "Hf O"; "": not said
    double exchange_share, screening;         // AEXX, HFSCREEN
    int exchange_grid[3];
    char exchange_precision[16];              // PRECFOCK
    int steps_max; // NELM
    int steps, ionic_steps;
    pv_step_times *step;                      // [steps], one after the other over ionic steps
    char part[PV_TIMES_PARTS][PV_TIMES_NAME]; // timers inside steps: "POTLOK", "EDDAV", ...
    int parts;
    int converged;
    int is_whole;       // the file has its end
    double loop_plus_s; // of all ionic steps
    double elapsed_s;
    double setup_s, after_s; // before the first step, after the last one
    double loop_plus_cpu_s, total_cpu_s; // of the processor
    double fock_s, comm_s;   // in exact exchange, in communication
    double way_s, waited_s;  // messages of exact exchange under way, and waited for
} pv_run_times;

void pv_run_times_release(pv_run_times *times);
// Of parseval dft, not of VASP. Pure.
int pv_run_times_are_ours(const pv_run_times *times);

// From now on the processor's time counts in the place of the clock's: what else a machine did meanwhile is not in it.
// PV_ERR_INPUT where the file does not tell it. Local.
pv_status pv_run_times_take_cpu(pv_run_times *times, const char *name);

// Seconds in a named part, of a step; 0 where there is none. Pure.
double pv_run_times_part(const pv_run_times *times, int step, const char *name);
// Of the first `steps` together. Pure.
double pv_run_times_sum(const pv_run_times *times, const char *name, int steps);

// The run in three pieces that add up to elapsed_s: what comes before the first step, the steps, what comes after the
// last one. VASP does not tell the end of a run from its beginning: `before` holds both, `after` what LOOP+ has more
// than its LOOPs. Zeros where a file without an end does not tell. Pure.
double pv_run_times_before(const pv_run_times *times);
double pv_run_times_steps(const pv_run_times *times);
double pv_run_times_after(const pv_run_times *times);

#endif
