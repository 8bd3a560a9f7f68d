// SPDX-License-Identifier: Apache-2.0
// One transform asked for on the command line: made, verified, timed, reported.
#ifndef PV_CLI_FFT_CASE_H
#define PV_CLI_FFT_CASE_H

#include <stdint.h>

#include <parseval/status.h>

typedef struct pv_fft_request {
    int64_t shape[3];
    int type, precision, layout, output, rigor, wire; // values of fft.h's enums
    int64_t grid[3];          // of --grid RxC: 1, rows, columns of a pencil decomposition; 0: chosen
    const char *transport, *device, *engine;
    const char *wisdom;                         // NULL: no file
    int64_t batch, repeat, chunks;
    int in_place, verify, show_plan, json;
} pv_fft_request;

pv_fft_request pv_fft_request_defaults(void);

// On all ranks of MPI_COMM_WORLD. Collective.
pv_status pv_fft_case_run(const pv_fft_request *request);

#endif
