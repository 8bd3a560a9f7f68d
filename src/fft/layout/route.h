// SPDX-License-Identifier: Apache-2.0
// Routes: which layouts a transform passes through, and which axes it transforms in each. Pure: no communication.
#ifndef PV_FFT_LAYOUT_ROUTE_H
#define PV_FFT_LAYOUT_ROUTE_H

#include <parseval/fft.h>

// What is transformed. A batch that sits where the shape has a unit axis is folded into that axis, so that lines of
// several transforms share tiles; `batch` counts what could not be folded.
typedef struct pv_problem {
    int64_t shape[3];
    int64_t spectrum[3];       // its lengths: halved, or shorter because modes are not kept
    int transform[3];          // which axes
    int real;                  // R2C: axis 2 is halved by the transform
    pv_precision precision;
    int64_t batch;
    int fold_axis;             // -1, or the axis that holds the folded batch
    int long_line;             // one line of shape[1] * shape[2] points, transformed axis 1 first, with twiddle factors
    int ranks;
} pv_problem;

typedef struct pv_route_step {
    int axis;
    int inverse;
    int fused;                 // forward, the caller's pointwise step, inverse, in one visit
    int twiddle;               // the result is multiplied by twiddle factors
} pv_route_step;

// One stage: every axis it transforms is complete in its layout on every rank. No step: it only moves data.
typedef struct pv_route_stage {
    pv_layout *load, *store;   // before and after; they differ along axes that are halved or whose spectrum ends early
    int real_load, real_store; // elements are real numbers
    int step_count;
    pv_route_step steps[3];
} pv_route_stage;

#define PV_ROUTE_STAGES 10
typedef struct pv_route {
    int count;
    int long_line;
    pv_route_stage stages[PV_ROUTE_STAGES];
} pv_route;

typedef struct pv_route_choice {
    pv_decomposition decomposition;   // slab or pencil
    int rows, columns;
} pv_route_choice;

pv_problem pv_problem_make(const int64_t shape[3], pv_fft_type type, pv_precision precision, int64_t batch, int ranks);
// Where the spectrum ends early, and whether the last axis is left as it is: of pv_fft_options.
void pv_problem_keep(pv_problem *problem, const int64_t kept[3], int last_axis_as_is);
int pv_problem_is_shortened(const pv_problem *problem, int axis);

// Resolves PV_DECOMPOSE_AUTO and a grid of 0 x 0; an impossible grid is an error.
pv_status pv_route_choose(const pv_problem *problem, pv_decomposition decomposition, const int grid[2],
                          pv_route_choice *choice_p);
// n1 and n2, n1 <= n2, of a line long enough to be transformed by all ranks; 0 when it is not. Depends on n alone, so
// that the bits of a result do not depend on the number of ranks.
int64_t pv_route_long_line(int64_t n, int64_t *n2_p);
// Layouts of a long line: rows of the n1 x n2 points of space, and of the n2 x n1 of the spectrum (kept on axes 2, 1).
// As the caller sees them, of shape {1, 1, n}, with `line` 0; as routes do, of shape {1, n1, n2}, with `line` 1.
pv_status pv_route_line_space(int64_t n, int ranks, int line, pv_layout **layout_p);
pv_status pv_route_line_spectrum(int64_t n, int ranks, int line, pv_layout **layout_p);
// The layouts that a plan has when the caller gives none, of the unfolded shape (folded by pv_layout_fold below).
pv_status pv_route_default_space(const int64_t shape[3], const pv_route_choice *choice, int ranks,
                                 pv_layout **layout_p);
pv_status pv_route_default_spectrum(const int64_t spectrum[3], const pv_route_choice *choice, int ranks,
                                    pv_output output, pv_layout **layout_p);
// The same boxes for `batch` transforms along `axis` (a unit axis); axis < 0: a plain copy.
pv_status pv_layout_fold(const pv_layout *layout, int axis, int64_t batch, pv_layout **folded_p);

// space and spectrum are layouts of the folded shapes.
pv_status pv_route_forward(const pv_problem *problem, const pv_layout *space, const pv_layout *spectrum,
                           const pv_route_choice *choice, pv_route *route_p);
pv_status pv_route_inverse(const pv_route *forward, pv_route *route_p);
// Forward up to the last transformed axis, whose lines are transformed back in the same visit, and home again.
pv_status pv_route_convolve(const pv_route *forward, pv_route *route_p);
// A pure movement.
pv_status pv_route_move(const pv_layout *from, const pv_layout *to, pv_route *route_p);
void pv_route_destroy(pv_route *route);

#endif
