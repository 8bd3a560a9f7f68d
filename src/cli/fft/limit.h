// SPDX-License-Identifier: Apache-2.0
// The shortest time that memory and links allow a distributed transform, whatever the arithmetic.
//
// A pass reads its input and writes its output once. Two axes can be transformed in one pass, in cache, so a slab
// decomposition needs two passes, a pencil decomposition, where each rank holds one axis at a time, three; the pass
// before an exchange writes straight into the receiver's memory. Each rank moves its share of the bytes at the copy
// rate that it reaches while all others copy too, and what goes to other ranks at the exchange rate; the two overlap
// completely, so the longer one is the limit.
#ifndef PV_CLI_FFT_LIMIT_H
#define PV_CLI_FFT_LIMIT_H

#include <parseval/fft.h>

#include "comm/measure.h"

typedef struct pv_fft_cost {
    double moved_bytes;         // read and written in memory, a rank
    double sent_bytes;          // to other ranks, by the busiest rank
} pv_fft_cost;

static inline int pv_fft_least_passes(const int64_t shape[3], int is_pencil)
{
    int axes = (shape[0] > 1) + (shape[1] > 1) + (shape[2] > 1), most = is_pencil ? 3 : 2;
    return axes < 1 ? 1 : axes < most ? axes : most;
}

static inline pv_fft_cost pv_fft_least_cost(const int64_t shape[3], pv_fft_type type, pv_precision precision,
                                            int64_t batch, int ranks, int is_pencil, double sent_bytes)
{
    double real_bytes = precision == PV_FP64 ? 8.0 : 4.0, lines = (double)shape[0] * (double)shape[1];
    double space = real_bytes * lines * (double)shape[2] * (type == PV_R2C ? 1.0 : 2.0);
    double spectrum = real_bytes * lines * (double)(type == PV_R2C ? shape[2] / 2 + 1 : shape[2]) * 2.0;
    double passes = (double)pv_fft_least_passes(shape, is_pencil);
    double moved = (space + spectrum + (passes - 1.0) * 2.0 * spectrum) * (double)batch / (double)ranks;
    return (pv_fft_cost){.moved_bytes = moved, .sent_bytes = sent_bytes};
}

static inline double pv_fft_limit_s(pv_fft_cost cost, const pv_comm_rates *rates)
{
    double memory_s = cost.moved_bytes / rates->copy_bytes_per_s;
    double links_s = cost.sent_bytes > 0.0 ? cost.sent_bytes / rates->exchange_bytes_per_s : 0.0;
    return memory_s > links_s ? memory_s : links_s;
}

// cuFFTMp's model of a transform on GPUs: three passes, one an axis, and then the exchange, nothing under anything
// else.
static inline double pv_fft_model_s(pv_fft_cost cost, double spectrum_bytes, const pv_comm_rates *rates)
{
    const double links_s = cost.sent_bytes > 0.0 ? cost.sent_bytes / rates->exchange_bytes_per_s : 0.0;
    return 6.0 * spectrum_bytes / rates->copy_bytes_per_s + links_s;
}

// The share of the exchange that took no time of its own; alone_s: what computing takes without it.
static inline double pv_fft_hidden_share(pv_fft_cost cost, double total_s, double alone_s, const pv_comm_rates *rates)
{
    const double links_s = cost.sent_bytes / rates->exchange_bytes_per_s, hidden_s = alone_s + links_s - total_s;
    return hidden_s < 0.0 ? 0.0 : hidden_s > links_s ? 1.0 : hidden_s / links_s;
}

#endif
