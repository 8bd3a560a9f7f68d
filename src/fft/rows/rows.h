// SPDX-License-Identifier: Apache-2.0
// Rows: the transform along the last axis of real fields whose spectra end early, in place, and products of several
// fields at points on the way there and back, so that points need not be stored.
//
// A row of n real points begins every `pitch` reals; its half spectrum is the first `kept` complex numbers there. What
// lies behind them is zero, whatever memory holds. Not normalised: points to spectrum and back give n times the row.
#ifndef PV_FFT_ROWS_ROWS_H
#define PV_FFT_ROWS_ROWS_H

#include "fft/lines/lines.h"

enum { PV_ROWS_MOST_FIELDS = 6 };

typedef struct pv_rows_desc {
    pv_comm *comm;                 // engines are agreed on
    int64_t n, kept, pitch, count; // pitch: even, n / 2 + 1 complex numbers at least; count: rows of this rank
    pv_precision precision;
} pv_rows_desc;

struct pv_rows;

// Fields 0 .. inputs - 1 go to points, `outputs` fields from `first_output` on come back; fields that are not inputs
// are written alone. Inputs that are no outputs hold anything afterwards, but for rows that keep them.
typedef struct pv_rows_product {
    int inputs, first_output, outputs;
    void *context;
    // On the host, by one thread: `count` points of every field, in place.
    void (*on_host)(void *context, int thread, int64_t count, void *const *fields);
    // On another device: transforms and product of all rows by one kernel where there is one for them (*done_p = 1),
    pv_status (*fused)(void *context, const struct pv_rows *rows, void *const *fields, int *done_p);
    // else the product alone, of whole fields at points, rows' padding included.
    pv_status (*at_points)(void *context, void *const *fields);
} pv_rows_product;

typedef struct pv_rows {
    pv_rows_desc desc;
    pv_line_set lines;
    const pv_line_plan *to_points, *to_modes;
    const struct pv_rows_ops *ops;
    void *state;       // the backend's
    const void *roots; // on a GPU: what cuda/rows_line.cuh wants, NULL for lengths without a kernel
} pv_rows;

// Of a kind of device.
typedef struct pv_rows_ops {
    pv_status (*create)(pv_rows *rows);
    void (*destroy)(pv_rows *rows);
    pv_status (*to_points)(const pv_rows *rows, void *field);
    pv_status (*to_modes)(const pv_rows *rows, void *field);
    pv_status (*multiply)(const pv_rows *rows, const pv_rows_product *product, void *const *fields);
} pv_rows_ops;

extern const pv_rows_ops pv_rows_host, pv_rows_cufft;

// Collective.
pv_status pv_rows_create(const pv_rows_desc *desc, pv_rows **rows_p);
void pv_rows_destroy(pv_rows *rows);

// Local, in the order of the device's stream; fields lie in the device's memory.
pv_status pv_rows_to_points(const pv_rows *rows, void *field);
pv_status pv_rows_to_modes(const pv_rows *rows, void *field);
// Whether inputs that are no outputs stay as they were.
int pv_rows_keeps_inputs(const pv_rows *rows);
pv_status pv_rows_multiply(const pv_rows *rows, const pv_rows_product *product, void *const *fields);

#endif
