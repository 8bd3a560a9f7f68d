// SPDX-License-Identifier: Apache-2.0
// Distributed Fourier transforms: boxes, layouts, reshapes, plans.
//
// Arrays are row-major, last index fastest, shape [n0][n1][n2]. Forward is exp(-2 pi i k x / n); inverse has the
// opposite sign. Nothing is normalised unless a scale is asked for: inverse(forward(u)) = n0 n1 n2 u.
#ifndef PARSEVAL_FFT_H
#define PARSEVAL_FFT_H

#include <stddef.h>
#include <stdint.h>

#include <parseval/comm.h>
#include <parseval/status.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- Boxes and layouts: plain data, pure functions, no communication ------------------------------------------

// Points lower <= i < upper in each direction. Empty when upper <= lower in any.
typedef struct pv_box {
    int64_t lower[3], upper[3];
} pv_box;

int64_t pv_box_count(const pv_box *box);                 // points inside; 0 when empty
pv_box pv_box_intersect(const pv_box *a, const pv_box *b);

// Which rank owns which box of a grid of `shape`, and in which order a rank keeps its box in memory:
// order[0] is the slowest axis, order[2] the fastest. {0,1,2} is the natural order.
typedef struct pv_layout {
    int ranks;
    int64_t shape[3];
    pv_box *boxes;                                       // [ranks], owned by the layout
    int order[3];
} pv_layout;

// Split along `axis` over all ranks; the first shape % ranks ranks own one plane more.
pv_status pv_layout_slab(const int64_t shape[3], int ranks, int axis, pv_layout **layout_p);
// `axis` complete on every rank, the two others (in axis order) split over rows x columns; rank = row * columns +
// column.
pv_status pv_layout_pencil(const int64_t shape[3], int rows, int columns, int axis, pv_layout **layout_p);
// Split over grid[0] x grid[1] x grid[2] ranks, last fastest.
pv_status pv_layout_block(const int64_t shape[3], const int grid[3], pv_layout **layout_p);
// The caller's boxes (copied). They must lie inside the shape, not overlap, and cover it: PV_ERR_SHAPE names the
// first rank, or pair of ranks, at fault. Empty boxes are fine.
pv_status pv_layout_boxes(const int64_t shape[3], int ranks, const pv_box *boxes, pv_layout **layout_p);
pv_status pv_layout_copy(const pv_layout *layout, pv_layout **copy_p);
void pv_layout_destroy(pv_layout *layout);
// Changes the order in memory; order must be a permutation of 0, 1, 2.
pv_status pv_layout_set_order(pv_layout *layout, const int order[3]);
pv_status pv_layout_check(const pv_layout *layout);
int64_t pv_layout_count(const pv_layout *layout, int rank);
// Offset in elements of the point (i0, i1, i2) inside the rank's box in memory.
int64_t pv_layout_offset(const pv_layout *layout, int rank, const int64_t point[3]);
// Strides in elements of a rank's box, by axis.
void pv_layout_strides(const pv_layout *layout, int rank, int64_t strides[3]);

// ---- Types -----------------------------------------------------------------------------------------------------

typedef enum pv_precision { PV_FP64, PV_FP32 } pv_precision;
// An R2C plan runs real-to-complex forward, complex-to-real inverse.
typedef enum pv_fft_type { PV_C2C, PV_R2C } pv_fft_type;
typedef enum pv_decomposition { PV_DECOMPOSE_AUTO, PV_DECOMPOSE_SLAB, PV_DECOMPOSE_PENCIL } pv_decomposition;

// Where the spectrum lies when the caller gives no layout for it.
typedef enum pv_output {
    PV_OUTPUT_NATURAL,           // split like the input, axes in natural order: one more exchange
    PV_OUTPUT_TRANSPOSED_OWNER,  // cuFFTMp's: another axis is split, the axes in memory stay natural
    PV_OUTPUT_TRANSPOSED_AXES    // FFTW's: another axis is split, and it becomes the slowest in memory
} pv_output;

typedef enum pv_rigor { PV_ESTIMATE, PV_MEASURE } pv_rigor;

// How values travel between ranks. PV_WIRE_REDUCED: FP64 as FP32, which must be in FP32's range, and FP32 as 16-bit
// integers with one exponent for every 16 reals that follow one another; half the bytes, all by messages. Values that a
// rank keeps are exact. Each exchange changes an array by at most 2^-24 (FP64) or 2^-13 (FP32) of its 2-norm, in FP32
// some 2^-15 for values of like size; pv_fft_plan_wire_bound adds them up.
typedef enum pv_wire { PV_WIRE_EXACT, PV_WIRE_REDUCED } pv_wire;

// ---- Reshape: from any layout to any layout of the same shape ---------------------------------------------------

typedef struct pv_reshape pv_reshape;

// element_bytes is 4, 8 or 16. Collective.
pv_status pv_reshape_create(pv_comm *comm, const pv_layout *from, const pv_layout *to, size_t element_bytes,
                            int64_t batch, pv_reshape **reshape_p);
// Collective. in and out hold batch local boxes one after another and do not overlap.
pv_status pv_reshape_execute(pv_reshape *reshape, const void *in, void *out);
void pv_reshape_destroy(pv_reshape *reshape);

// ---- Workspace: memory that several plans on one communicator may share ------------------------------------------

typedef struct pv_workspace pv_workspace;

// bytes is made the largest of all ranks. Collective.
pv_status pv_workspace_create(pv_comm *comm, size_t bytes, pv_workspace **workspace_p);
void pv_workspace_destroy(pv_workspace *workspace);
size_t pv_workspace_bytes(const pv_workspace *workspace);

// ---- Plans --------------------------------------------------------------------------------------------------------

