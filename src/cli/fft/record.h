// SPDX-License-Identifier: Apache-2.0
// What `parseval fft` says about one direction: the same record for programs and for people.
#ifndef PV_CLI_FFT_RECORD_H
#define PV_CLI_FFT_RECORD_H

#include <stdint.h>
#include <stdio.h>

#include <parseval/fft.h>

#include "base/clock.h"

typedef struct pv_fft_record {
    int64_t shape[3];
    int64_t batch;
    pv_fft_type type;
    pv_precision precision;
    const char *direction;              // "forward", "inverse"
    int ranks;
    const char *layout, *transport, *device;
    const char *means;                  // how the transport moves bytes here
    pv_timing seconds;
    double sent_bytes, peak_bytes;      // of the busiest rank
    double forward_error, roundtrip_error; // NAN: not verified
    double limit_s;
    double model_s, hidden_share;       // on GPUs, else NAN: cuFFTMp's model; of the exchange, NAN on one rank too
    const char *wire;                   // "exact", or what is sent for what
    double wire_bound;                  // of the relative error that it adds, 0: none
} pv_fft_record;

// One JSON object on one line.
pv_status pv_fft_record_print_json(FILE *out, const pv_fft_record *record);
// Aligned columns under one heading.
void pv_fft_record_print_table(FILE *out, const pv_fft_record *records, int count);

#endif
