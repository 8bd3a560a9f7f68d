// SPDX-License-Identifier: Apache-2.0
// What a run would take on some number of GPUs, or ranks with a core each: memory as the program itself forecasts it,
// and time from counts of operations and bytes over rates.
#ifndef PV_DFT_FORECAST_H
#define PV_DFT_FORECAST_H

#include "dft/model/system_memory.h"

// Of a GPU, or of a core.
typedef struct pv_dft_rates {
    char source[160];               // where they come from, for people
    double gemm_flops_per_s;        // products of tall matrices, FP64
    double eigen_flops_per_s;       // dense eigenproblems, 9 n^3 operations for real ones
    double eigen_row_s;             // and what each row takes besides: on GPUs, which wait for each other, row by row
    double transform_flops_per_s;   // of an orbital to the grid and back, 5 N log2 N operations each way
    double pair_flops_per_s;        // the same of a product of two orbitals on exchange's grid, FP64, by kernels for it
    double pair_single_flops_per_s; // and FP32
    double pair_bytes_most;         // a field that these two hold for; larger ones go slower than orbitals. 0: any
    double functional_points_per_s; // semilocal functional
    double screened_points_per_s;   // with short-range exchange taken away
    double waves_per_s;             // set-up: projectors times plane waves
    double start_s;                 // of the program, its libraries and files, whatever is computed
    double launch_s;                // least time of a block of bands, however small
    double build_s;                 // and of a build of exchange
    double link_bytes_per_s;        // sent to others of its node
    double network_bytes_per_s;     // sent to other nodes
    double latency_s;               // of a message
    int node_devices;
    double device_bytes; // memory; 0: not limited
    double context_bytes; // of it, what the driver and its libraries take
    double spread;        // by what part measured rates differed from round to round; 0: not known
    double error;         // of a total that is to be expected for the right steps and builds; 0: not known
} pv_dft_rates;

// Of an H200: from runs of 12 to 96 atoms of HfO2 and bench_dense, bench_cubes and bench_xc (docs/profile_dft_gpu.md).
pv_dft_rates pv_dft_rates_h200(void);

// What is assumed of the way to self-consistency; 0 stands for the usual.
typedef struct pv_dft_assumed {
    int steps, builds;   // of the loop; of exact exchange
    double applications; // of the Hamiltonian to a band, a step
} pv_dft_assumed;
pv_dft_assumed pv_dft_assume(const pv_dft_params *params, const pv_dft_assumed *given);

// Sums over k-points and spins, for one step or build.
typedef struct pv_dft_work {
    double states, real_states; // bands times k-points and spins; those with real orbitals
    double plane_waves;         // of a whole sphere
    double grid_points, pair_points;
    int64_t pair_grid[3];
    double occupied;               // bands of a spin that hold electrons
    double product_flops;          // projectors, subspace, exchange applied: for one application to every band
    double transform_flops;        // likewise
    double eigen_flops, eigen_rows; // of one expansion at every k-point
    double waiting_flops;          // what else one rank of a group does for the others
    double pairs, pair_transforms; // of a build: products of two orbitals; transforms there and back
    double filled_share;           // of pairs: of filled bands alone
    double check_transforms, check_points; // by which exchange's grid is compared with the full one, at the end
    double projected;              // projectors times plane waves times k-points
    double ring_bytes;             // the same as plane waves, of the run's k-points
} pv_dft_work;
pv_status pv_dft_work_of(const pv_system *system, pv_dft_work *work_p);

typedef struct pv_dft_forecast {
    pv_rank_plan plan;
    double bytes;                  // that each must have, with what libraries take
    int fits;
    int states, tile;              // of a GPU that exchange works on; of these as fields at once. 0: there are no tiles
    double held_bytes;             // with these
    double start_s, step_s, end_s; // step_s: without exchange builds and communication, the mean of the run
    double build_s;                // of one build, what does not hide of its communication left out
    double comm_s;                 // of the run, hidden parts left out
    double total_s;
} pv_dft_forecast;

pv_status pv_dft_forecast_of(const pv_system *system, const pv_dft_work *work, const pv_dft_assumed *assumed,
                             const pv_dft_rates *rates, int count, pv_dft_forecast *forecast_p);

#endif