typedef struct pv_fft_options {
    int64_t batch;                    // transforms side by side in memory, each a local box; 1
    const pv_layout *space;           // NULL: chosen. Shape of the transform
    const pv_layout *spectrum;        // NULL: from `output`. Shape, last axis n2 / 2 + 1 for R2C; `kept` shortens axes
    pv_decomposition decomposition;
    int grid[2];                      // rows, columns of a pencil decomposition; 0, 0: chosen
    pv_output output;
    int padded;                       // R2C: real rows hold 2 (n2 / 2 + 1) reals, as in-place transforms need
    double scale_forward, scale_inverse; // factors; 1, 1
    const char *engine;               // "auto", "fftw", "lines", "ref"; on GPUs "auto", "cuda", "cufft"
    pv_rigor rigor;                   // effort of engine and tuner: PV_MEASURE times candidates on all ranks
    int chunks;                       // pieces in which a stage overlaps its exchange; 0: chosen
    int defer_workspace;              // 1: the plan runs only after pv_fft_plan_set_workspace
    int convolution;                  // 1: pv_fft_convolve will be used
    pv_wire wire;                     // PV_WIRE_EXACT
    // Spectra that end early. kept[d] > 0: along axis d the spectrum has the indices 0 .. kept[d], -kept[d] .. -1
    // alone, in this order, 2 kept[d] + 1 < n; forward drops the others, inverse takes them for zero, and neither
    // stores, sends nor (but for the lines' own axis) transforms them. Complex axes; not with batch, convolution or
    // one-dimensional plans.
    int64_t kept[3];
    int last_axis_as_is; // 1: C2C plans transform the first two axes of three, for every index of the last
    int64_t space_pitch; // elements from one row of the real-space array to the next; 0: none between them. C2C
} pv_fft_options;

pv_fft_options pv_fft_options_defaults(void);

typedef struct pv_fft_plan pv_fft_plan;

// A plan for shape[0] x shape[1] x shape[2] points; use 1 for missing dimensions ({1, 1, n} is 1-D). Any lengths >= 1.
// options may be NULL. Collective on comm; every rank must pass the same arguments (PV_ERR_MISMATCH says which
// differs).
pv_status pv_fft_plan_create(pv_comm *comm, const int64_t shape[3], pv_fft_type type, pv_precision precision,
                             const pv_fft_options *options, pv_fft_plan **plan_p);
void pv_fft_plan_destroy(pv_fft_plan *plan);

const pv_layout *pv_fft_plan_space(const pv_fft_plan *plan);     // layout of the real-space array
const pv_layout *pv_fft_plan_spectrum(const pv_fft_plan *plan);  // layout of the spectrum
size_t pv_fft_plan_space_bytes(const pv_fft_plan *plan);         // this rank's arrays, batch and padding included
size_t pv_fft_plan_spectrum_bytes(const pv_fft_plan *plan);
size_t pv_fft_plan_workspace_bytes(const pv_fft_plan *plan);     // same on every rank
pv_status pv_fft_plan_set_workspace(pv_fft_plan *plan, pv_workspace *workspace);

// Space to spectrum, and back. in == out is allowed (in place) when the buffer holds the larger of the two arrays and,
// for R2C, the plan is padded; otherwise the buffers do not overlap and `in` is left as it was. Memory of the
// communicator's device, aligned to the element. What is seen to be wrong with the two pointers is PV_ERR_ARGUMENT on
// that rank alone, which has not begun: its next call is the one that the others, in theirs, wait for. Collective;
// allocates nothing.
pv_status pv_fft_forward(pv_fft_plan *plan, const void *in, void *out);
pv_status pv_fft_inverse(pv_fft_plan *plan, const void *in, void *out);

// Some points of the spectrum, handed to a pointwise step: value j of line i is values[i * line_stride + j * stride]
// (complex elements), at spectrum index start + i * line_step + j * step.
typedef struct pv_fft_points {
    int64_t batch;
    int64_t start[3], line_step[3], step[3];
    int64_t lines, count, line_stride, stride;
    void *values;
} pv_fft_points;
typedef void (*pv_fft_pointwise)(void *context, const pv_fft_points *points);

// out = inverse(pointwise(forward(in))), for plans made with `convolution`; both arrays in the space layout; in == out
// is allowed. The step may be called from several threads on disjoint points, and sees every point of this rank's share
// once. On a GPU the values are memory of the device, and the step gives its work to pv_device_stream. Collective.
pv_status pv_fft_convolve(pv_fft_plan *plan, pv_fft_pointwise step, void *context, const void *in, void *out);

// The plan as text: route, decomposition, transport, engine, bytes, forecast and measured time of each stage. The
// string belongs to the plan. Local.
const char *pv_fft_plan_text(pv_fft_plan *plan);
// Bytes that this rank sends to others in one direction.
size_t pv_fft_plan_sent_bytes(const pv_fft_plan *plan);
// What PV_WIRE_REDUCED adds at most to the relative error, in the 2-norm over all ranks, of a transform in one
// direction; 0 where nothing is sent so. The same on every rank.
double pv_fft_plan_wire_bound(const pv_fft_plan *plan);

// ---- Wisdom: what engines and the tuner have learnt, kept in a file ------------------------------------------------

// Reads (rank 0) and shares; a missing file is PV_OK, one that cannot be read PV_ERR_IO, a damaged one, a directory or
// a device PV_ERR_INPUT; then nothing changes. Collective.
pv_status pv_wisdom_load(pv_comm *comm, const char *path);
// Written by rank 0, aside then renamed. Collective.
pv_status pv_wisdom_save(pv_comm *comm, const char *path);

#ifdef __cplusplus
}
#endif
#endif
